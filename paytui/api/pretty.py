"""JSON for a person: a member a line, indented, as much of it as somebody would read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from paytui.domain.exact_json import Digits, Json

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
