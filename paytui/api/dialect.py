"""The dialect: the service's spelling of our canonical names, and its file (service.md)."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from paytui.api.resources import READS
from paytui.domain.models import State
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import INDISPENSABLE
from paytui.platform.text import clean, did_you_mean

L = TypeVar("L", bound=str)

JsonPath = tuple[str, ...]  # Names of nested members; empty = the object itself


@dataclass(frozen=True, slots=True)
class Route:
    """One spelling of an operation: `GET /wallets/{wallet_id}`."""

    method: str
    path: str


@dataclass(frozen=True, slots=True)
class ExtraField:
    """A field of a request that only this service has."""

    path: JsonPath
    label: str
    kind: Literal["text", "number", "boolean"]


@dataclass(frozen=True, slots=True)
class Idempotency:
    """The service's handling of a repeated key.

    Attributes:
        replayed: the header that marks a repeated response.
        replay_safe: operations whose repeat is answered, but not executed again.
        retention: the time for which the service remembers a key.
    """

    header: str
    replayed: str
    replay_safe: frozenset[str]
    retention: timedelta


Style = Literal["page", "offset", "cursor", "none"]
Order = Literal["newest_first", "oldest_first", "none", ""]


@dataclass(frozen=True, slots=True)
class Paging:
    """The pagination of lists; sizes are counts of records.

    Attributes:
        order: the order of lists; "" = unknown.
        unpaged: operations with the whole list in one response.
    """

    style: Style
    page: str
    first: int
    offset: str
    size: str
    records: int
    total: JsonPath
    cursor: str
    next: JsonPath
    order: Order
    unpaged: frozenset[str]

    def of(self, operation: str) -> Paging:
        """Return the pagination of an operation's list."""
        return replace(self, style="none") if operation in self.unpaged else self


@dataclass(frozen=True, slots=True)
class ErrorShape:
    """The members of an error response.

    Attributes:
        title: a heading, shown before the message.
        token_codes: codes of a 401 that refuse the token, so that nothing was executed.
        key_words: words in an error that mean the idempotency key.
        token_gone: codes of a 401 for an unknown or expired token, not for a superseded one.
    """

    code: tuple[JsonPath, ...]
    message: tuple[JsonPath, ...]
    title: tuple[JsonPath, ...]
    trace_id: tuple[JsonPath, ...]
    details: tuple[JsonPath, ...]
    trace_headers: tuple[str, ...]
    token_codes: tuple[str, ...]
    key_words: tuple[str, ...]
    token_gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A service's spelling of everything: checked, compiled once, and frozen.

    Attributes:
        paths: spellings of each operation, in the order in which they are tried.
        query: the service's name of each canonical parameter that it offers.
        tell_changes: operations that can list only changes since a time.
        fields: by object and canonical field, the paths in the order in which they are read.
        states: by object and the service's word in casefold, the state; shared, never copied.
        required: by request, the canonical and `extra` fields that must be filled in.
        extra: by request, the service's own fields.
        values: by canonical field and value, the service's spellings.
        refused: by canonical field, the service's values that are never sent, and the reasons.
    """

    prefix: str
    auth_prefix: str
    currencies: tuple[CurrencyCode, ...]
    headers: Mapping[str, str]
    paths: Mapping[str, tuple[Route, ...]]
    query: Mapping[str, str]
    tell_changes: frozenset[str]
    fields: Mapping[str, Mapping[str, tuple[JsonPath, ...]]]
    states: Mapping[str, Mapping[str, State]]
    required: Mapping[str, tuple[str, ...]]
    extra: Mapping[str, Mapping[str, ExtraField]]
    idempotency: Idempotency
    values: Mapping[str, Mapping[str, tuple[str, ...]]]
    refused: Mapping[str, Mapping[str, str]]
    one: tuple[JsonPath, ...]
    many: tuple[JsonPath, ...]
    paging: Paging
    amounts: Literal["string", "number"]
    errors: ErrorShape
    token_lifetime: timedelta
    rate_sheet_lifetime: timedelta
    gateway_patience: timedelta


# Reading a dialect

Table = dict[str, Any]  # `merge` checks that values have the types of the default dialect
Where = tuple[str, ...]

OPEN_SECTIONS: Mapping[Where, object] = {
    ("headers",): "",
    ("values", "*"): [""],
    ("refused", "*"): "",
    ("extra", "*"): {"path": "", "label": "", "kind": "text"},
}
"""Tables that take names of the user's own, and an example of their values."""


class DialectError(ValueError):
    """A dialect file that cannot be used; the message names file, key and remedy, and is clean."""

    def __init__(self, message: str) -> None:
        super().__init__(clean(message))


