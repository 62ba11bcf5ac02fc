"""Envelopes around single objects and lists."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.api.dialect import Dialect
from paytui.api.wire.envelope import ListPart, many, one
from paytui.domain.exact_json import CannotReadError, Json


@pytest.fixture
def following(dialect: Dialect) -> Dialect:
    """A dialect with cursor pagination."""
    return replace(dialect, paging=replace(dialect.paging, style="cursor"))


@pytest.mark.parametrize("body", [{"item": {"walletId": "w1"}}, {"walletId": "w1"}])
def test_one_object_comes_in_an_envelope_or_bare(dialect: Dialect, body: Json) -> None:
    assert one(body, dialect) == {"walletId": "w1"}


@pytest.mark.parametrize("body", [None, "w1", 3, [], [{"walletId": "w1"}], True])
def test_what_is_no_object_is_said(dialect: Dialect, body: Json) -> None:
    with pytest.raises(CannotReadError, match="where an object was expected"):
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


def test_a_list_tells_how_long_it_is_and_where_it_goes_on(following: Dialect) -> None:
    assert many({"items": [1], "total": 7, "next": "abc"}, following) == ListPart([1], 7, "abc")


@pytest.mark.parametrize("total", [7, "7", Decimal("7.0")])
def test_a_total_is_a_whole_number_however_it_is_written(dialect: Dialect, total: Json) -> None:
    assert many({"items": [1], "total": total}, dialect) == ListPart([1], 7)


def test_a_total_in_a_header_counts_where_the_body_tells_none(dialect: Dialect) -> None:
    headers = {"x-total-count": "7"}
    assert many([1], dialect, headers) == ListPart([1], 7)
    assert many({"items": [1], "total": 9}, dialect, headers) == ListPart([1], 9)


@pytest.mark.parametrize("odd", ["many", "-7", True, None, [], Decimal("-1.5"), Decimal("1e999")])
def test_an_odd_total_is_as_good_as_none(dialect: Dialect, odd: Json) -> None:
    assert many({"items": [1], "total": odd}, dialect) == ListPart([1])


@pytest.mark.parametrize(
    ("told", "cursor"),
    [("abc", "abc"), (500, "500"), (Decimal("1767225600.125"), "1767225600.125"), (-1, "-1")],
)
def test_a_cursor_is_a_string_or_a_number(following: Dialect, told: Json, cursor: str) -> None:
    assert many({"items": [1], "next": told}, following) == ListPart([1], next=cursor)


@pytest.mark.parametrize("end", [None, "", False, 0, [], {}])
def test_a_cursor_that_points_nowhere_is_the_end(following: Dialect, end: Json) -> None:
    part = many({"items": [1], "next": end}, following)
    assert (part.next, part.unusable, part.unread) == (None, "", "")


@pytest.mark.parametrize(
    ("odd", "what"),
    [
        (True, "true or false"),
        ({"href": "/payments?after=500"}, "an object"),
        (["500"], "a list"),
        (Decimal("1e999"), "a number"),
    ],
)
def test_a_cursor_that_cannot_be_sent_tells_that_more_follows(
    following: Dialect, odd: Json, what: str
) -> None:
    part = many({"items": [1], "next": odd}, following)
    assert part.next is None
    assert part.unusable == f"next is {what}, not a cursor: see [paging] next"


@pytest.mark.parametrize(
    "link",
    ["https://bank.example/payments?size=5&after=a%20b", "/payments?after=a+b", "?after=a b"],
)
def test_of_a_link_what_it_asks_for_is_the_cursor(following: Dialect, link: str) -> None:
    assert many({"items": [1], "next": link}, following) == ListPart([1], next="a b")


@pytest.mark.parametrize("link", ["https://bank.example/payments?page=2", "https://[bank/?after"])
def test_a_link_that_asks_for_something_else_is_no_cursor(following: Dialect, link: str) -> None:
    part = many({"items": [1], "next": link}, following)
    assert part.next is None
    assert part.unusable == "next is a link without after, not a cursor: see [paging] next"


@pytest.mark.parametrize("opaque", ["/9j/4AAQ==", "?", "eyJpZCI6Mn0="])
def test_a_cursor_that_begins_as_a_link_does_is_one_all_the_same(
    following: Dialect, opaque: str
) -> None:
    assert many({"items": [1], "next": opaque}, following) == ListPart([1], next=opaque)


def test_no_records_of_none_are_an_empty_list(dialect: Dialect) -> None:
    assert many({"items": None, "total": 0}, dialect) == ListPart([], total=0)


@pytest.mark.parametrize(
    "body", [None, "text", 3, {}, {"items": 5}, {"error": "no"}, {"items": {}}, {"items": None}]
)
def test_where_no_list_is_it_is_said(dialect: Dialect, body: Json) -> None:
    with pytest.raises(CannotReadError, match="list"):
        many(body, dialect)


def test_an_envelope_can_be_deeper_and_called_otherwise(dialect: Dialect) -> None:
    acme = replace(dialect, many=(("data", "rows"),), one=(("data",),))
    assert many({"data": {"rows": [1]}}, acme).items == [1]
    assert one({"data": {"id": "1"}}, acme) == {"id": "1"}
