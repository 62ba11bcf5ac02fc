"""A partly read list never counts as complete, however the service paginates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from paytui.api.dialect import Dialect
from paytui.api.errors import Refused, ServiceFailed
from tests.support.answering import Answering, Answers, Query, payment, payments
from tests.support.listed import counted, listed
from tests.support.scripted import Reply

COUNT = 130
LIMIT = 50
NEXT = "https://bank.example/v2/payments?limit=50&offset=50"

Around = dict[str, object] | None
"""Members beside the records in a response; None: no envelope."""

Total = Callable[[int, int], object]
"""The total in a response, by the number of its records and the page."""


def by_offset(around: Around, headers: dict[str, str] | None = None) -> Answers:
    """130 payments, 50 at most from where `offset` says; it knows no pages."""

    def answer(query: Query) -> Reply:
        start = int(query.get("offset", 0))
        rows = payments(start, min(COUNT, start + LIMIT))
        return Reply(rows if around is None else {"items": rows, **around}, headers=headers or {})

    return answer


def by_page(count: int, cap: int, total: Total, beyond: int = 200) -> Answers:
    """Pages of `cap` payments; those after the last are empty, or refused by a status."""

    def answer(query: Query) -> Reply:
        page = int(query["page"])
        rows = payments((page - 1) * cap, min(count, page * cap)) if page else []
        if not rows and beyond != 200:
            return Reply({"detail": "Invalid page."}, beyond)
        told = total(len(rows), page)
        return Reply({"items": rows} if told is None else {"items": rows, "total": told})

    return answer


def untold(_came: int, _page: int) -> object:
    return None


PLAIN: list[Around] = [None, {}, {"count": LIMIT}]
SIGNED: list[Around] = [
    {"offset": 0, "limit": LIMIT},
    {"links": [{"rel": "self"}, {"rel": "next", "href": NEXT}]},
    {"@odata.nextLink": NEXT},
    {"@odata.count": COUNT},
    {"current_page": 1, "next_page_url": NEXT},
    {"pagination": {"next_uri": NEXT}},
    {"totalPages": 3, "pageNumber": 1},
    {"last": False, "number": 0},
    {"isTruncated": True, "nextMarker": "m"},
    {"totalCount": str(COUNT)},
    {"total": {"value": COUNT, "relation": "eq"}},
    {"result_info": {"total_count": COUNT}},
]


@pytest.fixture
def following(dialect: Dialect) -> Dialect:
    """A dialect with cursor pagination."""
    return replace(dialect, paging=replace(dialect.paging, style="cursor"))


@pytest.mark.parametrize("around", SIGNED)
def test_a_service_that_knows_no_pages_gives_no_whole_list(
    dialect: Dialect, around: Around
) -> None:
    listing = listed(Answering(by_offset(around)), dialect)
    assert (len(listing.records), listing.complete, listing.cut != "") == (50, False, True)


@pytest.mark.parametrize("total", [COUNT, str(COUNT), float(COUNT)])
def test_a_total_counts_however_it_is_written(dialect: Dialect, total: object) -> None:
    listing = listed(Answering(by_offset({"total": total})), dialect)
    assert (counted(listing), listing.complete) == ("50 of 130", False)


@pytest.mark.parametrize(
    "headers",
    [{"Link": f'</v2/payments>; rel="first", <{NEXT}>; rel="next"'}, {"X-Total-Count": str(COUNT)}],
)
@pytest.mark.parametrize("limit", [50, 37])
def test_headers_are_heard(dialect: Dialect, headers: dict[str, str], limit: int) -> None:
    app = Answering(lambda _: Reply(payments(0, limit), headers=headers))
    listing = listed(app, dialect)
    assert (len(listing.records), listing.complete) == (limit, False)


@pytest.mark.parametrize("around", [*PLAIN, *SIGNED[:3], {"totalCount": str(COUNT)}])
def test_by_offset_all_of_it_is_read(dialect: Dialect, around: Around) -> None:
    other = replace(dialect, paging=replace(dialect.paging, style="offset", size="limit"))
    app = Answering(by_offset(around))
    listing = listed(app, other)
    assert (len(listing.records), listing.complete, listing.cut) == (COUNT, True, "")
    assert app.asked[1] == {"limit": "500", "offset": "50"}


@pytest.mark.parametrize("count", [1, 7, 37])
def test_a_short_list_of_a_service_that_knows_no_pages_is_believed(
    dialect: Dialect, count: int
) -> None:
    listing = listed(Answering(lambda _: Reply(payments(0, count))), dialect)
    assert (len(listing.records), listing.complete) == (count, True)


@pytest.mark.parametrize(
    ("cap", "total"),
    [
        (10, lambda came, _: came),
        (37, lambda came, _: came),
        (99, lambda came, _: came),
        (40, lambda *_: 3),
        (40, lambda *_: -1),
        (10, untold),
        (37, untold),
    ],
    ids=["its page"] * 3 + ["pages", "nothing"] + ["untold"] * 2,
)
def test_a_total_that_counts_anything_else_ends_no_list(
    dialect: Dialect, cap: int, total: Total
) -> None:
    listing = listed(Answering(by_page(COUNT, cap, total)), dialect)
    assert (len(listing.records), listing.complete) == (COUNT, True)


@pytest.mark.parametrize(
    "total",
    [
        lambda _, page: min(COUNT, page * 40),
        lambda _, page: COUNT - (page - 1) * 40,
        lambda _, page: max(0, COUNT - page * 40),
        lambda _, page: COUNT if page == 1 else 0,
    ],
    ids=["to here", "from here", "after this", "once"],
)
def test_a_total_that_changes_from_page_to_page_ends_no_list(
    dialect: Dialect, total: Total
) -> None:
    listing = listed(Answering(by_page(COUNT, 40, total)), dialect)
    assert (len(listing.records), listing.complete) == (COUNT, True)


@pytest.mark.parametrize(
    ("count", "status"), [(10, 404), (37, 404), (700, 404), (500, 400), (500, 404), (500, 422)]
)
def test_a_page_beyond_the_last_may_be_refused(dialect: Dialect, count: int, status: int) -> None:
    app = Answering(by_page(count, 500, lambda *_: count, beyond=status))
    listing = listed(app, dialect)
    assert (len(listing.records), listing.complete) == (count, True)


def test_a_page_that_is_refused_before_the_total_is_reached_leaves_it_short(
    dialect: Dialect,
) -> None:
    app = Answering(by_page(100, 50, lambda *_: COUNT, beyond=404))
    listing = listed(app, dialect)
    assert (counted(listing), listing.complete) == ("100 of 130", False)


def test_a_service_that_goes_no_further_than_so_many_records_has_more(dialect: Dialect) -> None:
    app = Answering(by_page(1000, 500, untold, beyond=400))
    listing = listed(app, dialect)
    assert listing.cut == "the service goes no further than 1000 records"


@pytest.mark.parametrize(("status", "error"), [(403, Refused), (503, ServiceFailed)])
def test_a_page_that_fails_otherwise_is_no_end(
    dialect: Dialect, status: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        listed(Answering(by_page(500, 500, lambda *_: 500, beyond=status)), dialect)


def test_a_first_page_that_is_refused_is_a_failure(dialect: Dialect) -> None:
    with pytest.raises(Refused):
        listed(Answering(lambda _: Reply({"error": {"code": "x", "message": "no"}}, 400)), dialect)


def test_a_cursor_that_is_refused_is_a_failure(following: Dialect) -> None:
    def answer(query: Query) -> Reply:
        if "after" in query:
            return Reply({"error": {"code": "cursor", "message": "expired"}}, 400)
        return Reply({"items": payments(0, 3), "next": "a"})

    with pytest.raises(Refused):
        listed(Answering(answer), following)


@pytest.mark.parametrize("told", [True, False])
def test_a_row_that_leaves_while_the_list_is_read_may_hide_another(
    dialect: Dialect, told: bool
) -> None:
    """p3 goes after page 1, so that p500 is on page 1 when page 2 is read."""
    rows = payments(0, 1000)

    def answer(query: Query) -> Reply:
        page = int(query["page"])
        if page == 2 and len(rows) == 1000:
            rows.pop(3)
        part = rows[(page - 1) * 500 : page * 500]
        return Reply({"items": part, "total": len(rows)} if told else {"items": part})

    listing = listed(Answering(answer), dialect)
    assert len(listing.records) == 999
    if told:
        assert (counted(listing), listing.complete) == ("999 of 1000", False)


@pytest.mark.parametrize("empty", [1, 3, 8])
def test_cursors_lead_over_answers_that_hold_nothing(following: Dialect, empty: int) -> None:
    def answer(query: Query) -> Reply:
        at = int(query.get("after", 0))
        if at > empty:
            return Reply({"items": payments(5, 9), "next": None})
        return Reply({"items": [] if at else payments(0, 5), "next": str(at + 1)})

    listing = listed(Answering(answer), following)
    assert (len(listing.records), listing.complete) == (9, True)


def test_cursors_that_lead_on_without_end_are_left_and_said(following: Dialect) -> None:
    def answer(query: Query) -> Reply:
        return Reply({"items": [], "next": str(int(query.get("after", 0)) + 1)})

    listing = listed(Answering(answer), following)
    assert not listing.complete
    assert listing.cut == "10 responses in a row brought nothing new"


@pytest.mark.parametrize("around", [{"limit": LIMIT}, {"meta": {"pageSize": LIMIT}}])
def test_where_no_cursor_comes_with_a_full_answer_it_is_called_otherwise(
    following: Dialect, around: Around
) -> None:
    listing = listed(Answering(by_offset(around)), following)
    assert listing.cut == "no next came with 50 records; see [paging] next"


@pytest.mark.parametrize("count", [50, 7])
def test_a_cursor_that_is_null_is_the_end(following: Dialect, count: int) -> None:
    listing = listed(
        Answering(lambda _: Reply({"items": payments(0, count), "next": None})), following
    )
    assert (len(listing.records), listing.complete) == (count, True)


def test_a_cursor_that_waits_for_what_is_to_come_is_the_end(following: Dialect) -> None:
    def answer(query: Query) -> Reply:
        start = int(query.get("after", 0))
        rows = payments(start, min(9, start + 3))
        return Reply({"items": rows, "next": str(start + len(rows))})

    listing = listed(Answering(answer), following)
    assert (len(listing.records), listing.complete, listing.cut) == (9, True, "")


def test_a_cursor_that_goes_out_under_a_wrong_name_is_said(following: Dialect) -> None:
    def answer(query: Query) -> Reply:
        start = int(query.get("cursor", 0))
        return Reply({"items": payments(start, start + 3), "next": str(start + 3)})

    listing = listed(Answering(answer), following)
    assert listing.cut == "after has no effect: the same records come again; see [paging] cursor"


@pytest.mark.parametrize("link", ["https://bank.example/v2/payments?after={}&x=1", "?after={}"])
def test_a_link_is_followed_by_the_parameter_in_it(following: Dialect, link: str) -> None:
    def answer(query: Query) -> Reply:
        start = int(query.get("after", 0))
        more = link.format(start + 3) if start + 3 < 9 else None
        return Reply({"items": payments(start, start + 3), "next": more})

    listing = listed(Answering(answer), following)
    assert (len(listing.records), listing.complete) == (9, True)


def test_records_that_share_an_identifier_are_counted_as_unreadable(dialect: Dialect) -> None:
    rows = [{"paymentTransactionId": "desk", "amount": f"{number}.00"} for number in range(5)]
    listing = listed(Answering(lambda _: Reply({"items": rows, "total": 5})), dialect)
    assert (len(listing.records), listing.skipped) == (1, 4)
    assert listing.reason == "several records with one identifier"


def test_a_record_that_comes_twice_in_an_answer_is_one(dialect: Dialect) -> None:
    rows = [payment(1), payment(2), payment(1)]
    listing = listed(Answering(lambda _: Reply({"items": rows})), dialect)
    assert (len(listing.records), listing.skipped) == (2, 0)
