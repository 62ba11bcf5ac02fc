"""Two dashboards on one outbox: only one of them sends."""

from __future__ import annotations

import pytest

from tests.pty import trade
from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService


@pytest.mark.slow
def test_the_second_says_why_it_cannot_send_and_follows_what_the_first_sends(
    run_service: RunService, run_desk: RunDesk
) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    first = run_desk(service)
    trade.to_confirm(first)
    second = run_desk(service)
    second.wait_for(trade.READY)
    second.send("t")
    second.wait_for("sends from it")

    intent = confirm(first, r"Status +\S+ accepted")
    second.send("8")
    second.wait_for(r"✓ accepted +Trade: sell 1,000\.00")

    first.send("q")
    assert first.wait_for_exit() == 0
    second.send("q")
    assert second.wait_for_exit() == 0
    third = run_desk(service)
    trade.to_confirm(third)
    another = confirm(third, r"Status +\S+ accepted")
    assert [len(trade.booked(service, one)) for one in (intent, another)] == [1, 1]
