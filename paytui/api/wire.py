"""Bodies of requests and answers to and from our objects, in a service's dialect."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from http import HTTPStatus
from typing import TypeVar

from paytui.api import envelope
from paytui.api.answer import Answer
from paytui.api.dialect import Dialect
from paytui.api.envelope import Slice
from paytui.api.field_names import FieldNames
from paytui.api.long_text import LONG, parse_in_turns
from paytui.api.reading import Reader, Readers, find
from paytui.api.scalars import read_identifier
from paytui.api.sheets import only_dealable
from paytui.api.tokens import read_token
from paytui.api.writing import Writer
from paytui.domain.exact_json import Json, parse
from paytui.domain.models import PaymentAddress, RateSheet, Recipient, Token
from paytui.domain.money import Pair

T = TypeVar("T")


class Wire:
    """Reads answers and writes requests. What cannot be read raises `jsontext.CannotReadError`.

    Attributes:
        field_names: of what the service says of single fields.
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
        """The one object that an answer holds; `given` are fields that do not come from there."""
        raw = self.raw(body)
        record = self._readers.of(cls).read(raw, **given)
        if isinstance(record, Recipient) and not record.payment_addresses:
            return replace(record, payment_addresses=self._address_beside(record, raw))
        return record

    def _address_beside(
        self, recipient: Recipient, raw: dict[str, Json]
    ) -> tuple[PaymentAddress, ...]:
        """Read the address to which an identifier beside the recipient's own belongs.

        POST /recipients answers `recipientId`, `paymentAddressId` and the address (api.md §4):
        the address is nested without an identifier, or its fields lie among the recipient's.
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
        # Among the recipient's fields, a state is the recipient's.
        return (address if nested is not None else replace(address, status=None),)

    def rate_sheet(self, body: bytes, sent_at: float, asked: Collection[Pair] | None) -> RateSheet:
        """The rate sheet that an answer holds, with the rates in it that can be dealt on."""
        raw = self.raw(body)
        told = find(raw, self._dialect.fields["rate_sheet"]["rates"]) or []
        sheet = self._readers.of(RateSheet).read(
            raw, sent_at=sent_at, lifetime=self._dialect.rate_sheet_lifetime
        )
        return only_dealable(sheet, len(told) if isinstance(told, list) else 1, asked)

    def raw(self, body: bytes) -> dict[str, Json]:
        """The one object that an answer holds, as it came."""
        return envelope.one(_json(body), self._dialect)

    def listed(self, answer: Answer) -> Slice:
        """The records of a list that was asked for, not yet read; only a 204 may hold nothing."""
        if answer.status == HTTPStatus.NO_CONTENT:
            return Slice([])
        return envelope.many(_json(answer.body), self._dialect, answer.headers)

    async def listed_in_turns(self, answer: Answer) -> Slice:
        """The same; a long answer lets others have their turns."""
        if len(answer.body) < LONG:
            return self.listed(answer)
        body = await parse_in_turns(answer.body)
        return envelope.many(body, self._dialect, answer.headers)

    def many(self, body: bytes) -> Slice:
        """The records that an answer holds, not yet read."""
        return envelope.many(_json(body), self._dialect)

    def token(self, body: bytes) -> Token:
        """The token in an answer of POST /auth."""
        return read_token(envelope.one(_json(body), self._dialect), self._dialect)

    def request(self, request: object) -> bytes:
        """The body of a request of `requests.py`. Raises `writing.BadRequest`."""
        return self._writer.body(request)

    def asked(self, body: bytes, cls: type[T]) -> T:
        """The request of a class that a body was written from, without its `extra`."""
        return self._readers.of(cls).read(_json(body))

    def credentials(self, client_id: str, client_secret: str) -> bytes:
        """The body of POST /auth. Holds the secret: to be sent and let go."""
        return self._writer.credentials(client_id, client_secret)


def _json(body: bytes) -> Json:
    return parse(body) if body.strip() else None
