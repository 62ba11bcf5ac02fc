"""The response to a confirmed trade is lost with the dashboard; the trade is not."""

from __future__ import annotations

import signal

import pytest

from tests.pty import trade
from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

IN_DOUBT = r"\? in doubt +Trade: sell 1,000\.00"
RESOLVED = r"✓ accepted +Trade: sell 1,000\.00"


@pytest.fixture
def service(run_service: RunService) -> SandboxProcess:
    """A service in which nothing happens by itself."""
    return run_service("--scale", "20", "--speed", "0")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "number"),
    [
        ("commit-then-cut", signal.SIGKILL),
        ("commit-then-delay", signal.SIGKILL),
        ("commit-then-delay", signal.SIGTERM),
    ],
)
def test_what_was_on_its_way_is_in_doubt_until_it_is_found_and_exists_once(
    service: SandboxProcess, run_desk: RunDesk, fault: str, number: signal.Signals
) -> None:
    terminal = run_desk(service)
    trade.to_confirm(terminal)
    intent = send_into(service, terminal, fault)
    terminal.signal(number)
    terminal.wait_for_exit()

    restarted = run_desk(service)
    restarted.wait_for("need attention")
    restarted.send("8")
    restarted.wait_for(IN_DOUBT)
    service.clear_faults()
    restarted.wait_for(RESOLVED, seconds=90)

    assert len(trade.booked(service, intent)) == 1
    assert service.requests()["book_trade"] == 1


def send_into(service: SandboxProcess, terminal: Terminal, fault: str) -> str:
    """Confirm a trade whose answer is lost, while nobody can look for what it became."""
    service.control("faults", {"operation": "list_trades", "kind": "503", "times": 100_000})
    service.control("faults", {"operation": "book_trade", "kind": fault, "seconds": 3600})
    stands = "in doubt" if fault == "commit-then-cut" else "sending"
    return confirm(terminal, rf"Status +\S+ {stands}")
