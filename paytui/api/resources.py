"""The operations that list and read each kind of object, and their parent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from paytui.domain import models
from paytui.domain.models import Kind, Record


@dataclass(frozen=True, slots=True)
class KindRead:
    """The operations that read a kind.

    Attributes:
        operation: the dialect's name of the operation that lists it.
        record: the class of its objects.
        get: the operation that reads one object by its identifier, if there is one.
        identifier: the canonical name of that identifier.
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


def identifier_of(record: Record) -> str:
    """Return the identifier of an object: its first field."""
    return str(getattr(record, fields(record)[0].name))
