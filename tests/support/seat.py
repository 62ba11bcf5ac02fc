"""The user's side of a terminal that a test itself writes to."""

from __future__ import annotations

import os
import pty
import select
import termios

from paytui.tui.terminal.tty import Tty

PATIENCE = 20
"""Seconds."""

ROOM = (24, 80)


class Seat:
    """At a terminal of 80 columns and 24 lines.

    Attributes:
        tty: its other side.
    """

    def __init__(self) -> None:
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, ROOM)
        self.tty = Tty(slave, slave)
        self._seen = b""

    @property
    def echoes(self) -> bool:
        """Return True if typed keys are echoed."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    def until(self, wanted: bytes) -> bytes:
        """All that came, once this is among it."""
        while wanted not in self._seen:
            assert select.select([self._master], [], [], PATIENCE)[0], self._seen
            self._seen += os.read(self._master, 65_536)
        return self._seen

    def close(self) -> None:
        """Take the terminal away."""
        os.close(self._master)
        os.close(self.tty.stdin)
