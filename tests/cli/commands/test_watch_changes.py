"""Changes of a store as `watch` tells them: states and balances of known objects only."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.cli.commands.watch import Watcher, text_line
from paytui.domain.models import Kind, PayIn, PayInId, State, Trade, TradeId, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.support.clock import NOON, ManualClock

AUD, JPY = CurrencyCode("AUD"), CurrencyCode("JPY")
DESK = Wallet(
    WalletId("wal-1"),
    currency=AUD,
    wallet_name="AUD desk",
    wallet_description="for trading",
    status=State("active"),
    available_balance=Decimal(1000),
    reserved_balance=Decimal("0.00"),
)


class Told:
    """A store, and what is told of it."""

    def __init__(self, *, initial: bool = False) -> None:
        self.store = Store()
        self._watcher = Watcher(self.store, ManualClock(), "host", initial=initial)

    def read(self, *wallets: Wallet) -> None:
        """The list of wallets was read whole."""
        self.store.wallets.put(wallets)
        self.store.set_feed(Feed(Kind.WALLETS, as_of=NOON))

    def lines(self) -> list[str]:
        return [text_line(change, NOON) for change in self._watcher.changes()]


@pytest.fixture
def told() -> Told:
    return Told()


def test_a_balance_that_changes_is_told_with_old_and_new(told: Told) -> None:
    told.read(DESK)
    assert told.lines() == []
    told.read(replace(DESK, available_balance=Decimal("900.5"), reserved_balance=Decimal("99.50")))
    assert told.lines() == [
        "2026-03-02T12:00:00Z wallet AUD desk (wal-1): available 1,000.00 → 900.50 AUD",
        "2026-03-02T12:00:00Z wallet AUD desk (wal-1): reserved 0.00 → 99.50 AUD",
    ]


def test_what_is_not_watched_is_not_told(told: Told) -> None:
    told.read(DESK)
    assert told.lines() == []
    told.read(replace(DESK, wallet_description="for payroll"))
    assert told.lines() == []


def test_a_balance_that_the_service_no_longer_tells_is_a_dash(told: Told) -> None:
    told.read(DESK)
    assert told.lines() == []
    told.read(replace(DESK, available_balance=None))
    assert told.lines()[0].endswith("available 1,000.00 → — AUD")


def test_what_comes_before_a_list_was_read_whole_is_no_news(told: Told) -> None:
    told.store.wallets.put([DESK])
    assert told.lines() == []
    told.read(replace(DESK, wallet_id=WalletId("wal-2")))
    assert told.lines() == []
    told.read(replace(DESK, wallet_id=WalletId("wal-3")))
    assert told.lines()[0] == "2026-03-02T12:00:00Z new wallet AUD desk (wal-3): state active"


def test_how_everything_stands_at_first_is_told_on_demand() -> None:
    told = Told(initial=True)
    told.read(DESK)
    assert [line.partition("(wal-1): ")[2] for line in told.lines()] == [
        "state active",
        "available 1,000.00 AUD",
        "reserved 0.00 AUD",
    ]


def test_what_the_service_no_longer_lists_is_told_as_gone(told: Told) -> None:
    told.read(DESK)
    assert told.lines() == []
    told.store.wallets.remove([DESK.wallet_id])
    assert told.lines() == ["2026-03-02T12:00:00Z wallet AUD desk (wal-1): no longer listed"]


def test_each_thing_is_called_as_a_person_would(told: Told) -> None:
    for kind in (Kind.TRADES, Kind.PAYINS):
        told.store.set_feed(Feed(kind, as_of=NOON))
    assert told.lines() == []
    told.store.trades.put(
        [
            Trade(
                TradeId("tr-1"),
                sell_currency=AUD,
                buy_currency=JPY,
                sell_amount=Decimal(5000),
                status=State("compliance_review"),
            )
        ]
    )
    told.store.payins.put(
        [PayIn(PayInId("in-1"), amount=Decimal(7), currency=JPY, status=State("received"))]
    )
    assert [line.partition("Z ")[2] for line in told.lines()] == [
        "new pay-in 7 JPY (in-1): state received",
        "new trade 5,000.00 AUD to JPY (tr-1): state compliance review",
    ]
