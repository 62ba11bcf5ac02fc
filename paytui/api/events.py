"""A reader of webhooks that takes only the identity of the object.

A webhook's content is never shown as truth (service.md §11): it is a hint to read the object.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from paytui.api.dialect import Dialect
from paytui.api.resources import READS
from paytui.api.wire import decode
from paytui.api.wire.decode import Readers, find, section_of
from paytui.domain.exact_json import Json, parse
from paytui.domain.models import Kind

_MOST_SPECIFIC_FIRST = (
    Kind.PAYMENTS,
    Kind.TRADES,
    Kind.PAYINS,
    Kind.PAYMENT_ADDRESSES,
    Kind.RECIPIENTS,
    Kind.WALLETS,
    Kind.ACCOUNTS,
)
"""A payment also has the identifiers of its wallet and account; these never have a payment's."""


@dataclass(frozen=True, slots=True)
class Event:
    """A webhook (service.md §2: Event); names of kinds are not documented (service.md §6).

    Attributes:
        kind: the kind of its object; None if it names no object that can be read.
        object_id: the identifier of its object.
    """

    kind: Kind | None
    object_id: str | None
    event_id: str | None = None
    event_type: str | None = None
    created_at: datetime | None = None


class EventReader:
    """A decoder of webhooks in a service's dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._reader = Readers(dialect).of(Event)
        self._data = dialect.fields["event"]["data"]
        self._identifiers = [
            (kind, dialect.fields[section_of(READS[kind].record)][READS[kind].identifier])
            for kind in _MOST_SPECIFIC_FIRST
        ]

    def read(self, body: bytes) -> Event:
        """Decode a body.

        Raises:
            CannotReadError: it is not a JSON object; the message says why, after a colon.
        """
        raw = parse(body)
        kind, object_id = self._named(raw)
        return self._reader.read(raw, kind=kind, object_id=object_id)

    def _named(self, raw: Json) -> tuple[Kind | None, str | None]:
        data = find(raw, self._data)
        for kind, paths in self._identifiers:
            if identifier := decode.read_identifier(find(data, paths)):
                return kind, identifier
        return None, None
