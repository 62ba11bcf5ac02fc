"""Which operation lists which kind of object, and whose identifier it needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paytui.api import models
from paytui.api.models import Kind, Record


@dataclass(frozen=True, slots=True)
class KindRead:
    """How a kind is listed.

    Attributes:
        operation: the operation's name in the dialect.
        record: the class of its objects.
        parent: the kind whose identifiers the list is asked for one by one, if any.
        parameter: the canonical name of that identifier.
    """

    operation: str
    record: type[Record]
    parent: Kind | None = None
    parameter: str = ""


# A rate sheet is read by its identifier alone: no service lists them.
READS: Mapping[Kind, KindRead] = {
    Kind.ACCOUNTS: KindRead("list_accounts", models.Account),
    Kind.WALLETS: KindRead("list_wallets", models.Wallet),
    Kind.PAYIN_ADDRESSES: KindRead(
        "list_payin_addresses", models.PayInAddress, Kind.WALLETS, "wallet_id"
    ),
    Kind.PAYINS: KindRead("list_payins", models.PayIn, Kind.WALLETS, "wallet_id"),
    Kind.TRADES: KindRead("list_trades", models.Trade),
    Kind.RECIPIENTS: KindRead("list_recipients", models.Recipient),
    Kind.PAYMENT_ADDRESSES: KindRead(
        "list_payment_addresses", models.PaymentAddress, Kind.RECIPIENTS, "recipient_id"
    ),
    Kind.PAYMENTS: KindRead("list_payments", models.Payment),
}
