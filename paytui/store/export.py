"""The export of rows as CSV, JSON or JSON lines, with exact numbers and times with offset.

CSV has one column for each field, in the order of the model; JSON is nested like the model. Each
identifier of an account, wallet or recipient is followed by its name. Nothing else is derived, so
that two exports can be compared.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from paytui.domain import models
from paytui.domain.exact_json import Json, write
from paytui.domain.money import plain
from paytui.platform.clock import Zone
from paytui.platform.files import replace_private, write_new
from paytui.store import names
from paytui.store.fields import (
    Field,
    FieldType,
    Listed,
    Read,
    Scalar,
    Values,
    fields_of,
    find_fields,
    record_of,
    with_headings,
)
from paytui.store.store import Store

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


def _names(store: Store, record: type, prefix: str = "") -> Iterator[tuple[str, Field]]:
    """Yield a field for each name, with the identifier after which it is exported."""
    account = _name(partial(names.account_of, store), partial(names.account_name, store))
    for name, hint in models.field_types(record).items():
        path = f"{prefix}{name}"
        if hint in names.NAME_OF:
            _, called = names.NAME_OF[hint]
            read = _name(attrgetter(path), partial(called, store))
            if hint is models.AccountId and record in (models.Payment, models.Trade):
                read = account  # else that of the wallet
            yield path, Field(path.removesuffix("_id"), FieldType.TEXT, read)
            if record in (models.PayIn, models.PayInAddress):
                yield path, Field("account", FieldType.TEXT, account)
        elif is_dataclass(hint):
            yield from _names(store, hint, f"{path}.")


def _name(get: Callable[[Any], str | None], name: Callable[[str], str]) -> Read:
    """Return a reader of the name of an object; it has no value if no name is known."""

    def read(row: object) -> Values:
        key = get(row)
        return (found,) if key is not None and (found := name(key)) != key else ()

    return read


_COLUMNS: Mapping[str, str] = MappingProxyType(
    {"became": "object_id", "by": "user", "stands": "standing", "what": "title"}
)
"""Columns of Activity whose id in the configuration is not their heading."""


class ColumnError(ValueError):
    """An unknown column; the message names the known ones."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of an export.

    Attributes:
        names: the name fields, by the path of the identifier that they follow.
        chosen: the columns that were asked for, named so; None for all, and JSON that is nested.
    """

    listed: Listed
    names: Mapping[str, tuple[Field, ...]]
    chosen: tuple[Field, ...] | None = None

    @property
    def all_fields(self) -> tuple[Field, ...]:
        """The fields in the order of the model, each identifier followed by its name."""
        own = fields_of(self.listed)
        return tuple(part for field in own for part in (field, *self.names.get(field.name, ())))

    @property
    def columns(self) -> tuple[Field, ...]:
        return self.all_fields if self.chosen is None else self.chosen

    def choose(self, wanted: Sequence[str], ids: Sequence[str] = ()) -> Layout:
        """Return a layout with these columns in this order.

        Args:
            wanted: fields, or columns of the list on screen: `to`, `end-to-end-id`.
            ids: all columns of the list on screen.

        Raises:
            ColumnError: a column does not exist.
        """
        fields = (*self.all_fields, *_joined(self.all_fields))
        known = with_headings(fields, record_of(self.listed))
        chosen = []
        for name in wanted:
            if (field := _find(name, known)) is None:
                all_names = ", ".join(dict.fromkeys([*ids, *(field.name for field in known)]))
                raise ColumnError(f"No column {name or '(empty)'}. Known: {all_names}.")
            chosen.append(replace(field, name=name))
        return Layout(self.listed, self.names, tuple(chosen))


def layout(store: Store, listed: Listed) -> Layout:
    """Return the layout of a full export."""
    found: dict[str, tuple[Field, ...]] = {}
    for path, field in _names(store, record_of(listed)):
        found[path] = (*found.get(path, ()), field)
    return Layout(listed, found)


def _joined(known: Sequence[Field]) -> Iterator[Field]:
    """Yield the columns of a list that show several fields: `to` and `pair`."""
    reads = {field.name: field.values for field in known}
    if "recipient" in reads and (to := reads.get("destination_wallet") or reads.get("buy_wallet")):
        recipient, wallet = reads["recipient"], to
        yield Field("to", FieldType.TEXT, lambda row: recipient(row) or wallet(row))
    if {"sell_currency", "buy_currency"} <= reads.keys():
        sold, bought = reads["sell_currency"], reads["buy_currency"]

        def pair(row: object) -> Values:
            codes = (*sold(row), *bought(row))
            return (" > ".join(map(str, codes)),) if codes else ()

        yield Field("pair", FieldType.TEXT, pair)


def _find(name: str, known: Sequence[Field]) -> Field | None:
    by_name = {field.name: field for field in known}
    for meant in (name, name.replace("-", "_"), _COLUMNS.get(name)):
        if meant in by_name:
            return by_name[meant]
    found = find_fields(name, known)
    return found[0] if len(found) == 1 else None


def export_rows(
    layout: Layout, rows: Iterable[object], form: Format, file: TextIO, zone: Zone = UTC
) -> None:
    """Write rows one by one, in their order, to a file opened with `newline=""`.

    Lines of CSV end in CR LF (RFC 4180). Times are in `zone`, with their offset.
    """
    match form:
        case Format.CSV:
            lines = csv.writer(file)
            lines.writerow([column.name for column in layout.columns])
            reads = [column.values for column in layout.columns]
            for row in rows:
                cells = [[_written(each, zone) for each in read(row)] for read in reads]
                lines.writerow([_BETWEEN.join(values) for values in cells])
        case Format.JSON:
            file.write("[")
            for number, row in enumerate(rows):
                file.write((",\n" if number else "\n") + write(_object(layout, row, zone)))
            file.write("\n]\n")
        case Format.JSONL:
            file.writelines(write(_object(layout, row, zone)) + "\n" for row in rows)


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


def _object(layout: Layout, row: object, zone: Zone) -> Json:
    """Return a row as JSON: the chosen columns, or nested like the model."""
    if layout.chosen is None:
        return _nested(layout, row, row, zone)
    return {column.name: _cell(column, row, zone) for column in layout.chosen}


def _cell(column: Field, row: object, zone: Zone) -> Json:
    values = [_scalar(value, zone) for value in column.values(row)]
    return values if column.is_list else next(iter(values), None)


def _nested(layout: Layout, row: object, value: object, zone: Zone, path: str = "") -> Json:
    if isinstance(value, tuple):
        return [_nested(layout, row, item, zone, path) for item in value]
    if not is_dataclass(value) or isinstance(value, models.State):
        return _scalar(value, zone)
    result: dict[str, Json] = {}
    for field in fields(value):
        at = f"{path}{field.name}"
        result[field.name] = _nested(layout, row, getattr(value, field.name), zone, f"{at}.")
        for name in layout.names.get(at, ()):
            result[name.name.removeprefix(path)] = _cell(name, row, zone)
    return result


def _scalar(value: object, zone: Zone) -> Json:
    match value:
        case datetime():
            return _time(value, zone)
        case date():
            return value.isoformat()
        case models.State(name):
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
        (replace_private if replace else write_new)(path, fill)
    except FileExistsError:
        raise ExportError(path, "exists and is not overwritten", "Name another file.") from None
    except OSError as error:
        what = f"cannot be written: {error.strerror or 'unknown reason'}"
        raise ExportError(path, what, "Name a file in a folder of yours.") from None
