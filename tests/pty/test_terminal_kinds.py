"""Terminals of several kinds, small ones, and a resize during start-up."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pty.conftest import RunService
from tests.support.terminal import PAYTUI, Terminal

WHOLE = r"UTC\n(.|\n)*✓ all lists current(.|\n)*Quit"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["screen", "linux", "vt100"])
def test_the_dashboard_is_whole_on_any_kind_of_terminal(
    run_service: RunService, tmp_path: Path, kind: str
) -> None:
    service = run_service("--scale", "20", "--speed", "0")
    env = {"TERM": kind, "XDG_STATE_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = (*PAYTUI, "run", "--config", str(service.config))
    with Terminal(command, size=(120, 40), env=env) as terminal:
        terminal.resize(60, 20)  # before anything is painted
        terminal.wait_for(r"1 Overview +2 Acc +3(.|\n)*Quit")
        terminal.resize(100, 30)
        terminal.wait_for(WHOLE)
        terminal.wait_for(lambda screen: len(screen.splitlines()) == 30)
        assert (b"\x1b[?1000h" in terminal.painted) is (kind != "screen")
        terminal.send("6")
        terminal.wait_for("20 payments, by")
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
