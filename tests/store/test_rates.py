"""The board of rates in the market's direction, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from paytui.domain.models import Rate, RateSheet, RateSheetId, UnavailableRate
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.rates import Price
from paytui.store.rate_board import (
    BoardRow,
    RateDay,
    board_rows,
    newest_sheets,
    pairs_to_price,
)
from paytui.store.store import Store
from tests.store.made import AUD, USD, wallet
from tests.support.clock import NOON

EUR, JPY = CurrencyCode("EUR"), CurrencyCode("JPY")
AUD_USD, USD_AUD = Pair(AUD, USD), Pair(USD, AUD)


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


def names(rows: list[BoardRow]) -> list[str]:
    return [f"{row.pair.sell}/{row.pair.buy}" for row in rows]


def test_both_directions_are_one_row_with_bid_and_offer() -> None:
    """1 AUD = 0.65 USD, 1 USD = 1.5384 AUD: 1 / 1.5384 = 0.650026001…"""
    (row,) = board_rows(sheet("s", 1, USDAUD="1.5384", AUDUSD="0.65"), None)
    assert names([row]) == ["AUD/USD"]
    assert (row.sold, row.offer) == (Decimal("0.65"), Decimal("0.650026001040"))
    assert row.spread == Decimal("0.3")  # 0.65003 - 0.65000, as shown
    assert (row.direction(Price.BID), row.direction(Price.OFFER)) == (AUD_USD, USD_AUD)
    assert row.rate(Price.OFFER) == Decimal("1.5384")


def test_the_pips_of_jpy_are_hundredths() -> None:
    """1 / 0.01 = 100 JPY offered, 99.95 bid."""
    (row,) = board_rows(sheet("s", 1, AUDJPY="99.95", JPYAUD="0.01"), None)
    assert row.spread == 5


def test_a_pair_with_one_direction_has_one_side() -> None:
    (row,) = board_rows(sheet("s", 1, USDAUD="1.6"), None)
    assert (row.sold, row.offer, row.spread) == (None, Decimal("0.625"), None)
    assert row.leading is Price.OFFER


def test_a_pair_that_is_not_priced_stays_with_the_reason() -> None:
    missing = UnavailableRate(USD_AUD, "market closed")
    (row,) = board_rows(replace(sheet("s", 1), unavailable=(missing,)), None)
    assert (row.pair, row.sold, row.offer, row.reason) == (AUD_USD, None, None, "market closed")


def test_the_desk_may_have_an_order_of_its_own() -> None:
    (row,) = board_rows(sheet("s", 1, AUDUSD="0.8"), None, order=(USD, AUD))
    assert (row.pair, row.offer) == (USD_AUD, Decimal("1.25"))


def test_a_change_is_that_of_the_base_whichever_direction_is_sold() -> None:
    """The base falls from 0.64 to 0.625 as its buyer gets 1.6 in place of 1.5625 a unit."""
    (row,) = board_rows(sheet("new", 2, USDAUD="1.6"), sheet("old", 1, USDAUD="1.5625"))
    assert row.change == Decimal("-0.015")
    (row,) = board_rows(sheet("new", 2, AUDUSD="0.6513"), sheet("old", 1, AUDUSD="0.6511"))
    assert row.change is not None
    assert row.pips(row.change) == 2
    (row,) = board_rows(sheet("new", 2, AUDUSD="0.6513"), sheet("old", 1))
    assert row.change is None


def test_the_day_is_compared_by_its_first_price() -> None:
    def history(_: Pair, side: Price) -> RateDay:
        return RateDay(first=Decimal("0.64")) if side is Price.BID else RateDay()

    (row,) = board_rows(sheet("s", 1, AUDUSD="0.65", USDAUD="1.5"), None, history=history)
    assert row.today == Decimal("0.01")
    (row,) = board_rows(sheet("s", 1, USDAUD="1.5"), None, history=history)
    assert row.today is None


def test_watched_pairs_come_first_and_in_their_order() -> None:
    rates = sheet("s", 1, EURAUD="1.6", AUDJPY="96", AUDUSD="0.65", USDAUD="1.5")
    rows = board_rows(rates, None, [USD_AUD, Pair(EUR, JPY), Pair(AUD, JPY)])
    assert names(rows) == ["AUD/USD", "AUD/JPY", "EUR/AUD"]
    assert [row.is_watched for row in rows] == [True, True, False]


def test_each_watched_and_each_held_pair_is_priced_both_ways() -> None:
    wallets = [wallet("1", JPY), wallet("2", AUD), wallet("3", USD), wallet("4", JPY)]
    assert pairs_to_price([AUD_USD], wallets, None) == (AUD_USD, USD_AUD)
    assert pairs_to_price([USD_AUD], wallets, AUD) == (
        *(USD_AUD, AUD_USD),
        *(Pair(JPY, AUD), Pair(AUD, JPY)),
    )


def test_the_newest_sheet_is_the_one_that_was_asked_for_last(store: Store) -> None:
    store.rate_sheets.put([sheet("second", 20), sheet("third", 30), sheet("first", 10)])
    newest, before = newest_sheets(store)
    assert newest is not None
    assert before is not None
    assert (newest.rate_sheet_id, before.rate_sheet_id) == ("third", "second")


def test_without_sheets_there_is_no_newest(store: Store) -> None:
    assert newest_sheets(store) == (None, None)
