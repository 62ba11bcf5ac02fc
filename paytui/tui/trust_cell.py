"""How far a webhook is trusted, as a cell: the word, a sign that means the same, and a tone."""

from __future__ import annotations

from paytui.store.events import EventRow, Trust
from paytui.tui.tone import Cell, Tone

_SIGNS = {
    Trust.VERIFIED: ("✓", Tone.MUTED),
    Trust.UNSIGNED: ("?", Tone.INK),
    Trust.FORGED: ("✗", Tone.DOWN),
    Trust.TOO_OLD: ("✗", Tone.CLOSING),
    Trust.REPLAYED: ("✗", Tone.CLOSING),
    Trust.DUPLICATE: ("·", Tone.FAINT),
    Trust.UNREADABLE: ("✗", Tone.CLOSING),
}


def trust_cell(row: EventRow) -> Cell:
    """`✓ verified`, `✗ forged`; of several alike how many: `✗ forged ×312`."""
    sign, tone = _SIGNS[row.trust]
    times = f" ×{row.times:,}" if row.times > 1 else ""
    return Cell(f"{sign} {row.trust}{times}", tone)
