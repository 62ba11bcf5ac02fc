"""Comparison of a trader's confirmation with the service's books."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from paytui.domain.intent import Intent
from paytui.domain.requests import PayoutRequest, TradeRequest, TransferRequest


def is_booked_otherwise(intent: Intent, booked: Mapping[str, str]) -> bool:
    """Return True if the books hold other figures or parties than were confirmed."""
    return any(
        not _equal(ours, booked.get(name))
        for name, ours in _confirmed(intent).items()
        if ours is not None
    )


def _confirmed(intent: Intent) -> Mapping[str, str | Decimal | None]:
    """By the names of service.md §2."""
    match intent.request:
        case PayoutRequest() as payout:
            return {
                "sourceWalletId": payout.source_wallet_id,
                "recipientId": payout.recipient_id,
                "paymentAddressId": payout.payment_address_id,
                "amount": payout.amount,
            }
        case TransferRequest() as transfer:
            return {
                "sourceWalletId": transfer.source_wallet_id,
                "destinationWalletId": transfer.destination_wallet_id,
                "amount": transfer.amount,
            }
        case TradeRequest() as trade:
            return {
                "sellWalletId": trade.sell_wallet_id,
                "buyWalletId": trade.buy_wallet_id,
                "sellAmount": trade.sell_amount,
                "buyAmount": trade.buy_amount,
                "rateSheetId": trade.rate_sheet_id,
            }
    raise AssertionError(intent)


def _equal(ours: str | Decimal, theirs: str | None) -> bool:
    if isinstance(ours, Decimal):
        return theirs is not None and Decimal(theirs) == ours
    return ours == theirs
