"""Rates and their market convention, worked out by hand."""

from __future__ import annotations

from decimal import Decimal

from paytui.domain.models import Rate, RateSheet, RateSheetId
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.figures import Side, newest_sheets, rate_rows
from paytui.store.store import Store
from tests.store.made import AUD, USD
from tests.support.clock import NOON


def sheet(name: str, sent_at: float, **rates: str) -> RateSheet:
    """Rates are given as `AUDUSD="0.65"`: sold, then bought."""
    return RateSheet(
        RateSheetId(name),
        expires_at=NOON,
        sent_at=sent_at,
        rates=tuple(
            Rate(Pair(CurrencyCode(pair[:3]), CurrencyCode(pair[3:])), Decimal(rate))
            for pair, rate in rates.items()
        ),
    )


def test_the_market_direction_gives_the_base_first_and_its_price() -> None:
    """1 AUD = 0.65123 USD, 1 USD = 1.53421 AUD; 1 / 1.53421 = 0.65180125… by hand."""
    bid, offer = rate_rows(sheet("s", 1, AUDUSD="0.651230", USDAUD="1.534210"), None)
    assert (bid.market, bid.market_rate, bid.side) == ("AUD/USD", Decimal("0.651230"), Side.BID)
    assert (offer.market, offer.side) == ("AUD/USD", Side.OFFER)
    assert offer.market_rate == offer.inverse == Decimal("0.6518013")


def test_bid_and_offer_are_named_only_where_the_sheet_holds_both_directions() -> None:
    (row,) = rate_rows(sheet("s", 1, USDAUD="1.6"), None)
    assert row.side is None
    assert row.market_rate == Decimal("0.625")


def test_the_desk_may_have_an_order_of_its_own() -> None:
    (row,) = rate_rows(sheet("s", 1, AUDUSD="0.8"), None, order=(USD, AUD))
    assert (row.market, row.market_rate) == ("USD/AUD", Decimal("1.25"))


def test_a_change_is_against_the_same_pair_of_the_sheet_before() -> None:
    before = sheet("old", 1, AUDUSD="0.651110", USDAUD="1.534510", EURUSD="1.1")
    rows = rate_rows(
        sheet("new", 2, AUDUSD="0.651230", USDAUD="1.534210", EURUSD="1.1", EURJPY="160"), before
    )
    assert [row.change for row in rows] == [
        Decimal("0.000120"),
        Decimal("-0.000300"),
        Decimal(0),
        None,
    ]


def test_the_newest_sheet_is_the_one_that_was_asked_for_last(store: Store) -> None:
    store.rate_sheets.put([sheet("second", 20), sheet("third", 30), sheet("first", 10)])
    newest, before = newest_sheets(store)
    assert newest is not None
    assert before is not None
    assert (newest.rate_sheet_id, before.rate_sheet_id) == ("third", "second")


def test_without_sheets_there_is_no_newest(store: Store) -> None:
    assert newest_sheets(store) == (None, None)
