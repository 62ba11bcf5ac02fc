"""The operations that list, read and create objects, by their canonical names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

from paytui.domain import models
from paytui.domain.intent import ACTIONS
from paytui.domain.models import IdempotencyKey, Kind, Record
from paytui.domain.requests import Request


@dataclass(frozen=True, slots=True)
class KindRead:
    """The operations that read a kind, by their names in the dialect.

    Attributes:
        get: reads one object by its `identifier`; "" = none.
        parent: the kind whose objects have a list each, if the list is not a single one.
        parameter: the canonical name of the parent's identifier.
        is_filtered: the list accepts `identifier` as a filter, for services without a `get` path.
    """

    operation: str
    record: type[Record]
    get: str = ""
    identifier: str = ""
    parent: Kind | None = None
    parameter: str = ""
    is_filtered: bool = False


# A rate sheet is read by its identifier alone: no service lists them.
READS: Mapping[Kind, KindRead] = {
    Kind.ACCOUNTS: KindRead("list_accounts", models.Account, "get_account", "account_id"),
    Kind.WALLETS: KindRead("list_wallets", models.Wallet, "get_wallet", "wallet_id"),
    Kind.PAYIN_ADDRESSES: KindRead(
        "list_payin_addresses", models.PayInAddress, parent=Kind.WALLETS, parameter="wallet_id"
    ),
    Kind.PAYINS: KindRead(
        "list_payins", models.PayIn, "get_payin", "pay_in_transaction_id", Kind.WALLETS, "wallet_id"
    ),
    Kind.TRADES: KindRead("list_trades", models.Trade, "get_trade", "trade_transaction_id"),
    Kind.RECIPIENTS: KindRead("list_recipients", models.Recipient, "get_recipient", "recipient_id"),
    Kind.PAYMENT_ADDRESSES: KindRead(
        "list_payment_addresses",
        models.PaymentAddress,
        "get_payment_address",
        "payment_address_id",
        Kind.RECIPIENTS,
        "recipient_id",
    ),
    # service.md §4 fetches a payment through the list.
    Kind.PAYMENTS: KindRead(
        "list_payments",
        models.Payment,
        "get_payment",
        "payment_transaction_id",
        is_filtered=True,
    ),
}

KIND_OF: Mapping[type[Record], Kind] = {read.record: kind for kind, read in READS.items()}
"""The kind of each class of objects."""

TRACKED = tuple(kind for kind, read in READS.items() if read.get)
"""Kinds whose objects can be read one by one, by known identifiers."""

CHOSEN = frozenset({Kind.ACCOUNTS, Kind.WALLETS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES})
"""Kinds that tickets offer: an identifier alone is useful."""


def identifier_of(record: Record) -> str:
    """Return the identifier of an object: its first field."""
    return str(getattr(record, fields(record)[0].name))


@dataclass(frozen=True, slots=True)
class Operation:
    """A request to the service, in canonical names.

    Attributes:
        identifiers: for the path, by placeholder.
        query: canonical parameters; None and parameters that are not offered are left out.
        key: the idempotency key of the intent, the same for every attempt.
        urgent: a person waits for it, rather than a poll.
        etag: the ETag of the cached response; the service answers 304 if it still holds.
    """

    name: str
    identifiers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str | None] = field(default_factory=dict)
    paging: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = field(default=None, repr=False)
    key: IdempotencyKey | None = None
    urgent: bool = False
    etag: str = ""

    @property
    def attempted(self) -> str:
        """Return the operation as a verb phrase: `read payments`."""
        verb, _, thing = self.name.partition("_")
        verb = "read" if verb in ("list", "get") else verb
        return " ".join((verb, thing.replace("_", " "), *self.identifiers.values()))

    @property
    def names_an_object(self) -> bool:
        """Return True if a 404 may concern one object rather than the operation."""
        return bool(self.identifiers) or any(self.query.values())


CREATE_OPERATIONS: Mapping[str, tuple[type[Request], type[Record]]] = {
    action.value: (request, READS[kind].record) for request, (action, kind) in ACTIONS.items()
}
"""By operation, its request and the object that it creates; a rate sheet is none of its own."""
