from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.intent import IntentId, IntentMaker, IntentRow, Standing
from paytui.domain.models import (
    Kind,
    Payment,
    PaymentAddressId,
    PaymentId,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest, Request, TradeRequest
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.tui.confirmation import duplicate_warnings
from tests.support.intents import row_of

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
USD, AUD = CurrencyCode("USD"), CurrencyCode("AUD")

PAYOUT = PayoutRequest(
    source_wallet_id=WalletId("w1"),
    recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("a1"),
    amount=Decimal("100.00"),
    currency=USD,
    reference="INV 7",
)
PAID = Payment(
    PaymentId("p1"),
    payment_type="payout",
    payment_address_id=PaymentAddressId("a1"),
    amount=Decimal("100.0"),
    currency=USD,
    created_at=NOW - HOUR,
)


@pytest.fixture
def store() -> Store:
    return Store()


def confirmed(
    request: Request, standing: Standing, ago: timedelta = HOUR, object_id: str | None = None
) -> IntentRow:
    maker = IntentMaker(random.Random(1))  # noqa: S311 - a test repeats itself
    intent = maker.make(request, title="Payout 100.00 USD to Ann", confirmed_at=NOW - ago)
    return row_of(intent, standing, since=intent.confirmed_at, object_id=object_id)


def test_the_first_of_its_kind_is_like_nothing(store: Store) -> None:
    assert duplicate_warnings(store, PAYOUT, NOW) == ()


def test_the_same_that_was_confirmed_today_is_named_whatever_its_reference(store: Store) -> None:
    store.intents.put([confirmed(PAYOUT, Standing.ACCEPTED)])
    other = replace(PAYOUT, reference="INV 8")
    assert duplicate_warnings(store, other, NOW) == (
        "Possible duplicate: Payout 100.00 USD to Ann, confirmed at 11:00:00 UTC (accepted).",
    )


@pytest.mark.parametrize("standing", [Standing.REFUSED, Standing.NOT_EXECUTED, Standing.NOT_DONE])
def test_what_did_not_happen_is_no_duplicate(store: Store, standing: Standing) -> None:
    store.intents.put([confirmed(PAYOUT, standing)])
    assert duplicate_warnings(store, PAYOUT, NOW) == ()


def test_what_was_confirmed_the_day_before_is_no_duplicate(store: Store) -> None:
    store.intents.put([confirmed(PAYOUT, Standing.ACCEPTED, ago=timedelta(hours=25))])
    assert duplicate_warnings(store, PAYOUT, NOW) == ()


@pytest.mark.parametrize(
    "other",
    [
        replace(PAYOUT, amount=Decimal("100.01")),
        replace(PAYOUT, payment_address_id=PaymentAddressId("a2")),
        replace(PAYOUT, currency=AUD),
    ],
)
def test_other_money_or_another_place_is_no_duplicate(store: Store, other: PayoutRequest) -> None:
    store.intents.put([confirmed(PAYOUT, Standing.ACCEPTED)])
    assert duplicate_warnings(store, other, NOW) == ()


@pytest.mark.parametrize(
    ("standing", "words"),
    [
        (Standing.IN_DOUBT, "In doubt"),
        (Standing.SENDING, "Being sent"),
        (Standing.RECORDED, "Not sent yet"),
    ],
)
def test_anything_open_at_the_same_wallet_is_named(
    store: Store, standing: Standing, words: str
) -> None:
    store.intents.put([confirmed(PAYOUT, standing)])
    other = replace(PAYOUT, amount=Decimal(5))
    assert duplicate_warnings(store, other, NOW) == (
        f"{words} since 11:00:00 UTC, from the same wallet: Payout 100.00 USD to Ann.",
    )


@pytest.mark.parametrize(
    ("standing", "words"), [(Standing.RECORDED, "not sent"), (Standing.IN_DOUBT, "in doubt")]
)
def test_the_same_that_is_still_open_is_a_duplicate_whatever_wallet_pays_it(
    store: Store, standing: Standing, words: str
) -> None:
    store.intents.put([confirmed(PAYOUT, standing)])
    other = replace(PAYOUT, source_wallet_id=WalletId("w2"))
    assert duplicate_warnings(store, other, NOW) == (
        f"Possible duplicate: Payout 100.00 USD to Ann, confirmed at 11:00:00 UTC ({words}).",
    )


def test_an_intent_is_not_like_itself_but_like_another_of_the_same(store: Store) -> None:
    row = confirmed(PAYOUT, Standing.RECORDED)
    other = replace(row, intent_id=IntentId("PT-00000002"), standing=Standing.ACCEPTED)
    store.intents.put([row])
    assert duplicate_warnings(store, row, NOW) == ()
    store.intents.put([other])
    assert duplicate_warnings(store, row, NOW) == (
        "Possible duplicate: Payout 100.00 USD to Ann, confirmed at 11:00:00 UTC (accepted).",
    )


def test_the_same_money_that_went_to_the_same_address_is_named(store: Store) -> None:
    store.payments.put([PAID])
    assert duplicate_warnings(store, PAYOUT, NOW) == (
        "Possible duplicate: 100.00 USD sent to this account at 11:00:00 UTC.",
    )


def test_a_payment_that_came_back_is_named_with_its_status(store: Store) -> None:
    store.payments.put([replace(PAID, status=State("returned", final=True))])
    assert duplicate_warnings(store, PAYOUT, NOW) == (
        "Possible duplicate: 100.00 USD sent to this account at 11:00:00 UTC (returned).",
    )


TRADE = TradeRequest(
    sell_currency=AUD, buy_currency=USD, sell_wallet_id=WalletId("w1"), sell_amount=Decimal(10)
)
TRADED = Trade(
    TradeId("t1"),
    sell_currency=AUD,
    buy_currency=USD,
    sell_amount=Decimal("10.00"),
    buy_amount=Decimal("6.51"),
    sell_wallet_id=WalletId("w1"),
    status=State("exchanged", final=True),
    created_at=NOW - HOUR,
)


@pytest.mark.parametrize(
    ("request_", "done"),
    [
        (TRADE, "10.00 AUD sold for USD"),
        (replace(TRADE, sell_amount=None, buy_amount=Decimal("6.51")), "6.51 USD bought for AUD"),
    ],
)
def test_a_trade_of_the_same_amount_from_the_same_wallet_is_named(
    store: Store, request_: TradeRequest, done: str
) -> None:
    store.trades.put([TRADED])
    assert duplicate_warnings(store, request_, NOW) == (
        f"Possible duplicate: {done} at 11:00:00 UTC (exchanged).",
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(TRADED, sell_amount=Decimal(11)),
        replace(TRADED, sell_wallet_id=WalletId("w2")),
        replace(TRADED, buy_currency=CurrencyCode("EUR")),
        replace(TRADED, created_at=NOW - 25 * HOUR),
        replace(TRADED, created_at=None),
    ],
)
def test_another_trade_is_no_duplicate(store: Store, other: Trade) -> None:
    store.trades.put([other])
    assert duplicate_warnings(store, TRADE, NOW) == ()


