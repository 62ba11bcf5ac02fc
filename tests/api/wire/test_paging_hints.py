"""Hints that a list continues are found wherever a service puts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect, Paging
from paytui.api.wire.envelope import PagingHint, find_hint, find_total, many, suggest_paging
from paytui.domain.exact_json import Json


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
        ({"last": False}, ("last",)),
        ({"meta": {"totalPages": 3}}, ("meta", "totalPages")),
        ({"page": 2, "pages": "3"}, ("pages",)),
        ({"next_page_url": "/v2/payments?page=2"}, ("next_page_url",)),
    ],
)
def test_a_sign_that_a_list_goes_on(
    dialect: Dialect, around: dict[str, Json], path: tuple[str, ...]
) -> None:
    sign = find_hint({"items": [], **around}, {}, dialect.paging)
    assert sign is not None
    assert (sign.path, sign.name) == (path, ".".join(path))


@pytest.mark.parametrize(
    "around",
    [
        {"links": [{"rel": "self", "href": "/a"}, {"rel": "next", "href": "/b"}]},
        {"@odata.nextLink": "/v2/payments?$skip=50"},
    ],
)
def test_a_sign_that_no_dialect_can_name(dialect: Dialect, around: dict[str, Json]) -> None:
    sign = find_hint({"items": [], **around}, {}, dialect.paging)
    assert sign is not None
    assert sign.path is None


@pytest.mark.parametrize(
    ("header", "leads"),
    [
        ('</p?page=2>; rel="next"', True),
        ("</p?page=2>; rel=next", True),
        ('</p>; rel="prev", </p?page=3>; title="on"; rel="next last"', True),
        ('</p?page=1>; rel="prev"', False),
        ('</p?page=1>; rel="prev"; title="next"', False),
        ('</style>; rel="nextgen"', False),
    ],
)
def test_a_header_that_leads_on(dialect: Dialect, header: str, leads: bool) -> None:
    assert (find_hint([1], {"link": header}, dialect.paging) is not None) is leads


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
        {"last": True, "totalPages": 1},
        {"page": 3, "pages": 3},
        {"links": [{"rel": "self", "href": "/a"}]},
    ],
)
def test_no_sign_that_a_list_goes_on(dialect: Dialect, around: dict[str, Json]) -> None:
    assert find_hint(around, {}, dialect.paging) is None


def test_what_the_dialect_reads_is_no_sign(following: Paging) -> None:
    assert find_hint({"items": [], "next": "abc"}, {}, following) is None
    assert find_hint({"items": [], "next": {"href": "abc"}}, {}, following) is None
    sign = find_hint({"items": [], "links": {"more": "abc"}}, {}, following)
    assert sign == PagingHint("links.more", "abc", ("links", "more"))


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ({"count": 900}, (("count",), 900)),
        ({"meta": {"totalItems": 900, "count": 500}}, (("meta", "totalItems"), 900)),
        ({"total": 900}, None),
        ({"summary": {"total": 15_000_000}}, None),
        ({"count": "900"}, (("count",), 900)),
        ({"total": {"value": 900}}, (("total", "value"), 900)),
        ({"@odata.count": 900}, (("@odata.count",), 900)),
        ({"count": "many"}, None),
        ({"count": True}, None),
    ],
)
def test_a_count_that_nobody_reads(
    dialect: Dialect, around: dict[str, Json], found: tuple[tuple[str, ...], int] | None
) -> None:
    assert find_total({"items": [], **around}, dialect.paging) == found


def test_an_answer_is_read_with_its_signs(dialect: Dialect) -> None:
    part = many({"items": [1], "links": {"more": "p2"}, "meta": {"count": 900}}, dialect)
    assert part.unread == "more seems to follow: links.more is not read; set [paging]"
    assert part.counted == ("meta.count", 900)


@pytest.mark.parametrize(
    ("sign", "lines"),
    [
        (
            PagingHint("links.more", "p2", ("links", "more")),
            (
                '[paging] style = "cursor"',
                '[paging] next = "links.more"',
                '[paging] cursor = "after"  # the parameter that takes it, as the manual calls it',
            ),
        ),
        (
            PagingHint("next", "/v2/payments?limit=50&starting_after=p49", ("next",)),
            (
                '[paging] style = "cursor"',
                '[paging] next = "next"',
                '[paging] cursor = "starting_after"',
            ),
        ),
        (
            PagingHint("@odata.nextLink", "https://bank.example/payments?$top=50&$skip=50"),
            ('[paging] style = "offset"', '[paging] offset = "$skip"'),
        ),
        (
            PagingHint("hasMore", True, ("hasMore",)),
            (
                '[paging] style = "offset"  # offset and size as the manual calls them',
                "# hasMore is no cursor: it names no place to go on at",
            ),
        ),
    ],
)
def test_lines_that_read_a_list_on(
    dialect: Dialect, sign: PagingHint, lines: tuple[str, ...]
) -> None:
    """By a dialect that reads by pages already."""
    assert suggest_paging(sign, dialect.paging) == lines


def test_numbers_of_pages_in_a_link_are_read_by_number(following: Paging) -> None:
    lines = suggest_paging(PagingHint("next", "/v2/payments?pageNumber=2", ("next",)), following)
    assert lines == ('[paging] style = "page"', '[paging] page = "pageNumber"')


@pytest.fixture
def following(dialect: Dialect) -> Paging:
    """A dialect with cursor pagination."""
    return replace(dialect.paging, style="cursor")
