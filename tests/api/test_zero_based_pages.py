"""Zero-based page numbers are detected where the dialect says one-based."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from paytui.api.dialect import Dialect
from tests.support.answering import Answering, Query, payments
from tests.support.listed import listed, polled
from tests.support.scripted import Reply

CUT = "page=0 brings records that page=1 does not; set [paging] first = 0"


def numbered(first: int, count: int, cap: int, below: Reply | None = None) -> Answering:
    """Pages of `cap` payments, numbered from `first`; before that comes `below`."""

    def answer(query: Query) -> Reply:
        page = int(query.get("page", first)) - first
        if page < 0 and below is not None:
            return below
        rows = payments(page * cap, min(count, (page + 1) * cap)) if page >= 0 else []
        return Reply(rows)

    return Answering(answer)


@pytest.mark.parametrize(("count", "came"), [(9, 0), (50, 0), (80, 30), (130, 80)])
def test_records_before_the_first_page_make_a_list_cut_short(
    dialect: Dialect, count: int, came: int
) -> None:
    listing = listed(numbered(0, count, 50), dialect)
    assert (len(listing.records), listing.complete, listing.cut) == (came, False, CUT)


def test_it_is_said_of_each_reading_and_asked_for_once(dialect: Dialect) -> None:
    app = numbered(0, 130, 50)
    polls = polled(app, dialect, 3)
    assert [poll.listing.cut for poll in polls] == [CUT] * 3
    assert [query["page"] for query in app.asked].count("0") == 1


@pytest.mark.parametrize(
    "below",
    [
        None,
        Reply(payments(0, 50)),
        Reply([*payments(900, 901), *payments(0, 49)]),
        Reply({"detail": "no"}, 400),
        Reply({"detail": "no"}, 404),
        Reply(b"oops", 500),
        Reply(b"<html>"),
    ],
    ids=["empty", "the first", "the first, newer", "400", "404", "500", "no list"],
)
def test_pages_that_are_numbered_from_1_are_well(dialect: Dialect, below: Reply | None) -> None:
    app = numbered(1, 130, 50, below)
    polls = polled(app, dialect, 3)
    assert [(poll.count, poll.listing.is_sure) for poll in polls] == [(130, True)] * 3
    assert [poll.asked for poll in polls] == [5, 4, 4]


def test_where_a_total_is_told_nothing_more_is_asked_for(dialect: Dialect) -> None:
    app = Answering(lambda _: Reply({"items": payments(0, 7), "total": 7}))
    listed(app, dialect)
    assert [query["page"] for query in app.asked] == ["1"]


@pytest.mark.parametrize("first", [0, 2])
def test_where_the_dialect_says_another_number_nothing_more_is_asked_for(
    dialect: Dialect, first: int
) -> None:
    other = replace(dialect, paging=replace(dialect.paging, first=first))
    app = numbered(first, 30, 50)
    listed(app, other)
    assert [query["page"] for query in app.asked] == [str(first), str(first + 1)]


def test_an_empty_list_is_asked_for_no_second_time_at_once(dialect: Dialect) -> None:
    """Page 1, page 0, and once without a page."""
    app = numbered(1, 0, 50)
    assert [poll.asked for poll in polled(app, dialect, 3)] == [3, 1, 1]


@pytest.mark.parametrize(
    ("style", "named"), [("page", "pageSize=500&page=1"), ("cursor", "pageSize=500")]
)
def test_a_list_that_comes_empty_for_its_paging_alone_is_not_taken_for_empty(
    dialect: Dialect, style: Literal["page", "cursor"], named: str
) -> None:
    """The service takes each parameter for a filter, and tells no total."""
    app = Answering(lambda query: Reply([] if query else payments(0, 7)))
    paged = replace(dialect, paging=replace(dialect.paging, style=style))
    polls = polled(app, paged, 3)
    assert [poll.listing.complete for poll in polls] == [False] * 3
    cut = f"with {named} the list is empty, without it it is not; see [paging]"
    assert [poll.listing.cut for poll in polls] == [cut] * 3
    assert app.asked.count({}) == 1