def test_a_payment_that_an_intent_became_is_named_once(store: Store) -> None:
    store.payments.put([PAID])
    store.intents.put([confirmed(PAYOUT, Standing.ACCEPTED, object_id="p1")])
    assert len(duplicate_warnings(store, PAYOUT, NOW)) == 1


def test_a_payment_of_other_figures_than_were_confirmed_is_named_beside_its_intent(
    store: Store,
) -> None:
    store.payments.put([replace(PAID, amount=Decimal("200.00"))])
    store.intents.put([confirmed(PAYOUT, Standing.IN_DOUBT, object_id="p1")])
    open_one = "In doubt since 11:00:00 UTC, from the same wallet: Payout 100.00 USD to Ann."
    assert duplicate_warnings(store, PAYOUT, NOW) == (
        open_one,
        "Possible duplicate: Payout 100.00 USD to Ann, confirmed at 11:00:00 UTC (in doubt).",
    )
    assert duplicate_warnings(store, replace(PAYOUT, amount=Decimal("200.00")), NOW) == (
        open_one,
        "Possible duplicate: 200.00 USD sent to this account at 11:00:00 UTC.",
    )


def test_two_trades_of_the_same_wallets_and_amount_are_alike(store: Store) -> None:
    trade = TradeRequest(
        sell_currency=AUD,
        buy_currency=USD,
        sell_wallet_id=WalletId("w1"),
        buy_wallet_id=WalletId("w2"),
        sell_amount=Decimal(10),
    )
    store.intents.put([confirmed(trade, Standing.DONE)])
    assert duplicate_warnings(store, trade, NOW) == (
        (
            "Possible duplicate: Payout 100.00 USD to Ann, confirmed at 11:00:00 UTC "
            "(marked executed)."
        ),
    )
    assert duplicate_warnings(store, replace(trade, buy_wallet_id=WalletId("w3")), NOW) == ()


def test_that_payments_of_the_day_have_left_the_memory_is_said() -> None:
    store = Store(2)
    retention = store.retention(Kind.PAYMENTS)
    assert retention is not None
    done = State("completed", final=True)
    for number in range(4):
        made = NOW - HOUR * (number + 1)
        row = replace(PAID, payment_transaction_id=PaymentId(f"p{number}"), created_at=made)
        store.payments.put([replace(row, status=done, amount=Decimal(number))])
    assert duplicate_warnings(store, PAYOUT, NOW) == ()
    store.payments.remove([PaymentId("p2"), PaymentId("p3")] if retention.surplus() else [])
    words = ("Not checked: payments before 10:00:00 UTC (not in memory).",)
    assert duplicate_warnings(store, PAYOUT, NOW) == words
    assert duplicate_warnings(store, PAYOUT, NOW + 23 * HOUR) == ()


def test_that_payments_are_as_another_run_knew_them_is_said(store: Store) -> None:
    store.set_feed(Feed(Kind.PAYMENTS, as_of=NOW - HOUR, cached=True))
    words = ("Not checked: payments since 11:00:00 UTC (not read yet).",)
    assert duplicate_warnings(store, PAYOUT, NOW) == words