def read_toml(path: Path) -> Table:
    """Read a TOML file. Raises DialectError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
        raise DialectError(f"{path}: {why}. Create it, or name another.") from error
    except UnicodeDecodeError as error:
        raise DialectError(f"{path}: is not UTF-8 text. Save it as UTF-8.") from error
    except RecursionError:
        raise DialectError(f"{path}: is nested too deeply. Start from an example.") from None
    except ValueError as error:
        raise DialectError(f"{path}: is not valid TOML: {error}. Fix that line.") from error


def merge(
    base: Mapping[str, object], override: Mapping[str, object], source: str, where: Where = ()
) -> Table:
    """Return `base` with the values of `override`. Raises DialectError for another key or type."""
    merged = dict(base)
    for key, value in override.items():
        example = _example(base, key, source, where)
        if (wanted := _kind(example)) != (got := _kind(value)):
            must = f"{_written((*where, key))} must be {wanted}, not {got}"
            written = f"Write it like this: {key} = {_sample(example)}"
            raise DialectError(f"{source}: {must}. {written}")
        if isinstance(example, dict) and isinstance(value, dict):
            known = base.get(key, example)
            assert isinstance(known, dict)
            merged[key] = merge(known, value, source, (*where, key))
        else:
            merged[key] = value
    return merged


def _example(base: Mapping[str, object], key: str, source: str, where: Where) -> object:
    if key in base:
        return base[key]
    for section, example in OPEN_SECTIONS.items():
        if len(section) == len(where) and all(
            ours in ("*", theirs) for ours, theirs in zip(section, where, strict=True)
        ):
            return example
    hint = did_you_mean(key, base).rstrip() or f"Known: {', '.join(base)}."
    raise DialectError(f"{source}: {_written((*where, key))} is not a key of a dialect. {hint}")


def _kind(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list() if all(isinstance(item, str) for item in value):
            return "a list of strings"
        case dict():
            return "a table"
        case _:
            return "something else"


def _sample(example: object) -> str:
    """Return a value as TOML has it, which is as JSON has it, except for tables."""
    if isinstance(example, dict):
        return "{ " + ", ".join(f"{key} = {_sample(v)}" for key, v in example.items()) + " }"
    return json.dumps(example)


def _written(where: Where) -> str:
    *section, key = where
    return f"[{'.'.join(section)}] {key}" if section else key


_ROUTE = re.compile(r"(GET|POST) (/[\x21-\x7e]*)")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_DURATION = re.compile(r"([0-9]{1,6})([smhd])")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")  # RFC 9110 §5.6.2
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*")
_OURS = frozenset(
    {
        "accept-encoding",
        "authorization",
        "connection",
        "content-length",
        "content-type",
        "host",
        "if-none-match",
        "transfer-encoding",
    }
)
_PARENTS = {read.operation: {read.parameter} for read in READS.values() if read.parameter}
_YEAR = 365 * 86_400
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def load_dialect(override: Path | None = None) -> Dialect:
    """Load the default dialect, with a profile's own file merged over it. Raises DialectError."""
    base = read_toml(Path(__file__).with_name("dialect.toml"))
    if override is None:
        return _Compiler(base, base, "dialect.toml").dialect()
    merged = merge(base, read_toml(override), str(override))
    return _Compiler(merged, base, str(override)).dialect()


