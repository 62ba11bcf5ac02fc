"""Cells of columns: how values of the models look in a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import State
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.platform.clock import Zone
from paytui.store.reports import EventRow, Trust
from paytui.tui.format.times import short_time
from paytui.tui.theme.themes import Cell, Tone

LONGEST_AMOUNT = 32
"""Characters of an amount in a list: 15 digits in groups, the most that is ever sent, and more.
One beyond any money would take the room of all that stands beside it."""

_TOO_LONG = Cell("too long, open it", Tone.CLOSING)
"""Words, since a part of a figure would read as another figure."""


def text_cell(text: str | None, tone: Tone = Tone.INK) -> Cell:
    """Words as they came."""
    return Cell(text, tone) if text else Cell(MISSING, Tone.FAINT)


def amount_cell(amount: Decimal | None, currency: CurrencyCode | None) -> Cell:
    """An amount, whole, or words that it is elsewhere; nothing is fainter than something."""
    if amount is None:
        return Cell(MISSING, Tone.FAINT)
    written = format_amount(amount, currency) if currency else plain(amount)
    if len(written) > LONGEST_AMOUNT:
        return _TOO_LONG
    return Cell(written, Tone.INK if amount else Tone.FAINT)


def time_cell(moment: datetime | None, zone: Zone) -> Cell:
    """Day and minute."""
    return Cell(short_time(moment, zone), Tone.MUTED if moment else Tone.FAINT)


# Signs that stand before a word, each with its tone: the same one means the same everywhere.


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign, and the tone that it gives to the word behind it."""

    sign: str
    tone: Tone = Tone.INK

    def cell(self, word: str) -> Cell:
        """`✓ completed`."""
        return Cell(f"{self.sign} {word}", self.tone)


DONE = Mark("✓", Tone.MUTED)
"""It is as it should be, and over."""
GOING_ON = Mark("…")
"""It is on its way."""
CAREFUL = Mark("!", Tone.CLOSING)
"""It wants somebody's eye."""
WRONG = Mark("✗", Tone.DOWN)
"""It came to nothing, or cannot be."""
UNKNOWN = Mark("?", Tone.DOUBT)
"""Nobody here can say what it means, or what became of it."""
ALARM = Mark("!!", Tone.DOWN)
"""Something contradicts what was confirmed."""


# States of objects as cells: the word, a sign that carries the same meaning, and a tone.

GOOD = frozenset({"active", "registered", "credited", "exchanged", "released", "completed"})
BAD = frozenset({"rejected", "failed", "returned", "cancelled"})
STOPPED = frozenset({"suspended", "closed"})
REVIEW = "compliance_review"


def state_words(state: State) -> str:
    """`compliance review`; a state that no dialect lists as it came."""
    return state.name.replace("_", " ") if state.known else state.name


def state_cell(state: State | None) -> Cell:
    """`✓ completed`, `✗ failed`, `… processing`; a state that no dialect lists as it came."""
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
    return CAREFUL if state.name in STOPPED or state.name == REVIEW else GOING_ON


# How an intent stands, as a cell: the word, a sign that carries the same meaning, and a tone.

_INTENT_MARKS = {
    Standing.NOT_RECORDED: WRONG,
    Standing.RECORDED: CAREFUL,
    Standing.SENDING: GOING_ON,
    Standing.ACCEPTED: DONE,
    Standing.REFUSED: WRONG,
    Standing.NOT_EXECUTED: WRONG,
    Standing.IN_DOUBT: UNKNOWN,
    Standing.DONE: DONE,
    Standing.NOT_DONE: Mark("✗", Tone.MUTED),
}


def standing_cell(row: IntentRow) -> Cell:
    """`? in doubt`, `✓ accepted`; with `!!` where something about it differs or contradicts."""
    mark = ALARM if row.alerts else _INTENT_MARKS[row.standing]
    return mark.cell(row.standing)


# How far a webhook is trusted, as a cell: the word, a sign that means the same, and a tone.

_NOT_TAKEN = Mark("✗", Tone.CLOSING)

_TRUST_MARKS = {
    Trust.VERIFIED: DONE,
    Trust.UNSIGNED: Mark("?"),
    Trust.FORGED: WRONG,
    Trust.TOO_OLD: _NOT_TAKEN,
    Trust.REPLAYED: _NOT_TAKEN,
    Trust.DUPLICATE: Mark("·", Tone.FAINT),
    Trust.UNREADABLE: _NOT_TAKEN,
}


def trust_cell(row: EventRow) -> Cell:
    """`✓ verified`, `✗ forged`; of several alike how many: `✗ forged ×312`."""
    times = f" ×{row.times:,}" if row.times > 1 else ""
    return _TRUST_MARKS[row.trust].cell(f"{row.trust}{times}")
