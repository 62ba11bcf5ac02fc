"""States of objects as cells: the word, a sign that carries the same meaning, and a tone."""

from __future__ import annotations

from paytui.api.models import State
from paytui.money import MISSING
from paytui.tui.tone import Cell, Tone

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
    word = state_words(state)
    if not state.known:
        return Cell(f"? {word}", Tone.DOUBT)
    if state.name in GOOD:
        return Cell(f"✓ {word}", Tone.MUTED)
    if state.name in BAD:
        return Cell(f"✗ {word}", Tone.DOWN)
    if state.name in STOPPED or state.name == REVIEW:
        return Cell(f"! {word}", Tone.CLOSING)
    return Cell(f"… {word}")