class _Compiler:
    """A compiler of TOML tables into a `Dialect`, with the checks that types alone do not make."""

    def __init__(self, tables: Table, base: Table, source: str) -> None:
        self._tables = tables
        self._base = base
        self._source = source

    def dialect(self) -> Dialect:
        tables = self._tables
        idempotency, limits = tables["idempotency"], tables["limits"]
        amounts: object = tables["send"]["amounts"]
        return Dialect(
            prefix=self._prefix("prefix"),
            auth_prefix=self._prefix("auth_prefix"),
            currencies=tuple(map(CurrencyCode, tables["currencies"])),
            headers=self._headers(str(idempotency["header"])),
            paths={name: self._routes(name) for name in tables["paths"]},
            query={ours: str(theirs) for ours, theirs in tables["query"].items() if theirs},
            tell_changes=self._tell_changes(),
            fields={name: self._fields(name) for name in tables["fields"]},
            states={name: self._states(name) for name in tables["states"]},
            required={name: self._required(name) for name in tables["required"]},
            extra={name: self._extra(name) for name in tables["extra"]},
            idempotency=self._idempotency(idempotency),
            values={
                field: {value: tuple(spellings) for value, spellings in table.items()}
                for field, table in tables["values"].items()
            },
            refused={
                name: {value: str(why) for value, why in table.items() if why}
                for name, table in tables["refused"].items()
            },
            one=_json_paths(tables["envelope"]["one"]),
            many=_json_paths(tables["envelope"]["many"]),
            paging=self._paging(tables["paging"]),
            amounts=self._choice("[send] amounts", amounts, ("string", "number")),
            errors=self._errors(tables["errors"]),
            token_lifetime=self._seconds("token_lifetime", limits),
            rate_sheet_lifetime=self._seconds("rate_sheet_lifetime", limits),
            gateway_patience=self._seconds("gateway_patience", limits, or_none=True),
        )

    def _fail(self, where: str, what: str) -> DialectError:
        return DialectError(f"{self._source}: {where} {what}")

    def _prefix(self, key: str) -> str:
        prefix = str(self._tables[key]).rstrip("/")
        if prefix and not re.fullmatch(r"/[\x21-\x7e]*", prefix):
            raise self._fail(key, f'must be empty or a path such as "/v2", not "{prefix}".')
        return prefix

    def _headers(self, key_header: str) -> dict[str, str]:
        headers: dict[str, str] = {}
        ours = _OURS | {key_header.lower()}
        for name, value in self._tables["headers"].items():
            where = f"[headers] {name}"
            lower = self._header_name(where, name).lower()
            if lower in ours:
                raise self._fail(where, "is set by paytui itself. Leave it out.")
            if lower in map(str.lower, headers):
                raise self._fail(where, "is there twice, in other letters. Keep one of them.")
            if not _HEADER_VALUE.fullmatch(str(value)):
                raise self._fail(where, "must hold printable ASCII alone.")
            headers[name] = str(value)
        return headers

    def _header_name(self, where: str, name: str) -> str:
        if not _HEADER_NAME.fullmatch(name):
            raise self._fail(where, f'must be the name of a header, not "{name}".')
        return name

    def _routes(self, operation: str) -> tuple[Route, ...]:
        spellings = tuple(self._tables["paths"][operation])
        if operation == "auth" and not spellings:
            raise self._fail("[paths] auth", "needs a path: nothing works without a token.")
        default = tuple(self._base["paths"][operation])
        # `get_payment` alone has none by default.
        example = default[0] if default else "GET /payments/{payment_transaction_id}"
        return tuple(self._route(operation, spelling, example) for spelling in spellings)

    def _route(self, operation: str, spelling: str, example: str) -> Route:
        where = f'[paths] {operation}: "{spelling}"'
        match = _ROUTE.fullmatch(spelling)
        if match is None or match[1] != example.split(maxsplit=1)[0]:
            raise self._fail(where, f'is not like "{example}": a method, a space, a path.')
        wanted, found = set(_PLACEHOLDER.findall(example)), set(_PLACEHOLDER.findall(spelling))
        # The parent's identifier may be in the path; otherwise it is sent as a parameter.
        if found - _PARENTS.get(operation, set()) != wanted - _PARENTS.get(operation, set()):
            names = ", ".join(f"{{{name}}}" for name in sorted(wanted)) or "no placeholder"
            raise self._fail(where, f"must hold {names}.")
        return Route(match[1], match[2])

    def _tell_changes(self) -> frozenset[str]:
        if not self._tables["query"]["updated_since"]:
            return frozenset()
        return self._lists("[changes] lists", self._tables["changes"]["lists"])

    def _lists(self, where: str, operations: Iterable[str]) -> frozenset[str]:
        known = tuple(name for name in self._tables["paths"] if name.startswith("list_"))
        return frozenset(self._choice(where, each, known) for each in operations)

    def _fields(self, name: str) -> dict[str, tuple[JsonPath, ...]]:
        fields: dict[str, tuple[JsonPath, ...]] = {}
        for field, spellings in self._tables["fields"][name].items():
            fields[field] = paths = _json_paths(spellings)
            if name.endswith("_request") and () in paths[:1]:
                raise self._fail(f"[fields.{name}] {field}", 'needs a name to be sent by, not ".".')
            if name == "token_request" and not paths:
                raise self._fail(f"[fields.{name}] {field}", "needs a name to be sent by.")
        for group in INDISPENSABLE.get(name, ()):
            if not any(fields[field] for field in group):
                what = "it determines the money that moves. Name its field."
                raise self._fail(f"[fields.{name}] {' or '.join(group)}", f"is empty, but {what}")
        return fields

    def _states(self, name: str) -> dict[str, State]:
        states: dict[str, State] = {}
        for canonical, entry in self._tables["states"][name].items():
            state = State(canonical, final=bool(entry["final"]))
            for spelling in entry["wire"]:
                known = states.setdefault(spelling.casefold(), state)
                if known is not state:
                    raise self._fail(
                        f"[states.{name}] {canonical}",
                        f'and {known.name} are both "{spelling}" on the wire. Keep one of them.',
                    )
        return states

    def _required(self, name: str) -> tuple[str, ...]:
        fields = tuple(self._tables["required"][name]["fields"])
        known, extra = self._tables["fields"][name], self._tables["extra"][name]
        for field in fields:
            self._choice(f"[required.{name}] fields", field, (*known, *extra))
            if field not in extra and not known[field]:
                where = f"[required.{name}] fields: {field}"
                raise self._fail(where, f"cannot be sent. Give it a name in [fields.{name}].")
        return fields

    def _extra(self, name: str) -> dict[str, ExtraField]:
        taken = {paths[0]: field for field, paths in self._fields(name).items() if paths}
        extra: dict[str, ExtraField] = {}
        for field, entry in self._tables["extra"][name].items():
            added = extra[field] = self._extra_field(name, field, entry)
            for path, other in taken.items():
                if path[: len(added.path)] == added.path:
                    where = f"[extra.{name}.{field}] path"
                    raise self._fail(where, f"is where {other} goes. Give it a path of its own.")
            taken[added.path] = field
        return extra

    def _extra_field(self, request: str, field: str, entry: Table) -> ExtraField:
        section, path = f"[extra.{request}.{field}]", str(entry["path"])
        if not path:
            raise self._fail(f"{section} path", "is missing: say where the field goes.")
        return ExtraField(
            path=_json_path(path),
            label=str(entry["label"]) or field,
            kind=self._choice(f"{section} kind", entry["kind"], ("text", "number", "boolean")),
        )

    def _idempotency(self, table: Table) -> Idempotency:
        known, where = tuple(self._tables["paths"]), "[idempotency] replay_safe"
        safe = frozenset(self._choice(where, each, known) for each in table["replay_safe"])
        match = _DURATION.fullmatch(str(table["retention"]))
        if match is None:
            raise self._fail("[idempotency] retention", 'must be like "24h" (s, m, h or d).')
        where = "[idempotency] header"
        header = self._header_name(where, str(table["header"]))
        if header.lower() in _OURS:
            raise self._fail(where, "is set by paytui itself. Name another.")
        return Idempotency(
            header=header,
            replayed=str(table["replayed"]),
            replay_safe=safe,
            retention=timedelta(seconds=int(match[1]) * _SECONDS[match[2]]),
        )

    def _paging(self, table: Table) -> Paging:
        records: int = table["records"]
        if records < 1:
            raise self._fail("[paging] records", "must be at least 1.")
        return Paging(
            style=self._choice("[paging] style", table["style"], get_args(Style)),
            page=str(table["page"]),
            first=table["first"],
            offset=str(table["offset"]),
            size=str(table["size"]),
            records=records,
            total=_json_path(str(table["total"])),
            cursor=str(table["cursor"]),
            next=_json_path(str(table["next"])),
            unpaged=self._lists("[paging] unpaged", table["unpaged"]),
            order=self._choice("[paging] order", table["order"], get_args(Order)),
        )

    def _errors(self, table: Table) -> ErrorShape:
        return ErrorShape(
            code=_json_paths(table["code"]),
            message=_json_paths(table["message"]),
            title=_json_paths(table["title"]),
            trace_id=_json_paths(table["trace_id"]),
            details=_json_paths(table["details"]),
            trace_headers=tuple(table["trace_headers"]),
            token_codes=tuple(table["token_codes"]),
            key_words=tuple(table["key_words"]),
            token_gone=tuple(table["token_gone"]),
        )

    def _seconds(self, key: str, table: Table, *, or_none: bool = False) -> timedelta:
        seconds: float = table[key]
        if not (0 < seconds <= _YEAR or (or_none and seconds == 0)):  # `nan` is none of these
            least = "0 seconds or more" if or_none else "more than 0 seconds"
            raise self._fail(f"[limits] {key}", f"must be {least}, and at most a year.")
        return timedelta(seconds=seconds)

    def _choice(self, where: str, value: object, choices: tuple[L, ...]) -> L:
        for choice in choices:
            if choice == value:
                return choice
        raise self._fail(f'{where}: "{value}"', f"is not one of: {', '.join(choices)}.")


def _json_path(text: str) -> JsonPath:
    return () if text == "." else tuple(text.split("."))


def _json_paths(value: Iterable[str]) -> tuple[JsonPath, ...]:
    return tuple(map(_json_path, value))
