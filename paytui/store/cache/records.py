"""The records of the cache: a JSON list for each record, validated like any input.

Sensitive personal data is not cached: bank accounts, addresses, e-mail, telephone, date of birth.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from types import MappingProxyType

from paytui.api.resources import KIND_OF, READS
from paytui.domain import models
from paytui.platform.text import LIMIT
from paytui.store.model_json import MALFORMED, Unreadable, conversion_of, read_text

LONGEST = 60_000
"""Maximum of characters in one record; ours have a few hundred. Eleven texts of 2,000 characters,
each written as two, are fewer."""

_KEPT: Mapping[type[models.Record], str] = MappingProxyType(
    {
        models.Account: """account_id kind status display_name created_at first_name middle_name
            last_name company_name trading_name""",
        models.Wallet: """wallet_id account_id currency wallet_name wallet_description status
            available_balance reserved_balance pending_balance created_at updated_at""",
        models.Recipient: """recipient_id account_id recipient_type first_name last_name
            company_name country status""",
        models.Trade: """trade_transaction_id account_id sell_currency buy_currency sell_amount
            buy_amount dealt_side rate rate_sheet_id sell_wallet_id buy_wallet_id recipient_id
            payment_address_id status reference created_at exchanged_at""",
        models.Payment: """payment_transaction_id payment_type account_id source_wallet_id
            destination_wallet_id recipient_id payment_address_id amount currency status
            reference end_to_end_id created_at updated_at failure_reason""",
        models.PayIn: """pay_in_transaction_id wallet_id pay_in_address_id amount currency status
            reference created_at credited_at""",
    }
)
"""The cached fields of each model; the identifier comes first."""

KEPT = tuple(KIND_OF[record] for record in _KEPT)  # The kinds that are cached


class Codec:
    """The serialiser of the records of one kind."""

    def __init__(self, kind: models.Kind) -> None:
        record, names = READS[kind].record, kept_fields(kind)
        self.identifier: Callable[[models.Record], str] = attrgetter(names[0])
        self._conversion = conversion_of(record, names)

    @property
    def signature(self) -> str:
        """A text that changes whenever the format changes."""
        return self._conversion.shape

    def write(self, record: models.Record) -> str | None:
        """Serialise a record; return None if it could not be read again."""
        values = self._conversion.write(record)
        text = _encode(values)
        # Each string is clean for certain if nothing in the text is escaped.
        is_plain = len(text) <= LIMIT and text.isascii() and text.isprintable()
        if not is_plain or "\\" in text:
            try:
                for value in values:
                    if isinstance(value, str):
                        read_text(value)
            except Unreadable:
                return None
        return text if len(text) <= LONGEST else None

    def read(self, text: object) -> models.Record:
        """Parse a record; raise Unreadable if the text is none."""
        try:
            values = json.loads(text) if isinstance(text, str) and len(text) <= LONGEST else None
            if not isinstance(values, list) or not values[0]:
                raise Unreadable
            record: models.Record = self._conversion.read(values)
        except MALFORMED:
            raise Unreadable from None
        return record


@cache
def codec_of(kind: models.Kind) -> Codec:
    return Codec(kind)


def kept_fields(kind: models.Kind) -> tuple[str, ...]:
    """Return the names of the cached fields; the identifier comes first."""
    return tuple(_KEPT[READS[kind].record].split())


@cache
def signature() -> str:
    """Return a fingerprint of the cached fields and their format."""
    whole = ";".join(codec_of(kind).signature for kind in KEPT)
    return hashlib.sha256(whole.encode()).hexdigest()[:16]


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
