"""How far a webhook is trusted, as a cell: the word, a sign that means the same, and a tone."""

from __future__ import annotations

from paytui.store.reports import EventRow, Trust
from paytui.tui.marks import DONE, WRONG, Mark
from paytui.tui.tone import Cell, Tone

_NOT_TAKEN = Mark("✗", Tone.CLOSING)

_MARKS = {
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
    return _MARKS[row.trust].cell(f"{row.trust}{times}")
