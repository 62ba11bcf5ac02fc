"""Intents for screens, written by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from paytui.domain.intent import Action, Intent, IntentId, IntentRow, IntentTerms, Standing
from paytui.domain.models import AccountId, PaymentAddressId, Problem, RecipientId, WalletId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import MoneyRequest
from tests.support.clock import NOON

CUT = Problem(
    "send Payout 1,200.00 USD to Bolt",
    "the connection was cut",
    remedy="It may have been executed: do not send it again.",
)


def intent_row(
    number: int, standing: Standing = Standing.IN_DOUBT, *, minutes_ago: int = 2, **changes: object
) -> IntentRow:
    """A payout of 1,200.00 USD by `ann` on `desk-1`; in doubt, the cause is a cut connection."""
    at = NOON - timedelta(minutes=minutes_ago)
    row = IntentRow(
        intent_id=IntentId(f"PT-0000000{number}"),
        action=Action.CREATE_PAYOUT,
        title="Payout 1,200.00 USD to Bolt",
        confirmed_at=at,
        terms=IntentTerms(
            amount=Decimal(1200),
            currency=CurrencyCode("USD"),
            source_wallet_id=WalletId("wal-4"),
            recipient_id=RecipientId("rec-1"),
            payment_address_id=PaymentAddressId("adr-1"),
            account_id=AccountId("acc-2"),
            reference=f"INV 7 PT-0000000{number}",
        ),
        standing=standing,
        since=at,
        attempts=0 if standing is Standing.RECORDED else 1,
        problem=CUT if standing is Standing.IN_DOUBT else None,
        user="ann",
        host="desk-1",
    )
    return replace(row, **changes)  # type: ignore[arg-type]  # named as the fields are


def row_of(intent: Intent, standing: Standing, **changes: object) -> IntentRow:
    """Return the row of an intent, a second after its confirmation."""
    row = IntentRow(
        intent_id=intent.intent_id,
        action=intent.action,
        title=intent.title,
        confirmed_at=intent.confirmed_at,
        terms=intent.terms,
        standing=standing,
        since=intent.confirmed_at + timedelta(seconds=1),
    )
    return replace(row, **changes)  # type: ignore[arg-type]  # named as the fields are


def money_of(intent: Intent) -> MoneyRequest:
    """Return the request of an intent that moves money."""
    assert isinstance(intent.request, MoneyRequest)
    return intent.request
