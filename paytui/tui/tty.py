"""The terminal itself: how it is set, and how it is given back, also where it takes nothing."""

from __future__ import annotations

import os
import signal
import termios
from contextlib import suppress
from typing import Any, NamedTuple

OPEN_SCREEN = "\x1b[?1049h"
"""The alternate screen; it is empty then."""

_RESTORE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Paste, wrap, mouse, keyboard protocol, screen, cursor and focus reports as a shell wants them."""

Modes = list[Any]
"""What `termios` tells of a terminal."""

Size = tuple[int, int]
"""Columns and lines."""


class Tty(NamedTuple):
    """A terminal, as Textual reads and writes it."""

    stdin: int = 0
    stderr: int = 2

    @property
    def size(self) -> Size:
        """None at all where that is not told."""
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self.stderr)
            return columns, lines
        return 0, 0

    @property
    def is_ours(self) -> bool:
        """Whether this process is the one that the terminal is for, and not one in the background.

        Of a terminal that controls nobody there is no background.
        """
        try:
            return os.tcgetpgrp(self.stdin) == os.getpgrp()
        except OSError:
            return True

    def modes(self) -> Modes | None:
        """How it is set; None where it is gone."""
        with suppress(termios.error):
            return termios.tcgetattr(self.stdin)
        return None

    def set(self, modes: Modes) -> None:
        """Set it, if it is still there."""
        with suppress(termios.error, OSError):
            termios.tcsetattr(self.stdin, termios.TCSANOW, modes)

    def restore(self, modes: Modes | None) -> None:
        """Set it as it was, and close the alternate screen, as far as it takes that now."""
        # A background process that sets a terminal would be stopped, and never end.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        if modes is not None:
            self.set(modes)
        with suppress(OSError):
            os.set_blocking(self.stderr, False)
            os.write(self.stderr, _RESTORE)
        with suppress(OSError):
            os.set_blocking(self.stderr, True)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
