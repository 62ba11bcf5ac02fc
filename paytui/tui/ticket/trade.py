"""The ticket of a trade."""

# ruff: noqa: ARG002 - a declaration need not use all that it is given

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
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
from paytui.tui.ticket import checks, parties
from paytui.tui.ticket import deal as deals
from paytui.tui.ticket.checks import Review
from paytui.tui.ticket.deal import Deal, Exchange, Pricing, Side
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
    refusal_of,
)
from paytui.tui.ticket.parties import OTHER_ACCOUNT, Payee, Target
from paytui.tui.ticket.payment import (
    ACCOUNT,
    ANY_WALLET,
    FROM,
    REFERENCE,
    MoneyTask,
    Options,
    only,
    only_option,
    recent_first,
    unfit,
)
from paytui.tui.ticket.rate_lock import RateLock, rate_words
from paytui.tui.ui_context import UiContext

SELL, BUY, INTO, RATE = "sell", "buy", "into", "rate"
SELL_AMOUNT, BUY_AMOUNT = Side.SELL.amount_field, Side.BUY.amount_field
"""The keys of the fields."""

NO_REFERENCE = (
    "A trade that pays a recipient needs a reference: it tells the recipient the purpose."
)

_REAL_TIME = "market rate at execution, not guaranteed"

_FIELD_OF = {
    "sell_currency": SELL,
    "buy_currency": BUY,
    "sell_amount": SELL_AMOUNT,
    "buy_amount": BUY_AMOUNT,
    "sell_wallet_id": FROM,
    "buy_wallet_id": INTO,
    "recipient_id": INTO,
    "reference": REFERENCE,
}
"""The field that holds a field of a request, by canonical name (service.md)."""

