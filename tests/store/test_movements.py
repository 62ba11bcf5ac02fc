"""The activity of a wallet: money in and out, and only balances that the service sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.domain.models import (
    AccountId,
    Kind,
    PayIn,
    PayInId,
    Payment,
    PaymentId,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.store.health import Feed
from paytui.store.movements import KINDS, Reconciliation, movements, newest_of, reconcile
from paytui.store.names import related_in_memory
from paytui.store.screen_rows import Movement
from paytui.store.store import Store
from tests.support.clock import NOON, ManualClock
from tests.tui.book import AUD, USD, read, wallet

MINE, OTHER = WalletId("wal-1"), WalletId("wal-2")
DONE = State("completed", final=True)


@pytest.fixture
def store() -> Store:
    """Two wallets, and somebody to pay."""
    store = Store()
    store.wallets.put([wallet(1, "AUD desk", "100"), wallet(2, "USD desk", "0", currency=USD)])
    acme = Recipient(RecipientId("rec-1"), AccountId("acc-1"), company_name="Acme Pty Ltd")
    store.recipients.put([acme])
    return store


PAYOUT = Payment(
    PaymentId("pay-1"),
    payment_type="payout",
    source_wallet_id=MINE,
    recipient_id=RecipientId("rec-1"),
    amount=Decimal("70.5"),
    currency=AUD,
    status=DONE,
    reference="INV 7",
    created_at=NOON,
)
TRANSFER = replace(
    PAYOUT,
    payment_transaction_id=PaymentId("pay-2"),
    payment_type="transfer",
    source_wallet_id=OTHER,
    destination_wallet_id=MINE,
    recipient_id=None,
)
TRADE = Trade(
    TradeId("trd-1"),
    sell_wallet_id=MINE,
    sell_amount=Decimal(10),
    sell_currency=AUD,
    buy_wallet_id=OTHER,
    buy_amount=Decimal("6.51"),
    buy_currency=USD,
    created_at=NOON,
)
PAYIN = PayIn(
    PayInId("pin-1"), MINE, amount=Decimal("12.5"), currency=AUD, sender_name="Opening Ltd"
)


def newest(store: Store, wallet_id: WalletId, most: int) -> tuple[list[Movement], int]:
    owner = (Kind.WALLETS, wallet_id)
    rows, count = newest_of({kind: related_in_memory(store, owner, kind, most) for kind in KINDS})
    return movements(store, wallet_id, rows), count


def seen(store: Store, wallet_id: WalletId) -> list[tuple[str, Decimal | None, str | None, str]]:
    found, _ = newest(store, wallet_id, 10)
    return [(one.key, one.amount, one.currency, one.what) for one in found]


def test_what_leaves_a_wallet_is_negative_and_what_comes_into_it_positive(store: Store) -> None:
    store.payments.put([PAYOUT, TRANSFER])
    store.payins.put([PAYIN])
    assert seen(store, MINE) == [
        ("pay-1", Decimal("-70.5"), "AUD", "payout to Acme Pty Ltd"),
        ("pay-2", Decimal("70.5"), "AUD", "transfer from USD desk"),
        ("pin-1", Decimal("12.5"), "AUD", "pay-in from Opening Ltd"),
    ]
    assert seen(store, OTHER) == [("pay-2", Decimal("-70.5"), "AUD", "transfer to AUD desk")]


def test_a_trade_takes_from_one_wallet_and_gives_to_the_other(store: Store) -> None:
    store.trades.put([TRADE])
    assert seen(store, MINE) == [("trd-1", Decimal(-10), "AUD", "trade, buys 6.51 USD")]
    assert seen(store, OTHER) == [("trd-1", Decimal("6.51"), "USD", "trade, sells 10.00 AUD")]


def test_an_amount_that_the_service_has_not_booked_yet_is_not_guessed(store: Store) -> None:
    store.trades.put([replace(TRADE, buy_amount=None)])
    assert seen(store, OTHER) == [("trd-1", None, "USD", "trade, sells 10.00 AUD")]


def test_the_newest_come_first_whatever_they_are_and_all_are_counted(store: Store) -> None:
    def made(minutes_ago: int) -> Payment:
        return replace(
            PAYOUT,
            payment_transaction_id=PaymentId(f"pay-{minutes_ago}"),
            created_at=NOON - timedelta(minutes=minutes_ago),
        )

    store.payments.put([made(3), made(1)])
    store.trades.put([replace(TRADE, created_at=NOON - timedelta(minutes=2))])
    store.payins.put([PAYIN])  # nobody knows when
    found, count = newest(store, MINE, 3)
    assert [one.key for one in found] == ["pay-1", "trd-1", "pay-3", "pin-1"]
    assert count == 4
    found, count = newest(store, MINE, 1)
    assert [one.key for one in found] == ["pay-1"], "trd-1 may be older than a payment left out"
    assert count == 4


def test_what_touches_other_wallets_is_left_out(store: Store) -> None:
    store.payments.put([replace(PAYOUT, source_wallet_id=OTHER)])
    store.trades.put([replace(TRADE, sell_wallet_id=None)])
    store.payins.put([replace(PAYIN, wallet_id=None)])
    assert seen(store, MINE) == []


class TestReconciliation:
    """100 came in, 30 left and 7 are reserved: 63 are available. The rest came to nothing."""

    @pytest.fixture
    def moved(self, store: Store) -> Store:
        read(store, ManualClock())
        balance = wallet(1, "AUD desk", "63")
        store.wallets.put([replace(balance, reserved_balance=Decimal(7))])
        credited = State("credited", final=True)
        store.payins.put([replace(PAYIN, amount=Decimal(100), status=credited)])
        amounts = {"released": 30, "processing": 7, "cancelled": 5, "failed": 2, "returned": 9}
        store.payments.put(
            replace(
                PAYOUT,
                payment_transaction_id=PaymentId(state),
                amount=Decimal(amount),
                status=State(state),
            )
            for state, amount in amounts.items()
        )
        return store

    def found(self, store: Store) -> Reconciliation | None:
        return reconcile(store, MINE, newest(store, MINE, 10)[0])

    def test_only_what_was_booked_is_summed_and_reserved_money_is_still_there(
        self, moved: Store
    ) -> None:
        assert self.found(moved) == Reconciliation(AUD, Decimal(70), Decimal(70))

    def test_a_balance_without_a_movement_for_it_differs(self, moved: Store) -> None:
        moved.wallets.put([wallet(1, "AUD desk", "65.5")])
        found = self.found(moved)
        assert found is not None
        assert found.difference == Decimal("-4.5")

    @pytest.mark.parametrize(
        "feed",
        [
            Feed(Kind.TRADES),
            Feed(Kind.TRADES, as_of=NOON, cached=True),
            Feed(Kind.TRADES, as_of=NOON, offered=False),
            Feed(Kind.PAYMENTS, as_of=NOON, total=6),
            Feed(Kind.PAYINS, as_of=NOON, skipped=1),
            Feed(Kind.PAYINS, as_of=NOON, cut=True),
            Feed(Kind.WALLETS),
        ],
    )
    def test_nothing_is_compared_while_a_list_is_incomplete(self, moved: Store, feed: Feed) -> None:
        moved.set_feed(feed)
        assert self.found(moved) is None

    @pytest.mark.parametrize(
        "row",
        [
            replace(PAYOUT, status=State("odd", known=False)),
            replace(PAYOUT, status=State("pending", as_created=True)),
            replace(PAYOUT, amount=None),
            replace(PAYOUT, currency=USD),
        ],
        ids=["unknown state", "unread", "no amount", "another currency"],
    )
    def test_nor_where_a_movement_cannot_be_judged(self, moved: Store, row: Payment) -> None:
        moved.payments.put([row])
        assert self.found(moved) is None
