"""The terminal driver: Textual's, with our own parser of input and fewer bytes of output."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from selectors import EVENT_READ, SelectSelector
from socket import socketpair
from threading import Event
from time import monotonic
from typing import Any
from weakref import finalize

from textual import constants, events
from textual.events import InputEvent
from textual.message import Message

from paytui.platform.text import clean
from paytui.tui.terminal.tty import OPEN_SCREEN
from paytui.tui.textual_internals import HookedApp, HookedDriver, KeySequenceParser

# Keyboard input: bytes of a terminal, in pieces of any size, to key and paste events.

BRACKETED_PASTE_START, BRACKETED_PASTE_END = "\x1b[200~", "\x1b[201~"

LONGEST = 20_000  # Maximum characters of a paste; no field takes more


def clean_paste(text: str) -> str:
    """Return a paste without control characters: a clipboard is input from outside."""
    return "\n".join(clean(line) for line in text[:LONGEST].splitlines())


LOOK = 0.1  # Seconds without a byte that count as a pause; it completes an ESC key or a paste

AT_ONCE = 4096

LONG = 1_000  # Characters from which a paste may arrive in several pieces, a round trip apart
LOOKS = 10  # Pauses in a row that end a long paste; together longer than any round trip

ESC = "\x1b"

CTRL_C = ("\x03", "\x1b[99;5u")
"""Ctrl+C in the usual encoding, and in that of kitty's keyboard protocol."""


class StopEvent(Event):
    """An event that also wakes a reader blocked in `select`."""

    def __init__(self) -> None:
        super().__init__()
        self._wakes, self._waker = socketpair()
        # Not closed earlier: Textual may set it again after the reader has ended.
        finalize(self, self._wakes.close)
        finalize(self, self._waker.close)

    def fileno(self) -> int:
        return self._wakes.fileno()

    def set(self) -> None:
        if not self.is_set():
            super().set()
            self._waker.send(b"\0")

    def clear(self) -> None:
        if self.is_set():
            super().clear()
            self._wakes.recv(1)


class KeyParser:
    """Parses input; nothing of a bracketed paste becomes a key or a query's answer.

    Textual's parser also looks for keys inside a paste: an ESC there turns the rest into keys. So
    it only gets the input outside of pastes. Some programs (tmux) do not escape an end bracket in a
    clipboard. So input that follows an end bracket without a pause is dropped, unless it begins
    another paste. After a long paste the pause must be longer.

    A paste without an end is given up when ctrl+c comes alone, between two pauses. Bytes that are
    not UTF-8, as from a Latin-1 terminal, become U+FFFD; Textual's own reader would crash.
    """

    def __init__(self) -> None:
        self._parser = KeySequenceParser()
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._begun = ""
        """A possible start of a start bracket; it goes to the parser if it is none."""
        self._told = 0
        """Number of its characters already reported as keys, as nothing followed them."""
        self._tell_at = 0.0
        self._pasted: str | None = None
        self._ending = ""
        """A possible start of an end bracket."""
        self._has_ended = False
        """True if a paste has ended and no pause has come since."""
        self._came = 0
        """Number of characters since a paste began."""
        self._pauses = 0
        """Number of pauses since the last character."""
        self._is_paused = True
        self._is_ctrl_c_alone = False
        """True if ctrl+c is all that has come since a pause."""

    @property
    def awaits_pause(self) -> bool:
        """Return True if a pause, or the escape delay, would complete a key."""
        return self._parser.is_half_read or self._may_stand_alone or not self._is_paused

    @property
    def _is_at_rest(self) -> bool:
        return self._pasted is None and not self._has_ended

    @property
    def _may_stand_alone(self) -> bool:
        """Return True if the pending text may begin a bracket or be keys: not `ESC [`."""
        is_untold = len(self._begun) > self._told
        return is_untold and (self._told > 0 or self._begun == ESC)

    def feed(self, data: bytes) -> Iterator[Message]:
        text = self._decode(data)
        self._came = len(text) + (0 if self._is_at_rest else self._came)
        self._pauses = 0
        self._is_ctrl_c_alone = self._is_paused and text in CTRL_C
        while text:
            if self._pasted is None:
                text = yield from self._outside(text)
            else:
                text = yield from self._inside(self._pasted, text)
        self._is_paused = self._is_at_rest

    def tick(self) -> Iterator[Message]:
        """Report keys that are complete because nothing followed them within the escape delay."""
        yield from self._parser.tick()
        if self._may_stand_alone and monotonic() >= self._tell_at:
            untold = self._begun[self._told :]
            self._told = len(self._begun)
            if untold == ESC:
                yield events.Key("escape", ESC)
            else:
                yield from self._parser.feed(untold)

    def pause(self) -> None:
        self._pauses += 1
        if self._has_ended and self._came > LONG and self._pauses < LOOKS:
            return
        if self._pasted is not None and self._is_ctrl_c_alone:
            self._pasted, self._ending = None, ""
        self._is_paused, self._has_ended, self._is_ctrl_c_alone = True, False, False

    def _outside(self, text: str) -> Generator[Message, None, str]:
        """Parse keys up to a start bracket; return the text after it."""
        text, told = self._begun + text, self._told
        keys, bracket, rest = text.partition(BRACKETED_PASTE_START)
        self._begun = "" if bracket else _beginning(BRACKETED_PASTE_START, text)
        keys = keys[: len(keys) - len(self._begun)]
        self._told = 0 if keys or bracket else told
        self._tell_at = monotonic() + constants.ESCAPE_DELAY
        if self._has_ended:
            self._told = len(self._begun)
        elif untold := keys[told:]:  # empty text would end the parser
            yield from self._parser.feed(untold)
        if bracket:
            self._pasted = ""
        return rest

    def _inside(self, pasted: str, text: str) -> Generator[Message, None, str]:
        """Collect pasted text up to an end bracket; return the text after it."""
        more, bracket, rest = (self._ending + text).partition(BRACKETED_PASTE_END)
        self._ending = "" if bracket else _beginning(BRACKETED_PASTE_END, more)
        pasted = (pasted + more[: len(more) - len(self._ending)])[:LONGEST]
        if bracket:
            self._pasted, self._has_ended = None, True
            yield events.Paste(pasted.replace("\0", ""))
        else:
            self._pasted = pasted
        return rest


