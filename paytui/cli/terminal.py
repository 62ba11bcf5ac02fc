"""Whether there is a terminal that a dashboard can be shown on, and what to do without a stdout."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TextIO

_STREAMS = ("stdin", "stdout", "stderr")
"""All three: keys come from the first, and Textual paints on the last."""


def missing_terminal() -> str | None:
    """Why a dashboard would be shown to nobody; None where it can be shown."""
    if elsewhere := [name for name in _STREAMS if not _is_terminal(name)]:
        return (
            "The dashboard needs a terminal on stdin, stdout and stderr; there is none on "
            f"{', '.join(elsewhere)}. For scripts there is `paytui status --json`."
        )
    if os.environ.get("TERM") == "dumb":
        return "The dashboard cannot be shown with TERM=dumb; try TERM=xterm-256color."
    return None


def use_ascii_fallback() -> None:
    """Where the locale has no UTF-8, have signs written as ASCII; without this they end a command.

    Data is written as UTF-8 by those who write it.
    """
    stdout = sys.stdout
    if isinstance(stdout, io.TextIOWrapper) and "utf" not in stdout.encoding.lower():
        codecs.register_error("paytui.ascii", _in_ascii)
        stdout.reconfigure(errors="paytui.ascii")


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    from paytui.tui.terminal.tty import in_ascii

    assert isinstance(error, UnicodeEncodeError)
    return in_ascii(error.object[error.start : error.end]), error.end


def drop_stdout() -> None:
    """Send nothing more to a stdout that takes nothing.

    What is left in its buffer would else be tried, and complained of, once more at the very end.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_terminal(name: str) -> bool:
    stream: TextIO | None = getattr(sys, name)  # None: closed before we were started
    return stream is not None and stream.isatty()
