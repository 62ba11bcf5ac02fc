"""Incremental JSON parsing for long responses, and indented JSON for a person."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Generator, Iterator

from paytui.domain.exact_json import DECODER, Digits, Json, parse

DEEPEST = 60
"""Nested levels that are shown; deeper ones become `…`."""


def pretty(value: Json, limit: int) -> tuple[list[str], bool]:
    """Return the indented lines of a value, and True if some of it was cut off.

    Args:
        value: from `parse_verbatim`; its numbers are `Digits`.
        limit: the most characters to return, line breaks included.
    """
    shown: list[str] = []
    too_deep = False
    for line in _lines(value):
        too_deep = too_deep or line.endswith(_TOO_DEEP)
        if len(line) > limit:
            return [*shown, line[:limit]], True
        shown.append(line)
        limit -= len(line) + 1
    return shown, too_deep


def _lines(value: Json, name: str = "", depth: int = 0, comma: str = "") -> Iterator[str]:
    indent = "  " * depth
    if not (isinstance(value, dict | list) and value):
        yield f"{indent}{name}{_scalar(value)}{comma}"
        return
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    if depth == DEEPEST:
        yield f"{indent}{name}{opened}{_TOO_DEEP}"
        return
    yield f"{indent}{name}{opened}"
    last = len(value) - 1
    for position, (inner, item) in enumerate(_items(value)):
        yield from _lines(item, inner, depth + 1, "," if position < last else "")
    yield f"{indent}{closed}{comma}"


def _items(value: dict[str, Json] | list[Json]) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        yield from (("", item) for item in value)
    else:
        yield from ((f"{_scalar(key)}: ", item) for key, item in value.items())


def _scalar(value: Json) -> str:
    return value if isinstance(value, Digits) else json.dumps(value, ensure_ascii=False)


_TOO_DEEP = "…"


LONG = 500_000
"""Bytes from which a text is parsed in pieces; a shorter one takes a few milliseconds."""

PIECE = 100_000
"""Characters of a piece, plus at most a record: a millisecond or two."""

DEPTH = 3
"""Nested objects around a list of records."""

_BLANK = re.compile(r"[ \t\n\r]*")

_Found = Generator[int, None, tuple[Json, int]]
"""Yields the position after each piece; returns the value and its end."""


class _Odd(Exception):
    """A text to be parsed at once by `parse`, which reports the error, if there is one."""


async def parse_in_turns(body: bytes) -> Json:
    """Parse like `exact_json.parse`, and yield to other tasks after each piece."""
    pieces = in_pieces(body)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            value: Json = end.value
            return value
        await asyncio.sleep(0)


def in_pieces(body: bytes) -> Generator[int, None, Json]:
    """Parse like `exact_json.parse`, and yield the number of characters read after each piece.

    Raises:
        NotJson: it is not JSON.
    """
    try:
        text = body.decode()
        reading = _Reading(text)
        value, end = yield from reading.value(reading.after_blanks(0), DEPTH)
        if reading.after_blanks(end) != len(text):
            raise _Odd
    except (_Odd, UnicodeDecodeError, RecursionError):
        return parse(body)
    return value


class _Reading:
    def __init__(self, text: str) -> None:
        self._text = text
        self._told = 0

    def value(self, at: int, depth: int) -> _Found:
        """Parse the value at a position, in pieces down to this depth."""
        if depth and self._text.startswith("[", at):
            return (yield from self._list(at + 1))
        if depth and self._text.startswith("{", at):
            return (yield from self._object(at + 1, depth - 1))
        return self._scanned(at)

    def after_blanks(self, at: int) -> int:
        """Return the next position that is not blank."""
        blanks = _BLANK.match(self._text, at)
        assert blanks is not None
        return blanks.end()

    def _list(self, at: int) -> _Found:
        items: list[Json] = []
        at = self.after_blanks(at)
        more = not self._text.startswith("]", at)
        while more:
            item, at = self._scanned(at)
            items.append(item)
            at, more = self._goes_on(at, "]")
            if self._is_time(at):
                yield at
        return items, at if items else at + 1

    def _object(self, at: int, depth: int) -> _Found:
        members: dict[str, Json] = {}
        at = self.after_blanks(at)
        more = not self._text.startswith("}", at)
        while more:
            name, at = self._scanned(at)
            at = self.after_blanks(at)
            if not isinstance(name, str) or not self._text.startswith(":", at):
                raise _Odd
            members[name], at = yield from self.value(self.after_blanks(at + 1), depth)
            at, more = self._goes_on(at, "}")
            if self._is_time(at):
                yield at
        return members, at if members else at + 1

    def _goes_on(self, at: int, closing: str) -> tuple[int, bool]:
        """Return the position after an item's separator, and True if another item follows."""
        at = self.after_blanks(at)
        if self._text.startswith(closing, at):
            return at + 1, False
        if not self._text.startswith(",", at):
            raise _Odd
        return self.after_blanks(at + 1), True

    def _is_time(self, at: int) -> bool:
        if at - self._told < PIECE:
            return False
        self._told = at
        return True

    def _scanned(self, at: int) -> tuple[Json, int]:
        try:
            found: tuple[Json, int] = DECODER.raw_decode(self._text, at)
        except ValueError:
            raise _Odd from None
        return found
