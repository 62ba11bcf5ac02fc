"""The amounts and parties of an intent, by which it is recognised."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from paytui.api.models import (
    AccountId,
    PaymentAddressId,
    RateSheet,
    RateSheetId,
    RecipientId,
    WalletId,
)
from paytui.api.requests import (
    CreationRequest,
    MoneyRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    PayoutRequest,
    RecipientRequest,
    Request,
    TradeRequest,
    TransferRequest,
    WalletRequest,
    said_of,
)
from paytui.money import CurrencyCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of an intent: look-ups and responses are compared with them.

    Attributes:
        source_wallet_id: what the money leaves; of a trade, the wallet that sells.
        destination_wallet_id: what it goes to; of a trade, the wallet that buys; of a pay-in
            address, its wallet.
        amount: the one that is fixed, in `currency`.
        sell_currency, buy_currency: of a trade.
        rate: the locked one, 1 sold = so many bought; None without a lock.
        expires_at: the end of the lock, by the service's clock.
        reference: as it is sent, with the intent's own tag.
        asked: what was filled in, by canonical path: `payment_addresses.0.iban`; of what moves
            money, the service's own fields alone: `extra.purpose`. Nothing of an account, since
            that is personal data.
        before: of the same, what was at the service already when it was sent, and looks like it;
            None where that is not known.
        paid_at: of what goes to a recipient, its account as it was seen then (`bank_hash.py`); None
            where nobody looked.
    """

    amount: Decimal | None = None
    currency: CurrencyCode | None = None
    source_wallet_id: WalletId | None = None
    destination_wallet_id: WalletId | None = None
    recipient_id: RecipientId | None = None
    payment_address_id: PaymentAddressId | None = None
    account_id: AccountId | None = None
    sell_currency: CurrencyCode | None = None
    buy_currency: CurrencyCode | None = None
    rate: Decimal | None = None
    rate_sheet_id: RateSheetId | None = None
    expires_at: datetime | None = None
    reference: str | None = None
    asked: tuple[tuple[str, str], ...] = ()
    before: tuple[str, ...] | None = None
    paid_at: str | None = None


def terms_of(request: Request, quote: RateSheet | None) -> Terms:
    """The figures and parties of a request, and the rate that a quote locks for it."""
    match request:
        case TradeRequest():
            return _trade_terms(request, quote)
        case PayoutRequest():
            return Terms(
                amount=request.amount,
                currency=request.currency,
                account_id=request.account_id,
                source_wallet_id=request.source_wallet_id,
                recipient_id=request.recipient_id,
                payment_address_id=request.payment_address_id,
                reference=request.reference,
                asked=_added(request),
            )
        case TransferRequest():
            return Terms(
                amount=request.amount,
                currency=request.currency,
                account_id=request.account_id,
                source_wallet_id=request.source_wallet_id,
                destination_wallet_id=request.destination_wallet_id,
                reference=request.reference,
                asked=_added(request),
            )
        case _:
            return _creation_terms(request)


def _creation_terms(request: CreationRequest) -> Terms:
    match request:
        case WalletRequest():
            asked = tuple(said_of(request))
            return Terms(currency=request.currency, account_id=request.account_id, asked=asked)
        case PayInAddressRequest():
            return Terms(destination_wallet_id=request.wallet_id, asked=tuple(said_of(request)))
        case RecipientRequest():
            return Terms(account_id=request.account_id, asked=tuple(said_of(request)))
        case PaymentAddressRequest():
            return Terms(recipient_id=request.recipient_id, asked=tuple(said_of(request)))
        case _:
            return Terms()


def _trade_terms(request: TradeRequest, quote: RateSheet | None) -> Terms:
    sells = request.sell_amount is not None
    pairs = {rate.pair: rate.rate for rate in quote.rates} if quote else {}
    rate = next(
        (
            rate
            for pair, rate in pairs.items()
            if (pair.sell, pair.buy) == (request.sell_currency, request.buy_currency)
        ),
        None,
    )
    return Terms(
        amount=request.sell_amount if sells else request.buy_amount,
        currency=request.sell_currency if sells else request.buy_currency,
        account_id=request.account_id,
        source_wallet_id=request.sell_wallet_id,
        destination_wallet_id=request.buy_wallet_id,
        recipient_id=request.recipient_id,
        payment_address_id=request.payment_address_id,
        sell_currency=request.sell_currency,
        buy_currency=request.buy_currency,
        rate=rate,
        rate_sheet_id=request.rate_sheet_id,
        expires_at=quote.expires_at if quote else None,
        reference=request.reference,
        asked=_added(request),
    )


def _added(request: MoneyRequest) -> tuple[tuple[str, str], ...]:
    """Return the fields that only this service has."""
    return tuple((f"extra.{name}", text) for name, text in request.extra.items())
