"""Entries and events for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from paytui.domain.intent import Action, IntentId, IntentTerms
from paytui.domain.models import (
    AccountId,
    FieldProblem,
    IdempotencyKey,
    PaymentAddressId,
    Problem,
    RateSheetId,
    RecipientId,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.outbox.entry import Entry, Event, EventKind

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""A Monday."""

TERMS = IntentTerms(
    amount=Decimal("1200.00"),
    currency=CurrencyCode("USD"),
    source_wallet_id=WalletId("w1"),
    recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("a1"),
    reference="INV 7 PT-7K3QX9WD",
)
ALL_TERMS = IntentTerms(
    amount=Decimal("99999999999999.990"),
    currency=CurrencyCode("AUD"),
    source_wallet_id=WalletId("w1"),
    destination_wallet_id=WalletId("w2"),
    recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("a1"),
    account_id=AccountId("acc"),
    sell_currency=CurrencyCode("AUD"),
    buy_currency=CurrencyCode("USD"),
    rate=Decimal("0.6512300"),
    rate_sheet_id=RateSheetId("s1"),
    expires_at=NOON + timedelta(seconds=119, microseconds=7),
    reference="PT-7K3QX9WD",
)
ASKED = (("currency", "AUD"), ("payment_addresses.0.account_name", "O'Brien \u540d"))
PROBLEM = Problem(
    "create the payout",
    "503",
    said="try later",
    remedy="Look at the payment.",
    trace_id="t-1",
    fields=(FieldProblem("amount", "too much"),),
)


def entry(
    number: int = 1,
    *,
    terms: IntentTerms = TERMS,
    action: Action = Action.CREATE_PAYOUT,
    body: bytes | None = None,
    **words: str,
) -> Entry:
    """An intent of its own for each number, confirmed so many seconds after noon."""
    named = {
        "profile": "acme",
        "base_url": "https://api.example.com",
        "client_id": "desk",
        "title": "Payout 1,200.00 USD to Acme Pty Ltd",
        "user": "jo",
        "host": "desk-4",
        **words,
    }
    return Entry(
        intent_id=IntentId(f"PT-{number:08}"),
        key=IdempotencyKey(f"key-{number}"),
        action=action,
        method="POST",
        path="/v1/payments/payout",
        key_header="Idempotency-Key",
        body=b'{"amount":1200.00,"n":%d}' % number if body is None else body,
        terms=terms,
        confirmed_at=NOON + timedelta(seconds=number),
        replay_safe=True,
        resend_until=NOON + timedelta(minutes=10),
        host_time=None,
        **named,
    )


def event(
    kind: EventKind, seconds: float = 1, *, object_id: str | None = None, words: str = ""
) -> Event:
    """Something that happened so many seconds after noon."""
    at = NOON + timedelta(seconds=seconds)
    return Event(kind=kind, at=at, object_id=object_id, words=words)
