from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.domain.intent import Action, Intent, IntentMaker, IntentTerms, tags_of, without_tag
from paytui.domain.models import (
    AccountId,
    Kind,
    PaymentAddressId,
    Rate,
    RateSheet,
    RateSheetId,
    RecipientId,
    WalletId,
)
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import (
    CorporateAccountRequest,
    IndividualAccountRequest,
    PayInAddressRequest,
    PaymentAddressRequest,
    PayoutRequest,
    RecipientRequest,
    Request,
    TradeRequest,
    TransferRequest,
    WalletRequest,
)
from tests.support.intents import money_of

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
    assert money_of(intent).reference == f"INV 7 {intent.intent_id}"
    assert intent.terms.reference == money_of(intent).reference


def test_a_payment_without_a_reference_is_sent_with_the_identifier_alone() -> None:
    intent = made(payout())
    assert money_of(intent).reference == intent.intent_id


def test_no_reference_is_touched_where_that_is_set() -> None:
    assert money_of(made(payout("INV 7"), tagged=False)).reference == "INV 7"


def test_a_repeated_payment_carries_the_new_identifier_and_not_the_old_one() -> None:
    first = made(payout("INV 7"), seed=1)
    second = made(payout(money_of(first).reference), seed=2)
    assert money_of(second).reference == f"INV 7 {second.intent_id}"
    assert tags_of(money_of(second).reference) == (second.intent_id,)


@pytest.mark.parametrize(
    "reference", [None, "", "PT-0000000", "xPT-00000001", "PT-000000012", "pt-00000001"]
)
def test_what_only_looks_like_an_identifier_is_none(reference: str | None) -> None:
    assert tags_of(reference) == ()


@given(st.text(max_size=60))
def test_a_reference_comes_back_as_it_was_typed(typed: str) -> None:
    plain = without_tag(typed)
    sent = money_of(made(payout(plain))).reference
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


ACCOUNT, WALLET, RECIPIENT = AccountId("acc-1"), WalletId("wal-1"), RecipientId("rec-1")
BANK_ACCOUNT = PaymentAddressRequest(account_type="cacc", iban="GB82WEST12345698765432")
CREATIONS: tuple[tuple[Request, Action, Kind], ...] = (
    (
        IndividualAccountRequest(first_name="Ann", email="ann@example.com"),
        Action.CREATE_INDIVIDUAL_ACCOUNT,
        Kind.ACCOUNTS,
    ),
    (CorporateAccountRequest(company_name="Acme"), Action.CREATE_CORPORATE_ACCOUNT, Kind.ACCOUNTS),
    (WalletRequest(account_id=ACCOUNT, currency=USD), Action.CREATE_WALLET, Kind.WALLETS),
    (
        PayInAddressRequest(wallet_id=WALLET, pay_in_address_type="local"),
        Action.CREATE_PAYIN_ADDRESS,
        Kind.PAYIN_ADDRESSES,
    ),
    (
        RecipientRequest(account_id=ACCOUNT, payment_addresses=(BANK_ACCOUNT,)),
        Action.CREATE_RECIPIENT,
        Kind.RECIPIENTS,
    ),
    (
        replace(BANK_ACCOUNT, recipient_id=RECIPIENT),
        Action.CREATE_PAYMENT_ADDRESS,
        Kind.PAYMENT_ADDRESSES,
    ),
)


@pytest.mark.parametrize(("request_", "action", "kind"), CREATIONS)
def test_what_creates_something_is_an_intent_that_moves_no_money(
    request_: Request, action: Action, kind: Kind
) -> None:
    intent = seeded().make(request_, title="it", confirmed_at=NOON)
    assert (intent.action, intent.action.becomes, intent.action.moves_money) == (
        action,
        kind,
        False,
    )
    assert intent.request == request_  # no tag anywhere


def test_every_action_becomes_something_and_is_asked_for_by_one_request() -> None:
    asked_for = {action for _, action, _ in CREATIONS}
    money = {Action.BOOK_TRADE, Action.CREATE_PAYOUT, Action.CREATE_TRANSFER, Action.MANDATE}
    assert asked_for | money == set(Action)
    assert {action for action in Action if action.moves_money} == money


def test_the_terms_of_a_creation_are_its_parties_and_all_that_was_filled_in() -> None:
    request = RecipientRequest(
        account_id=ACCOUNT, payment_addresses=(BANK_ACCOUNT,), company_name="Acme Pty Ltd"
    )
    terms = seeded().make(request, title="", confirmed_at=NOON).terms
    assert terms.account_id == ACCOUNT
    assert terms.asked == (
        ("account_id", "acc-1"),
        ("payment_addresses.0.account_type", "cacc"),
        ("payment_addresses.0.iban", "GB82WEST12345698765432"),
        ("company_name", "Acme Pty Ltd"),
    )


def test_the_terms_of_an_account_hold_nothing_of_a_person() -> None:
    request = IndividualAccountRequest(
        first_name="Zoraida", email="zoraida@example.com", birth_date=NOON.date()
    )
    terms = seeded().make(request, title="", confirmed_at=NOON).terms
    assert terms == IntentTerms()
