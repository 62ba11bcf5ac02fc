"""Envelopes: what is around one object or a list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect
from paytui.api.envelope import BadEnvelope, Slice, many, one
from paytui.api.jsontext import Json


@pytest.mark.parametrize("body", [{"item": {"walletId": "w1"}}, {"walletId": "w1"}])
def test_one_object_comes_in_an_envelope_or_bare(dialect: Dialect, body: Json) -> None:
    assert one(body, dialect) == {"walletId": "w1"}


@pytest.mark.parametrize("body", [None, "w1", 3, [], [{"walletId": "w1"}], True])
def test_what_is_no_object_is_said(dialect: Dialect, body: Json) -> None:
    with pytest.raises(BadEnvelope, match="where an object was expected"):
        one(body, dialect)


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ({"items": [1, 2]}, [1, 2]),
        ([1, 2], [1, 2]),
        ({"items": []}, []),
        ({"item": {"walletId": "w1"}}, [{"walletId": "w1"}]),
    ],
    ids=["envelope", "bare", "empty", "one alone"],
)
def test_a_list_comes_in_any_of_these(dialect: Dialect, body: Json, items: list[Json]) -> None:
    assert many(body, dialect).items == items


def test_a_list_tells_how_long_it_is_and_where_it_goes_on(dialect: Dialect) -> None:
    assert many({"items": [1], "total": 7, "next": "abc"}, dialect) == Slice([1], 7, "abc")


@pytest.mark.parametrize("odd", ["7", True, None, [], -1.5])
def test_an_odd_total_or_cursor_is_as_good_as_none(dialect: Dialect, odd: Json) -> None:
    assert many({"items": [1], "total": odd, "next": 3}, dialect) == Slice([1], None, None)


@pytest.mark.parametrize(
    "body", [None, "text", 3, {}, {"items": 5}, {"error": "no"}, {"items": {}}, {"items": None}]
)
def test_where_no_list_is_it_is_said(dialect: Dialect, body: Json) -> None:
    with pytest.raises(BadEnvelope, match="list"):
        many(body, dialect)


def test_an_envelope_can_be_deeper_and_called_otherwise(dialect: Dialect) -> None:
    acme = replace(dialect, many=(("data", "rows"),), one=(("data",),))
    assert many({"data": {"rows": [1]}}, acme).items == [1]
    assert one({"data": {"id": "1"}}, acme) == {"id": "1"}
