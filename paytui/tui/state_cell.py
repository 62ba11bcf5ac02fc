"""States of objects as cells: the word, a sign that carries the same meaning, and a tone."""

from __future__ import annotations

from paytui.domain.models import State
from paytui.domain.money import MISSING
from paytui.tui.marks import CAREFUL, DONE, GOING_ON, UNKNOWN, WRONG, Mark
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
    return _mark(state).cell(state_words(state))


def _mark(state: State) -> Mark:
    if not state.known:
        return UNKNOWN
    if state.name in GOOD:
        return DONE
    if state.name in BAD:
        return WRONG
    return CAREFUL if state.name in STOPPED or state.name == REVIEW else GOING_ON
