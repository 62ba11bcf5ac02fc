"""Rows as CSV, JSON or JSON lines: every digit of every number, times with their offset.

CSV has one column a field, in the order of the model; JSON is nested as the model is. Both hold
what the service said and nothing derived, so that two exports can be compared.
"""

from __future__ import annotations

import csv
import os
import re
import secrets
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import TextIO

from paytui.domain.exact_json import Json, write
from paytui.domain.models import State
from paytui.domain.money import plain
from paytui.platform.clock import Zone
from paytui.platform.files import create_private
from paytui.store.query.fields import Listed, Scalar, fields_of

_FORMULA = re.compile(
    r"""
    (?: \A | (?<=[;,\t\r\n]) )      # where a cell begins, whatever the file is split at,
    (?= [\s"]* [=+\-@＝＋－＠] )    # a formula, also in quotes that the split takes off,
    | \A (?= [ ]* [\t\r\n] )        # or what a spreadsheet skips to find one
    """,
    re.VERBOSE,
)
"""Before what a spreadsheet takes for a formula (OWASP, "CSV Injection").

Some split at semicolons or tabs, by the custom of the country, and so in the middle of our cells.
"""

_BETWEEN = "; "
"""Between several values in one cell."""


class Format(StrEnum):
    """How an export is written."""

    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


def export_rows(
    listed: Listed, rows: Iterable[object], form: Format, file: TextIO, zone: Zone = UTC
) -> None:
    """Write rows one by one, in the order in which they come.

    Args:
        listed: what the rows are.
        rows: of these.
        form: how to write them.
        file: opened with `newline=""`: lines of CSV end in CR LF (RFC 4180).
        zone: the zone that times are written in, each with its offset.
    """
    _WRITERS[form](listed, rows, file, zone)


# --- CSV -------------------------------------------------------------------------------------


def _write_csv(listed: Listed, rows: Iterable[object], file: TextIO, zone: Zone) -> None:
    columns = fields_of(listed)
    lines = csv.writer(file)
    lines.writerow([column.name for column in columns])
    for row in rows:
        cells = [[_written(value, zone) for value in column.values(row)] for column in columns]
        lines.writerow([_BETWEEN.join(values) for values in cells])


def _written(value: Scalar, zone: Zone) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case Decimal():
            return plain(value)
        case datetime():
            return _time(value, zone)
        case date():
            return value.isoformat()
        case str():
            return _FORMULA.sub("'", value)


# --- JSON ------------------------------------------------------------------------------------


def _write_json(_: Listed, rows: Iterable[object], file: TextIO, zone: Zone) -> None:
    file.write("[")
    before = "\n"
    for row in rows:
        file.write(before + write(_json(row, zone)))
        before = ",\n"
    file.write("\n]\n")


def _write_jsonl(_: Listed, rows: Iterable[object], file: TextIO, zone: Zone) -> None:
    file.writelines(write(_json(row, zone)) + "\n" for row in rows)


def _json(value: object, zone: Zone) -> Json:
    if isinstance(value, tuple):
        return [_json(item, zone) for item in value]
    if is_dataclass(value) and not isinstance(value, State):
        return {field.name: _json(getattr(value, field.name), zone) for field in fields(value)}
    match value:
        case datetime():
            return _time(value, zone)
        case date():
            return value.isoformat()
        case State(name):
            return name
    assert value is None or isinstance(value, bool | int | Decimal | str)
    return value


def _time(moment: datetime, zone: Zone) -> str:
    try:
        return moment.astimezone(zone).isoformat()
    except OverflowError:  # the first or the last day that there is
        return moment.isoformat()


_Writer = Callable[[Listed, Iterable[object], TextIO, Zone], None]
_WRITERS: dict[Format, _Writer] = {
    Format.CSV: _write_csv,
    Format.JSON: _write_json,
    Format.JSONL: _write_jsonl,
}


# An export in a file: there whole or not at all, and never over another by accident.


class ExportError(Exception):
    """A file that cannot be written: which, why, and what to do."""

    def __init__(self, path: Path, what: str, remedy: str) -> None:
        super().__init__(f"{path}: {what}. {remedy}")


def write_file(path: Path, fill: Callable[[TextIO], None], *, replace: bool = False) -> None:
    """Write a file of mode 0600 that appears under its name once it is complete.

    Args:
        path: in a folder that exists.
        fill: writes the contents; what it raises leaves no file behind.
        replace: whether a file that is there already may be replaced.

    Raises:
        ExportError: something is there already, or the file cannot be written.
    """
    try:
        if replace:
            _write_beside(path, fill)
        else:
            _write_reserved(path, fill)
    except FileExistsError:
        raise ExportError(path, "exists and is not overwritten", "Name another file.") from None
    except OSError as error:
        what = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ExportError(path, what, "Name a file in a folder of yours.") from None


def _write_reserved(path: Path, fill: Callable[[TextIO], None]) -> None:
    """Take the name first, so that what appears meanwhile is not overwritten either."""
    os.close(create_private(path))
    try:
        _write_beside(path, fill)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write_beside(path: Path, fill: Callable[[TextIO], None]) -> None:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(create_private(beside), "w", encoding="utf-8", newline="") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
