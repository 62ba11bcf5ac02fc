"""The balances of a day; every expected value is worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from paytui.book.history import (
    HOUR,
    MINUTE,
    Balance,
    Bar,
    DayBalances,
    Millis,
    Watch,
    millis,
    rate_at,
)
from paytui.domain.models import WalletId
from tests.store.made import AUD, USD, wallet
from tests.support.clock import NOON

BEGAN = millis(NOON)
W, V = WalletId("w"), WalletId("v")


def at(hours: float) -> Millis:
    return Millis(BEGAN + int(hours * HOUR))


def held(hours: float, amount: str | None) -> Balance:
    return Balance(at(hours), None if amount is None else Decimal(amount), None, None)


def watched(*periods: tuple[float, float], **balances: list[Balance]) -> DayBalances:
    watches = [Watch(at(began), at(ended)) for began, ended in periods]
    return DayBalances(BEGAN, {WalletId(key): rows for key, rows in balances.items()}, watches)


def test_changes_count_from_the_days_start_if_balances_were_read_then() -> None:
    """150 - 100; the 70 of an hour before is history."""
    day = watched((-2, 3), w=[held(-2, "70"), held(-1, "100"), held(1, "999")])
    assert day.since == BEGAN
    assert day.changes([wallet("w", AUD, "150")]) == {AUD: Decimal(50)}


def test_else_they_count_from_the_first_read_of_the_day() -> None:
    """150 - 120: what happened before 2 o'clock is unknown."""
    day = watched((2, 3), w=[held(-9, "100"), held(2, "120")])
    assert day.since == at(2)
    assert day.changes([wallet("w", AUD, "150")]) == {AUD: Decimal(30)}


def test_a_change_of_a_long_amount_is_exact() -> None:
    """Thirty digits, of which the last one changed."""
    before, now = "123456789012345678901234567.891", "123456789012345678901234567.892"
    day = watched((0, 3), w=[held(0, before)])
    assert day.changes([wallet("w", AUD, now)]) == {AUD: Decimal("0.001")}


def test_a_change_is_unknown_without_a_first_balance_unless_the_wallet_is_new() -> None:
    day = watched((0, 3), w=[held(0, "1")])
    old = replace(wallet("v", USD, "5"), created_at=NOON - timedelta(hours=1))
    assert day.changes([wallet("w", AUD, "1"), old]) == {AUD: Decimal(0), USD: None}
    new = replace(old, created_at=NOON + timedelta(hours=1))
    assert day.changes([new]) == {USD: Decimal(5)}
    assert DayBalances().changes([new]) == {USD: None}


def test_levels_are_sums_at_the_ends_of_equal_parts_and_gaps_are_gaps() -> None:
    """Six hours in six parts; from 2:00 to 4:00 nothing was read."""
    day = watched(
        (0, 1.9),
        (4, 6),
        w=[held(0, "1"), held(1.5, "2"), held(4, "7")],
        v=[held(0, "10"), held(5.5, "20")],
    )
    levels = day.levels([W, V], Millis(at(6) - 1), 6)
    assert [None if level is None else int(level) for level in levels] == [
        *(11, 12, None, None, 17, 27)
    ]


def test_levels_begin_with_the_first_read_and_fit_in_any_number_of_cells() -> None:
    """The day begins at noon, so each part of up to an hour begins with it."""
    day = watched((0, 24), w=[held(0, "1")])
    for hours in (0, 0.1, 1, 7.7, 23.9):
        for most in (1, 2, 7, 24):
            assert 0 < len(day.levels([W], at(hours), most)) <= most, (hours, most)
    assert watched().levels([W], at(1), 7) == ()
    assert len(watched((2, 3), w=[held(2, "1")]).levels([W], at(2.2), 7)) == 3  # of five minutes


def test_the_rate_at_a_time_is_that_of_the_last_sheet_before() -> None:
    bars = [Bar.at(at(0), Decimal("0.65")), Bar.at(at(1), Decimal("0.66"))]
    assert rate_at(bars, Millis(at(1) - 1)) is None  # an hour later: a gap
    assert rate_at(bars, at(1)) == Decimal("0.66")
    assert rate_at(bars, Millis(at(0) + 5 * MINUTE)) == Decimal("0.65")
    assert rate_at(bars, Millis(at(0) - 1)) is None
