"""The codec of request and response bodies in a service's dialect."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from types import MappingProxyType
from typing import TypeVar

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.http.response import Answer
from paytui.api.wire.decode import (
    BadRecord,
    Reader,
    Readers,
    find,
    kind_of,
    read_count,
    read_decimal,
    read_identifier,
    read_time,
)
from paytui.api.wire.encode import FieldNames, Writer
from paytui.api.wire.json import LONG, parse_in_turns
from paytui.api.wire.paging_hints import (
    find_hint,
    find_total,
    is_link,
    link_parameter,
    page_limit,
    says_end,
    suggest_paging,
    total_header,
)
from paytui.domain.exact_json import CannotReadError, Json, NotJson, parse
from paytui.domain.models import PaymentAddress, Rate, RateSheet, Recipient, Token
from paytui.domain.money import Pair, plain
from paytui.platform.text import clean

MOST_NAMED = 8
"""Members of a response that an error names if the expected one is missing."""

LONGEST_NAME = 40

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class BadEnvelope(CannotReadError):
    """A response without the expected object or list; the message says what it holds."""


@dataclass(frozen=True, slots=True)
class ListPart:
    """One response of a list.

    Attributes:
        items: the records, not yet decoded.
        total: the length of the whole list, if stated.
        next: the cursor of the next part, if there is one.
        unusable: the problem with a value that should be a cursor.
        unread: a note on an unmapped hint that the list continues.
        suggestions: dialect lines that would follow the hint.
        counted: the name and value of an unmapped total.
        longest: the page limit, if stated.
        open_ended: True if the list uses cursors and the member for the next one is missing.
        ends: True if the response says that nothing follows.
    """

    items: list[Json]
    total: int | None = None
    next: str | None = None
    unusable: str = ""
    unread: str = ""
    suggestions: tuple[str, ...] = ()
    counted: tuple[str, int] | None = None
    longest: int | None = None
    open_ended: bool = False
    ends: bool = False


def one(body: Json, dialect: Dialect) -> dict[str, Json]:
    """Return the object in a response, in an envelope or bare.

    Raises:
        BadEnvelope: there is none.
    """
    if isinstance(body, dict):
        inner = find(body, dialect.one)
        return inner if isinstance(inner, dict) else body
    raise BadEnvelope(f"{kind_of(body)} where an object was expected")


def many(body: Json, dialect: Dialect, headers: Mapping[str, str] = _NO_HEADERS) -> ListPart:
    """Return the records in a response: in an envelope, as a bare list, or a single one.

    Raises:
        BadEnvelope: there is no list.
    """
    match body:
        case list():
            part = ListPart(body, open_ended=dialect.paging.style == "cursor")
            return _signed(part, body, headers, dialect.paging)
        case dict():
            return _slice(body, headers, dialect)
        case _:
            raise BadEnvelope(f"{kind_of(body)} where a list was expected")


def _slice(body: dict[str, Json], headers: Mapping[str, str], dialect: Dialect) -> ListPart:
    items = find(body, dialect.many)
    total = read_count(find(body, (dialect.paging.total,)))
    if isinstance(items, list):
        part = _around(body, items, total, dialect.paging)
        return _signed(part, body, headers, dialect.paging)
    if items is None and find(body, dialect.one) is not None:
        return ListPart([find(body, dialect.one)])
    if total == 0 and any(_is_null(body, path) for path in dialect.many):
        return ListPart([], total)
    names = " or ".join(".".join(path) for path in dialect.many)
    raise BadEnvelope(f"an object without a list named {names} ([envelope] many): {_members(body)}")


def _around(
    body: dict[str, Json], items: list[Json], total: int | None, paging: Paging
) -> ListPart:
    cursor, unusable = None, ""
    if paging.style == "cursor" and (told := find(body, (paging.next,))):
        cursor = _cursor(told, paging)
        if cursor is None:
            what = f"a link without {paging.cursor}" if isinstance(told, str) else kind_of(told)
            unusable = f"{'.'.join(paging.next)} is {what}, not a cursor: see [paging] next"
    counted = find_total(body, paging)
    return ListPart(
        items,
        total,
        cursor,
        unusable,
        counted=(".".join(counted[0]), counted[1]) if counted else None,
        longest=page_limit(body),
        open_ended=paging.style == "cursor" and not _is_there(body, paging.next),
    )


def _signed(part: ListPart, body: Json, headers: Mapping[str, str], paging: Paging) -> ListPart:
    """Add the totals and hints that the dialect does not map."""
    if part.total is None:
        part = replace(part, total=total_header(headers))
    if isinstance(body, dict) and says_end(body):
        part = replace(part, ends=True)
    if (sign := find_hint(body, headers, paging)) is None:
        return part
    unread = f"more seems to follow: {sign.name} is not read; set [paging]"
    return replace(part, unread=unread, suggestions=suggest_paging(sign, paging))


def _cursor(told: Json, paging: Paging) -> str | None:
    """Return a cursor as it is sent; `told` is not empty, false or 0."""
    if isinstance(told, str):
        return link_parameter(told, paging.cursor) if is_link(told) else told
    number = read_decimal(told)
    return None if number is None else plain(number)


def _is_null(body: dict[str, Json], path: JsonPath) -> bool:
    return _is_there(body, path) and find(body, (path,)) is None


def _is_there(body: dict[str, Json], path: JsonPath) -> bool:
    inner = find(body, (path[:-1],))
    return isinstance(inner, dict) and path[-1:] != () and path[-1] in inner


def _members(body: dict[str, Json]) -> str:
    named = [f"{clean(name, LONGEST_NAME)} ({kind_of(body[name])})" for name in body]
    more = ", …" if len(named) > MOST_NAMED else ""
    return f"it has {', '.join(named[:MOST_NAMED]) or 'nothing'}{more}"


def only_dealable(sheet: RateSheet, told: int, asked: Collection[Pair] | None) -> RateSheet:
    """Keep one positive rate for each requested pair, and count the others as skipped.

    Args:
        sheet: the decoded sheet.
        told: the number of rates that the service sent, readable or not.
        asked: the requested pairs; None = any.
    """
    dealable: dict[Pair, Rate] = {}
    for rate in sheet.rates:
        pair = rate.pair
        if rate.rate > 0 and pair.sell != pair.buy and (asked is None or pair in asked):
            dealable.setdefault(pair, rate)
    return replace(sheet, rates=tuple(dealable.values()), skipped=told - len(dealable))


LONGEST_TOKEN = 16_384
_VISIBLE = re.compile(r"[\x21-\x7e]+")


def read_token(raw: dict[str, Json], dialect: Dialect) -> Token:
    """Decode the token of POST /auth (service.md §2), unchanged, unlike all other strings.

    Raises:
        BadRecord: it cannot go into a header, or has no expiry.
    """
    paths = dialect.fields["token"]
    text = find(raw, paths["access_token"])
    expires_at = read_time(find(raw, paths["expires_at"]))
    if not isinstance(text, str) or not is_usable(text):
        raise BadRecord("no usable access token")
    if expires_at is None:
        raise BadRecord("an access token without a usable end")
    return Token(text, expires_at, _services(text, dialect))


def is_usable(token: str) -> bool:
    """Return True if a token can go into a header."""
    return bool(_VISIBLE.fullmatch(token)) and len(token) <= LONGEST_TOKEN


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


T = TypeVar("T")


class Wire:
    """A codec for responses and requests. Decoding raises `exact_json.CannotReadError`.

    Attributes:
        field_names: finds the canonical names in the service's messages on fields.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._readers = Readers(dialect)
        self._writer = Writer(dialect)
        self.field_names = FieldNames(dialect, self._readers)

    def reader(self, cls: type[T]) -> Reader[T]:
        """Return the reader of single records of a class."""
        return self._readers.of(cls)

    def one(self, body: bytes, cls: type[T], **given: object) -> T:
        """Decode the object in a response; `given` are fields that are not in it."""
        raw = self.raw(body)
        record = self._readers.of(cls).read(raw, **given)
        if isinstance(record, Recipient) and not record.payment_addresses:
            return replace(record, payment_addresses=self._address_beside(record, raw))
        return record

    def _address_beside(
        self, recipient: Recipient, raw: dict[str, Json]
    ) -> tuple[PaymentAddress, ...]:
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
        address = self._readers.of(PaymentAddress).read({**parts[0], **identifier})
        # A status among the recipient's fields is the recipient's.
        return (address if nested is not None else replace(address, status=None),)

    def rate_sheet(self, body: bytes, sent_at: float, asked: Collection[Pair] | None) -> RateSheet:
        """Decode a rate sheet, with the rates that can be traded."""
        raw = self.raw(body)
        told = find(raw, self._dialect.fields["rate_sheet"]["rates"]) or []
        sheet = self._readers.of(RateSheet).read(
            raw, sent_at=sent_at, lifetime=self._dialect.rate_sheet_lifetime
        )
        return only_dealable(sheet, len(told) if isinstance(told, list) else 1, asked)

    def raw(self, body: bytes) -> dict[str, Json]:
        """Return the object in a response, not decoded."""
        return one(_json(body), self._dialect)

    def listed(self, answer: Answer) -> ListPart:
        """Return the records of a list, not decoded. Only a 204 may have no body."""
        if answer.status == HTTPStatus.NO_CONTENT:
            return ListPart([])
        return many(_json(answer.body), self._dialect, answer.headers)

    async def listed_in_turns(self, answer: Answer) -> ListPart:
        """Return the same as `listed`, and yield to other tasks while parsing a long body."""
        if len(answer.body) < LONG:
            return self.listed(answer)
        body = await parse_in_turns(answer.body)
        return many(body, self._dialect, answer.headers)

    def many(self, body: bytes) -> ListPart:
        """Return the records in a body, not decoded."""
        return many(_json(body), self._dialect)

    def token(self, body: bytes) -> Token:
        """Decode the token of POST /auth."""
        return read_token(one(_json(body), self._dialect), self._dialect)

    def request(self, request: object) -> bytes:
        """Encode a request of `domain/requests.py`. Raises `encode.BadRequest`."""
        return self._writer.body(request)

    def asked(self, body: bytes, cls: type[T]) -> T:
        """Decode a request from its body, without its `extra`."""
        return self._readers.of(cls).read(_json(body))

    def credentials(self, client_id: str, client_secret: str) -> bytes:
        """Encode the body of POST /auth. It holds the secret: do not keep it."""
        return self._writer.credentials(client_id, client_secret)


def _json(body: bytes) -> Json:
    return parse(body) if body.strip() else None
