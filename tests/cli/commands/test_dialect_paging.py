"""`paytui dialect check` tries the pagination of lists and suggests settings."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Literal

import pytest

from paytui.api.dialect import Dialect, load_dialect
from paytui.cli.commands.dialect_check import Outcome, check_live
from tests.support.answering import Answering, Answers, Query, payment, payments
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.scripted import Reply

COUNT = 130
NEXT = "/v2/payments?limit=50&after=p49"

Style = Literal["page", "offset", "cursor", "none"]


def outcome(answers: Answers, style: Style = "page", dialect: Dialect | None = None) -> Outcome:
    """Check a service with payments alone."""
    dialect = dialect or spoken(style)

    async def check() -> Outcome:
        client = client_of(Answering(answers), ManualClock(), dialect)
        try:
            return await check_live(client, dialect, {}, ())
        finally:
            await client.aclose()

    return asyncio.run(check())


def spoken(style: Style) -> Dialect:
    dialect = load_dialect()
    return replace(dialect, paging=replace(dialect.paging, style=style))


def said(found: Outcome) -> list[str]:
    """Return the messages about the pagination of payments."""
    start = next(at for at, line in enumerate(found.lines) if line.startswith("payments: "))
    lines = found.lines[start + 1 :]
    end = next(at for at, line in enumerate(lines) if line.startswith(("  [fields", "rate_sheets")))
    return [line.strip() for line in lines[:end]]


def by(place: str, cap: int, first: int = 0, total: int | None = None) -> Answers:
    """130 payments: pages from `first` on, or from an offset; `cap` at a time."""

    def answer(query: Query) -> Reply:
        at = int(query.get(place, first)) - first
        start = at if place == "offset" else at * cap
        rows = payments(start, min(COUNT, start + cap)) if start >= 0 else []
        return Reply({"items": rows} if total is None else {"items": rows, "total": total})

    return answer


def test_pages_that_work_are_well() -> None:
    for total in (None, COUNT):
        found = outcome(by("page", 50, 1, total))
        assert (found.understood, said(found)) == (True, [])


def test_a_sign_that_pages_make_needless_is_no_matter() -> None:
    def answer(query: Query) -> Reply:
        start = 50 * max(0, int(query["page"]) - 1)
        return Reply({"items": payments(start, min(COUNT, start + 50)), "hasMore": start < 100})

    found = outcome(answer)
    assert (found.understood, said(found)) == (True, [])


@pytest.mark.parametrize("cap", [50, 500])
def test_pages_that_are_numbered_from_0_are_found_out(cap: int) -> None:
    found = outcome(by("page", cap))
    assert not found.understood
    assert said(found) == [
        "page=0 brings records that page=1 does not",
        "[paging] first = 0",
    ]


def test_a_service_that_goes_by_offset_is_found_out() -> None:
    found = outcome(by("offset", 50))
    assert not found.understood
    assert said(found) == [
        "the same records come again for page=2",
        '[paging] style = "offset"',
        '[paging] offset = "offset"',
    ]


def test_by_offset_it_is_well() -> None:
    found = outcome(by("offset", 50), "offset")
    assert (found.understood, said(found)) == (True, [])


@pytest.mark.parametrize(("count", "understood"), [(500, False), (50, True)])
def test_a_service_that_knows_no_pages_may_send_all_of_it_or_not(
    count: int, *, understood: bool
) -> None:
    found = outcome(lambda _: Reply(payments(0, count)))
    assert found.understood is understood
    assert said(found) == [
        "the same records come again for page=2",
        '[paging] style = "none"  # if that is all of the list, or else:',
        '[paging] style = "offset"  # offset and size as the manual calls them',
    ]


def test_a_flag_is_not_answered_by_the_way_that_failed() -> None:
    found = outcome(lambda _: Reply({"items": payments(0, 50), "hasMore": True}))
    assert not found.understood
    assert [line for line in said(found) if line.startswith("[paging]")] == [
        '[paging] style = "offset"  # offset and size as the manual calls them'
    ]


def test_a_cursor_that_goes_out_under_a_wrong_name_is_found_out() -> None:
    def answer(query: Query) -> Reply:
        start = int(query.get("cursor", 0))
        return Reply({"items": payments(start, start + 3), "next": str(start + 3)})

    found = outcome(answer, "cursor")
    assert not found.understood
    assert said(found)[0] == "the same records come again for after=3"
    assert said(found)[1].startswith('[paging] cursor = "…"')


@pytest.mark.parametrize("around", [{}, {"meta": {"bookmark": "zz"}}])
def test_a_cursor_that_is_nowhere_is_missed(around: dict[str, object]) -> None:
    found = outcome(lambda _: Reply({"items": payments(0, 500), **around}), "cursor")
    assert not found.understood
    assert said(found) == ["next is missing: [paging] next is the path of the cursor"]


@pytest.mark.parametrize("count", [3, 100])
def test_a_cursor_that_a_list_does_not_have_is_asked_for(count: int) -> None:
    found = outcome(lambda _: Reply({"items": payments(0, count), "bookmark": "zz"}), "cursor")
    assert found.understood
    assert said(found) == ["next: not in the response. Is that the right field name?"]


@pytest.mark.parametrize("status", [400, 500])
def test_a_page_before_the_first_may_break_the_service(status: int) -> None:
    def answer(query: Query) -> Reply:
        page = int(query["page"])
        return Reply(
            {"items": payments(page, page + 1)} if page else {"detail": "no"},
            status if not page else 200,
        )

    found = outcome(answer)
    assert (found.understood, said(found)) == (True, [])


def test_a_link_that_asks_for_something_else_is_said() -> None:
    found = outcome(lambda _: Reply({"items": payments(0, 3), "next": "/p?page=2"}), "cursor")
    assert not found.understood
    assert said(found)[0].startswith("more follows: next is a link without after")


def test_a_link_comes_with_the_lines_that_follow_it() -> None:
    found = outcome(lambda _: Reply({"items": payments(0, 50), "next": NEXT}), "none")
    assert not found.understood
    assert said(found)[1:] == [
        '[paging] style = "cursor"',
        '[paging] next = "next"',
        '[paging] cursor = "after"',
    ]


@pytest.mark.parametrize("status", [400, 404])
def test_a_page_that_is_refused_is_the_end(status: int) -> None:
    def answer(query: Query) -> Reply:
        if query["page"] != "1":
            return Reply({"detail": "Invalid page."}, status)
        return Reply({"items": payments(0, 10)})

    found = outcome(answer)
    assert (found.understood, said(found)) == (True, [])


def test_records_that_share_an_identifier_are_not_understood() -> None:
    rows = [{"paymentTransactionId": "desk", "amount": f"{number}.00"} for number in range(5)]
    found = outcome(lambda _: Reply({"items": rows, "total": 5}))
    assert not found.understood
    assert said(found) == ["4 of them have the identifier of another: see [fields.payment]"]


def test_a_service_that_takes_pages_for_filters_is_asked_once_without_them() -> None:
    """It looks for fields of these names, and finds none: an empty list, and no error."""
    asked: list[Query] = []

    def answer(query: Query) -> Reply:
        asked.append(query)
        return Reply({"items": [] if query else payments(0, 50), "cursor": {"after": "p49"}})

    found = outcome(answer)
    assert not found.understood
    assert said(found)[-4:] == [
        "with pageSize=500&page=1 the list is empty; without, 50 records",
        "each parameter may be treated as a filter: name those of the manual, or none",
        '[paging] style = "none"  # or the style and the names that the manual has',
        '[paging] unpaged = ["list_payments"]  # if it is this list alone',
    ]
    assert '[paging] next = "cursor.after"' in said(found)
    assert [dict(query) for query in asked].count({}) == 1
    assert "payments: 50 checked" in found.lines


def test_a_service_that_refuses_pages_is_asked_once_without_them() -> None:
    found = outcome(lambda query: Reply(payments(0, 3), 400 if query else 200))
    assert not found.understood
    assert said(found)[0].endswith("; without, 3 records")


def test_a_list_that_is_empty_either_way_is_well() -> None:
    found = outcome(lambda _: Reply({"items": []}))
    assert "payments: 0 checked" in found.lines
    assert not any("filter" in line for line in found.lines)


def dated(count: int, order: int) -> list[dict[str, str]]:
    """Payments made and changed a day apart, the newest first, or last."""
    days = range(1, count + 1)[::order]
    time = "2026-01-{:02}T00:00:00Z".format
    return [payment(day) | {"createdAt": time(day), "updatedAt": time(day)} for day in days]


@pytest.mark.parametrize(("takes", "understood"), [("filter", False), ("known", True)])
def test_changes_that_leave_out_what_changed_are_found_out(takes: str, *, understood: bool) -> None:
    def answer(query: Query) -> Reply:
        if since := query.get("updatedSince"):
            assert since == "2026-01-08T23:59:30Z"
            rows = dated(9, -1)[:1] if takes == "known" else []
            return Reply({"items": rows, "total": len(rows)})
        return Reply({"items": dated(9, -1), "total": 9})

    found = outcome(answer)
    assert found.understood is understood
    assert said(found) == ([] if understood else [
        "asked for updatedSince=2026-01-08T23:59:30Z, it leaves out a later change:",
        "it treats the parameter as a filter, or lists no changes",
        '[query] updated_since = ""  # or leave the list out of [changes] lists',
    ])  # fmt: skip


def test_changes_that_are_ignored_or_refused_are_told() -> None:
    found = outcome(lambda _: Reply({"items": dated(9, -1), "total": 9}))
    assert found.understood
    assert said(found)[0] == "updatedSince is ignored, which is harmless"

    def refuses(query: Query) -> Reply:
        return Reply({"items": dated(9, -1), "total": 9}, 400 if "updatedSince" in query else 200)

    found = outcome(refuses)
    assert not found.understood
    assert said(found)[0] == "with updatedSince, the service answers: HTTP 400"


@pytest.mark.parametrize(
    ("order", "line"),
    [
        (-1, '[paging] order = "newest_first"  # if new objects are listed there too'),
        (1, '[paging] order = "oldest_first"'),
    ],
)
def test_the_order_of_a_list_that_goes_on_is_told(order: int, line: str) -> None:
    def answer(query: Query) -> Reply:
        start = 3 * (int(query["page"]) - 1)
        rows = dated(9, order)[start : start + 3] if start >= 0 else []
        return Reply({"items": rows if "updatedSince" not in query else dated(9, -1), "total": 9})

    assert any(each.startswith(line) for each in said(outcome(answer)))
    told = replace(spoken("page").paging, order="newest_first")
    found = outcome(answer, dialect=replace(load_dialect(), paging=told))
    assert found.understood is (order == -1)


def test_a_list_in_no_order_says_so() -> None:
    rows = [dated(9, 1)[at] for at in (3, 1, 8)]
    found = outcome(lambda _: Reply({"items": rows, "total": 9}))
    assert '[paging] order = "none"' in said(found)