_Candidate = tuple[Recipient, models.PaymentAddress, str]
"""A recipient's account, and why it cannot take the money."""


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
        self._indication: tuple[Pair, Decimal | None] | None = None

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        source = self._wallet(filled, FROM)
        sources = partial(self._from_options, values, filled)
        return (
            _currency_field(SELL, "Sell", filled, partial(self._sell_options, values)),
            _currency_field(BUY, "Buy", filled, partial(self._buy_options, values, filled)),
            *(self._side_field(side, filled) for side in Side),
            self._wallet_field(FROM, "From", source, sources, self._owner),
            *self._target_fields(values, filled),
            *self._written_fields(filled),
            self._rate_field(filled),
        )

    def _side_field(self, side: Side, filled: Values) -> Field:
        exchange, note = self._exchange(filled), ""
        other = exchange.other if isinstance(exchange, Exchange) else None
        if isinstance(exchange, Exchange) and exchange.side is not side and other is not None:
            note = f"≈ {echo(other, exchange.currency(side))}"
        label, currency = f"{side.value.capitalize()} amount", _code(filled, side)
        return self._amount_field(side.amount_field, label, filled, currency, note)

    def _rate_field(self, filled: Values) -> Field:
        text, note, lock = "Real-time rate", _REAL_TIME, self._held(filled)
        if filled[RATE] == Pricing.LOCKED:
            text, note = "Locked rate", lock.why_not() if lock else ""
        if lock is not None and lock.rate is not None:
            note = f"{rate_words(lock.pair, lock.rate)}  {lock.phase}"
        return Field(key=RATE, label="Rate", text=text, note=note, options=self._rate_options)

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

    def _about(self, address: models.PaymentAddress) -> str:
        title = parties.address_title(self.ui, address)
        return f"{title}  {parties.address_facts(self.ui, address)}".rstrip()

    def _judged(self, filled: Values) -> Iterator[Cell]:
        exchange, source = self._exchange(filled), self._wallet(filled, FROM)
        if isinstance(exchange, Obstacle):
            if filled.get(exchange.field):
                yield Cell(exchange.why, Tone.CLOSING)
            return
        yield Cell(f"= {echo(exchange.amount, exchange.fixed)}", Tone.ACCENT)
        if source is not None:
            lacks = deals.shortfall(self.ui, source, exchange)
            yield from parties.shortfall_warning(lacks, exchange.pair.sell)
        refusal = exchange.refusal(self.ui.settings.profile, self._payee_id(filled))
        yield from checks.complaint(refusal)

    def lines(self, filled: Values) -> Iterator[Line]:
        lock = self._held(filled)
        if lock is not None and lock.rate is not None:
            _, *others = deals.locked_lines(self.ui, lock)  # the field tells the rate
            yield from others

    # The options

    def _sell_options(self, values: Values) -> tuple[Option, ...]:
        options = _held_currencies(self._wallets(values))
        return _currencies_of(self.ui.store, Side.SELL, options, values, "no wallet")

    def _buy_options(self, values: Values, filled: Values) -> tuple[Option, ...]:
        options = _held_currencies(self.ui.store.wallets.rows())
        for _, address, why_not in self._payees(values, filled, None):
            code = address.currency
            if code and (code not in options or (options[code].why_not and not why_not)):
                options[code] = _currency(code, facts="recipients only", why_not=why_not)
        sold = _code(filled, SELL)
        if sold in options:
            options[sold] = replace(options[sold], why_not="is sold")
        return _currencies_of(self.ui.store, Side.BUY, options, values, "no wallet or recipient")

    def _payees(
        self,
        values: Values,
        filled: Values,
        bought: CurrencyCode | None,
        recipient: Recipient | None = None,
    ) -> Iterator[_Candidate]:
        """Yield the accounts of one or every recipient, and why they cannot take the money."""
        sold = _code(filled, SELL)
        # Only a wallet that was chosen is sure: with another one others can be paid.
        chosen = {key: text for key, text in values.items() if key == FROM}
        sources = self._sources(having(chosen, **{SELL: sold}))
        of_account = {wallet.account_id: wallet for wallet in sources}
        some = sources[0] if sources else replace(ANY_WALLET, currency=sold)
        rows = (recipient,) if recipient else self.ui.store.recipients.rows()
        known = addresses_by_recipient(self.ui.store, rows)
        for one in rows:
            source = of_account.get(one.account_id) or of_account.get(None) or some
            for address in known[one.recipient_id]:
                yield one, address, deals.payee_trouble(source, one, address, bought)

    def _from_options(self, values: Values, filled: Values) -> tuple[Option, ...]:
        wanted, recipient = values.get(SELL), self._recipient(values)
        owner = recipient.account_id if recipient else None

        def trouble(wallet: Wallet) -> str:
            if wanted and wallet.currency not in (None, wanted):
                return f"wrong currency ({wallet.currency})"
            return parties.wallet_trouble(wallet) if _may_pay(wallet, owner) else OTHER_ACCOUNT

        return parties.sources(self.ui.store, self._scope(filled), trouble)

    def _into_options(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return wallets of the selling account, then recipients, then wallets of others."""
        store, sold, wanted = self.ui.store, _code(filled, SELL), _code(values, BUY)
        source = self._wallet(filled, FROM)
        own, others = [], []
        for wallet in store.wallets.rows():
            trouble = deals.wallet_target_trouble(wallet, sold, wanted)
            option = parties.wallet_option(store, wallet, trouble)
            if source is None or wallet.account_id == source.account_id:
                own.append(option)
            else:
                facts = parties.other_owner_words(store, wallet)
                others.append(replace(option, facts=facts, asks=True))
        payees = self._payee_options(self._payees(values, filled, wanted))
        options = (*parties.by_name(own), *parties.by_name(payees), *parties.by_name(others))
        return tuple(sorted(options, key=lambda one: one.why_not != ""))

    def _payee_options(self, payees: Iterable[_Candidate]) -> Iterator[Option]:
        """Yield accounts or recipients; one whose accounts are not known may have one that fits."""
        if self._is_listed:
            for recipient, address, why_not in payees:
                about = self._about(address)
                yield self._payee_option(recipient, address.payment_address_id, about, why_not)
            return
        troubles: dict[str, list[str]] = {}
        for recipient, _, why_not in payees:
            troubles.setdefault(recipient.recipient_id, []).append(why_not)
        for recipient in self.ui.store.recipients.rows():
            found = troubles.get(recipient.recipient_id, [""])
            why_not = "" if "" in found else found[0]
            yield self._payee_option(recipient, recipient.recipient_id, "", why_not)

    def _payee_option(self, recipient: Recipient, key: str, about: str, why_not: str) -> Option:
        kind = f"recipient {parties.distinguishing_id(recipient)}".rstrip()
        facts, name = f"{kind}  {about}".rstrip(), recipient_title(recipient)
        return Option(key=_payee_key(self.ui.store, key), name=name, facts=facts, why_not=why_not)

    def _account_options(
        self, values: Values, filled: Values, recipient: Recipient
    ) -> tuple[Option, ...]:
        found = self._payees(values, filled, _code(values, BUY), recipient)
        troubles = {address.payment_address_id: why_not for _, address, why_not in found}
        return parties.addresses(
            self.ui, recipient, lambda address: troubles[address.payment_address_id]
        )

    def _rate_options(self) -> tuple[Option, ...]:
        lock, facts, why_not = self._lock, "", ""
        if lock is not None and lock.rate is not None:
            facts = rate_words(lock.pair, lock.rate)
        elif lock is not None and not lock.asking:
            why_not = lock.why_not()
        return (
            Option(key=Pricing.LOCKED, name="Locked rate", facts=facts, why_not=why_not),
            Option(key=Pricing.REAL_TIME, name="Real-time rate", facts=_REAL_TIME),
        )

    # What the values name

    @property
    def _is_listed(self) -> bool:
        """Return True if the service lists recipients: then each of their accounts is an option.

        Else you choose a recipient first, perhaps by its identifier, and then one of its accounts.
        """
        return self.ui.store.feed(models.Kind.RECIPIENTS).offered

    @property
    def _owner(self) -> models.AccountId | None:
        """Return the account of a wallet whose identifier is typed, if it is clear."""
        found = only(self.ui.store.accounts.keys())
        return self.ui.scope or (models.AccountId(found) if found else None)

    def _scope(self, values: Values) -> models.AccountId | None:
        """Return the account whose wallets may sell; None for every account.

        A wallet that was under the cursor sells, whichever account is looked at.
        """
        source = self._wallet(values, FROM)
        return None if source and source.account_id != self.ui.scope else self.ui.scope

    def _wallets(self, values: Values) -> Iterator[Wallet]:
        scope = self._scope(values)
        return (one for one in self.ui.store.wallets.rows() if scope in (None, one.account_id))

    def _sources(self, values: Values) -> list[Wallet]:
        """Return the chosen wallet, or those that can sell the currency."""
        if (source := self._wallet(values, FROM)) is not None:
            return [source]
        sold = values.get(SELL)
        return [
            wallet
            for wallet in self._wallets(values)
            if wallet.currency == sold and not parties.wallet_trouble(wallet)
        ]

    def target(self, values: Values) -> Wallet | Payee | Recipient | None:
        """Return the target; a recipient of whom no account is chosen yet."""
        wallet, key = self._wallet(values, INTO), values.get(INTO, "").removeprefix(_PAYEE)
        meant = values.get(INTO_IS)
        if (wallet is not None and meant != "payee") or meant == "wallet" or not key:
            return wallet
        store = self.ui.store
        if self._is_listed:
            return _payee_at(store, models.PaymentAddressId(key))
        recipient = store.recipients.get(models.RecipientId(key))
        chosen = values.get(ACCOUNT)
        if recipient is None or not chosen:
            return recipient
        account = models.PaymentAddressId(chosen)
        address = parties.address_of(store, recipient.recipient_id, account)
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
            usable = (one for one in self._wallets(values) if not parties.wallet_trouble(one))
            code = source.currency if source else only(one.currency for one in usable)
            values = having(values, **{SELL: code})
        recipient = self._recipient(values)
        if recipient is not None and ACCOUNT not in values and not self._is_listed:
            options = self._account_options(values, values, recipient)
            values = having(values, **{ACCOUNT: only_option(options)})
        if BUY not in values:
            values = having(values, **{BUY: self._bought(values)})
        if FROM not in values and SELL in values:
            owner = recipient.account_id if recipient else None
            fit = (one for one in self._sources(values) if _may_pay(one, owner))
            values = having(values, **{FROM: only(one.wallet_id for one in fit)})
        source = self._wallet(values, FROM)
        if INTO not in values and BUY in values and source is not None:
            own = (
                one.wallet_id
                for one in self.ui.store.wallets.rows()
                if one.account_id == source.account_id
                and one.currency == values[BUY]
                and not deals.wallet_target_trouble(one, _code(values, SELL), None)
            )
            values = having(values, **{INTO: only(own)})
        return values

    def _bought(self, values: Values) -> str | None:
        """Return the currency of the target, or the only one that can be bought."""
        if (target := self.target(values)) is not None:
            return _currency_of(target)
        return only(self._buyable(values)) if SELL in values else None

    def _buyable(self, values: Values) -> Iterator[str | None]:
        for wallet in self.ui.store.wallets.rows():
            if not deals.wallet_target_trouble(wallet, _code(values, SELL), None):
                yield wallet.currency
        payees = self._payees(values, values, None)
        yield from (address.currency for _, address, why_not in payees if not why_not)

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; an amount fixes its side and the currencies."""
        if key not in (SELL_AMOUNT, BUY_AMOUNT):
            return super().with_text(values, key, text)
        other = BUY_AMOUNT if key == SELL_AMOUNT else SELL_AMOUNT
        if not text and values.get(other):
            return having(values, **{key: None})
        filled = self.filled(values)
        pinned = {code: filled.get(code) for code in (SELL, BUY)}
        return having(values, **{**pinned, other: None, key: text})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with a choice, without those that do not fit it.

        An amount is dropped with its currency: nobody means as many units of another.
        """
        changed = having(values, **{key: choice})
        if key == INTO:
            changed = having(changed, **{ACCOUNT: None})
        if key == INTO:
            is_payee = choice.startswith(_PAYEE) or self._wallet(changed, INTO) is None
            changed = having(changed, **{INTO_IS: "payee" if is_payee else "wallet"})
        source, target = self._wallet(changed, FROM), self.target(changed)
        before = self._wallet(values, FROM)
        if key == FROM and source and before and isinstance(target, Wallet):
            was_own = target.account_id == before.account_id
            if was_own and target.account_id != source.account_id:
                changed = having(changed, **{INTO: None, INTO_IS: None})
        if key == SELL and source is not None and source.currency != choice:
            changed = having(changed, **{FROM: None})
        if key == BUY and target is not None and _currency_of(target) not in (None, choice):
            changed = having(changed, **{INTO: None, ACCOUNT: None})
        if changed.get(BUY) and changed[BUY] == self.filled(changed).get(SELL):
            changed = having(changed, **{BUY: None, INTO: None, ACCOUNT: None})
        for side in Side:
            if values.get(side) != changed.get(side):
                changed = having(changed, **{side.amount_field: None})
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
        self._indication = (pair, rate or last_known_rate(self.ui.store, pair))

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

    def _held(self, filled: Values) -> RateLock | None:
        """Return the lock of the pair, unless the service's rate at booking was chosen."""
        is_held = self._lock and self._lock.pair == _pair(filled)
        return self._lock if is_held and filled[RATE] == Pricing.LOCKED else None

    def _indicated(self, pair: Pair) -> Decimal | None:
        """Return the last known rate as it was when the field was reached."""
        if self._indication is not None and self._indication[0] == pair:
            return self._indication[1]
        return last_known_rate(self.ui.store, pair)

    # The order and its review

    def _exchange(self, filled: Values) -> Exchange | Obstacle:
        pair = _pair(filled)
        if pair is None:
            return Obstacle(SELL_AMOUNT, "")
        side = Side.BUY if BUY_AMOUNT in filled else Side.SELL
        currency = pair.buy if side is Side.BUY else pair.sell
        try:
            amount = parse_amount(filled.get(side.amount_field, ""), currency)
        except AmountError as error:
            return Obstacle(side.amount_field, str(error))
        lock = self._held(filled)
        return Exchange(pair, side, amount, (lock and lock.rate) or self._indicated(pair))

    def order(self, filled: Values) -> Deal | Obstacle:
        legs = self._legs(filled)
        if isinstance(legs, Obstacle):
            return legs
        written = self._written(filled)
        if isinstance(written, Obstacle):
            return written
        exchange, source, target = legs
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

    def _legs(self, filled: Values) -> tuple[Exchange, Wallet, Target] | Obstacle:
        """Return the amount and its parties, or the first of them that is missing or wrong."""
        wrong = self._source(filled) or self._currencies(filled) or self._into(filled)
        exchange = wrong or self._exchange(filled)
        if isinstance(exchange, Obstacle):
            return exchange
        profile, payee = self.ui.settings.profile, self._payee_id(filled)
        refused = exchange.refusal(profile, payee)
        if filled[RATE] == Pricing.REAL_TIME and not refused:
            newest = last_known_rate(self.ui.store, exchange.pair)
            refused = replace(exchange, rate=newest).refusal(profile, payee)
        if refused:
            return Obstacle(exchange.side.amount_field, refused)
        source, target = self._wallet(filled, FROM), self.target(filled)
        if source is None:
            return Obstacle(FROM, "Choose the wallet to sell from.")
        if target is None:
            return Obstacle(INTO, "Choose the wallet to buy into.")
        if isinstance(target, Recipient):
            return Obstacle(ACCOUNT, "Choose an account of the recipient.")
        return exchange, source, target

    def _lacks_purpose(self, filled: Values) -> str:
        return NO_REFERENCE if self._recipient(filled) is not None else ""

    def _source(self, filled: Values) -> Obstacle | None:
        """Return what is wrong with the chosen wallet."""
        if FROM not in filled:
            return None
        source, sold = self._wallet(filled, FROM), filled.get(SELL)
        if source is None:
            return Obstacle(FROM, f"{filled[FROM]}: {parties.GONE}.")
        trouble = parties.wallet_trouble(source)
        if not trouble and source.currency != sold:
            trouble = f"wrong currency ({source.currency})"
        return unfit(FROM, source, trouble)

    def _currencies(self, filled: Values) -> Obstacle | None:
        """Return which currency is missing; where wallets have no list, which party."""
        is_listed = self.ui.store.feed(models.Kind.WALLETS).offered
        sold, bought = filled.get(SELL), filled.get(BUY)
        why = ""
        if not sold:
            return Obstacle(SELL if is_listed else FROM, "Choose the currency to sell.")
        if is_listed and not self._sources(filled):
            return Obstacle(SELL, f"There is no wallet to sell {sold} from.")
        if bought == sold:
            why = f"{bought} is sold: choose another currency."
        elif bought and is_listed and INTO not in filled and bought not in self._buyable(filled):
            why = f"There is no wallet or recipient for {bought}."
        if bought:
            return Obstacle(BUY, why) if why else None
        if isinstance(self.target(filled), Recipient):
            return Obstacle(ACCOUNT, "Choose an account of the recipient.")
        missing = BUY if is_listed else INTO if FROM in filled else FROM
        return Obstacle(missing, "Choose what to buy." if missing != FROM else "Choose a wallet.")

    def _into(self, filled: Values) -> Obstacle | None:
        """Return what is wrong with the chosen target."""
        target, source = self.target(filled), self._wallet(filled, FROM)
        sold, bought = _code(filled, SELL), _code(filled, BUY)
        if INTO in filled and target is None:
            return Obstacle(INTO, f"{filled[INTO].removeprefix(_PAYEE)}: {parties.GONE}.")
        if isinstance(target, Wallet):
            return unfit(INTO, target, deals.wallet_target_trouble(target, sold, bought))
        if isinstance(target, Payee):
            payer = source or replace(ANY_WALLET, currency=sold)
            trouble = deals.payee_trouble(payer, target.recipient, target.address, bought)
            if target.address.currency is None:
                trouble = trouble or "currency not known"
            if trouble:
                where = INTO if self._is_listed else ACCOUNT
                return Obstacle(where, f"{recipient_title(target.recipient)}: {trouble}.")
        return None

    def _refusal(self, order: Deal) -> str:
        refused = refusal_of(order.demand(self.ui.settings.profile))
        is_good = order.quote is not None and self._lock is not None and self._lock.is_good
        if refused or is_good or order.pricing is Pricing.REAL_TIME:
            return refused
        return self.late() or "no rate is held"

    def agreed(self, order: Deal, review: Checks) -> object:
        assert isinstance(review, Review)
        lacks = deals.shortfall(self.ui, order.source, order.exchange) is not None
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
        lacks = deals.shortfall(self.ui, order.source, order.exchange)
        yield from parties.shortfall_warning(lacks, order.exchange.pair.sell)

    # The end

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        return deals.trade_lines(self.ui, became)

    def _field_of(self, order: Deal) -> Mapping[str, str]:
        account = INTO if self._is_listed else ACCOUNT
        amount = order.exchange.side.amount_field
        return {**_FIELD_OF, "amount": amount, "payment_address_id": account}

    def restart(self) -> None:
        super().restart()
        self._at = ""


_PAYEE = "payee "

INTO_IS = "into is"
"""The key of what was meant by `INTO`: a service may number wallets and accounts alike."""


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


def _currency_of(target: Target | Recipient) -> CurrencyCode | None:
    """Return the currency of a target; of a recipient without a chosen account it is open."""
    if isinstance(target, Recipient):
        return None
    return target.address.currency if isinstance(target, Payee) else target.currency


def _may_pay(wallet: Wallet, owner: models.AccountId | None) -> bool:
    """Return True unless a wallet is known to be of another account than a recipient."""
    return owner is None or wallet.account_id in (None, owner)


def _currency_field(key: str, label: str, filled: Values, options: Options) -> Field:
    text = filled.get(key, "")
    return Field(key=key, label=label, text=text, hint="currency", options=options, spaced=False)


def _held_currencies(wallets: Iterable[Wallet]) -> dict[CurrencyCode, Option]:
    """Return the currencies of wallets, each with the balance of its only one that can be used.

    They have no words, lest a part of one be taken for a currency.
    """
    found: dict[CurrencyCode, list[Wallet]] = {}
    for wallet in wallets:
        if wallet.currency is not None:
            found.setdefault(wallet.currency, []).append(wallet)
    options = {}
    for code, held in found.items():
        usable = [wallet for wallet in held if not parties.wallet_trouble(wallet)]
        balance = usable[0].available_balance if len(usable) == 1 else None
        amount = "" if balance is None else amount_words(balance, code)
        why_not = "" if usable else parties.wallet_trouble(held[0])
        options[code] = _currency(code, amount=amount, why_not=why_not)
    return options


def _currency(code: CurrencyCode, *, amount: str = "", facts: str = "", why_not: str) -> Option:
    return Option(key=code, name=code, amount=amount, facts=facts, why_not=why_not)


def _currencies_of(
    store: Store, side: Side, options: dict[CurrencyCode, Option], values: Values, lacks: str
) -> tuple[Option, ...]:
    """Return the currencies of a side, those of the last trades here first.

    One that was asked for, such as that of a rate, is there even if nothing holds it.
    """
    if (code := _code(values, side)) is not None and code not in options:
        options[code] = _currency(code, why_not=lacks)
    currency_of = attrgetter("terms.sell_currency" if side is Side.SELL else "terms.buy_currency")
    return recent_first(store, (options[code] for code in sorted(options)), currency_of)


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
            known = addresses_of(ui.store, subject)
            fit = (one for one in known if not deals.payee_trouble(ANY_WALLET, subject, one, None))
            account = only(one.payment_address_id for one in fit)
            return payee_values(ui, subject.recipient_id, account)
        case _:
            return {}


def repeated_trade(ui: UiContext, trade: models.Trade) -> Values:
    """Return the values of a new trade like an earlier one, without its tag."""
    side = Side.BUY if trade.dealt_side == Side.BUY else Side.SELL
    amount = trade.buy_amount if side is Side.BUY else trade.sell_amount
    code = trade.buy_currency if side is Side.BUY else trade.sell_currency
    into: Values = having({}, **{INTO: trade.buy_wallet_id})
    if trade.recipient_id:
        into = payee_values(ui, trade.recipient_id, trade.payment_address_id)
    fixed = {
        SELL: trade.sell_currency,
        BUY: trade.buy_currency,
        FROM: trade.sell_wallet_id,
        side.amount_field: plain(amount) if amount is not None and code else None,
        REFERENCE: without_tag(trade.reference),
    }
    answers = checks.answers_before(ui.store, trade.trade_transaction_id)
    extra = {f"{EXTRA}.{name}": text for name, text in answers.items()}
    return having({**into, **extra}, **fixed)


def payee_values(ui: UiContext, recipient_id: str, account: str | None) -> Values:
    """Return the values of a trade that pays a recipient, perhaps at a certain account."""
    if ui.store.feed(models.Kind.RECIPIENTS).offered:
        return {INTO: _payee_key(ui.store, account), INTO_IS: "payee"} if account else {}
    meant = {INTO: _payee_key(ui.store, recipient_id), INTO_IS: "payee"}
    return having(meant, **{ACCOUNT: account})
