"""An encoder of requests to JSON bodies (service.md §2 and §4)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal

from paytui.api.dialect import Dialect, ExtraField, JsonPath
from paytui.api.wire import decode
from paytui.api.wire.decode import Readers, section_of
from paytui.domain import exact_json
from paytui.domain.exact_json import Json
from paytui.domain.models import FieldProblem
from paytui.domain.money import plain
from paytui.domain.requests import INDISPENSABLE, OMISSIBLE, missing_fields


class BadRequest(ValueError):
    """A request that must not be sent as it is; the message says what to change."""


class Writer:
    """An encoder of requests in a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def body(self, request: object) -> bytes:
        """Return the exact bytes of a request's JSON.

        Raises:
            BadRequest: a field is missing, unknown to the dialect, or has a refused value.
        """
        return exact_json.write(self._object(request)).encode()

    def credentials(self, client_id: str, client_secret: str) -> bytes:
        """Return the body of POST /auth (service.md §5). It holds the secret: do not keep it."""
        body: dict[str, Json] = {}
        paths = self._dialect.fields["token_request"]
        _place(body, paths["client_id"][0], client_id)
        _place(body, paths["client_secret"][0], client_secret)
        return exact_json.write(body).encode()

    def _object(self, request: object) -> dict[str, Json]:
        assert dataclasses.is_dataclass(request)
        section = section_of(type(request))
        self._check_required(section, request)
        body: dict[str, Json] = {}
        for field in dataclasses.fields(request):
            value: object = getattr(request, field.name)
            if field.name == "extra":
                assert isinstance(value, dict)
                self._add_extra(section, value, body)
            elif value not in (None, ()) and not field.metadata:
                path = self._path(section, field.name)
                if path is not None:
                    _place(body, path, self._value(field.name, value))
        return body

    def _check_required(self, section: str, request: object) -> None:
        for name in missing_fields(request, self._dialect.required.get(section, ())):
            raise BadRequest(f"the service needs {_words(name)}. Fill it in.")

    def _path(self, section: str, name: str) -> JsonPath | None:
        """Return the path of a field; None if the service does not take it."""
        spellings = self._dialect.fields[section][name]
        if not spellings and section in INDISPENSABLE and name in OMISSIBLE:
            return None
        if not spellings:
            raise BadRequest(
                f"the dialect has no name for {_words(name)} in [fields.{section}]. "
                "Leave it empty, or add the name."
            )
        return spellings[0]

    def _value(self, name: str, value: object) -> Json:
        match value:
            case bool() | int():
                return value
            case str():
                return self._spelt(name, value)
            case Decimal():
                return self._amount(name, value)
            case date():
                return _written(value)
            case tuple():
                return [self._value(name, item) for item in value]
            case _:
                return self._object(value)

    def _spelt(self, name: str, value: str) -> str:
        why = self._dialect.refused.get(name, {}).get(value)
        if why:
            raise BadRequest(f"{_words(name)} {value} is not offered. {why}")
        spellings = self._dialect.values.get(name, {}).get(value)
        return spellings[0] if spellings else value

    def _amount(self, name: str, amount: Decimal) -> Json:
        if not amount.is_finite():
            raise BadRequest(f"{_words(name)} is not a number. Give digits.")
        return amount if self._dialect.amounts == "number" else plain(amount)

    def _add_extra(self, section: str, extra: dict[str, str], body: dict[str, Json]) -> None:
        known = self._dialect.extra.get(section, {})
        for name, text in extra.items():
            if name not in known:
                raise BadRequest(f"the dialect has no field {name} in [extra.{section}]. Add it.")
            _place(body, known[name].path, _extra_value(known[name], text))


def _extra_value(field: ExtraField, text: str) -> Json:
    if field.kind == "number":
        number = decode.read_decimal(text)
        if number is None:
            raise BadRequest(f"{field.label} must be a number.")
        return number
    if field.kind == "boolean":
        if text not in ("true", "false"):
            raise BadRequest(f"{field.label} must be true or false.")
        return text == "true"
    return text


def _place(body: dict[str, Json], path: JsonPath, value: Json) -> None:
    *outer, last = path
    for name in outer:
        inner = body.setdefault(name, {})
        if not isinstance(inner, dict):
            raise BadRequest(f"the dialect puts one field inside another at {'.'.join(path)}.")
        body = inner
    body[last] = value


def _written(day: date) -> str:
    return decode.write_time(day) if isinstance(day, datetime) else day.isoformat()


def _words(name: str) -> str:
    return name.replace("_", " ")


_BETWEEN = re.compile(r"[./\[\]#$]+")
"""Separators of names in a path: `a.b`, `$.a[0].b`, `/a/0/b`, `#/a/b`."""


class FieldNames:
    """A translator of the service's field paths to canonical ones."""

    def __init__(self, dialect: Dialect, readers: Readers) -> None:
        self._dialect = dialect
        self._readers = readers

    def in_ours(self, problems: Sequence[FieldProblem], asked: type) -> tuple[FieldProblem, ...]:
        """Return problems with canonical field paths, as far as the dialect knows them.

        Args:
            problems: with the service's paths: `/physicalAddress/city`.
            asked: the class of the request, for which `physical_address.city` is the path.
        """
        return tuple(
            FieldProblem(self._canonical(one.field, asked), one.message) for one in problems
        )

    def _canonical(self, spelling: str, asked: type) -> str:
        names = [name for name in _BETWEEN.split(spelling.casefold()) if name]
        if names[:1] == ["body"]:
            names = names[1:]
        return next(self._paths(names, asked), spelling)

    def _paths(self, names: Sequence[str], asked: type) -> Iterator[str]:
        """Yield the canonical paths that match names in lower case, the likeliest first."""
        for name, path, inner in self._known(asked):
            if not path or names[: len(path)] != path:
                continue
            rest = names[len(path) :]
            if not rest:
                yield name
            elif inner is not None and rest[0].isdecimal():
                within = self._paths(rest[1:], inner) if rest[1:] else [""]
                yield from (f"{name}.{rest[0]}.{each}".rstrip(".") for each in within)
            elif inner is not None:
                yield from (f"{name}.{each}" for each in self._paths(rest, inner))

    def _known(self, asked: type) -> Iterator[tuple[str, list[str], type | None]]:
        """Yield each field with each of its spellings, and the class of its objects."""
        for column in self._readers.columns(asked):
            for path in column.paths:
                yield column.name, [name.casefold() for name in path], column.inner
        for name, extra in self._dialect.extra.get(section_of(asked), {}).items():
            yield f"extra.{name}", [part.casefold() for part in extra.path], None
