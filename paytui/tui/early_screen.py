"""What stands on the terminal while the dashboard is being loaded; Textual is not needed for it.

The dashboard goes on with the alternate screen that was opened for it, so that what stands there
stays until it is painted over. Keys that are typed meanwhile wait for the dashboard, unechoed.
"""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from types import FrameType
from typing import Any

from paytui.tui.tty import OPEN_SCREEN, Modes, Tty

EMPTY = "\x1b[2J\x1b[?25l"
"""Nothing on it, for a terminal that has no other screen, and no cursor."""
DEADLY = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT)
"""What ends a process that nobody has told otherwise. SIGINT does too: as an exception it would
wait for a thread that paints, on a terminal that may be frozen."""

Words = tuple[str, str]
"""How text looks, in the codes of ECMA-48 §8.3.117 that every terminal knows, and the text."""

Line = Sequence[Words]


class EarlyScreen:
    """The terminal, from `show` until the dashboard takes it over or it is given back.

    Attributes:
        tty: the terminal.
        found: how the terminal was set before; None while it is not held.
    """

    def __init__(self, tty: Tty = Tty()) -> None:  # noqa: B008  (immutable)
        self.tty = tty
        self.found: Modes | None = None
        self._handlers: dict[int, Any] = {}
        self._lock = Lock()

    def __enter__(self) -> EarlyScreen:
        return self

    def __exit__(self, *_: object) -> None:
        """Give the terminal back, unless the dashboard has it by now."""
        with self._lock:
            if self.found is not None:
                self.tty.restore(self.found)
                self._let_go()

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines that fit, one below the other, on a terminal that is ours alone."""
        found = self.tty.modes() if lines and self.tty.is_ours else None
        if found is None:
            return
        self.found = found
        self._handlers = {number: signal.signal(number, self._on_signal) for number in DEADLY}
        self.tty.set(_unechoed(found))
        self._paint(OPEN_SCREEN, lines)

    def show_instead(self, lines: Sequence[Line]) -> None:
        """Show others in their place, as long as the terminal is held; from any thread."""
        with self._lock:
            if self.found is not None:
                self._paint("", lines)

    def hand_over(self) -> bool:
        """Leave the terminal to the dashboard, set as it was found.

        Returns:
            Whether the alternate screen is open already.
        """
        with self._lock:
            if self.found is None:
                return False
            self.tty.set(self.found)
            self._let_go()
            return True

    def _paint(self, before: str, lines: Sequence[Line]) -> None:
        with suppress(OSError):  # it is lost; whoever paints next is told so, too
            os.write(self.tty.stderr, f"{before}{_painted(lines)}".encode())

    def _let_go(self) -> None:
        self.found = None
        for number, before in self._handlers.items():
            if signal.getsignal(number) == self._on_signal:
                signal.signal(number, before)

    def _on_signal(self, number: int, _: FrameType | None) -> None:
        """End by the signal, as if it had not been held up."""
        self.tty.restore(self.found)
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)


def _unechoed(found: Modes) -> Modes:
    """The same without echo, and without the key that stops: the screen would stay as it is."""
    modes = [*found[:6], [*found[6]]]
    modes[3] &= ~termios.ECHO
    modes[6][termios.VSUSP] = b"\0"
    return modes


def _painted(lines: Sequence[Line]) -> str:
    """As it is sent. Nothing in the words moves the cursor or sets anything."""
    painted = [EMPTY]
    for row, line in enumerate(lines, 1):
        painted.append(f"\x1b[{row};1H")
        painted += [f"\x1b[{look}m{_printable(text)}\x1b[0m" for look, text in line]
    return "".join(painted)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
