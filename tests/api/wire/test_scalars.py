"""Single values in JSON."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from paytui.api.wire import json
from paytui.domain.exact_json import Json
from paytui.platform.clock import utc


@pytest.mark.parametrize(
    ("wire", "amount"),
    [
        ("0.1", "0.1"),
        ("1234567890123456.78", "1234567890123456.78"),
        ("99999999999999.99", "99999999999999.99"),
        ("1e-7", "0.0000001"),
        ("1234567890123456789012.345", "1234567890123456789012.345"),
        ("-5", "-5"),
        (12, "12"),
        ("9" * 40, "9" * 40),
        (Decimal("99999999999999.99"), "99999999999999.99"),
    ],
)
def test_an_amount_is_exact_as_a_string_and_as_a_number(wire: Json, amount: str) -> None:
    assert json.read_decimal(wire) == Decimal(amount)


@pytest.mark.parametrize(
    "wire",
    [
        "NaN",
        "sNaN",
        "Infinity",
        "-Infinity",
        "1e999999",
        "1e-999",
        Decimal("1e999"),
        True,
        False,
        None,
        "",
        " 1",
        "1,000.00",
        "1_000",
        "٣",
        "0x10",
        "1.",
        ".5",
        "9" * 500,
        "9" * 41,
        f"0.{'1' * 41}",
        10**40,
        [],
        {},
    ],
)
def test_what_is_no_amount_is_none(wire: Json) -> None:
    assert json.read_decimal(wire) is None


@pytest.mark.parametrize(
    "wire",
    [
        "2026-03-02T12:00:00Z",
        "2026-03-02T12:00:00",
        "2026-03-02T12:00:00+00:00",
        "2026-03-02T23:00:00+11:00",
        "2026-03-02T06:30:00.000-05:30",
    ],
)
def test_a_time_is_in_utc_whatever_its_offset(wire: str) -> None:
    time = json.read_time(wire)
    assert time == datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert time is not None
    assert time.tzinfo is UTC


@pytest.mark.parametrize("wire", ["soon", "", "2026-13-01T00:00:00Z", 1772452800, None, [], True])
def test_what_is_no_time_is_none(wire: Json) -> None:
    assert json.read_time(wire) is None


def test_a_time_before_the_first_year_is_none() -> None:
    assert json.read_time("0001-01-01T00:00:00+14:00") is None


def test_a_time_is_written_in_utc_with_a_z() -> None:
    sydney = timezone(timedelta(hours=11))
    assert utc(datetime(2026, 3, 2, 23, tzinfo=sydney)) == "2026-03-02T12:00:00Z"


@pytest.mark.parametrize(
    ("wire", "day"),
    [
        ("1980-02-29", date(1980, 2, 29)),
        ("1980-02-29T00:00:00Z", date(1980, 2, 29)),
        ("1981-02-29", None),
        ("29/02/1980", None),
        (19800229, None),
    ],
)
def test_a_date_is_read_from_its_first_ten_characters(wire: Json, day: date | None) -> None:
    assert json.read_date(wire) == day


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        ("plain", "plain"),
        (3000, "3000"),
        (Decimal("3000.50"), "3000.50"),
        ("\x1b[31mred\x07", "\ufffd[31mred\ufffd"),
        ("two\nlines", "two lines"),
        ("[bold]markup[/]", "[bold]markup[/]"),
        ("abc\u202edef", "abcdef"),
        (True, None),
        (["a"], None),
        ({}, None),
    ],
)
def test_a_string_is_cleaned_and_a_number_is_kept_as_its_digits(
    wire: Json, text: str | None
) -> None:
    assert json.read_text(wire) == text


def test_codes_that_occur_often_are_one_object_in_memory() -> None:
    first, second = json.read_currency("".join(["A", "UD"])), json.read_currency("AUD")
    assert first is second


@pytest.mark.parametrize("wire", [1, "true", "false", None, []])
def test_only_true_and_false_are_flags(wire: Json) -> None:
    assert json.read_flag(wire) is None


@pytest.mark.parametrize(
    ("wire", "code"),
    [
        ("AUD", "AUD"),
        ("usd", "usd"),
        ("USDC-ERC20", "USDC-ERC20"),
        ("A" * 500, None),
        ("AU\u200bD", None),
    ],
)
def test_a_code_that_is_none_is_kept_but_not_at_any_length_nor_as_that_of_another(
    wire: str, code: str | None
) -> None:
    assert json.read_currency(wire) == code


_TEXTS: list[Json] = ["a", "INV 7"]
_TIMES: list[Json] = ["2026-03-02T10:00:00Z", "2026-03-02T10:00:00.5+00:00"]


@pytest.mark.parametrize(
    ("read", "plain", "odd"),
    [
        (json.read_text, _TEXTS, ["\x1b[2J", None, 7, "x" * 2_001]),
        (json.read_identifier, _TEXTS, ["\x1b[2J", None, 7, "x" * 2_001]),
        (
            json.read_decimal,
            ["0.10", "-5", "7"],
            ["1 2", " 3", "3 ", "1e3", ".5", "9" * 41, None, 7],
        ),
        (json.read_time, _TIMES, ["2026-03-02T10:00:00+01:00", "2026-03-02", "soon", None, 7]),
    ],
)
def test_values_are_read_together_as_one_by_one(
    read: Callable[[Json], object], plain: list[Json], odd: list[Json]
) -> None:
    assert json.read_together(read, plain) == [read(one) for one in plain]
    assert not json.read_together(read, [])
    for one in odd:
        assert json.read_together(read, [*plain, one]) is None
        assert json.read_together(read, [one, *plain]) is None
