"""The codec of request and response bodies in a service's dialect."""

from __future__ import annotations

import base64
import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from http import HTTPStatus
from typing import TypeVar

from paytui.api.dialect import Dialect, ExtraField, JsonPath
from paytui.api.errors import NotSent
from paytui.api.http.response import Answer
from paytui.api.resources import READS, Operation
from paytui.api.wire.decode import BadRecord, Readers
from paytui.api.wire.envelope import ListPart, many, one
from paytui.api.wire.json import (
    LONG,
    find,
    parse_in_turns,
    read_decimal,
    read_identifier,
    read_time,
)
from paytui.domain import exact_json, models
from paytui.domain.exact_json import Json, NotJson, parse
from paytui.domain.money import Pair, plain
from paytui.domain.requests import INDISPENSABLE, OMISSIBLE, in_path, missing_fields, section_of
from paytui.platform.clock import utc
from paytui.platform.processes import RunInThread
from paytui.platform.text import clean

T = TypeVar("T")


class BadRequest(ValueError):
    """A request that must not be sent as it is; the message says what to change."""


class Wire:
    """A codec for responses and requests. Decoding raises `exact_json.CannotReadError`."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self.readers = Readers(dialect)

    def request(self, request: object) -> bytes:
        """Return the exact bytes of a request of `domain/requests.py`.

        Raises BadRequest: a field is missing, unknown to the dialect, or has a refused value.
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
        for name in missing_fields(request, self._dialect.required.get(section, ())):
            raise BadRequest(f"the service needs {_words(name)}. Fill it in.")
        body: dict[str, Json] = {}
        for field in dataclasses.fields(request):
            value: object = getattr(request, field.name)
            if field.name == "extra":
                assert isinstance(value, dict)
                known = self._dialect.extra.get(section, {})
                for name, text in value.items():
                    if name not in known:
                        missing = f"no field {name} in [extra.{section}]"
                        raise BadRequest(f"the dialect has {missing}. Add it.")
                    _place(body, known[name].path, _extra_value(known[name], text))
            elif value not in (None, ()) and not field.metadata:
                path = self._path(section, field.name)
                if path is not None:
                    _place(body, path, self._value(field.name, value))
        return body

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
                if why := self._dialect.refused.get(name, {}).get(value):
                    raise BadRequest(f"{_words(name)} {value} is not offered. {why}")
                spellings = self._dialect.values.get(name, {}).get(value)
                return spellings[0] if spellings else value
            case Decimal():
                if not value.is_finite():
                    raise BadRequest(f"{_words(name)} is not a number. Give digits.")
                return value if self._dialect.amounts == "number" else plain(value)
            case date():
                return utc(value) if isinstance(value, datetime) else value.isoformat()
            case tuple():
                return [self._value(name, item) for item in value]
            case _:
                return self._object(value)

    # Responses

    def one(self, body: bytes, cls: type[T], **given: object) -> T:
        """Decode the object in a response; `given` are fields that are not in it."""
        raw = self.raw(body)
        record = self.readers.of(cls).read(raw, **given)
        if isinstance(record, models.Recipient) and not record.payment_addresses:
            return replace(record, payment_addresses=self._address_beside(record, raw))
        return record

    def _address_beside(
        self, recipient: models.Recipient, raw: dict[str, Json]
    ) -> tuple[models.PaymentAddress, ...]:
        """Decode the address whose identifier is beside the recipient's own.

        POST /recipients answers `recipientId`, `paymentAddressId` and the address (service.md §4).
        The address is nested without an identifier, or its fields are among the recipient's.
        """
        paths = self._dialect.fields["payment_address"]["payment_address_id"]
        identifier = find(raw, paths)
        nested = find(raw, self._dialect.fields["recipient"]["payment_addresses"])
        parts = nested if isinstance(nested, list) else [raw if nested is None else nested]
        is_its_own = read_identifier(identifier) in (None, recipient.recipient_id)
        if is_its_own or len(parts) != 1 or not isinstance(parts[0], dict):
            return ()
        for name in reversed(paths[0]):
            identifier = {name: identifier}
        assert isinstance(identifier, dict)
        address = self.readers.of(models.PaymentAddress).read({**parts[0], **identifier})
        # A status among the recipient's fields is the recipient's.
        return (address if nested is not None else replace(address, status=None),)

    def rate_sheet(
        self, body: bytes, sent_at: float, asked: Collection[Pair] | None
    ) -> models.RateSheet:
        """Decode a rate sheet, with one positive rate for each requested pair.

        All others count as skipped, readable or not; `asked` None = any pair.
        """
        raw = self.raw(body)
        told = find(raw, self._dialect.fields["rate_sheet"]["rates"]) or []
        sheet = self.readers.of(models.RateSheet).read(
            raw, sent_at=sent_at, lifetime=self._dialect.rate_sheet_lifetime
        )
        dealable: dict[Pair, models.Rate] = {}
        for rate in sheet.rates:
            pair = rate.pair
            if rate.rate > 0 and pair.sell != pair.buy and (asked is None or pair in asked):
                dealable.setdefault(pair, rate)
        skipped = (len(told) if isinstance(told, list) else 1) - len(dealable)
        return replace(sheet, rates=tuple(dealable.values()), skipped=skipped)

    def raw(self, body: bytes) -> dict[str, Json]:
        """Return the object in a response, not decoded."""
        return one(_json(body), self._dialect)

    def listed(self, answer: Answer) -> ListPart:
        """Return the records of a list, not decoded. Only a 204 may have no body."""
        if answer.status == HTTPStatus.NO_CONTENT:
            return ListPart([])
        return many(_json(answer.body), self._dialect, answer.headers)

    async def listed_in_thread(self, answer: Answer, in_thread: RunInThread) -> ListPart:
        """Return the same as `listed`; a long body is parsed in a thread."""
        if len(answer.body) < LONG:
            return self.listed(answer)
        raw = await in_thread(partial(parse_in_turns, answer.body))
        return many(raw, self._dialect, answer.headers)

    def many(self, body: bytes) -> ListPart:
        """Return the records in a body, not decoded."""
        return many(_json(body), self._dialect)

    def token(self, body: bytes) -> models.Token:
        """Decode the token of POST /auth (service.md §2), unchanged, unlike all other strings."""
        raw, paths = self.raw(body), self._dialect.fields["token"]
        text = find(raw, paths["access_token"])
        expires_at = read_time(find(raw, paths["expires_at"]))
        if not isinstance(text, str) or not is_usable(text):
            raise BadRecord("no usable access token")
        if expires_at is None:
            raise BadRecord("an access token without a usable end")
        return models.Token(text, expires_at, _services(text, self._dialect))

    def asked(self, body: bytes, cls: type[T]) -> T:
        """Decode a request from its body, without its `extra`."""
        return self.readers.of(cls).read(_json(body))

    def canonical_fields(
        self, problems: Sequence[models.FieldProblem], asked: type
    ) -> tuple[models.FieldProblem, ...]:
        """Return problems with canonical field paths, as far as the dialect knows them.

        `/physicalAddress/city` of a request of the class `asked` becomes `physical_address.city`.
        """
        found: list[models.FieldProblem] = []
        for each in problems:
            names = [name for name in _BETWEEN.split(each.field.casefold()) if name]
            names = names[1:] if names[:1] == ["body"] else names
            field = next(self._paths(names, asked), each.field)
            found.append(models.FieldProblem(field, each.message))
        return tuple(found)

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
        for column in self.readers.columns(asked):
            for path in column.paths:
                yield column.name, [name.casefold() for name in path], column.inner
        for name, extra in self._dialect.extra.get(section_of(asked), {}).items():
            yield f"extra.{name}", [part.casefold() for part in extra.path], None


