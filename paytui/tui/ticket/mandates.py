"""The part of a trade's ticket that books above the desk's limit: a mandate, or its proposal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from paytui.config.spending_limits import needs_approval
from paytui.domain.intent import IntentTerms
from paytui.domain.mandate import LONGEST, Mandate
from paytui.domain.money import CurrencyCode, Exchange, format_amount, plain, significant
from paytui.store.mandates import PAYS_RECIPIENT, OpenMandate, own_mandates, why_not_within
from paytui.tui.format.cells import CAREFUL, Cell, Tone, amount_words, distance_words, rate_words
from paytui.tui.ticket.model import Field, Line, Obstacle, Values, line
from paytui.tui.times import clock_seconds
from paytui.tui.ui_context import UiContext

WORST, LASTS = "worst_rate", "lasts"
"""The keys of the fields of a proposal."""

_MINUTE = timedelta(minutes=1)
_MOST = LONGEST // _MINUTE
_RATE = re.compile(r"[0-9]{1,9}(\.[0-9]{0,10})?|\.[0-9]{1,10}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The mandate that a trade above the desk's limit needs; without any, one can be proposed.

    Attributes:
        within: an approved one that it is within.
        awaited: one that is proposed, which it would be within.
        others: approved ones that it is not within, and why.
    """

    within: OpenMandate | None = None
    awaited: OpenMandate | None = None
    others: tuple[tuple[OpenMandate, str], ...] = ()

    @property
    def is_unmet(self) -> bool:
        return self.within is None and self.awaited is None


def need_of(ui: UiContext, trade: Exchange) -> Need | None:
    """Return what a trade at a locked rate, if it has one, needs; None if it is not above."""
    fixed, pair = trade.fixed, trade.pair
    terms = IntentTerms(
        amount=fixed.amount,
        currency=fixed.currency,
        sell_currency=pair.sell,
        buy_currency=pair.buy,
        rate=trade.rate,
    )
    if not ui.store.desk_limits.above or not needs_approval(ui.store, terms):
        return None
    now = ui.time.latest()
    judged = [(one, why_not_within(one, trade, now)) for one in own_mandates(ui.store, pair, now)]
    return Need(
        within=next((one for one, why in judged if one.is_approved and not why), None),
        awaited=next((one for one, why in judged if not one.is_approved and not why), None),
        others=tuple((one, why) for one, why in judged if one.is_approved and why),
    )


def fields(ui: UiContext, trade: Exchange, filled: Values) -> Iterator[Field]:
    """Yield the fields of a proposal. Left empty, they are the locked rate and the desk's time."""
    need = None if trade.rate is None else need_of(ui, trade)
    if trade.rate is None or need is None or not need.is_unmet:
        return
    typed, pair = filled.get(WORST, ""), trade.pair
    of = f"{pair.buy} for 1 {pair.sell}"
    yield Field(
        key=WORST,
        label="Worst rate",
        text=typed,
        note=of if typed else "",
        hint=f"{significant(trade.rate)} {of}, as locked",
        help="Trades within the mandate are booked at this rate or a better one.",
    )
    yield Field(
        key=LASTS,
        label="Mandate lasts",
        text=filled.get(LASTS, ""),
        note="minutes" if filled.get(LASTS) else "",
        hint=_minutes(_usual(ui)),
        help="The minutes from its proposal until it ends.",
    )


def proposal(ui: UiContext, trade: Exchange, filled: Values) -> Mandate | None:
    """Return the mandate to propose for a trade; None without a locked rate.

    Raises:
        Obstacle: the rate or the time is none.
    """
    if trade.rate is None:
        return None
    worst, lasts = trade.rate, _usual(ui)
    if typed := filled.get(WORST, "").strip():
        worst = Decimal(typed) if _RATE.fullmatch(typed) else Decimal(0)
        if not worst:
            raise Obstacle(WORST, "Type a rate, such as 0.6580.")
        if worst > trade.rate:
            raise Obstacle(WORST, f"The locked rate is worse: {plain(trade.rate)}.")
    if typed := filled.get(LASTS, "").strip():
        if not typed.isdecimal() or len(typed) > len(str(_MOST)) or not 1 <= int(typed) <= _MOST:
            raise Obstacle(LASTS, f"Type minutes from 1 to {_MOST:,}, such as 60.")
        lasts = int(typed) * _MINUTE
    return Mandate(pair=trade.pair, up_to=trade.fixed, worst=worst, lasts=lasts)


