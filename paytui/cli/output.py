"""Output of the commands: aligned text tables and JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from paytui.domain.models import State
from paytui.domain.money import plain

Row = Sequence[str]
GAP = "  "
ELLIPSIS = "…"


def columns(rows: Sequence[Row], alignment: str) -> list[str]:
    """Format rows as lines of aligned columns.

    Args:
        rows: all of the same length.
        alignment: one letter a column: `<` to the left, `>` to the right, as for amounts.
    """
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        padded = [
            _pad(text, width, side)
            for text, width, side in zip(row, widths, alignment, strict=True)
        ]
        lines.append(GAP.join(padded).rstrip())
    return lines


def _pad(text: str, width: int, side: str) -> str:
    space = " " * (width - cells(text))
    return space + text if side == ">" else text + space


def truncated(text: str, most: int) -> str:
    """Cut a text to a width in cells; a cut text ends in an ellipsis."""
    if cells(text) <= most:
        return text
    room = most - cells(ELLIPSIS)
    kept = next(at for at in range(len(text), -1, -1) if cells(text[:at]) <= room)
    return text[:kept] + ELLIPSIS


def cells(text: str) -> int:
    """Return the width of a text in a terminal: wide characters take two cells, marks none."""
    return sum(map(_cells_of, text))


def _cells_of(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def jsonable(value: object) -> Json:
    """Return an object of the service as JSON: snake_case, exact amounts, times in UTC.

    A state becomes its name, a decimal a string with every digit, a time ISO 8601 with `Z`. A value
    that the service did not send is null.
    """
    if isinstance(value, tuple):
        return [jsonable(item) for item in value]
    if is_dataclass(value) and not isinstance(value, State):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    return _scalar(value)


def _scalar(value: object) -> Json:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return utc(value)
        case date():
            return value.isoformat()
        case State(name):
            return name
    assert value is None or isinstance(value, bool | int | str)
    return value


def utc(time: datetime) -> str:
    """Format a time as ISO 8601 in UTC, with `Z`: 2026-03-02T12:00:00Z."""
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
