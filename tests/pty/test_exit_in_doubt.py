"""An intent in doubt outlives the dashboard; leaving warns of it, a kill does not.

The outbox is written beforehand, as one of a dashboard that was cut off.
"""

from __future__ import annotations

import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from paytui.outbox.entry import EventKind
from paytui.outbox.file import make_folder, outbox_path
from paytui.outbox.outbox import Outbox
from tests.outbox.made import entry, event
from tests.pty.conftest import RunService
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import PAYTUI, Terminal

DOUBT = r"1 in doubt"
TOLD = r"in doubt: Payout 1,200\.00 USD to Acme Pty Ltd \(PT-00000001\)"


@pytest.fixture
def terminal(run_service: RunService, tmp_path: Path) -> Iterator[Terminal]:
    """The dashboard on an outbox with an intent that may have been executed."""
    service = run_service("--scale", "20", "--speed", "0")
    state = tmp_path / "left"
    leave_in_doubt(service, state / "paytui")
    command = (*PAYTUI, "run", "--config", str(service.config))
    with Terminal(command, size=(80, 24), env={"XDG_STATE_HOME": str(state)}) as terminal:
        yield terminal


def leave_in_doubt(service: SandboxProcess, folder: Path) -> None:
    (profile,) = tomllib.loads(service.config.read_text(encoding="utf-8"))["profiles"]
    path = outbox_path(profile, folder)
    make_folder(path)
    outbox = Outbox(path)
    left = entry(1, profile=profile, base_url=service.base_url)
    outbox.record(left)
    outbox.add(left.intent_id, event(EventKind.SENDING))
    outbox.add(left.intent_id, event(EventKind.IN_DOUBT, 2))
    outbox.close()


@pytest.mark.slow
def test_who_leaves_is_asked_and_told_in_the_shell_what_is_open(terminal: Terminal) -> None:
    terminal.wait_for(DOUBT)
    terminal.send("q")
    terminal.wait_for("Something is still open")
    terminal.send("q")
    assert terminal.wait_for_exit() == 0
    terminal.wait_for(TOLD)
    terminal.wait_for("paytui audit")
    assert not terminal.in_alternate_screen


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_does_not_ask(terminal: Terminal, number: signal.Signals) -> None:
    terminal.wait_for(DOUBT)
    terminal.signal(number)
    assert terminal.wait_for_exit() == 128 + number
    terminal.wait_for(TOLD)
