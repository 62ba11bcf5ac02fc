"""Giving a terminal back as a shell wants it, also one that takes nothing."""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress
from typing import Any

STDIN, STDERR = 0, 2
"""The terminal, as Textual reads and writes it."""

OPEN_SCREEN = "\x1b[?1049h"
"""The alternate screen; it is empty then."""

_RESTORE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Paste, wrap, mouse, keyboard protocol, screen, cursor and focus reports as a shell wants them."""

Modes = list[Any]
"""What `termios` tells of a terminal."""


def terminal_modes() -> Modes | None:
    """How the terminal is set; None where it is gone."""
    with suppress(termios.error):
        return termios.tcgetattr(STDIN)
    return None


def restore_terminal(modes: Modes | None) -> None:
    """Set the terminal as it was, and close the alternate screen, as far as it takes that now."""
    # A background process that sets the terminal would be stopped, and never end.
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    with suppress(termios.error, OSError):
        if modes is not None:
            termios.tcsetattr(STDIN, termios.TCSANOW, modes)
    with suppress(OSError):
        os.set_blocking(STDERR, False)
        os.write(STDERR, _RESTORE)
    with suppress(OSError):
        os.set_blocking(STDERR, True)
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
