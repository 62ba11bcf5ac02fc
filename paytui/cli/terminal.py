"""The standard streams: terminal detection, ASCII fallback and a broken stdout."""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import TextIO

_STREAMS = ("stdin", "stdout", "stderr")
"""Keys come from stdin, and Textual paints on stderr."""


def missing_terminal() -> str | None:
    """Return the reason why no dashboard can be shown; None if it can."""
    if elsewhere := [name for name in _STREAMS if not _is_terminal(name)]:
        return (
            "The dashboard needs a terminal on stdin, stdout and stderr; there is none on "
            f"{', '.join(elsewhere)}. For scripts there is `paytui status --json`."
        )
    if os.environ.get("TERM") == "dumb":
        return "The dashboard cannot be shown with TERM=dumb; try TERM=xterm-256color."
    return None


def use_ascii_fallback() -> None:
    """Write symbols as ASCII if the locale has no UTF-8, instead of failing to encode them.

    Exports choose UTF-8 themselves.
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
    """Redirect a broken stdout to /dev/null.

    Otherwise the interpreter flushes its buffer at exit and reports the error again.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_terminal(name: str) -> bool:
    stream: TextIO | None = getattr(sys, name)  # None: closed before we were started
    return stream is not None and stream.isatty()
