"""A crash: the terminal is restored, one message tells it, a report is kept."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.pty.conftest import RunService
from tests.support.deadline import eventually
from tests.support.terminal import Terminal

SENTINEL = "s3nt1nel-hunter2"
READY = r"✓ all lists current(.|\n)*Quit"

BROKEN = f"""
import sys
from paytui.cli.main import main

def fail(*_):
    token = {SENTINEL!r}
    raise LookupError("refused " + token)

{{plant}}
main()
"""
IN_A_SCREEN = """
from paytui.tui.app import PaytuiApp
PaytuiApp.action_zone = fail
"""
IN_THE_KEYBOARD = """
import paytui.tui.terminal.driver
def read_keys(terminal, end, give):
    import os
    os.read(terminal, 1)
    fail()
paytui.tui.terminal.driver.read_keys = read_keys
"""
IN_THE_WORKER = """
from paytui.worker.worker import Worker
Worker.refresh = fail
"""

RunBroken = Callable[[str], Terminal]


@pytest.fixture
def run_broken(run_service: RunService, tmp_path: Path) -> Iterator[RunBroken]:
    """Starts the dashboard with a mistake in it."""
    config = run_service("--scale", "20", "--speed", "0").config
    env = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def run(plant: str) -> Terminal:
        code = BROKEN.format(plant=plant)
        argv = (sys.executable, "-c", code, "run", "--config", str(config))
        return stack.enter_context(Terminal(argv, size=(80, 24), env=env))

    with ExitStack() as stack:
        yield run


def report_in(folder: Path) -> Path:
    (found,) = (folder / "state" / "paytui").glob("crash-*.txt")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("plant", [IN_A_SCREEN, IN_THE_KEYBOARD], ids=["a screen", "the keyboard"])
def test_a_crash_restores_the_terminal_and_leads_to_a_report(
    run_broken: RunBroken, tmp_path: Path, plant: str
) -> None:
    terminal = run_broken(plant)
    terminal.wait_for(READY)
    terminal.send("z")
    assert terminal.wait_for_exit() == 1
    eventually(lambda: not terminal.in_alternate_screen)
    assert terminal.echoes
    said = terminal.text.replace("\n", "")
    assert said.count("paytui stopped because of an internal error: LookupError") == 1
    assert "Traceback" not in said
    report = report_in(tmp_path)
    assert f": {report}" in said
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    told = report.read_text(encoding="utf-8")
    assert "Terminal 80x24, TERM=xterm-256color" in told
    assert "On: OverviewPage" in told
    assert "builtins.LookupError" in told
    assert "payments read" in told
    assert SENTINEL not in told
    assert SENTINEL.encode() not in terminal.painted


@pytest.mark.slow
def test_that_nothing_is_refreshed_any_more_is_on_screen(
    run_broken: RunBroken, tmp_path: Path
) -> None:
    terminal = run_broken(IN_THE_WORKER)
    terminal.wait_for(READY)
    terminal.send("r")
    terminal.wait_for("no longer refreshed")
    terminal.wait_for(r"Updates(.|\n)*have(.|\n)*stopped")
    terminal.send("3")
    terminal.wait_for("wallets, by")
    told = report_in(tmp_path).read_text(encoding="utf-8")
    assert "On: worker" in told
    assert "builtins.LookupError" in told
    assert SENTINEL not in told
    assert SENTINEL.encode() not in terminal.painted
