"""paytui with planted crashes, and the system log in a file of the test.

    PLANTED_LOG=SOCKET PLANTED_WORDS=FILE python -m tests.pty.planted run …

With `PLANTED_WORDS`, `?` crashes the screens and `r` the worker, by errors that have the whole
file in their message, their cause and their variables.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from paytui.cli.main import main
from paytui.outbox.syslog import Syslog


def plant(words: Path) -> None:
    """Let it crash."""
    from paytui.tui.app import PaytuiApp
    from paytui.worker.worker import Worker

    PaytuiApp.action_help = lambda _: fail(words)  # type: ignore[method-assign, assignment]
    Worker.refresh = lambda _: fail(words)  # type: ignore[method-assign, assignment]


def fail(words: Path) -> None:
    """An error that knows too much."""
    secret = words.read_text()
    try:
        raise ValueError(f"refused {secret}")
    except ValueError as error:
        raise RuntimeError(secret) from error


def start() -> None:
    """Run paytui with what is planted."""
    Syslog.__init__.__defaults__ = (Path(os.environ["PLANTED_LOG"]),)
    if words := os.environ.get("PLANTED_WORDS"):
        plant(Path(words))
    sys.argv[0] = "paytui"
    main()


if __name__ == "__main__":
    start()
