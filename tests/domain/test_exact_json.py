"""JSON is read and written exactly."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.domain.exact_json import Json, NotJson, parse, write

a_few = settings(max_examples=50, deadline=None)

EXACT = [
    ("0.1", Decimal("0.1")),
    ("1234567890123456.78", Decimal("1234567890123456.78")),
    ("99999999999999.99", Decimal("99999999999999.99")),
    ("1e-7", Decimal("0.0000001")),
    ("1234567890123456789012.345", Decimal("1234567890123456789012.345")),
]


@pytest.mark.parametrize(("text", "number"), EXACT)
def test_a_number_with_a_fraction_arrives_with_every_digit(text: str, number: Decimal) -> None:
    parsed = parse(f'{{"amount": {text}}}')
    assert parsed == {"amount": number}
    assert isinstance(parsed, dict)
    assert isinstance(parsed["amount"], Decimal)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Decimal("0.1"), "0.1"),
        (Decimal("1234567890123456.78"), "1234567890123456.78"),
        (Decimal("99999999999999.99"), "99999999999999.99"),
        (Decimal("1e-7"), "0.0000001"),
        (Decimal("1E+3"), "1000"),
        (Decimal("1.50"), "1.50"),
        (Decimal("1234567890123456789012.345"), "1234567890123456789012.345"),
    ],
)
def test_a_decimal_leaves_with_every_digit_and_no_exponent(number: Decimal, text: str) -> None:
    assert write({"amount": number}) == f'{{"amount":{text}}}'


@pytest.mark.parametrize(
    "text", ["NaN", "Infinity", "-Infinity", "1e" + "9" * 30, "0." + "1" * 400]
)
def test_what_is_no_number_of_ours_is_null_and_the_rest_is_kept(text: str) -> None:
    assert parse(f'{{"amount": {text}, "currency": "AUD"}}') == {"amount": None, "currency": "AUD"}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b'{"items": [{"walletId": "w',
        b"<html></html>",
        b"[" * 200_000,
        b'"\xff\xfe\x00"',
        b"{'a': 1}",
    ],
    ids=["empty", "cut", "cut in a string", "html", "deep", "bytes", "quotes"],
)
def test_what_is_not_json_is_refused_in_words(text: bytes) -> None:
    with pytest.raises(NotJson) as caught:
        parse(text)
    assert len(str(caught.value)) > 5


def json_values() -> st.SearchStrategy[Json]:
    leaves = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=20)
    return st.recursive(
        leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=10
    )


@a_few
@given(json_values())
def test_whatever_is_written_a_standard_reader_reads(value: Json) -> None:
    assert json.loads(write(value)) == value


@a_few
@given(st.decimals(allow_nan=False, allow_infinity=False, places=8))
def test_a_decimal_written_and_read_is_the_same(number: Decimal) -> None:
    assert parse(write([number])) == [number]


def test_an_absurd_integer_costs_itself_alone() -> None:
    assert parse(b'[{"name": ' + b"9" * 5_000 + b', "id": "w1"}, 7]') == [
        {"name": None, "id": "w1"},
        7,
    ]