def _beginning(bracket: str, text: str) -> str:
    """Return the longest suffix of a text that the bracket starts with."""
    lengths = range(len(bracket) - 1, 0, -1)
    return next((bracket[:length] for length in lengths if text.endswith(bracket[:length])), "")


def read_keys(terminal: int, end: StopEvent, give: Callable[[Message], None]) -> None:
    """Read input until `end` is set or the terminal is gone; give each event in this thread."""
    parser = KeyParser()
    with SelectSelector() as selector:
        selector.register(terminal, EVENT_READ)
        selector.register(end, EVENT_READ)
        while True:
            ready = selector.select(LOOK if parser.awaits_pause else None)
            if end.is_set():
                return
            if ready:
                data = b""
                with suppress(OSError):  # it is gone
                    data = os.read(terminal, AT_ONCE)
                if not data:
                    return
                for typed in parser.feed(data):
                    give(typed)
            else:
                parser.pause()
            for typed in parser.tick():
                give(typed)


class ThinDriver(HookedDriver):
    """A driver that has the app filter its output, and reads input with our own parser."""

    _is_open = False

    def __init__(self, app: HookedApp, **options: Any) -> None:  # noqa: ANN401 - Textual's own
        super().__init__(app, **options)
        self._hooks = app
        self.exit_event: StopEvent = StopEvent()

    def run_input_thread(self) -> None:
        try:
            read_keys(self.fileno, self.exit_event, self.process_message)
        except Exception as error:  # noqa: BLE001 - reported like any other crash
            self._hooks.call_later(self._hooks.crash, error)

    def process_message(self, message: Message) -> None:
        if isinstance(message, InputEvent):
            self._hooks.note_input()
        super().process_message(message)

    def start_application_mode(self) -> None:
        """Take over the terminal; keep a splash screen that is shown."""
        self._is_open = self._hooks.take_over_screen()
        super().start_application_mode()

    def write(self, data: str) -> None:
        if self._is_open and data == OPEN_SCREEN:
            self._is_open = False
            return
        super().write(self._hooks.filter_output(data))