def _usual(ui: UiContext) -> timedelta:
    return min(ui.store.desk_limits.within, LONGEST)


def _minutes(lasts: timedelta) -> str:
    """Return `1 minute`, or `1.5 minutes`: the desk's time may be no whole number of them."""
    count = round(lasts / _MINUTE, 2)
    return f"{count:,g} minute" if count == 1 else f"{count:,g} minutes"


def why_not(need: Need | None, *, pays_recipient: bool, is_locked: bool) -> str:
    """Return why a trade can neither be booked nor its mandate proposed; empty if it can.

    Args:
        is_locked: a locked rate was chosen, which may not be there yet.
    """
    if need is not None and pays_recipient:
        return PAYS_RECIPIENT
    if need is None or need.within is not None:
        return ""
    if need.awaited is not None:
        row = need.awaited.row
        return f"A colleague must approve the mandate {row.intent_id} first: see Activity."
    return "" if is_locked else "A colleague must approve it by a mandate: choose a locked rate."


def title(mandate: Mandate) -> str:
    """Return `Mandate 2m AUD>USD ≥0.6558`, which a list of 80 columns shows whole."""
    pair, limited = mandate.pair, mandate.up_to.currency
    amount = _short(mandate.up_to.amount, limited)
    sides = (f"{amount} {each}" if each == limited else each for each in (pair.sell, pair.buy))
    return f"Mandate {'>'.join(sides)} ≥{plain(mandate.worst)}"


def _short(amount: Decimal, currency: CurrencyCode) -> str:
    """Return an amount as `1.25m` or `250k`, if that is exact."""
    for unit, sign in ((1_000_000, "m"), (1_000, "k")):
        if amount >= unit and not amount % (unit // 100):
            return f"{plain((amount / unit).normalize())}{sign}"
    return format_amount(amount, currency)


def words(mandate: Mandate) -> str:
    """Return `sell up to 2,000,000.00 AUD for USD`."""
    pair, amount = mandate.pair, amount_words(mandate.up_to.amount, mandate.up_to.currency)
    if mandate.up_to.currency == pair.sell:
        return f"sell up to {amount} for {pair.buy}"
    return f"buy up to {amount} with {pair.sell}"


def proposal_lines(mandate: Mandate, locked: Decimal | None) -> Iterator[Line]:
    note = distance_words(mandate.worst, locked, "the locked rate") if locked else ""
    yield line("Mandate", words(mandate), tone=Tone.MONEY)
    yield line("Worst rate", f"{rate_words(mandate.pair, mandate.worst)} or better", note)
    yield line("Mandate lasts", f"{_minutes(mandate.lasts)} from now")


def open_line(ui: UiContext, one: OpenMandate) -> Line:
    up_to, worst = one.mandate.up_to, significant(one.mandate.worst)
    left, of = format_amount(one.left, up_to.currency), amount_words(up_to.amount, up_to.currency)
    note = one.row.intent_id if one.is_approved else "not approved yet"
    until = f"until {clock_seconds(one.until, ui.zone)}, {note}"
    return line("Mandate", f"{left} of {of} left at {worst} or better", until)


def review_words(need: Need | None, proposes: Mandate | None) -> Iterator[Cell]:
    """Yield that a mandate is proposed, and why those that there are do not do."""
    for one, why in need.others if need and not need.within else ():
        yield CAREFUL.cell(f"Not within the mandate {one.row.intent_id}: {why}.")
    if proposes is not None:
        yield CAREFUL.cell(
            "A colleague must approve it: this proposes a mandate, and books nothing."
        )
