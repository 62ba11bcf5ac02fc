"""The terminal: Textual's driver with our own parser of input, and output in fewer bytes."""

from __future__ import annotations

import os
import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import lru_cache
from selectors import EVENT_READ, SelectSelector
from socket import socketpair
from threading import Event
from time import monotonic
from typing import Any, NamedTuple
from weakref import finalize

from rich.cells import cell_len
from textual import constants, events
from textual.message import Message

from paytui.platform.text import clean
from paytui.tui.terminal.tty import OPEN_SCREEN
from paytui.tui.textual_internals import HookedApp, HookedDriver, KeySequenceParser

# Output: the same picture in fewer bytes, in cells of a fixed width, and counts of it

_STYLING = re.compile(r"\x1b\[([\d;]*)m")  # Select graphic rendition (ECMA-48 §8.3.117)
_MOVING = re.compile(r"\n?(\x1b\[\d+;\d+H)")  # A cursor position; a newline before it is redundant

_RESET = "0"

_COLOUR_LENGTHS = {"5": 3, "2": 5}
"""Number of codes of a 256-colour (`38;5;188`) and of a true colour."""

_SHOWS_ON_BLANKS = frozenset({"4", "5", "6", "7", "9", "21", "51", "52", "53"})
"""Underline, blink, reverse, strike, frame, overline."""


class Style(NamedTuple):
    """A text style in SGR codes; an empty colour is the terminal's default."""

    attributes: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


_PLAIN = Style()


def minimise_sgr(painted: str) -> str:
    """Return the same picture in fewer bytes: only the differences between styles are sent.

    Textual sends each piece of text with all of its colours and resets them behind it. On a slow
    link that is most of the delay.
    """
    first, *rest = _STYLING.split(painted)
    wanted = shown = _PLAIN
    sent = [first]
    for codes, text in zip(rest[::2], rest[1::2], strict=True):
        wanted = _style(codes)
        if moving := _MOVING.fullmatch(text):
            sent.append(moving[1])
        elif text:
            change, shown = _change(shown, wanted, blank=not text.strip(" \xa0"))
            sent += (change, text)
    sent.append(_change(shown, wanted, blank=False)[0])
    return "".join(sent)


@lru_cache(maxsize=1024)
def _style(codes: str) -> Style:
    attributes, ink, paper = set[str](), "", ""
    for code in _each(codes.split(";")):
        if code.startswith(("3", "9")) and len(code) > 1:
            ink = code
        elif code.startswith(("4", "10")) and len(code) > 1:
            paper = code
        elif code.strip("0"):
            attributes.add(code)
    return Style(frozenset(attributes), ink, paper)


def _each(numbers: list[str]) -> Iterator[str]:
    """Yield code by code; that of a colour consists of several numbers."""
    at = 0
    while at < len(numbers):
        is_long = numbers[at] in ("38", "48")
        length = _COLOUR_LENGTHS[numbers[at + 1]] if is_long else 1
        yield ";".join(numbers[at : at + length])
        at += length


@lru_cache(maxsize=4096)
def _change(shown: Style, wanted: Style, *, blank: bool) -> tuple[str, Style]:
    """Return the codes that change one style to another, and the new style.

    Blank text needs no foreground colour.
    """
    if blank and not _SHOWS_ON_BLANKS & (shown.attributes | wanted.attributes):
        ends_paper = shown.paper and not wanted.paper
        wanted = _PLAIN if ends_paper else Style(shown.attributes, shown.ink, wanted.paper)
    more = wanted.attributes - shown.attributes
    is_more = shown.attributes <= wanted.attributes
    if is_more and (wanted.ink or not shown.ink) and (wanted.paper or not shown.paper):
        ink = wanted.ink if wanted.ink != shown.ink else ""
        paper = wanted.paper if wanted.paper != shown.paper else ""
        codes = (*sorted(more), ink, paper)
    else:
        codes = (_RESET, *sorted(wanted.attributes), wanted.ink, wanted.paper)
    told = ";".join(code for code in codes if code)
    return f"\x1b[{told}m" if told else "", wanted


# Terminals measure combining marks, joined letters and emoji differently: in tmux, a name of an
# Indic script moved the rest of its line by some cells.
_UNSURE = (
    "\u0300-\u036f\u0483-\u0489"  # marks of Latin and Cyrillic letters
    "\u0590-\u11ff\u1700-\u1cff\ua800-\uabff"  # Hebrew, Arabic, Indic, Thai, Khmer …; Jamo
    "\u1dc0-\u1dff\u20d0-\u20ff\ua66f-\ua69f\ufe20-\ufe2f"  # more marks
    "\ud7b0-\ud7ff\ufb1d-\ufdff\ufe70-\ufeff"  # more Jamo, Hebrew and Arabic letters
    "\U00010a00-\U00011fff\U0001e000-\U0001efff"  # older Indic scripts and their like
    "\U0001f000-\U0001faff"  # pictures
)
_WORD = re.compile(rf"[{_UNSURE}][^\x00-\x20\xa0]*")


def pin_cell_width(painted: str) -> str:
    """Return the same picture, with words of uncertain width pinned to the cells we measured."""
    return painted if painted.isascii() else _WORD.sub(_held, painted)


def _held(word: re.Match[str]) -> str:
    """Blank the cells (ECH), save the cursor (DECSC), paint without wrapping (DECAWM), restore
    (DECRC) and step over the cells (CUF).
    """
    text = word[0]
    cells = cell_len(text)
    blanked, passed = (f"\x1b[{cells}X", f"\x1b[{cells}C") if cells else ("", "")
    return f"{blanked}\x1b7\x1b[?7l{text}\x1b[?7h\x1b8{passed}"


STEP = 5.0  # Minimum seconds between two samples

MINUTE = 60.0


class OutputMetrics:
    """Counts of the output to one terminal: writes (`paints`) and bytes (`painted`)."""

    def __init__(self) -> None:
        self.paints = 0
        self.painted = 0
        self._marks: deque[tuple[float, int, int]] = deque()

    def note(self, text: str) -> None:
        self.paints += 1
        self.painted += len(text) if text.isascii() else len(text.encode())

    def mark(self, now: float) -> None:
        """Take a sample; `now` is in seconds of a monotonic clock."""
        if self._marks and now - self._marks[-1][0] < STEP:
            return
        self._marks.append((now, self.paints, self.painted))
        while now - self._marks[0][0] > MINUTE:
            self._marks.popleft()

    def a_minute(self, now: float) -> tuple[float, float]:
        """Return writes and bytes per minute, over the last minute or since the first sample."""
        if not self._marks or now <= self._marks[0][0]:
            return 0.0, 0.0
        then, paints, painted = self._marks[0]
        minutes = (now - then) / MINUTE
        return (self.paints - paints) / minutes, (self.painted - painted) / minutes


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

    def start_application_mode(self) -> None:
        """Take over the terminal; keep a splash screen that is shown."""
        self._is_open = self._hooks.take_over_screen()
        super().start_application_mode()

    def write(self, data: str) -> None:
        if self._is_open and data == OPEN_SCREEN:
            self._is_open = False
            return
        super().write(self._hooks.filter_output(data))
