"""Reading what is typed: bytes of a terminal, in whatever pieces a link brings them."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Callable
from selectors import EVENT_READ, SelectSelector
from threading import Event

from textual._xterm_parser import XTermParser
from textual.message import Message

LOOK = 0.1
"""Seconds after which it is seen that reading is to end, or that an ESC stands alone."""

AT_ONCE = 4096


def read_keys(terminal: int, end: Event, give: Callable[[Message], None]) -> None:
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
        while not end.is_set():
            if selector.select(LOOK):
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
