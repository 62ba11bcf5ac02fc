"""States as words and icons; a state that no dialect lists is shown as sent."""

from __future__ import annotations

import pytest

from paytui.domain.models import State
from paytui.tui.format.cells import state_cell


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        (State("BATCHED_OVERNIGHT", known=False), "? BATCHED_OVERNIGHT"),
        (State("active", known=False), "? active"),
        (State("pending_checks"), "… pending checks"),
        (State("compliance_review"), "! compliance review"),
        (State("released"), "✓ released"),
        (State("returned", final=True), "✗ returned"),
        (None, "—"),
    ],
)
def test_a_state_is_a_word_and_a_sign(state: State | None, shown: str) -> None:
    assert state_cell(state).text == shown
