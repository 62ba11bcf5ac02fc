from __future__ import annotations

import random
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.api.models import (
    PaymentAddressId,
    Rate,
    RateSheet,
    RateSheetId,
    RecipientId,
    WalletId,
)
from paytui.api.requests import PayoutRequest, TradeRequest, TransferRequest
from paytui.intent import Action, Intent, IntentMaker, tags_of, without_tag
from paytui.money import CurrencyCode, Pair

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
USD, AUD = CurrencyCode("USD"), CurrencyCode("AUD")


def payout(reference: str | None = None) -> PayoutRequest:
    return PayoutRequest(
        source_wallet_id=WalletId("w1"),
        recipient_id=RecipientId("r1"),
        payment_address_id=PaymentAddressId("a1"),
        amount=Decimal("1200.00"),
        currency=USD,
        reference=reference,
    )


def seeded(seed: int = 1, *, tagged: bool = True) -> IntentMaker:
    return IntentMaker(random.Random(seed), tagged)  # noqa: S311 - the same in every run


def made(request: PayoutRequest, *, tagged: bool = True, seed: int = 1) -> Intent:
    return seeded(seed, tagged=tagged).make(request, title="Payout 1,200.00 USD", confirmed_at=NOON)


def test_each_intent_has_an_identifier_and_a_key_of_its_own() -> None:
    maker = seeded()
    intents = [maker.make(payout(), title="", confirmed_at=NOON) for _ in range(1000)]
    assert len({intent.intent_id for intent in intents}) == 1000
    assert len({intent.key for intent in intents}) == 1000


def test_the_reference_that_is_sent_carries_the_intents_identifier() -> None:
    intent = made(payout("INV 7"))
    assert intent.request.reference == f"INV 7 {intent.intent_id}"
    assert intent.terms.reference == intent.request.reference


def test_a_payment_without_a_reference_is_sent_with_the_identifier_alone() -> None:
    intent = made(payout())
    assert intent.request.reference == intent.intent_id


def test_no_reference_is_touched_where_that_is_set() -> None:
    assert made(payout("INV 7"), tagged=False).request.reference == "INV 7"


def test_a_repeated_payment_carries_the_new_identifier_and_not_the_old_one() -> None:
    first = made(payout("INV 7"), seed=1)
    second = made(payout(first.request.reference), seed=2)
    assert second.request.reference == f"INV 7 {second.intent_id}"
    assert tags_of(second.request.reference) == (second.intent_id,)


@pytest.mark.parametrize(
    "reference", [None, "", "PT-0000000", "xPT-00000001", "PT-000000012", "pt-00000001"]
)
def test_what_only_looks_like_an_identifier_is_none(reference: str | None) -> None:
    assert tags_of(reference) == ()


@given(st.text(max_size=60))
def test_a_reference_comes_back_as_it_was_typed(typed: str) -> None:
    plain = without_tag(typed)
    sent = made(payout(plain)).request.reference
    assert without_tag(sent) == plain


def test_the_terms_of_a_trade_are_its_fixed_side_and_the_locked_rate() -> None:
    pair = Pair(AUD, USD)
    quote = RateSheet(
        RateSheetId("s1"), expires_at=NOON, sent_at=0.0, rates=(Rate(pair, Decimal("0.65123")),)
    )
    request = TradeRequest(
        sell_currency=AUD,
        buy_currency=USD,
        sell_wallet_id=WalletId("w1"),
        buy_wallet_id=WalletId("w2"),
        buy_amount=Decimal(500),
        rate_sheet_id=RateSheetId("s1"),
    )
    maker = seeded()
    intent = maker.make(request, title="", confirmed_at=NOON, quote=quote)
    assert intent.action is Action.BOOK_TRADE
    assert (intent.terms.amount, intent.terms.currency) == (Decimal(500), USD)
    assert (intent.terms.rate, intent.terms.expires_at) == (Decimal("0.65123"), NOON)


def test_a_transfer_names_both_wallets() -> None:
    request = TransferRequest(
        source_wallet_id=WalletId("w1"), destination_wallet_id=WalletId("w2"), amount=Decimal(1)
    )
    intent = seeded().make(request, title="", confirmed_at=NOON)
    assert intent.action is Action.CREATE_TRANSFER
    assert (intent.terms.source_wallet_id, intent.terms.destination_wallet_id) == ("w1", "w2")
