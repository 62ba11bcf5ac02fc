"""The ticket of a trade."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from itertools import islice
from operator import attrgetter

from paytui.domain import models
from paytui.domain.intent import without_tag
from paytui.domain.models import Recipient, Record, Wallet
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.store.figures import last_known_rate
from paytui.store.names import account_name, recipient_title
from paytui.store.payees import addresses_by_recipient, addresses_of
from paytui.store.store import Store
from paytui.tui.format.cells import amount_words
from paytui.tui.forms.common_fields import EXTRA, AmountError, echo, parse_amount
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket import deal as deals
from paytui.tui.ticket import parties
from paytui.tui.ticket.deal import Deal, Exchange, Pricing, RateLock, Side, rate_words
from paytui.tui.ticket.model import (
    CONFIRM,
    Checks,
    Field,
    Line,
    Obstacle,
    Option,
    Values,
    having,
    line,
)
from paytui.tui.ticket.money import (
    ACCOUNT,
    ANY_WALLET,
    FROM,
    REFERENCE,
    MoneyTask,
    Review,
    answers_before,
    complaint,
    only,
    only_option,
    recent_first,
    unfit,
)
from paytui.tui.ticket.parties import OTHER_ACCOUNT, Payee, Target
from paytui.tui.ui_context import UiContext

SELL, BUY, INTO, RATE = Side.SELL.value, Side.BUY.value, "into", "rate"
SELL_AMOUNT, BUY_AMOUNT = Side.SELL.amount_field, Side.BUY.amount_field
"""The keys of the fields."""

INTO_IS = "into is"
"""The key of what was meant by `INTO`: a service may number wallets and accounts alike."""

REMOVED = "removed amount"
"""The key of the amount that was removed with its currency, until another is typed."""

_NO_TARGET = dict.fromkeys((INTO, INTO_IS, ACCOUNT))
_NO_ACCOUNT = Obstacle(ACCOUNT, "Choose an account of the recipient.")
_PAYEE = "payee "  # Begins the key of a payee's option where a wallet has the same identifier

_FIELD_OF = {
    **{name: name for name in (SELL_AMOUNT, BUY_AMOUNT, REFERENCE)},
    "sell_currency": SELL,
    "buy_currency": BUY,
    "sell_wallet_id": FROM,
    "buy_wallet_id": INTO,
    "recipient_id": INTO,
}
"""The field that holds a field of a request, by canonical name (service.md)."""


class TradeTask(MoneyTask[Deal]):
    """A trade from a wallet into another one, or to a recipient.

    It holds a rate from the amount on, so that the countdown is in view while that is typed.
    """

    key = "trade"
    title = "Trade"
    verb = "book"
    noun = "Trade"
    service = "trades"
    request_name = "trade_request"

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui)
        self._lock: RateLock | None = None
        self._at = ""
        self._is_locked = True
        self._indicated: dict[Pair, Decimal | None] = {}

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        source = self._wallet(filled, FROM)
        sources = partial(self._from_options, values, filled)
        owner = only(self.ui.store.accounts.keys())
        account_id = self.ui.scope or (models.AccountId(owner) if owner else None)
        return (
            *(self._currency_field(side, values, filled) for side in Side),
            *(self._side_field(side, filled) for side in Side),
            self._wallet_field(FROM, "From", source, sources, account_id),
            *self._target_fields(values, filled),
            *self._written_fields(filled),
            self._rate_field(filled),
        )

    def _currency_field(self, side: Side, values: Values, filled: Values) -> Field:
        return Field(
            key=side.value,
            label=side.value.capitalize(),
            text=filled.get(side, ""),
            hint="currency",
            options=partial(self._currency_options, side, values, filled),
            spaced=False,
        )

    def _side_field(self, side: Side, filled: Values) -> Field:
        exchange, note = self._exchange(filled), ""
        if isinstance(exchange, Exchange) and exchange.side is not side:
            amount = exchange.amount_of(side)
            note = "" if amount is None else f"≈ {echo(amount, exchange.currency(side))}"
        label = f"{side.value.capitalize()} amount"
        return self._amount_field(side.amount_field, label, filled, _code(filled, side), note)

    def _target_fields(self, values: Values, filled: Values) -> Iterator[Field]:
        target, recipient = self.target(filled), self._recipient(filled)
        account = self._about(target.address) if isinstance(target, Payee) else ""
        text = note = ""
        if isinstance(target, Wallet):
            text = target.wallet_name or target.wallet_id
            source = self._wallet(filled, FROM)
            is_own = source is None or source.account_id == target.account_id
            whose = account_name(self.ui.store, target.account_id)
            owner = whose if is_own else parties.other_owner_words(self.ui.store, target)
            note = f"{parties.balance_words(self.ui, target)}, {owner}"
        elif recipient is not None:
            text, marks = recipient_title(recipient), ", ".join(self.ui.likeness.of(recipient))
            note = "  ".join(filter(None, (account if self._is_listed else "", marks)))
        yield self._choice(
            INTO,
            "Into",
            partial(self._into_options, values, filled),
            ANY_WALLET,
            Recipient(models.RecipientId("")),
            text=text,
            note=note,
            hint="a wallet or a recipient",
        )
        if recipient is not None and not self._is_listed:
            options = partial(self._account_options, values, filled, recipient)
            yield self._account_field(recipient, values.get(BUY), options, account)

    def _rate_field(self, filled: Values) -> Field:
        lock, held = self._lock, self._held(filled)
        rate = "" if lock is None or lock.rate is None else rate_words(lock.pair, lock.rate)
        why_not = lock.why_not() if lock and not rate and not lock.asking else ""
        unlocked = "market rate at execution, not guaranteed"
        options = (
            Option(key=Pricing.LOCKED, name="Locked rate", facts=rate, why_not=why_not),
            Option(key=Pricing.REAL_TIME, name="Real-time rate", facts=unlocked),
        )
        text, note = options[1].name, unlocked
        if filled[RATE] == Pricing.LOCKED:
            text, note = options[0].name, held.why_not() if held else ""
        if held is not None and rate:
            note = f"{rate}  {held.phase}"
        return Field(key=RATE, label="Rate", text=text, note=note, options=lambda: options)

    def _about(self, address: models.PaymentAddress) -> str:
        title = parties.address_title(self.ui, address)
        return f"{title}  {parties.address_facts(self.ui, address)}".rstrip()

    def _judged(self, filled: Values) -> Iterator[Cell]:
        exchange, source = self._exchange(filled), self._wallet(filled, FROM)
        if isinstance(exchange, Obstacle):
            if filled.get(exchange.field):
                yield Cell(exchange.why, Tone.CLOSING)
            elif removed := filled.get(REMOVED):
                yield Cell(f"{removed} was removed: its currency has changed.", Tone.CLOSING)
            return
        yield Cell(f"= {echo(exchange.amount, exchange.fixed)}", Tone.ACCENT)
        if source is not None:
            lacks = exchange.shortfall(self.ui, source)
            yield from parties.shortfall_warning(lacks, exchange.pair.sell)
        refusal = exchange.refusal(self.ui.settings.profile, self._payee_id(filled))
        yield from complaint(refusal)

    def lines(self, filled: Values) -> Iterator[Line]:
        lock = self._held(filled)
        if lock is not None and lock.rate is not None:  # which the field shows
            yield from islice(deals.locked_lines(self.ui, lock), 1, None)

    # The options

    def _currency_options(self, side: Side, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return the currencies of a side, those of the last trades here first."""
        options = sorted(self._currencies(side, values, filled), key=attrgetter("key"))
        currency_of = attrgetter(f"terms.{side.value}_currency")
        return recent_first(self.ui.store, options, currency_of)

    def _currencies(self, side: Side, values: Values, filled: Values) -> Iterable[Option]:
        """Return the currencies of a side, each with the balance of its only usable wallet.

        They have no words, lest a part of one be taken for a currency. One that was asked for is
        there even if nothing holds it.
        """
        is_sold, sold = side is Side.SELL, _code(filled, SELL)
        options: dict[str, Option] = {}
        for wallet in self._wallets(values) if is_sold else self.ui.store.wallets.rows():
            code, balance = wallet.currency, wallet.available_balance
            why_not, before = parties.wallet_trouble(wallet), options.get(code or "")
            if code and (before is None or (before.why_not and not why_not)):
                amount = "" if why_not or balance is None else amount_words(balance, code)
                options[code] = Option(key=code, name=code, amount=amount, why_not=why_not)
            elif before and not why_not:
                options[before.key] = replace(before, amount="")
        for payee, why_not in () if is_sold else self._payees(values, filled, None):
            code = payee.address.currency
            if code and (code not in options or (options[code].why_not and not why_not)):
                facts = "recipients only"
                options[code] = Option(key=code, name=code, facts=facts, why_not=why_not)
        if sold in options and not is_sold:
            options[sold] = replace(options[sold], why_not="is sold")
        if asked := values.get(side):
            why_not = "no wallet" if is_sold else "no wallet or recipient"
            options.setdefault(asked, Option(key=asked, name=asked, why_not=why_not))
        return options.values()

    def _payees(
        self,
        values: Values,
        filled: Values,
        bought: CurrencyCode | None,
        recipient: Recipient | None = None,
    ) -> Iterator[tuple[Payee, str]]:
        """Yield the accounts of one or every recipient, and why they cannot take the money."""
        sold = _code(filled, SELL)
        # Only a wallet that was chosen is sure: with another one others can be paid.
        sources = self._sources(having({}, **{FROM: values.get(FROM), SELL: sold}))
        of_account = {wallet.account_id: wallet for wallet in sources}
        some = sources[0] if sources else replace(ANY_WALLET, currency=sold)
        rows = (recipient,) if recipient else self.ui.store.recipients.rows()
        known = addresses_by_recipient(self.ui.store, rows)
        for one in rows:
            source = of_account.get(one.account_id) or of_account.get(None) or some
            for payee in (Payee(one, address) for address in known[one.recipient_id]):
                yield payee, deals.payee_trouble(source, payee, bought)

    def _from_options(self, values: Values, filled: Values) -> tuple[Option, ...]:
        wanted, recipient = values.get(SELL), self._recipient(values)
        owner = recipient.account_id if recipient else None

        def trouble(wallet: Wallet) -> str:
            if wanted and wallet.currency not in (None, wanted):
                return f"wrong currency ({wallet.currency})"
            is_other = owner is not None and wallet.account_id not in (None, owner)
            return OTHER_ACCOUNT if is_other else parties.wallet_trouble(wallet)

        store, wallets = self.ui.store, self._wallets(filled)
        return parties.by_name(parties.wallet_option(store, one, trouble(one)) for one in wallets)

    def _into_options(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return wallets of the selling account, then recipients, then wallets of others."""
        store, sold, wanted = self.ui.store, _code(filled, SELL), _code(values, BUY)
        source, wallets = self._wallet(filled, FROM), []
        for wallet in store.wallets.rows():
            trouble = deals.wallet_target_trouble(wallet, sold, wanted)
            option = parties.wallet_option(store, wallet, trouble)
            if source is not None and wallet.account_id != source.account_id:
                option = replace(option, facts=parties.other_owner_words(store, wallet), asks=True)
            wallets.append(option)
        payees = self._payee_options(self._payees(values, filled, wanted))
        options = (*parties.by_name(wallets), *parties.by_name(payees))
        return tuple(sorted(options, key=lambda one: (one.why_not != "", one.asks)))

    def _payee_options(self, payees: Iterable[tuple[Payee, str]]) -> Iterator[Option]:
        """Yield accounts or recipients; one whose accounts are not known may have one that fits."""
        found: list[tuple[Recipient, str, str, str]] = []
        troubles: dict[str, list[str]] = {}
        for payee, why_not in payees:
            recipient, address = payee.recipient, payee.address
            troubles.setdefault(recipient.recipient_id, []).append(why_not)
            if self._is_listed:
                account = address.payment_address_id
                found.append((recipient, account, self._about(address), why_not))
        for recipient in () if self._is_listed else self.ui.store.recipients.rows():
            of_each = troubles.get(recipient.recipient_id, [""])
            why_not = "" if "" in of_each else of_each[0]
            found.append((recipient, recipient.recipient_id, "", why_not))
        for recipient, key, about, why_not in found:
            kind = f"recipient {parties.distinguishing_id(recipient)}".rstrip()
            yield Option(
                key=_payee_key(self.ui.store, key),
                name=recipient_title(recipient),
                facts=f"{kind}  {about}".rstrip(),
                why_not=why_not,
            )

    def _account_options(
        self, values: Values, filled: Values, recipient: Recipient
    ) -> tuple[Option, ...]:
        found = self._payees(values, filled, _code(values, BUY), recipient)
        troubles = {payee.address.payment_address_id: why_not for payee, why_not in found}
        return parties.addresses(self.ui, recipient, lambda one: troubles[one.payment_address_id])

    # What the values name

    @property
    def _is_listed(self) -> bool:
        """Return True if the service lists recipients: then each of their accounts is an option.

        Else you choose a recipient first, perhaps by its identifier, and then one of its accounts.
        """
        return self.ui.store.feed(models.Kind.RECIPIENTS).offered

    def _wallets(self, values: Values) -> list[Wallet]:
        """Return the wallets of the account that is looked at, if any.

        A wallet that was under the cursor sells, whichever account is looked at.
        """
        source, scope = self._wallet(values, FROM), self.ui.scope
        is_any = scope is None or (source is not None and source.account_id != scope)
        return [one for one in self.ui.store.wallets.rows() if is_any or one.account_id == scope]

    def _sources(self, values: Values) -> list[Wallet]:
        """Return the chosen wallet, or those that can sell the currency."""
        if (source := self._wallet(values, FROM)) is not None:
            return [source]
        in_currency = (one for one in self._wallets(values) if one.currency == values.get(SELL))
        return [one for one in in_currency if not parties.wallet_trouble(one)]

    def target(self, values: Values) -> Target | Recipient | None:
        """Return the target; a recipient of whom no account is chosen yet."""
        wallet, key = self._wallet(values, INTO), values.get(INTO, "").removeprefix(_PAYEE)
        meant = values.get(INTO_IS)
        if (wallet is not None and meant != "payee") or meant == "wallet" or not key:
            return wallet
        if self._is_listed:
            return _payee_at(self.ui.store, models.PaymentAddressId(key))
        recipient = self.ui.store.recipients.get(models.RecipientId(key))
        account = models.PaymentAddressId(values.get(ACCOUNT, ""))
        if recipient is None or not account:
            return recipient
        address = parties.address_of(self.ui.store, recipient.recipient_id, account)
        return recipient if address is None else Payee(recipient, address)

    def _recipient(self, values: Values) -> Recipient | None:
        target = self.target(values)
        if isinstance(target, Payee):
            return target.recipient
        return target if isinstance(target, Recipient) else None

    def paid(self, filled: Values) -> models.PaymentAddress | None:
        target = self.target(filled)
        return target.address if isinstance(target, Payee) else None

    # What follows from the values

    def filled(self, values: Values) -> Values:
        values = {RATE: Pricing.LOCKED.value, **values}
        if SELL not in values:
            source = self._wallet(values, FROM)
            options = self._currencies(Side.SELL, values, values)
            values = having(values, **{SELL: source.currency if source else only_option(options)})
        recipient = self._recipient(values)
        if recipient is not None and ACCOUNT not in values and not self._is_listed:
            accounts = self._account_options(values, values, recipient)
            values = having(values, **{ACCOUNT: only_option(accounts)})
        if BUY not in values:
            target = self.target(values)
            code: str | None = _currency_of(target)
            if target is None and SELL in values:
                code = only_option(self._currencies(Side.BUY, values, values))
            values = having(values, **{BUY: code})
        if FROM not in values and SELL in values:
            values = having(values, **{FROM: only_option(self._from_options(values, values))})
        source = self._wallet(values, FROM)
        if INTO not in values and BUY in values and source is not None:
            own = (
                one.wallet_id
                for one in self.ui.store.wallets.rows()
                if (one.account_id, one.currency) == (source.account_id, values[BUY])
                and not deals.wallet_target_trouble(one, _code(values, SELL), None)
            )
            values = having(values, **{INTO: only(own)})
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; an amount fixes its side and the currencies."""
        if key not in (SELL_AMOUNT, BUY_AMOUNT):
            return super().with_text(values, key, text)
        other = BUY_AMOUNT if key == SELL_AMOUNT else SELL_AMOUNT
        if not text and values.get(other):
            return having(values, **{key: None})
        filled = self.filled(values)
        removed = None if text else values.get(REMOVED)
        fixed = {SELL: filled.get(SELL), BUY: filled.get(BUY), REMOVED: removed}
        return having(values, **{**fixed, other: None, key: text})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with a choice, without those that do not fit it.

        An amount is removed with its currency: nobody means as many units of another.
        """
        changed = having(values, **{key: choice})
        if key == INTO:
            is_payee = choice.startswith(_PAYEE) or self._wallet(changed, INTO) is None
            meant = "payee" if is_payee else "wallet"
            changed = having(changed, **{ACCOUNT: None, INTO_IS: meant})
        source, target = self._wallet(changed, FROM), self.target(changed)
        before = self._wallet(values, FROM)
        if key == FROM and source and before and isinstance(target, Wallet):
            if target.account_id == before.account_id != source.account_id:
                changed = having(changed, **_NO_TARGET)
        elif key == SELL and source is not None and source.currency != choice:
            changed = having(changed, **{FROM: None})
        elif key == BUY and _currency_of(target) not in (None, choice):
            changed = having(changed, **_NO_TARGET)
        if changed.get(BUY) and changed[BUY] == self.filled(changed).get(SELL):
            changed = having(changed, **{BUY: None}, **_NO_TARGET)
        was, now = self.filled(values), self.filled(changed)
        for side in Side:
            amount, currency = values.get(side.amount_field), was.get(side)
            if amount is not None and currency != now.get(side):
                removed = f"{amount} {currency or ''}".strip() if amount else values.get(REMOVED)
                changed = having(changed, **{side.amount_field: None, REMOVED: removed})
        return changed

    # The rate

    def reach(self, at: str, filled: Values) -> None:
        """Hold a rate from the amount on, and ask for another if it is not good at the end."""
        pair, is_new = _pair(filled), at != self._at
        self._at, self._is_locked = at, filled[RATE] == Pricing.LOCKED
        if self._lock is not None and self._lock.pair != pair:
            self._lock = None
        if pair is None or at in (SELL, BUY):
            return
        if self._is_locked and self._lock is None:
            self._lock = RateLock(self.ui, pair)
        elif is_new and at == CONFIRM and self._lock and self._is_locked and not self._lock.is_good:
            self._lock.ask()
        rate = self._lock.rate if self._lock and self._lock.is_good else None
        self._indicated = {pair: rate or last_known_rate(self.ui.store, pair)}

    def poll(self, at: str) -> bool:
        return self._lock is not None and self._lock.poll()

    def late(self) -> str:
        if not self._is_locked:
            return ""
        return self._lock.why_not() if self._lock else "no rate was requested"

    @property
    def left(self) -> timedelta | None:
        return self._lock.left if self._lock and self._is_locked else None

    def actions(self, at: str) -> tuple[str, ...]:
        is_possible = self._lock is not None and self._is_locked and at not in (SELL, BUY)
        return ("requote",) if is_possible else ()

    def act(self, action: str) -> None:
        if self._lock is not None:
            self._lock.ask()

    def restart(self) -> None:
        super().restart()
        self._at = ""

    def _held(self, filled: Values) -> RateLock | None:
        """Return the lock of the pair, unless the service's rate at booking was chosen."""
        is_held = self._lock and self._lock.pair == _pair(filled)
        return self._lock if is_held and filled[RATE] == Pricing.LOCKED else None

    # The order and its review

    def _exchange(self, filled: Values) -> Exchange | Obstacle:
        """Return the amount, at the locked rate or the last known when the field was reached."""
        pair, lock = _pair(filled), self._held(filled)
        if pair is None:
            return Obstacle(SELL_AMOUNT, "")
        side = Side.BUY if BUY_AMOUNT in filled else Side.SELL
        currency = pair.buy if side is Side.BUY else pair.sell
        try:
            amount = parse_amount(filled.get(side.amount_field, ""), currency)
        except AmountError as error:
            return Obstacle(side.amount_field, str(error))
        rate = lock.rate if lock else None
        if rate is None:
            is_known, store = pair in self._indicated, self.ui.store
            rate = self._indicated[pair] if is_known else last_known_rate(store, pair)
        return Exchange(pair, side, amount, rate)

    def order(self, filled: Values) -> Deal | Obstacle:
        wrong = next(filter(None, self._wrong_choices(filled)), None)
        exchange = wrong or self._exchange(filled)
        if isinstance(exchange, Obstacle):
            return exchange
        profile, payee = self.ui.settings.profile, self._payee_id(filled)
        refused = exchange.refusal(profile, payee)
        if filled[RATE] == Pricing.REAL_TIME:
            newest = replace(exchange, rate=last_known_rate(self.ui.store, exchange.pair))
            refused = refused or newest.refusal(profile, payee)
        if refused:
            return Obstacle(exchange.side.amount_field, refused)
        source, target = self._wallet(filled, FROM), self.target(filled)
        if source is None:
            return Obstacle(FROM, "Choose the wallet to sell from.")
        if target is None or isinstance(target, Recipient):
            return _NO_ACCOUNT if target else Obstacle(INTO, "Choose the wallet to buy into.")
        written = self._written(filled)
        if isinstance(written, Obstacle):
            return written
        reference, extra = written
        lock = self._held(filled)
        return Deal(
            exchange=exchange,
            source=parties.without_balances(source),
            target=parties.without_balances(target) if isinstance(target, Wallet) else target,
            pricing=Pricing(filled[RATE]),
            quote=lock.sheet if lock and lock.rate is not None and not lock.asking else None,
            reference=reference,
            extra=extra,
        )

    def _wrong_choices(self, filled: Values) -> Iterator[Obstacle | None]:
        """Yield what is wrong with the wallet that sells, the currencies and the target.

        Where the service does not list wallets, a missing currency is that of a missing party.
        """
        source, sold, bought = self._wallet(filled, FROM), filled.get(SELL), filled.get(BUY)
        is_listed = self.ui.store.feed(models.Kind.WALLETS).offered
        if source is not None:
            other = "" if source.currency == sold else f"wrong currency ({source.currency})"
            yield unfit(FROM, source, parties.wallet_trouble(source) or other)
        elif FROM in filled:
            yield Obstacle(FROM, f"{filled[FROM]}: {parties.GONE}.")
        if not sold:
            yield Obstacle(SELL if is_listed else FROM, "Choose the currency to sell.")
        if is_listed and not self._sources(filled):
            yield Obstacle(SELL, f"There is no wallet to sell {sold} from.")
        if bought == sold:
            yield Obstacle(BUY, f"{bought} is sold: choose another currency.")
        if not bought and isinstance(self.target(filled), Recipient):
            yield _NO_ACCOUNT
        elif not bought and (is_listed or FROM in filled):
            yield Obstacle(BUY if is_listed else INTO, "Choose what to buy.")
        elif not bought:
            yield Obstacle(FROM, "Choose a wallet.")
        elif is_listed and INTO not in filled:
            found = {one.key: one.why_not for one in self._currencies(Side.BUY, filled, filled)}
            why_not = f"There is no wallet or recipient for {bought}."
            yield Obstacle(BUY, why_not) if found[bought] else None
        yield self._wrong_target(filled)

    def _wrong_target(self, filled: Values) -> Obstacle | None:
        target, source = self.target(filled), self._wallet(filled, FROM)
        sold, bought = _code(filled, SELL), _code(filled, BUY)
        if INTO in filled and target is None:
            return Obstacle(INTO, f"{filled[INTO].removeprefix(_PAYEE)}: {parties.GONE}.")
        if isinstance(target, Wallet):
            return unfit(INTO, target, deals.wallet_target_trouble(target, sold, bought))
        if not isinstance(target, Payee):
            return None
        payer = source or replace(ANY_WALLET, currency=sold)
        trouble = deals.payee_trouble(payer, target, bought)
        if not trouble and target.address.currency is None:
            trouble = "currency not known"
        words = f"{recipient_title(target.recipient)}: {trouble}."
        return Obstacle(INTO if self._is_listed else ACCOUNT, words) if trouble else None

    def _lacks_purpose(self, filled: Values) -> str:
        if self._recipient(filled) is None:
            return ""
        return (
            "A trade that pays a recipient needs a reference: it tells the recipient the purpose."
        )

    def _refusal(self, order: Deal) -> str:
        refused = order.demand(self.ui.settings.profile).refusal
        is_good = order.quote is not None and self._lock is not None and self._lock.is_good
        if refused or is_good or order.pricing is Pricing.REAL_TIME:
            return refused
        return self.late() or "no rate is held"

    def agreed(self, order: Deal, review: Checks) -> object:
        assert isinstance(review, Review)
        lacks = order.exchange.shortfall(self.ui, order.source) is not None
        return (order, review.request, review.demand, review.warnings, lacks)

    def _order_lines(self, order: Deal, *, hidden: bool) -> Iterator[Line]:
        yield from deals.deal_lines(self.ui, order, hidden=hidden)
        pair, rate = order.exchange.pair, order.exchange.rate
        if order.pricing is Pricing.REAL_TIME:
            words = "real-time: market rate at execution"
            yield line("Rate", words, "not locked", Tone.CLOSING)
            if rate is not None:
                yield line("Last known", rate_words(pair, rate), "indicative only", Tone.MUTED)
        elif self._lock is not None and self._lock.pair == pair:
            yield from deals.locked_lines(self.ui, self._lock)

    def review_words(self, order: Deal, review: Checks) -> Iterator[Cell]:
        lacks = order.exchange.shortfall(self.ui, order.source)
        yield from parties.shortfall_warning(lacks, order.exchange.pair.sell)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        return deals.trade_lines(self.ui, became)

    def _field_of(self, order: Deal) -> Mapping[str, str]:
        account = INTO if self._is_listed else ACCOUNT
        amount = order.exchange.side.amount_field
        return {**_FIELD_OF, "amount": amount, "payment_address_id": account}


def _payee_key(store: Store, identifier: str) -> str:
    """Return the key of a payee's option: a service may number wallets and payees alike."""
    is_wallet_too = store.wallets.get(models.WalletId(identifier)) is not None
    return f"{_PAYEE}{identifier}" if is_wallet_too else identifier


def _payee_at(store: Store, account: models.PaymentAddressId) -> Payee | None:
    """Return the recipient that has an account, if the service lists it now."""
    known = store.payment_addresses.get(account)
    owner = store.recipients.get(known.recipient_id) if known and known.recipient_id else None
    rows = store.recipients.rows() if owner is None else (owner,)
    found = addresses_by_recipient(store, rows)
    payees = (Payee(one, address) for one in rows for address in found[one.recipient_id])
    return next((one for one in payees if one.address.payment_address_id == account), None)


def _currency_of(target: Target | Recipient | None) -> CurrencyCode | None:
    """Return the currency of a target; of a recipient without a chosen account it is open."""
    if isinstance(target, Payee):
        return target.address.currency
    return target.currency if isinstance(target, Wallet) else None


def _code(values: Values, key: str) -> CurrencyCode | None:
    text = values.get(key)
    return CurrencyCode(text) if text else None


def _pair(filled: Values) -> Pair | None:
    sold, bought = _code(filled, SELL), _code(filled, BUY)
    return Pair(sold, bought) if sold and bought and sold != bought else None


# What a ticket begins with


def trade_values(ui: UiContext, subject: object) -> Values:
    match subject:
        case Wallet() if not parties.wallet_trouble(subject):
            return {FROM: subject.wallet_id}
        case models.Account():
            wallets = ui.store.wallets.rows()
            own = (one.wallet_id for one in wallets if one.account_id == subject.account_id)
            return having({}, **{FROM: only(own)})
        case Pair(sold, bought) | models.Trade(sell_currency=sold, buy_currency=bought):
            return having({}, **{SELL: sold, BUY: bought})
        case models.PaymentAddress() if subject.recipient_id:
            return payee_values(ui, subject.recipient_id, subject.payment_address_id)
        case Recipient():
            known = (Payee(subject, one) for one in addresses_of(ui.store, subject))
            fit = (one for one in known if not deals.payee_trouble(ANY_WALLET, one, None))
            account = only(one.address.payment_address_id for one in fit)
            return payee_values(ui, subject.recipient_id, account)
        case _:
            return {}


def repeated_trade(ui: UiContext, trade: models.Trade) -> Values:
    """Return the values of a new trade like an earlier one, without its tag."""
    side, amount, code = Side.SELL, trade.sell_amount, trade.sell_currency
    if trade.dealt_side == Side.BUY:
        side, amount, code = Side.BUY, trade.buy_amount, trade.buy_currency
    into: Values = having({}, **{INTO: trade.buy_wallet_id})
    if trade.recipient_id:
        into = payee_values(ui, trade.recipient_id, trade.payment_address_id)
    answers = answers_before(ui.store, trade.trade_transaction_id)
    fixed = {
        SELL: trade.sell_currency,
        BUY: trade.buy_currency,
        FROM: trade.sell_wallet_id,
        side.amount_field: plain(amount) if amount is not None and code else None,
        REFERENCE: without_tag(trade.reference),
        **{f"{EXTRA}.{name}": text for name, text in answers.items()},
    }
    return having(into, **fixed)


def payee_values(ui: UiContext, recipient_id: str, account: str | None) -> Values:
    """Return the values of a trade that pays a recipient, perhaps at a certain account."""
    if ui.store.feed(models.Kind.RECIPIENTS).offered:
        return {INTO: _payee_key(ui.store, account), INTO_IS: "payee"} if account else {}
    into = _payee_key(ui.store, recipient_id)
    return having({INTO: into, INTO_IS: "payee"}, **{ACCOUNT: account})
