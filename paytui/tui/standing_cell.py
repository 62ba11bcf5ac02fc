"""How an intent stands, as a cell: the word, a sign that carries the same meaning, and a tone."""

from __future__ import annotations

from paytui.domain.intent import IntentRow, Standing
from paytui.tui.marks import ALARM, CAREFUL, DONE, GOING_ON, UNKNOWN, WRONG, Mark
from paytui.tui.tone import Cell, Tone

_MARKS = {
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
    mark = ALARM if row.alerts else _MARKS[row.standing]
    return mark.cell(row.standing)
