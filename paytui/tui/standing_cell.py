"""How an intent stands, as a cell: the word, a sign that carries the same meaning, and a tone."""

from __future__ import annotations

from paytui.intent import IntentRow, Standing
from paytui.tui.tone import Cell, Tone

_SIGNS = {
    Standing.NOT_RECORDED: ("✗", Tone.DOWN),
    Standing.RECORDED: ("!", Tone.CLOSING),
    Standing.SENDING: ("…", Tone.INK),
    Standing.ACCEPTED: ("✓", Tone.MUTED),
    Standing.REFUSED: ("✗", Tone.DOWN),
    Standing.NOT_EXECUTED: ("✗", Tone.DOWN),
    Standing.IN_DOUBT: ("?", Tone.DOUBT),
    Standing.DONE: ("✓", Tone.MUTED),
    Standing.NOT_DONE: ("✗", Tone.MUTED),
}


def standing_cell(row: IntentRow) -> Cell:
    """`? in doubt`, `✓ accepted`; with `!!` where something about it differs or contradicts."""
    sign, tone = _SIGNS[row.standing]
    if row.alerts:
        return Cell(f"!! {row.standing}", Tone.DOWN)
    return Cell(f"{sign} {row.standing}", tone)
