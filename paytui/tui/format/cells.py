"""Cells: values of the models as text with a sign and a tone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import State
from paytui.domain.money import MISSING, CurrencyCode, Pair, format_amount, plain, significant
from paytui.platform.clock import Zone
from paytui.store.reports import EventRow, Trust
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.times import short_time

LONGEST_AMOUNT = 32
"""Maximum characters of an amount in a list, above the 15 grouped digits that are ever sent.
A nonsensical amount would otherwise take the room of the other columns."""

_TOO_LONG = Cell("too long, open it", Tone.CLOSING)  # A cut amount would read as another amount


def text_cell(text: str | None, tone: Tone = Tone.INK) -> Cell:
    return Cell(text, tone) if text else Cell(MISSING, Tone.FAINT)


def amount_cell(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    """Return an amount, never cut; zero is faint."""
    if amount is None:
        return Cell(MISSING, Tone.FAINT)
    written = format_amount(amount, currency) if currency else plain(amount)
    if len(written) > LONGEST_AMOUNT:
        return _TOO_LONG
    return Cell(written, Tone.INK if amount else Tone.FAINT)


def time_cell(moment: datetime | None, zone: Zone) -> Cell:
    return Cell(short_time(moment, zone), Tone.MUTED if moment else Tone.FAINT)


@dataclass(frozen=True, slots=True)
class Mark:
    """A status sign, and the tone of the word after it. Each has one meaning everywhere."""

    sign: str
    tone: Tone = Tone.INK

    def cell(self, word: str) -> Cell:
        """Return a cell such as `✓ completed`."""
        return Cell(f"{self.sign} {word}", self.tone)


DONE = Mark("✓", Tone.MUTED)  # Finished as intended
GOING_ON = Mark("…")  # In progress
MOVING = Mark("…", Tone.MONEY)  # Money under way
CAREFUL = Mark("!", Tone.CLOSING)  # Needs attention
WRONG = Mark("✗", Tone.DOWN)  # Failed or impossible
UNKNOWN = Mark("?", Tone.DOUBT)  # Unknown meaning or outcome
ALARM = Mark("!!", Tone.DOWN)  # Contradicts the confirmed request


GOOD = frozenset({"active", "registered", "credited", "exchanged", "released", "completed"})
BAD = frozenset({"rejected", "failed", "returned", "cancelled"})
UNDER_WAY = frozenset({"created", "received", "awaiting_funds", "processing"})
STOPPED = frozenset({"suspended", "closed"})
REVIEW = "compliance_review"


def state_words(state: State) -> str:
    """Return `compliance review`; a state that the dialect does not list is unchanged."""
    return state.name.replace("_", " ") if state.known else state.name


def state_cell(state: State | None) -> Cell:
    """Return `✓ completed`, `✗ failed` or `… processing`; an unlisted state is unchanged."""
    if state is None:
        return Cell(MISSING, Tone.FAINT)
    return _mark(state).cell(state_words(state))


def _mark(state: State) -> Mark:
    if not state.known:
        return UNKNOWN
    if state.name in GOOD:
        return DONE
    if state.name in BAD:
        return WRONG
    if state.name in UNDER_WAY:
        return MOVING
    return CAREFUL if state.name in STOPPED or state.name == REVIEW else GOING_ON


_INTENT_MARKS = {
    Standing.NOT_RECORDED: WRONG,
    Standing.RECORDED: CAREFUL,
    Standing.PROPOSED: CAREFUL,
    Standing.SENDING: MOVING,
    Standing.ACCEPTED: DONE,
    Standing.REFUSED: WRONG,
    Standing.NOT_EXECUTED: WRONG,
    Standing.IN_DOUBT: UNKNOWN,
    Standing.DONE: DONE,
    Standing.NOT_DONE: Mark("✗", Tone.MUTED),
}
_MANDATE_MARKS = {Standing.RECORDED: DONE, Standing.NOT_EXECUTED: Mark("·", Tone.FAINT)}


def standing_cell(row: IntentRow) -> Cell:
    """Return `? in doubt` or `✓ accepted`; `!! accepted, alert` if it has alerts."""
    marks = _INTENT_MARKS | _MANDATE_MARKS if row.is_mandate else _INTENT_MARKS
    mark = ALARM if row.alerts else marks[row.standing]
    words = row.standing_words
    return mark.cell(f"{words}, alert" if row.alerts else words)


_TRUST_MARKS = {
    Trust.VERIFIED: DONE,
    Trust.UNSIGNED: Mark("?"),
    Trust.FORGED: WRONG,
    Trust.TOO_OLD: CAREFUL,
    Trust.REPLAYED: CAREFUL,
    Trust.DUPLICATE: Mark("·", Tone.FAINT),
    Trust.UNREADABLE: CAREFUL,
}


def trust_cell(row: EventRow) -> Cell:
    """Return `✓ verified` or `✗ forged`; repeated events with a count: `✗ forged ×312`."""
    times = f" ×{row.times:,}" if row.times > 1 else ""
    return _TRUST_MARKS[row.trust].cell(f"{row.trust}{times}")


def distance_words(worst: Decimal, rate: Decimal, named: str) -> str:
    """Return `1.52 % below the locked rate`, of the lowest rate that a mandate allows."""
    share = 100 * (rate - worst) / rate
    if f"{abs(share):.2f}" == "0.00":
        return f"{'about' if share else 'equal to'} {named}"
    return f"{abs(share):.2f} % {'below' if share > 0 else 'above'} {named}"


def amount_words(amount: Decimal, currency: CurrencyCode | None) -> str:
    """Return an amount in full digits with its currency: `12,000.00 USD`."""
    written = format_amount(amount, currency) if currency else plain(amount)
    return f"{written} {currency or MISSING}"


def rate_words(pair: Pair, rate: Decimal) -> str:
    """Format a rate in the service's direction, with at least six significant digits."""
    return f"1 {pair.sell} = {significant(rate)} {pair.buy}"


ACCOUNT_TYPES = {"cacc": "current account", "svgs": "savings account", "oth": "other type"}
"""Meanings of the values of service.md §9 (ISO 20022, ExternalCashAccountType1Code)."""


def type_words(account_type: str) -> str:
    """Return an account type in words: `current account` for `cacc`."""
    return ACCOUNT_TYPES.get(account_type, account_type)
