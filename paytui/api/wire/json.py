"""JSON for a person: a member a line, indented, as much of it as somebody would read."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Generator, Iterator

from paytui.domain.exact_json import DECODER, Digits, Json, parse

DEEPEST = 60
"""Levels that are shown one inside another; what is deeper stands as `…`."""


def pretty(value: Json, limit: int) -> tuple[list[str], bool]:
    """The lines of a value of `parse_verbatim`, and whether that is not all of it.

    Args:
        value: numbers in it are `Digits`.
        limit: characters shown at the most, line breaks included.
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


# A long JSON text is read piece by piece: whoever else waits for the loop has turns in between.

LONG = 500_000
"""Bytes from which on a text is worth it; less takes a few milliseconds."""

PIECE = 100_000
"""Characters of a piece at the least, and at the most a record more: a millisecond or two."""

DEPTH = 3
"""Objects inside each other that a list of records may be in."""

_BLANK = re.compile(r"[ \t\n\r]*")

_Found = Generator[int, None, tuple[Json, int]]
"""Yields where it stands after each piece; returns what stands there, and where that ends."""


class _Odd(Exception):
    """It is to be read at once: that says what is wrong, if anything is."""


async def parse_in_turns(body: bytes) -> Json:
    """Like `jsontext.parse`, with a turn for others after each piece."""
    pieces = in_pieces(body)
    while True:
        try:
            next(pieces)
        except StopIteration as end:
            value: Json = end.value
            return value
        await asyncio.sleep(0)


def in_pieces(body: bytes) -> Generator[int, None, Json]:
    """Read a text, and yield after each piece how many characters were read.

    Returns:
        What `jsontext.parse` returns.

    Raises:
        NotJson: as there.
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
        """What stands at a place; it is in so many objects less than it may be."""
        if depth and self._text.startswith("[", at):
            return (yield from self._list(at + 1))
        if depth and self._text.startswith("{", at):
            return (yield from self._object(at + 1, depth - 1))
        return self._scanned(at)

    def after_blanks(self, at: int) -> int:
        """Where something stands again."""
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
        """Where to read on behind one part, and whether another follows."""
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
