"""Objects of the service, written by hand, with only the fields that figures need."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from paytui.domain.models import (
    AccountId,
    Payment,
    PaymentId,
    State,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from tests.support.clock import NOON

AUD, USD, EUR, JPY, KWD = (CurrencyCode(code) for code in ("AUD", "USD", "EUR", "JPY", "KWD"))
ACME, OTHER = AccountId("acme"), AccountId("other")
FINAL = frozenset(
    {"closed", "exchanged", "completed", "rejected", "failed", "cancelled", "returned"}
)
"""The final states, printed in bold in service.md."""


def state(name: str) -> State:
    return State(name, final=name in FINAL)


def number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def wallet(
    name: str,
    currency: CurrencyCode | None,
    available: str | None = None,
    *,
    account_id: AccountId = ACME,
    reserved: str | None = None,
    status: str = "active",
) -> Wallet:
    return Wallet(
        WalletId(name),
        account_id=account_id,
        currency=currency,
        status=state(status),
        available_balance=number(available),
        reserved_balance=number(reserved),
    )


def payment(name: str, status: str, hours_ago: float, account_id: AccountId = ACME) -> Payment:
    """A payout of 12,000.00 USD."""
    return Payment(
        PaymentId(name),
        payment_type="payout",
        account_id=account_id,
        amount=Decimal(12000),
        currency=USD,
        status=state(status),
        created_at=NOON - timedelta(days=9),
        updated_at=NOON - timedelta(hours=hours_ago),
    )


def trade(
    name: str,
    sold: str | None,
    bought: str | None,
    status: str = "awaiting_funds",
    *,
    account_id: AccountId = ACME,
    hours_ago: float | None = 1,
) -> Trade:
    """AUD sold for USD."""
    return Trade(
        TradeId(name),
        account_id=account_id,
        sell_currency=AUD,
        buy_currency=USD,
        sell_amount=number(sold),
        buy_amount=number(bought),
        status=state(status),
        created_at=None if hours_ago is None else NOON - timedelta(hours=hours_ago),
    )
