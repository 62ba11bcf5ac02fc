"""What the first paint waits for: nothing that speaks to a service, and nothing that is slow."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.support.commands import Paytui, SandboxConfig
from tests.support.terminal import PAYTUI, Terminal

AT_THE_FIRST_PAINT = """
import json, sys
from pathlib import Path
from paytui.cli.main import main
from paytui.worker.host import WorkerHost

start, noted = WorkerHost.start, Path(sys.argv.pop())

def noting(host):
    noted.write_text(json.dumps(sorted(sys.modules)))
    start(host)

WorkerHost.start = noting
main()
"""
"""The dashboard; it writes down what is loaded when the worker is started."""

LATER = {"httpx", "httpcore", "pydantic", "babel", "filelock", "starlette", "uvicorn", "keyring"}
OURS_LATER = {
    "paytui.api.client",
    "paytui.outbox.outbox",
    "paytui.tui.screens.payments",
    "paytui.tui.wizards.frame",
    "paytui.worker.worker",
}


def test_http_screens_and_wizards_are_loaded_after_the_first_paint(
    paytui: Paytui, sandbox_config: SandboxConfig, tmp_path: Path
) -> None:
    noted = tmp_path / "noted.json"
    with Terminal(
        (*PAYTUI, "run", "--config", str(sandbox_config.path)), env=paytui.environ
    ) as one:
        one.wait_for(r"✓ payments \d")  # the configuration is validated once
    argv = (sys.executable, "-c", AT_THE_FIRST_PAINT, "run")
    config = ("--config", str(sandbox_config.path), str(noted))
    with Terminal((*argv, *config), env=paytui.environ) as terminal:
        terminal.wait_for(r"✓ payments \d")  # and then it works
    loaded = set(json.loads(noted.read_text()))
    assert {"textual", "paytui.tui.screens.overview"} <= loaded
    assert not loaded & LATER
    assert not loaded & OURS_LATER
