"""Start-up waits for the first paint if balances are known, else for the first reads."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.support.commands import Paytui, SandboxConfig
from tests.support.terminal import PAYTUI, Terminal

BEFORE_THE_WORKER = """
import json, sys
from pathlib import Path
from paytui.cli.main import main
from paytui.worker.worker_thread import WorkerHost

start, noted = WorkerHost.start, Path(sys.argv.pop())

def noting(host):
    noted.write_text(json.dumps(sorted(sys.modules)))
    start(host)

WorkerHost.start = noting
main()
"""
"""The dashboard; it writes down what is loaded when the worker is started."""

READ = r"✓ all lists current"

LATER = {"httpx", "httpcore", "pydantic", "starlette", "uvicorn", "keyring"}
OURS_LATER = {
    "paytui.api.client",
    "paytui.outbox.outbox",
    "paytui.tui.screens.transactions",
    "paytui.tui.ticket.screen",
    "paytui.worker.worker",
}


@pytest.mark.slow
def test_http_screens_and_tickets_are_loaded_after_the_first_paint_of_what_is_known(
    paytui: Paytui, sandbox_config: SandboxConfig, tmp_path: Path
) -> None:
    run = (*PAYTUI, "run", "--config", str(sandbox_config.path))
    with Terminal(run, env=paytui.environ) as terminal:
        terminal.wait_for(READ)  # the configuration is validated once
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
    loaded = loaded_before_the_worker(paytui, sandbox_config, tmp_path)
    assert {"textual", "paytui.tui.screens.overview"} <= loaded
    assert not loaded & LATER
    assert not loaded & OURS_LATER


@pytest.mark.slow
def test_where_nothing_is_known_what_reads_it_is_loaded_before_textual(
    paytui: Paytui, sandbox_config: SandboxConfig, tmp_path: Path
) -> None:
    loaded = loaded_before_the_worker(paytui, sandbox_config, tmp_path)
    assert "textual" not in loaded


def loaded_before_the_worker(
    paytui: Paytui, sandbox_config: SandboxConfig, folder: Path
) -> set[str]:
    """The modules that the dashboard has loaded when it starts the worker; and then it works."""
    noted = folder / "noted.json"
    argv = (sys.executable, "-c", BEFORE_THE_WORKER, "run")
    config = ("--config", str(sandbox_config.path), str(noted))
    with Terminal((*argv, *config), env=paytui.environ) as terminal:
        terminal.wait_for(READ)
    return set(json.loads(noted.read_text()))
