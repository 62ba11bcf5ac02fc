"""What tells that a list goes on is seen, wherever a service puts it and whoever reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect, Paging
from paytui.api.envelope import many
from paytui.api.jsontext import Json
from paytui.api.onward import counts, leads_on


@pytest.mark.parametrize(
    ("around", "path"),
    [
        ({"next": "abc"}, ("next",)),
        ({"next": 500}, ("next",)),
        ({"nextCursor": "abc"}, ("nextCursor",)),
        ({"next_page_token": "abc"}, ("next_page_token",)),
        ({"links": {"next": "/v2/payments?after=abc"}}, ("links", "next")),
        ({"links": {"more": "p2"}}, ("links", "more")),
        ({"_links": {"next": {"href": "/v2/payments?page=2"}}}, ("_links", "next", "href")),
        ({"meta": {"page": {"cursor": "abc"}}}, ("meta", "page", "cursor")),
        ({"after": "abc"}, ("after",)),
        ({"hasMore": True}, ("hasMore",)),
    ],
)
def test_a_sign_that_a_list_goes_on(
    dialect: Dialect, around: dict[str, Json], path: tuple[str, ...]
) -> None:
    assert leads_on({"items": [], **around}, dialect.paging) == path


@pytest.mark.parametrize(
    "around",
    [
        {},
        {"next": None},
        {"next": ""},
        {"hasMore": False},
        {"links": {"self": "/v2/payments", "next": None}},
        {"items": [{"next": "abc", "cursor": "abc"}]},
        {"nextReview": "2026-03-02"},
    ],
)
def test_no_sign_that_a_list_goes_on(dialect: Dialect, around: dict[str, Json]) -> None:
    assert leads_on(around, dialect.paging) is None


def test_what_the_dialect_reads_is_no_sign(following: Paging) -> None:
    assert leads_on({"items": [], "next": "abc"}, following) is None
    assert leads_on({"items": [], "next": {"href": "abc"}}, following) is None
    assert leads_on({"items": [], "links": {"more": "abc"}}, following) == ("links", "more")


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ({"count": 900}, (("count",), 900)),
        ({"meta": {"totalItems": 900, "count": 500}}, (("meta", "totalItems"), 900)),
        ({"total": 900}, None),
        ({"summary": {"total": 15_000_000}}, None),
        ({"count": "many"}, None),
        ({"count": True}, None),
    ],
)
def test_a_count_that_nobody_reads(
    dialect: Dialect, around: dict[str, Json], found: tuple[tuple[str, ...], int] | None
) -> None:
    assert counts({"items": [], **around}, dialect.paging) == found


def test_an_answer_is_read_with_its_signs(dialect: Dialect) -> None:
    part = many({"items": [1], "links": {"more": "p2"}, "meta": {"count": 900}}, dialect)
    assert part.unread == "more seems to follow: links.more is not read; set [paging]"
    assert part.counted == ("meta.count", 900)


@pytest.fixture
def following(dialect: Dialect) -> Paging:
    """Of a service whose lists go on at a cursor."""
    return replace(dialect.paging, style="cursor")
