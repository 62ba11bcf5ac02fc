"""The ticket of a trade."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import partial
from itertools import islice
from operator import attrgetter

from paytui.domain import models
from paytui.domain.intent import Intent
from paytui.domain.mandate import Mandate
from paytui.domain.models import Kind, Record, Trade, Wallet
from paytui.domain.money import CurrencyCode, Exchange, Money, Pair, Side
from paytui.domain.requests import TradeRequest
from paytui.store import payable
from paytui.store.mandates import own_mandates
from paytui.store.names import recipient_title
from paytui.store.payable import ANY_RECIPIENT, ANY_WALLET, OTHER_ACCOUNT, Payee, Target
from paytui.store.rate_board import last_known_rate
from paytui.tui.confirmation import Checks, Demand, demand
from paytui.tui.format.cells import Cell, Tone, amount_words, rate_words
from paytui.tui.terminal.tty import loses_letters
from paytui.tui.ticket import choices, mandates
from paytui.tui.ticket.choices import only_one, only_option, payee_of, recent_first
from paytui.tui.ticket.field_names import ACCOUNT, BUY, BUY_AMOUNT, FROM, SELL, SELL_AMOUNT, TO
from paytui.tui.ticket.model import CONFIRM, Field, Line, Obstacle, Option, Values, having, line
from paytui.tui.ticket.money import MoneyTask, Order, code_of
from paytui.tui.ticket.rate_lock import RateLock, locked_lines
from paytui.tui.ticket.task import day_words
from paytui.tui.ui_context import UiContext

RATE = "rate"
_NO_TARGET = dict.fromkeys((TO, ACCOUNT))


class Pricing(StrEnum):
    LOCKED = "locked"
    REAL_TIME = "real-time"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Order):
    exchange: Exchange
    pricing: Pricing
    need: mandates.Need | None = None  # If it is above the desk's limit
    proposes: Mandate | None = None  # In place of the trade, which no approved mandate covers


class TradeTask(MoneyTask[Deal]):
    """A trade from a wallet into another one, or to a recipient.

    It holds a rate from the amount on, so that the countdown is in view while that is typed.
    """

    verb = "book"
    noun = "Trade"

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, "trade")
        self._lock: RateLock | None = None
        self._indicated: dict[Pair, Decimal | None] = {}

    # The fields

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        owner = self.ui.scope or only_one(self.ui.store.accounts.keys())
        seller = replace(ANY_WALLET, account_id=models.AccountId(owner) if owner else None)
        buyers, hint = (ANY_WALLET, ANY_RECIPIENT), "a wallet or a recipient"
        return (
            *(
                Field(
                    key=side.value,
                    label=side.value.capitalize(),
                    text=filled.get(side.value, ""),
                    hint="currency",
                    options=partial(self._currencies, side, values, filled),
                    spaced=False,
                )
                for side in Side
            ),
            *(self._side_field(side, filled) for side in Side),
            self._choice(values, filled, FROM, "From", self._sources, seller),
            self._choice(values, filled, TO, "Into", self._targets, *buyers, hint=hint),
            *self._account_fields(values, filled, code_of(values, BUY)),
            *self._written_fields(filled),
            self._rate_field(filled),
            *self._mandate_fields(filled),
        )

    def _mandate_fields(self, filled: Values) -> tuple[Field, ...]:
        if self._sent is None and payee_of(filled.get(TO)) is None:
            with suppress(Obstacle):
                return tuple(mandates.fields(self.ui, self._locked(filled), filled))
        return ()

    def _side_field(self, side: Side, filled: Values) -> Field:
        note = ""
        with suppress(Obstacle):
            exchange = self._exchange(filled)
            if exchange.side is not side and (amount := exchange.amount_of(side)) is not None:
                note = f"≈ {amount_words(amount, exchange.currency(side))}"
        field = self._amount_field(side.amount_field, filled, code_of(filled, side))
        words = [Cell(note, Tone.ACCENT)]
        return replace(field, note=note, judged=lambda: words) if note else field

    def _rate_field(self, filled: Values) -> Field:
        lock, held = self._lock, self.lock(filled)
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

    def lines(self, filled: Values) -> Iterator[Line]:
        lock = self.lock(filled)
        if lock is not None and lock.rate is not None:  # which the field shows
            yield from islice(locked_lines(self.ui, lock), 1, None)
        if (pair := _pair(filled)) and self.ui.store.desk_limits.above:
            for one in own_mandates(self.ui.store, pair, self.ui.time.latest()):
                yield mandates.open_line(self.ui, one)

    # The options

    def _currencies(self, side: Side, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return the currencies of a side, each with the balance of its only usable wallet.

        Those of the last trades here come first. They have no words, lest a part of one be taken
        for a currency. One that was asked for is there even if nothing holds it.
        """
        is_sold, sold, store = side is Side.SELL, code_of(filled, SELL), self.ui.store
        scope = self._scope(values) if is_sold else None
        options: dict[str, Option] = {}
        for wallet in store.wallets.rows():
            if scope not in (None, wallet.account_id):
                continue
            code, balance = wallet.currency, wallet.available_balance
            why_not, before = payable.wallet_trouble(wallet), options.get(code or "")
            if code and (before is None or (before.why_not and not why_not)):
                amount = "" if why_not or balance is None else amount_words(balance, code)
                options[code] = Option(key=code, name=code, amount=amount, why_not=why_not)
            elif before and not why_not:
                options[before.key] = replace(before, amount="")
        if not is_sold:
            payers = self._payers(having(values, **{BUY: None}), filled, BUY)
            usable = {code for code, one in options.items() if not one.why_not}
            for paid, why_not in payable.payee_currencies(store, payers, usable).items():
                if paid not in options or not why_not:
                    facts = "recipients only"
                    options[paid] = Option(key=paid, name=paid, facts=facts, why_not=why_not)
        if sold in options and not is_sold:
            options[sold] = replace(options[sold], why_not="same as sell")
        if asked := values.get(side):
            why_not = "no wallet" if is_sold else "no wallet or recipient"
            options.setdefault(asked, Option(key=asked, name=asked, why_not=why_not))
        by_code = sorted(options.values(), key=attrgetter("key"))
        return recent_first(store, by_code, attrgetter(f"terms.{side.value}_currency"))

    def _sources(self, values: Values, filled: Values) -> tuple[Option, ...]:
        wanted, recipient = values.get(SELL), self._recipient(values)

        def trouble(wallet: Wallet) -> str:
            is_other = recipient is not None and payable.is_of_another(recipient, wallet)
            return payable.wallet_trouble(wallet, wanted) or (OTHER_ACCOUNT if is_other else "")

        return choices.wallets(self.ui.store, self._scope(filled), trouble)

    def _scope(self, values: Values) -> models.AccountId | None:
        """Return the account that is looked at, unless a wallet of another one was chosen."""
        source, scope = self._wallet(values, FROM), self.ui.scope
        return None if source is not None and source.account_id != scope else scope

    def _targets(self, values: Values, filled: Values) -> tuple[Option, ...]:
        """Return wallets of the selling account, then recipients, then wallets of others."""
        sold, payers = filled.get(SELL), self._payers(values, filled, TO)
        trouble = partial(payable.wallet_trouble, currency=values.get(BUY), sold=sold)
        source = self._wallet(filled, FROM)
        wallets = choices.wallets(self.ui.store, None, trouble, other=source)
        found = choices.recipients(self.ui, partial(payable.payee_trouble, payers, sold=sold))
        payees = [replace(one, facts=f"recipient  {one.facts}".rstrip()) for one in found]
        return tuple(sorted((*wallets, *payees), key=lambda one: (one.why_not != "", one.asks)))

    def _payers(self, values: Values, filled: Values, key: str) -> list[Wallet]:
        """Return the chosen wallet, or those that can sell, with the bought currency as theirs."""
        source, sold = self._wallet(values, FROM), filled.get(SELL)
        # With another than was chosen others can be paid.
        found = [source] if source else payable.payers(self.ui.store, self.ui.scope, sold)
        return [replace(one, currency=code_of(values, BUY)) for one in found or [ANY_WALLET]]

    def _target_currency(self, values: Values) -> CurrencyCode | None:
        """Return the currency of the target; it is open until an account is chosen."""
        target = self._wallet(values, TO) or self.paid(values)
        return target.currency if target else None

    # What follows from the values

    def filled(self, values: Values) -> Values:
        values = {RATE: Pricing.LOCKED.value, **values}
        if SELL not in values:
            sold: str | None = self._currency(values, FROM)
            if self._wallet(values, FROM) is None and SELL_AMOUNT not in values:
                sold = only_option(self._currencies(Side.SELL, values, values))
            values = having(values, **{SELL: sold})
        values = self._with_account(values)
        if BUY not in values:
            code: str | None = self._target_currency(values)
            if TO not in values and SELL in values and BUY_AMOUNT not in values:
                code = only_option(self._currencies(Side.BUY, values, values))
            values = having(values, **{BUY: code})
        if FROM not in values and SELL in values:
            values = having(values, **{FROM: only_option(self._sources(values, values))})
        source = self._wallet(values, FROM)
        if TO not in values and BUY in values and source is not None and source.account_id:
            trouble = partial(payable.wallet_trouble, currency=values[BUY], sold=values.get(SELL))
            own = choices.wallets(self.ui.store, source.account_id, trouble)
            values = having(values, **{TO: only_option(own)})
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text; an amount fixes its side and the currencies."""
        if key not in (SELL_AMOUNT, BUY_AMOUNT):
            return super().with_text(values, key, text)
        other = BUY_AMOUNT if key == SELL_AMOUNT else SELL_AMOUNT
        if not text and values.get(other):
            return having(values, **{key: None})
        filled = self.filled(values)
        fixed = {SELL: filled.get(SELL), BUY: filled.get(BUY)}
        return having(values, **{**fixed, other: None, key: text})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with a choice, without those that do not fit it.

        An amount is removed with its currency: nobody means as many units of another.
        """
        changed, was = having(values, **{key: choice}), self.filled(values)
        source = self._wallet(changed, FROM)
        if key == TO:
            changed = having(changed, **{ACCOUNT: None})
        elif key == SELL and source is not None and source.currency != choice:
            changed = having(changed, **{FROM: None})
        elif key == BUY and self._target_currency(was) not in (None, choice):
            changed = having(changed, **_NO_TARGET)
        if changed.get(BUY) and changed[BUY] == self.filled(changed).get(SELL):
            changed = having(changed, **{BUY: None}, **_NO_TARGET)
        now = self.filled(changed)
        if key != TO and self._is_left_behind(self._wallet(changed, TO), was, now):
            changed = having(changed, **_NO_TARGET)
            now = self.filled(changed)
        gone = [side.amount_field for side in Side if was.get(side) != now.get(side)]
        if _pair(was) != _pair(now):
            gone.append(mandates.WORST)
        return having(changed, **dict.fromkeys(gone))

    # The rate

    def reach(self, at: str, filled: Values) -> None:
        """Hold a rate from the amount on, and ask for another if it is not good at the end."""
        pair = _pair(filled)
        if self._lock is not None:
            self._lock.poll()
            self._lock = self._lock if self._lock.pair == pair else None
        if pair is None or at in (SELL, BUY):
            return
        if self._lock is None and filled[RATE] == Pricing.LOCKED:
            self._lock = RateLock(self.ui, pair)
        if at == CONFIRM and (lock := self.lock(filled)) and not lock.is_good:
            lock.ask()
        rate = self._lock.rate if self._lock and self._lock.is_good else None
        self._indicated = {pair: rate or last_known_rate(self.ui.store, pair)}

    def lock(self, filled: Values) -> RateLock | None:
        """Return the lock of the pair, unless the service's rate at booking was chosen."""
        is_held = self._lock and self._lock.pair == _pair(filled)
        return self._lock if is_held and filled[RATE] == Pricing.LOCKED else None

    # The order and its review

    def _exchange(self, filled: Values) -> Exchange:
        """Return the amount, at the locked rate or the last known when the field was reached."""
        pair, lock = _pair(filled), self.lock(filled)
        if pair is None:
            raise Obstacle(SELL_AMOUNT, "")
        side = Side.BUY if BUY_AMOUNT in filled else Side.SELL
        currency = pair.buy if side is Side.BUY else pair.sell
        amount = self._amount(side.amount_field, filled, currency)
        rate = (lock.rate if lock else None) or self._indicated.get(pair)
        return Exchange(pair, side, amount, rate or last_known_rate(self.ui.store, pair))

    def _locked(self, filled: Values) -> Exchange:
        """Return the amount at the locked rate; without it there is none."""
        lock = self.lock(filled)
        return replace(self._exchange(filled), rate=lock.rate if lock else None)

    def _amounts(self, filled: Values) -> tuple[Money, Money | None, Demand]:
        exchange, profile = self._exchange(filled), self.ui.settings.profile
        rates = [exchange.rate]
        if filled[RATE] == Pricing.REAL_TIME:
            rates.append(last_known_rate(self.ui.store, exchange.pair))
        known = [replace(exchange, rate=rate).turned for rate in rates if rate]
        needs = demand(profile, payee_of(filled.get(TO)), exchange.fixed, *known)
        return exchange.fixed, exchange.sold, needs

    def order(self, filled: Values) -> Deal:
        source = self._checked_source(filled)
        target = self._target(filled)
        exchange, (fixed, sold, needs) = self._exchange(filled), self._amounts(filled)
        if needs.refusal:
            raise Obstacle(exchange.side.amount_field, needs.refusal)
        if source is None:
            raise Obstacle(FROM, "Choose the wallet to sell from.")
        if target is None:
            raise Obstacle(TO, "Choose the wallet to buy into.")
        reference, extra = self._written(filled)
        lock, payee = self.lock(filled), target if isinstance(target, Payee) else None
        quote = lock.sheet if lock and lock.rate is not None and not lock.asking else None
        pair, sells = exchange.pair, exchange.side is Side.SELL
        request = TradeRequest(
            account_id=source.account_id,
            sell_currency=pair.sell,
            buy_currency=pair.buy,
            sell_wallet_id=source.wallet_id,
            sell_amount=exchange.amount if sells else None,
            buy_amount=None if sells else exchange.amount,
            buy_wallet_id=target.wallet_id if isinstance(target, Wallet) else None,
            recipient_id=payee.recipient.recipient_id if payee else None,
            payment_address_id=payee.address.payment_address_id if payee else None,
            rate_sheet_id=quote.rate_sheet_id if quote else None,
            reference=reference,
            extra=extra,
        )
        need, proposes = mandates.need_of(self.ui, locked := self._locked(filled)), None
        if need is not None and need.is_unmet and quote is not None and payee is None:
            proposes = mandates.proposal(self.ui, locked, filled)
        whole = amount_words(fixed.amount, fixed.currency)
        sold_words, bought_words = (whole, pair.buy) if sells else (pair.sell, whole)
        profile = self.ui.settings.profile
        return Deal(
            source=source,
            target=target,
            request=request,
            title=f"Trade: sell {sold_words}, buy {bought_words}",
            spent=sold,
            demand=demand(profile, request.recipient_id, exchange.fixed, exchange.turned),
            quote=quote,
            exchange=exchange,
            pricing=Pricing(filled[RATE]),
            need=need,
            proposes=proposes,
        )

    def _checked_source(self, filled: Values) -> Wallet | None:
        """Return the wallet that sells, if one is chosen, once it and the currencies fit.

        Where the service does not list wallets, a missing currency is that of a missing party.
        """
        source, sold, bought = None, filled.get(SELL), filled.get(BUY)
        is_listed = self.ui.store.feed(Kind.WALLETS).offered
        if FROM in filled:
            source = self._party(filled, FROM, partial(payable.wallet_trouble, currency=sold))
        if not sold:
            raise Obstacle(SELL if is_listed else FROM, "Choose the currency to sell.")
        if source is None and not payable.payers(self.ui.store, self.ui.scope, sold):
            raise Obstacle(SELL, f"There is no wallet to sell {sold} from.")
        if bought == sold:
            raise Obstacle(BUY, f"{bought} is sold: choose another currency.")
        if not bought:
            self._target(filled)  # whose account may be missing
            unlisted = TO if source else FROM
            raise Obstacle(BUY if is_listed else unlisted, "Choose what to buy.")
        if is_listed and TO not in filled:
            found = {one.key: one.why_not for one in self._currencies(Side.BUY, filled, filled)}
            if found[bought]:
                raise Obstacle(BUY, f"There is no wallet or recipient for {bought}.")
        return source

    def _target(self, filled: Values) -> Target | None:
        sold, bought = filled.get(SELL), filled.get(BUY)
        if payee_of(filled.get(TO)):
            return self._payee(filled, self._payers(filled, filled, TO), bought)
        trouble = partial(payable.wallet_trouble, currency=bought, sold=sold)
        return self._party(filled, TO, trouble) if TO in filled else None

    def _needs_reference(self, filled: Values) -> str:
        is_paid_out = payee_of(filled.get(TO)) is not None
        why = "A trade that pays a recipient needs a reference: it tells the recipient the purpose."
        return super()._needs_reference(filled) or (why if is_paid_out else "")

    def _is_proposed(self, order: Deal) -> bool:
        return order.proposes is not None

    def review_lines(self, order: Deal, review: Checks) -> Iterator[Line]:
        if order.proposes is None:
            yield from super().review_lines(order, review)
            return
        yield from mandates.proposal_lines(order.proposes, order.exchange.rate)
        yield choices.service_line(self.ui)

    def review_words(self, order: Deal, review: Checks) -> Iterator[Cell]:
        yield from mandates.review_words(order.need, order.proposes)
        yield from day_words(None if order.proposes else self._day_limit(order))
        yield from self._shortfall(order.source, order.spent)

    def _intent_of(self, order: Deal) -> Intent:
        intent = super()._intent_of(order)
        if order.proposes is not None:
            title, now = mandates.title(order.proposes), intent.confirmed_at
            make = self.ui.maker.make  # of no account
            return make(order.proposes, title=title, confirmed_at=now, intent_id=self.intent_id)
        within = order.need.within if order.need else None
        named = within.row.intent_id if within else None
        return replace(intent, terms=replace(intent.terms, mandate_id=named))

    def _refusal(self, order: Deal) -> str:
        pays_recipient = isinstance(order.target, Payee)
        is_locked = order.pricing is Pricing.LOCKED
        if why_not := mandates.why_not(
            order.need, pays_recipient=pays_recipient, is_locked=is_locked
        ):
            return why_not
        if not is_locked:
            return ""
        late = self._lock.why_not() if self._lock else "no rate was requested"
        return late or ("" if order.quote else "no rate is held")

    def _order_lines(self, order: Deal, *, hidden: bool) -> Iterator[Line]:
        exchange, target = order.exchange, order.target
        yield _amount_line("You sell", exchange, Side.SELL)
        yield self._wallet_line("  from", order.source)
        yield _amount_line("You buy", exchange, Side.BUY)
        if isinstance(target, Wallet):
            yield self._wallet_line("  into", target, order.source)
        else:
            name = recipient_title(target.recipient)
            yield line("  to", name, choices.address_words(self.ui, target.address)[0])
            if self.ui.in_ascii and loses_letters(name):
                yield line("Recipient id", target.recipient.recipient_id)
            yield from choices.bank_lines(target.address, hidden=hidden)
        pair, rate = exchange.pair, exchange.rate
        if order.pricing is Pricing.REAL_TIME:
            words = "real-time: market rate at execution"
            yield line("Rate", words, "not locked", Tone.CLOSING)
            if rate is not None:
                yield line("Last known", rate_words(pair, rate), "indicative only", Tone.MUTED)
        elif self._lock is not None and self._lock.pair == pair:
            yield from locked_lines(self.ui, self._lock)
        if order.need and order.need.within:
            yield mandates.open_line(self.ui, order.need.within)

    def _became_lines(self, became: Record | None) -> Iterator[Line]:
        if isinstance(became, Trade):
            sold, bought, status = became.sell_currency, became.buy_currency, became.status
            is_done = status is not None and status.name == "exchanged"
            sell, buy = ("You sold", "You bought") if is_done else ("You sell", "You buy")
            if became.sell_amount is not None:
                yield line(sell, amount_words(became.sell_amount, sold), tone=Tone.MONEY)
            if became.buy_amount is not None:
                yield line(buy, amount_words(became.buy_amount, bought), tone=Tone.MONEY)
            if became.rate is not None and sold and bought:
                yield line("Rate", rate_words(Pair(sold, bought), became.rate))
        yield from super()._became_lines(became)


def _amount_line(label: str, exchange: Exchange, side: Side) -> Line:
    currency, amount = exchange.currency(side), exchange.amount_of(side)
    if amount is None:
        return line(label, currency, "set at execution")
    if side is exchange.side:
        return line(label, amount_words(amount, currency), "fixed", Tone.MONEY)
    return line(label, f"≈ {amount_words(amount, currency)}", "rounded at booking")


def _pair(filled: Values) -> Pair | None:
    sold, bought = code_of(filled, SELL), code_of(filled, BUY)
    return Pair(sold, bought) if sold and bought and sold != bought else None
