"""Terminal output: fewer bytes, fixed cell widths, and counts for the health screen."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

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
