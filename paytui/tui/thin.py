"""Painting in fewer bytes: of each style just what differs from the one before is sent.

Textual sends every piece of text with all of its colours and takes them back behind it. Over a slow
link that is most of what there is to wait for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_STYLING = re.compile(r"\x1b\[([\d;]*)m")
"""Select graphic rendition (ECMA-48 §8.3.117)."""

_MOVING = re.compile(r"\n?(\x1b\[\d+;\d+H)")
"""To a line's begin, and from there to where the cursor is told to go in any case."""

_RESET = "0"

_COLOUR_LENGTHS = {"5": 3, "2": 5}
"""Codes of a colour out of 256, as `38;5;188`, and of a true colour."""

_SHOWS_ON_BLANKS = frozenset({"4", "5", "6", "7", "9", "21", "51", "52", "53"})
"""Underlined, blinking, reversed, struck through, framed, overlined."""


class Style(NamedTuple):
    """How text looks, in the codes that make it so; empty colours are the terminal's own."""

    attributes: frozenset[str] = frozenset()
    ink: str = ""
    paper: str = ""


_PLAIN = Style()


def thin(painted: str) -> str:
    """The same picture in fewer bytes.

    Args:
        painted: as Rich renders it: each style is set as a whole, and taken back behind its text.
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
    """What a sequence makes of plain text."""
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
    """Code by code; that of a colour may be of several numbers."""
    at = 0
    while at < len(numbers):
        is_long = numbers[at] in ("38", "48")
        length = _COLOUR_LENGTHS[numbers[at + 1]] if is_long else 1
        yield ";".join(numbers[at : at + length])
        at += length


@lru_cache(maxsize=4096)
def _change(shown: Style, wanted: Style, *, blank: bool) -> tuple[str, Style]:
    """What to send so that text looks as wanted, and how it then looks; blanks have no ink."""
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