def _extra_value(field: ExtraField, text: str) -> Json:
    if field.kind == "number":
        number = read_decimal(text)
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


def _words(name: str) -> str:
    return name.replace("_", " ")


_BETWEEN = re.compile(r"[./\[\]#$]+")
"""Separators of names in a path: `a.b`, `$.a[0].b`, `/a/0/b`, `#/a/b`."""


_USABLE = re.compile(r"[\x21-\x7e]{1,16384}")


def is_usable(token: str) -> bool:
    """Return True if a token can go into a header."""
    return _USABLE.fullmatch(token) is not None


def missing_services(services: Sequence[str], dialect: Dialect) -> frozenset[str]:
    """Return the services, by canonical name, that a token's claims leave out.

    Empty if the claims list no service that the dialect knows: they may mean something else.
    """
    listed = {service.casefold() for service in services}
    there = {
        name: any(word.casefold() in listed for word in words)
        for name, words in dialect.values["service"].items()
    }
    missing = frozenset(name for name, is_there in there.items() if not is_there)
    return missing if any(there.values()) else frozenset()


def _services(token: str, dialect: Dialect) -> tuple[str, ...]:
    """Return the services in a JWT's claims (RFC 7519 §3): shown, not verified, never relied on."""
    try:
        payload = token.split(".")[1]
        claims = parse(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    except (IndexError, ValueError, NotJson):
        return ()
    if not isinstance(claims, dict):
        return ()
    services = find(claims, dialect.fields["token_claims"]["services"])
    words = services.split() if isinstance(services, str) else services
    if not isinstance(words, list):
        return ()
    return tuple(clean(word) for word in words if isinstance(word, str))


def _json(body: bytes) -> Json:
    return parse(body) if body.strip() else None


_MOST_SPECIFIC_FIRST = (
    models.Kind.PAYMENTS,
    models.Kind.TRADES,
    models.Kind.PAYINS,
    models.Kind.PAYMENT_ADDRESSES,
    models.Kind.RECIPIENTS,
    models.Kind.WALLETS,
    models.Kind.ACCOUNTS,
)
"""A payment also has the identifiers of its wallet and account; these never have a payment's."""


@dataclass(frozen=True, slots=True)
class Event:
    """A webhook (service.md §2: Event); `kind` is None if it names no object that can be read."""

    kind: models.Kind | None
    object_id: str | None
    event_id: str | None = None
    event_type: str | None = None
    created_at: datetime | None = None


class EventReader:
    """A decoder of webhooks that takes only the identity of the object.

    A webhook's content is never shown as truth (service.md §11): it is a hint to read the object.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._reader = Readers(dialect).of(Event)
        self._data = dialect.fields["event"]["data"]
        self._identifiers = [
            (kind, dialect.fields[section_of(READS[kind].record)][READS[kind].identifier])
            for kind in _MOST_SPECIFIC_FIRST
        ]

    def read(self, body: bytes) -> Event:
        """Decode a body. Raises CannotReadError, which says why after a colon."""
        raw = parse(body)
        data = find(raw, self._data)
        found = ((kind, read_identifier(find(data, paths))) for kind, paths in self._identifiers)
        kind, object_id = next((each for each in found if each[1]), (None, None))
        return self._reader.read(raw, kind=kind, object_id=object_id)


def operation_of(dialect: Dialect, name: str, given: Mapping[str, str | None]) -> Operation:
    """Return a read with canonical parameters, in the path if it has placeholders for them."""
    paths = [route.path for route in dialect.paths[name]]
    in_path = {
        parameter: value
        for parameter, value in given.items()
        if value is not None and any(f"{{{parameter}}}" in path for path in paths)
    }
    query = {parameter: value for parameter, value in given.items() if parameter not in in_path}
    return Operation(name, identifiers=in_path, query=query)


def create_operation(
    name: str, request: object, key: models.IdempotencyKey, wire: Wire
) -> Operation:
    """Return the operation that sends a request. Raises NotSent if it lacks a needed field."""
    operation = Operation(name, identifiers=in_path(request), key=key)
    try:
        return replace(operation, body=wire.request(request))
    except BadRequest as error:
        problem = models.Problem(
            operation.attempted, "the request is not complete", said=str(error)
        )
        raise NotSent(problem, written=False) from None
