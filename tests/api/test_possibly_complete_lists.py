"""Lists that may continue by their length alone are read and not called truncated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect
from tests.support.answering import Answering, Query, payments
from tests.support.listed import listed, polled
from tests.support.scripted import Reply

USUAL = [10, 20, 50, 100, 200, 1000]
"""Lengths of pages that services like."""

ENDS: list[dict[str, object]] = [
    {"hasMore": False},
    {"meta": {"has_next_page": False}},
    {"isTruncated": False},
    {"last": True},
    {"next": None},
    {"links": {"next": None}},
    {"links": {"next": {"href": None}}},
    {"page": 1, "totalPages": 1},
    {"pagination": {"currentPage": 1, "pages": 1}},
]

NO_ENDS: list[dict[str, object]] = [
    {},
    {"after": None},
    {"cursor": None},
    {"count": 50},
    {"totalPages": 0},
    {"last": False, "hasMore": False, "more": "no"},
    {"first": True},
]


@pytest.fixture
def following(dialect: Dialect) -> Dialect:
    """A dialect with cursor pagination."""
    return replace(dialect, paging=replace(dialect.paging, style="cursor"))


def always(count: int, around: dict[str, object] | None = None) -> Answering:
    """A service with so many payments, that gives all of them whatever it is asked."""
    rows = payments(0, count)
    return Answering(lambda _: Reply(rows if around is None else {"items": rows, **around}))


@pytest.mark.parametrize(("count", "around"), [*((count, None) for count in USUAL), (50, {})])
def test_a_list_that_comes_for_every_page_may_be_all(
    dialect: Dialect, count: int, around: dict[str, object] | None
) -> None:
    listing = listed(always(count, around), dialect)
    assert (len(listing.records), listing.complete, listing.cut) == (count, True, "")
    assert listing.remark == (
        f'may be all: the same {count} records come for every page; if so, [paging] style = "none"'
    )


@pytest.mark.parametrize("count", [10, 1000])
def test_a_list_without_a_cursor_may_be_all(following: Dialect, count: int) -> None:
    listing = listed(always(count, {}), following)
    assert (listing.complete, listing.cut) == (True, "")
    assert listing.remark == f"may be all: no next came with {count} records; see [paging] next"


def test_a_list_as_long_as_it_was_asked_to_be_is_cut(dialect: Dialect, following: Dialect) -> None:
    for how in (dialect, following):
        listing = listed(always(500), how)
        assert (listing.complete, listing.remark, listing.cut != "") == (False, "", True)


@pytest.mark.parametrize(("around", "count"), [*((around, 500) for around in ENDS), (ENDS[0], 50)])
def test_what_the_service_says_wins_over_a_length(
    dialect: Dialect, following: Dialect, around: dict[str, object], count: int
) -> None:
    for how in (dialect, following):
        listing = listed(always(count, around), how)
        assert (listing.complete, listing.cut, listing.remark) == (True, "", "")


@pytest.mark.parametrize("around", NO_ENDS)
def test_what_repeats_the_question_or_counts_the_answer_says_nothing(
    dialect: Dialect, around: dict[str, object]
) -> None:
    listing = listed(always(50, around), dialect)
    assert not listing.is_sure


def test_lists_shorter_than_the_longest_that_came_are_all(dialect: Dialect) -> None:
    """Where 130 come for every page, nothing caps a list at 50."""
    counts = iter([130, 50, 20, 130, 50])
    for_all = always_next(lambda: next(counts))
    polls = polled(for_all, dialect, 4)
    assert [(poll.count, poll.listing.is_sure) for poll in polls] == [
        (130, True), (50, True), (20, True), (130, True),
    ]  # fmt: skip


def test_the_longest_that_came_may_be_capped(dialect: Dialect) -> None:
    counts = iter([20, 50, 50])
    polls = polled(always_next(lambda: next(counts)), dialect, 3)
    assert [poll.listing.is_sure for poll in polls] == [False, False, False]


def always_next(count: Callable[[], int]) -> Answering:
    """A service that gives all it has for every page; how much that is changes between reads."""
    held: list[int] = []

    def answer(query: Query) -> Reply:
        if query["page"] == "1":
            held[:] = [count()]
        return Reply(payments(0, held[0]))

    return Answering(answer)


def test_where_one_list_went_on_at_a_cursor_one_without_is_all(following: Dialect) -> None:
    answers = iter(
        [
            {"items": payments(0, 50), "next": "50"},
            {"items": payments(50, 60)},
            {"items": payments(0, 50)},
        ]
    )
    first, second = polled(Answering(lambda _: Reply(next(answers))), following, 2)
    assert (first.count, first.asked, first.listing.is_sure) == (60, 2, True)
    assert (second.count, second.asked, second.listing.is_sure) == (50, 1, True)


def test_a_list_that_comes_for_every_page_is_asked_for_once_from_the_second_time_on(
    dialect: Dialect,
) -> None:
    """The first time it is asked for pages 1, 2, 3 and 0."""
    polls = polled(always(37), dialect, 4)
    assert [poll.asked for poll in polls] == [4, 1, 1, 1]
    assert [(poll.count, poll.listing.is_sure) for poll in polls] == [(37, True)] * 4


@pytest.mark.parametrize("count", [37, 50])
def test_so_it_is_where_its_total_is_told(dialect: Dialect, count: int) -> None:
    polls = polled(always(count, {"total": count}), dialect, 3)
    assert [poll.asked for poll in polls] == [3, 1, 1]


def test_one_that_may_be_full_is_asked_for_one_page_more_each_time(dialect: Dialect) -> None:
    """What is added to a service that gives its last page for those after it is seen."""
    counts, held = iter([50, 50, 50, 51]), [0]

    def clamped(query: Query) -> Reply:
        if query["page"] == "1":
            held[:] = [next(counts)]
        page = min(int(query["page"]), 1 + (held[0] - 1) // 50)
        start = 50 * max(0, page - 1)
        return Reply(payments(start, min(held[0], start + 50)))

    polls = polled(Answering(clamped), dialect, 4)
    assert [poll.count for poll in polls] == [50, 50, 50, 51]
    assert [poll.asked for poll in polls] == [4, 2, 2, 3]


def test_one_that_grew_is_asked_for_its_next_page_again(dialect: Dialect) -> None:
    counts = iter([37, 38, 38])
    polls = polled(always_next(lambda: next(counts)), dialect, 3)
    assert [(poll.count, poll.asked) for poll in polls] == [(37, 4), (38, 2), (38, 1)]
