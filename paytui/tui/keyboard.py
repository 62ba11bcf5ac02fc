"""Reading what is typed: bytes of a terminal, in whatever pieces a link brings them."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Callable
from selectors import EVENT_READ, SelectSelector
from socket import socketpair
from threading import Event
from weakref import finalize

from textual._xterm_parser import XTermParser
from textual.message import Message

LOOK = 0.1
"""Seconds after which it is seen that an ESC stands alone."""

AT_ONCE = 4096


class End(Event):
    """Set when reading is to end: whoever waits for a terminal wakes, and need not look around."""

    def __init__(self) -> None:
        super().__init__()
        self._wakes, self._waker = socketpair()
        # Textual may set it once more after all is over.
        finalize(self, self._wakes.close)
        finalize(self, self._waker.close)

    def fileno(self) -> int:
        """What can be read from once it is set."""
        return self._wakes.fileno()

    def set(self) -> None:
        """Have it end."""
        if not self.is_set():
            super().set()
            self._waker.send(b"\0")

    def clear(self) -> None:
        """What is read from now on is to end another time."""
        if self.is_set():
            super().clear()
            self._wakes.recv(1)


def read_keys(terminal: int, end: End, give: Callable[[Message], None]) -> None:
    """Read until told to end, or until the terminal is gone, which others see to.

    Bytes that are no UTF-8, as of a terminal that speaks Latin-1, are a sign for what was not
    understood: Textual's own reader would crash.

    Args:
        terminal: its file descriptor.
        end: set when reading is to end.
        give: takes what was typed, in this thread.
    """
    parser = XTermParser()
    decode = getincrementaldecoder("utf-8")("replace").decode
    with SelectSelector() as selector:
        selector.register(terminal, EVENT_READ)
        selector.register(end, EVENT_READ)
        while True:
            is_half_read = parser._timeout_time is not None  # noqa: SLF001 - it tells nobody else
            ready = selector.select(LOOK if is_half_read else None)
            if end.is_set():
                return
            if ready:
                data = _read(terminal)
                if not data:
                    return
                if text := decode(data):  # no text at all would end the parser
                    for typed in parser.feed(text):
                        give(typed)
            for typed in parser.tick():
                give(typed)


def _read(terminal: int) -> bytes:
    """Nothing of a terminal that is gone."""
    try:
        return os.read(terminal, AT_ONCE)
    except OSError:
        return b""
