"""Numbers, periods and times, as typed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paytui.store.filter import read_moment, read_number, read_period


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("0", "0"),
        ("10000", "10000"),
        ("10k", "10000"),
        ("1.5m", "1500000"),
        ("2B", "2000000000"),
        (".5", "0.5"),
        ("-3.25", "-3.25"),
        ("2,500,000", "2500000"),
        ("1_000", "1000"),
        ("12345678901234567890.123456789k", "12345678901234567890123.456789"),
    ],
)
def test_a_number_is_exact(typed: str, meant: str) -> None:
    assert read_number(typed) == Decimal(meant)


@pytest.mark.parametrize(
    "typed",
    ["", "-", ".", "k", "1,5", "1,00", "1e5", "NaN", "Infinity", "10kk", "1..2", "٣", "1 0"],
)
def test_what_could_mean_two_things_or_none_is_no_number(typed: str) -> None:
    assert read_number(typed) is None


def test_a_number_that_is_absurdly_long_is_none() -> None:
    assert read_number("1" * 101) is None


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("45s", 45), ("30m", 1800), ("30min", 1800), ("1h", 3600), ("2D", 172_800), ("1w", 604_800)],
)
def test_a_period_has_a_unit(typed: str, seconds: int) -> None:
    assert read_period(typed) == timedelta(seconds=seconds)


@pytest.mark.parametrize("typed", ["", "5", "h", "1y", "-1h", "1.5h", "99999999999d"])
def test_anything_else_is_no_period(typed: str) -> None:
    assert read_period(typed) is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("2026-03-02T14:05", datetime(2026, 3, 2, 14, 5, tzinfo=UTC)),
        ("2026-03-02T14:05Z", datetime(2026, 3, 2, 14, 5, tzinfo=UTC)),
        ("2026-03-02T14:05+11:00", datetime(2026, 3, 2, 3, 5, tzinfo=UTC)),
    ],
)
def test_a_moment_is_in_utc_where_it_names_no_offset(typed: str, meant: datetime) -> None:
    assert read_moment(typed) == meant


@pytest.mark.parametrize("typed", ["", "yesterday", "2026-13-01", "0001-01-01T00:00+14:00"])
def test_anything_else_is_no_moment(typed: str) -> None:
    assert read_moment(typed) is None


@given(st.text(max_size=120))
def test_nothing_that_can_be_typed_breaks_the_reading(typed: str) -> None:
    read_number(typed)
    read_period(typed)
    read_moment(typed)
