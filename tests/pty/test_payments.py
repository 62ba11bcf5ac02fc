"""A payout on the seeded demo, by keys alone at 80x24, followed to its end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pty.confirming import confirm
from tests.support.terminal import PAYTUI, Terminal

ENTER, TAB = "\r", "\t"


@pytest.fixture
def demo() -> Iterator[Terminal]:
    with Terminal((*PAYTUI, "demo", "--speed", "20"), answers=True) as terminal:
        terminal.wait_for(r"127\.0\.0\.1:\d+")
        terminal.send("3")
        terminal.wait_for("active")
        yield terminal


@pytest.mark.covers("create-payout")
def test_a_payout_is_made_and_followed_to_its_end_to_end_id(demo: Terminal) -> None:
    demo.send("p")
    demo.wait_for("▌ To")
    demo.send("Juniper")  # the first recipient may change while others are read
    demo.wait_for(r"› Juniper \S.* AED(.|\n)*From +AED clients")
    demo.send(ENTER)
    demo.wait_for("▌ Amount")
    demo.send("1k")
    demo.wait_for(r"= 1,000[. ]")
    demo.send(TAB)
    demo.wait_for("▌ Reference")
    demo.send("INV 7" + ENTER)
    confirmation = demo.wait_for("enter: send(.|\n)*⏎ Confirm")
    assert "Account name" in confirmation
    assert "INV 7" in confirmation
    confirm(demo, r"Status +\S+ accepted")
    demo.wait_for("End-to-end +E2E")
    demo.wait_for("✓ completed")
