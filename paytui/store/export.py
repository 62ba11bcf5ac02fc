"""The export of rows as CSV, JSON or JSON lines, with exact numbers and times with offset.

CSV has one column for each field, in the order of the model; JSON is nested like the model. Both
hold only values from the service and nothing derived, so that two exports can be compared.
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
from paytui.store.fields import Listed, Scalar, fields_of

_FORMULA = re.compile(
    r"""
    (?: \A | (?<=[;,\t\r\n]) )      # the start of a cell, for any separator,
    (?= [\s"]* [=+\-@＝＋－＠] )    # before a formula, also in quotes that are stripped,
    | \A (?= [ ]* [\t\r\n] )        # or before blanks that a spreadsheet skips
    """,
    re.VERBOSE,
)
"""The position before text that a spreadsheet evaluates as a formula (OWASP, "CSV Injection").

In some locales spreadsheets split at semicolons or tabs, and so in the middle of our cells.
"""

_BETWEEN = "; "  # The separator of several values in one cell


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"


def export_rows(
    listed: Listed, rows: Iterable[object], form: Format, file: TextIO, zone: Zone = UTC
) -> None:
    """Write rows one by one, in their order, to a file opened with `newline=""`.

    Lines of CSV end in CR LF (RFC 4180). Times are in `zone`, with their offset.
    """
    match form:
        case Format.CSV:
            _write_csv(listed, rows, file, zone)
        case Format.JSON:
            _write_json(rows, file, zone)
        case Format.JSONL:
            file.writelines(write(_json(row, zone)) + "\n" for row in rows)


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


def _write_json(rows: Iterable[object], file: TextIO, zone: Zone) -> None:
    file.write("[")
    before = "\n"
    for row in rows:
        file.write(before + write(_json(row, zone)))
        before = ",\n"
    file.write("\n]\n")


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
    except OverflowError:  # the first or the last day of the calendar
        return moment.isoformat()


class ExportError(Exception):
    """A file that cannot be written; the message names it, the reason and a remedy."""

    def __init__(self, path: Path, what: str, remedy: str) -> None:
        super().__init__(f"{path}: {what}. {remedy}")


def write_file(path: Path, fill: Callable[[TextIO], None], *, replace: bool = False) -> None:
    """Write a file of mode 0600 atomically, in a folder that exists; else raise ExportError.

    If `fill` raises, no file is left behind. Only `replace` permits to replace an existing file.
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
    """Write a new file. Reserving its name first keeps other programs from taking it."""
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
