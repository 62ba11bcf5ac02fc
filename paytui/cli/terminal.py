"""Whether there is a terminal that a dashboard can be shown on."""

from __future__ import annotations

import os
import sys


def no_terminal() -> str | None:
    """Why a dashboard would be shown to nobody; None where it can be shown."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return (
            "The dashboard needs a terminal on stdin and stdout; for scripts there is "
            "`paytui status --json`."
        )
    if os.environ.get("TERM") == "dumb":
        return "The dashboard cannot be shown with TERM=dumb; try TERM=xterm-256color."
    return None
