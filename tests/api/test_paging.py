"""Lists are read to their end, whatever the pagination, and never for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import pytest

from paytui.api import paging
from paytui.api.dialect import Dialect
from paytui.api.paging import ListCache, Page, read_pages
from paytui.api.wire.decode import Readers
from paytui.api.wire.envelope import ListPart
from paytui.domain.exact_json import Json
from paytui.domain.models import Wallet
from tests.support.clock import ManualClock
from tests.support.listed import counted, gather

Answer = Callable[[dict[str, str]], ListPart]
Style = Literal["page", "cursor", "none"]


def wallets(*numbers: int) -> list[Json]:
    return [{"walletId": f"w{number}"} for number in numbers]


class Service:
    """Answers with what a function of the query says, and remembers what it was asked."""

    def __init__(self, answer: Answer, takes: float = 0.0) -> None:
        self._answer = answer
        self._takes = takes
        self.clock = ManualClock()
        self.asked: list[dict[str, str]] = []

    async def fetch(self, query: dict[str, str]) -> ListPart:
        self.asked.append(query)
        self.clock.advance(self._takes)
        return self._answer(query)


def pages_of(service: Service, dialect: Dialect, style: Style = "page") -> list[Page[Wallet]]:
    how = replace(dialect.paging, style=style)

    async def read() -> list[Page[Wallet]]:
        reader = Readers(dialect).of(Wallet)
        return [page async for page in read_pages(service.fetch, reader, how, service.clock)]

    return asyncio.run(read())


def listing_of(service: Service, dialect: Dialect, style: Style = "page") -> Page[Wallet]:
    return gather(pages_of(service, dialect, style))


def ids(listing: Page[Wallet]) -> list[str]:
    return [wallet.wallet_id for wallet in listing.records]


def paged(items: list[Json], size: int, *, total: bool) -> Answer:
    def answer(query: dict[str, str]) -> ListPart:
        start = (int(query["page"]) - 1) * size
        return ListPart(items[start : start + size], len(items) if total else None)

    return answer


def test_pages_are_asked_for_from_the_first_until_all_are_there(dialect: Dialect) -> None:
    service = Service(paged(wallets(1, 2, 3, 4, 5), 2, total=True))
    listing = listing_of(service, dialect)
    assert ids(listing) == ["w1", "w2", "w3", "w4", "w5"]
    assert (listing.total, listing.complete) == (5, True)
    assert [query["page"] for query in service.asked] == ["1", "2", "3"]
    assert {query["pageSize"] for query in service.asked} == {"500"}


def test_without_a_total_reading_goes_on_until_a_page_is_empty(dialect: Dialect) -> None:
    """A short page proves nothing: the service may allow less than was asked for."""
    listing = listing_of(Service(paged(wallets(1, 2, 3), 2, total=False)), dialect)
    assert ids(listing) == ["w1", "w2", "w3"]
    assert listing.complete


def test_a_service_that_knows_no_pages_is_asked_twice_more_and_believed(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart(wallets(1, 2)))
    listing = listing_of(service, dialect)
    assert (ids(listing), listing.complete, len(service.asked)) == (["w1", "w2"], True, 3)


@pytest.mark.parametrize("size", [3, 500])
@pytest.mark.parametrize("told", [0, "its page"])
def test_records_beyond_a_total_that_is_wrong_are_read(
    dialect: Dialect, size: int, told: object
) -> None:
    """It counts nothing, or the records of its own page, which is as long as was asked for."""
    small = replace(dialect, paging=replace(dialect.paging, records=size))
    items = wallets(*range(2 * size + 1))

    def answer(query: dict[str, str]) -> ListPart:
        start = (int(query["page"]) - 1) * size
        part = items[start : start + size]
        return ListPart(part, len(part) if told == "its page" else 0)

    listing = listing_of(Service(answer), small)
    assert (len(listing.records), listing.complete) == (2 * size + 1, True)
    assert listing.total is None


@pytest.mark.parametrize("size", [20, 50, 100])
def test_a_total_of_a_page_as_long_as_pages_are_is_not_believed_before_the_next(
    dialect: Dialect, size: int
) -> None:
    """The service allows less than was asked for, and its total counts the page."""
    items = wallets(*range(2 * size + 1))

    def answer(query: dict[str, str]) -> ListPart:
        start = (int(query["page"]) - 1) * size
        part = items[start : start + size]
        return ListPart(part, len(part))

    assert len(listing_of(Service(answer), dialect).records) == 2 * size + 1


def test_a_page_that_comes_twice_is_not_the_end(dialect: Dialect) -> None:
    """Pages 1 and 2 are the same, but for an amount that moved; page 3 is new."""
    pages: dict[str, list[Json]] = {
        "1": [{"walletId": "w1", "availableBalance": "1.00"}],
        "2": [{"walletId": "w1", "availableBalance": "2.00"}],
        "3": wallets(2),
    }
    listing = listing_of(Service(lambda query: ListPart(pages.get(query["page"], []))), dialect)
    assert (ids(listing), listing.complete) == (["w1", "w2"], True)


def test_a_page_that_repeats_ends_the_reading_and_the_list_says_n_of_m(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart(wallets(1, 2), total=9))
    listing = listing_of(service, dialect)
    assert ids(listing) == ["w1", "w2"]
    assert not listing.complete
    assert counted(listing) == "2 of 9"
    assert len(service.asked) == 3


def test_a_repeat_is_known_by_its_identifiers_for_balances_move(dialect: Dialect) -> None:
    def answer(query: dict[str, str]) -> ListPart:
        moving: list[Json] = [{"walletId": "w1", "availableBalance": query["page"]}]
        return ListPart(moving)

    service = Service(answer)
    assert ids(listing_of(service, dialect)) == ["w1"]
    assert len(service.asked) == 3


def test_a_repeating_page_of_bad_records_ends_the_reading(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart([{"walletName": "nameless"}]))
    listing = listing_of(service, dialect)
    assert (listing.records, listing.skipped, len(service.asked)) == ((), 1, 3)


def test_bad_records_of_a_page_that_comes_twice_are_counted_once(dialect: Dialect) -> None:
    def answer(query: dict[str, str]) -> ListPart:
        moving: list[Json] = [{"availableBalance": f"{query['page']}.{at}"} for at in range(7)]
        return ListPart([*moving, *wallets(1)], total=None)

    listing = listing_of(Service(answer), dialect)
    assert (ids(listing), listing.skipped) == (["w1"], 7)


def test_bad_records_of_a_long_answer_are_counted_over_all_its_slices(dialect: Dialect) -> None:
    items: list[Json] = [item for number in range(600) for item in (*wallets(number), "nonsense")]
    listing = listing_of(Service(lambda _: ListPart(items, total=1_200)), dialect)
    assert (len(listing.records), listing.skipped, listing.complete) == (600, 600, True)


def test_answers_that_bring_nothing_new_are_not_asked_for_without_end(dialect: Dialect) -> None:
    def answer(query: dict[str, str]) -> ListPart:
        return ListPart([{"walletName": f"nameless {query['page']}"}], total=10**9)

    service = Service(answer)
    listing = listing_of(service, dialect)
    assert (len(service.asked), listing.complete) == (10, False)


def test_a_list_that_takes_too_long_is_cut_and_says_n_of_m(dialect: Dialect) -> None:
    """One new record an answer, each in 149 s: 600 s are over with the fifth."""
    service = Service(lambda query: ListPart(wallets(int(query["page"])), total=10**9), takes=149.0)
    listing = listing_of(service, dialect)
    assert (len(service.asked), counted(listing)) == (5, "5 of 1000000000")


def test_the_time_that_reads_are_held_back_on_purpose_does_not_count(dialect: Dialect) -> None:
    """Each of ten answers takes 149 s, of which it is held back for 100: 49 s count."""
    pages = {str(number): wallets(number) for number in range(1, 11)}
    service = Service(lambda query: ListPart(pages[query["page"]], total=10), takes=149.0)

    async def read() -> list[Page[Wallet]]:
        reader, how = Readers(dialect).of(Wallet), dialect.paging
        clock, asked = service.clock, service.asked
        pages = read_pages(service.fetch, reader, how, clock, waited=lambda: 100.0 * len(asked))
        return [page async for page in pages]

    assert counted(gather(asyncio.run(read()))) == "10"


def test_an_end_before_the_total_is_not_complete(dialect: Dialect) -> None:
    pages = {"1": wallets(1, 2), "2": []}
    listing = listing_of(Service(lambda query: ListPart(pages[query["page"]], total=3)), dialect)
    assert (counted(listing), listing.complete) == ("2 of 3", False)


def test_a_record_that_slips_to_the_next_page_comes_once(dialect: Dialect) -> None:
    """Newest first: what is created between two pages shifts the others on."""
    pages = {"1": ListPart(wallets(3, 2), total=3), "2": ListPart(wallets(2, 1), total=4)}
    listing = listing_of(Service(lambda query: pages[query["page"]]), dialect)
    assert ids(listing) == ["w3", "w2", "w1"]
    assert listing.complete


def test_a_bad_record_is_counted_and_loses_nobody_else(dialect: Dialect) -> None:
    items: list[Json] = [*wallets(1), {"walletName": "nameless"}, "nonsense", *wallets(2)]
    listing = listing_of(Service(lambda _: ListPart(items, total=4)), dialect)
    assert ids(listing) == ["w1", "w2"]
    assert (listing.skipped, listing.complete) == (2, True)
    assert "walletId" in listing.reason


def test_an_empty_list_is_one_empty_page(dialect: Dialect) -> None:
    (page,) = pages_of(Service(lambda _: ListPart([])), dialect)
    assert page == Page(records=(), total=None, last=True, complete=True)


def test_a_long_answer_is_handed_on_in_slices_of_500(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart(wallets(*range(1_200)), total=1_200))
    pages = pages_of(service, dialect)
    assert [len(page.records) for page in pages] == [500, 500, 200]
    assert [page.last for page in pages] == [False, False, True]


def test_a_cursor_is_followed_to_its_end(dialect: Dialect) -> None:
    parts = {None: ListPart(wallets(1), next="a"), "a": ListPart(wallets(2), next="b"),
             "b": ListPart(wallets(3))}  # fmt: skip
    service = Service(lambda query: parts[query.get("after")])
    listing = listing_of(service, dialect, "cursor")
    assert (ids(listing), listing.complete) == (["w1", "w2", "w3"], True)
    assert service.asked[1] == {"pageSize": "500", "after": "a"}


def test_a_cursor_that_goes_in_a_circle_is_left_and_said(dialect: Dialect) -> None:
    parts = {None: ListPart(wallets(1), next="a"), "a": ListPart(wallets(2), next="b"),
             "b": ListPart(wallets(3), next="a")}  # fmt: skip
    service = Service(lambda query: parts[query.get("after")])
    listing = listing_of(service, dialect, "cursor")
    assert (ids(listing), listing.complete) == (["w1", "w2", "w3"], False)
    assert counted(listing) == "3 of more"
    assert listing.cut == "the service leads back to where it was read already"


def test_a_cursor_that_cannot_be_sent_leaves_the_list_cut_short(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart(wallets(1), unusable="next is an object, not a cursor"))
    listing = listing_of(service, dialect, "cursor")
    assert (ids(listing), listing.complete) == (["w1"], False)
    assert listing.cut == "next is an object, not a cursor"


@pytest.mark.parametrize("style", ["page", "none", "cursor"])
def test_more_that_is_told_of_where_nobody_reads_it_leaves_the_list_cut_short(
    dialect: Dialect, style: Style
) -> None:
    service = Service(lambda _: ListPart(wallets(1, 2), total=2, unread="more seems to follow"))
    listing = listing_of(service, dialect, style)
    assert (listing.complete, listing.cut) == (False, "more seems to follow")


def test_pages_that_also_lead_on_by_a_link_are_read_by_their_numbers(dialect: Dialect) -> None:
    def answer(query: dict[str, str]) -> ListPart:
        number = int(query["page"])
        items = wallets(number) if number <= 3 else []
        return ListPart(items, total=1, unread="more" if number < 3 else "")

    listing = listing_of(Service(answer), dialect)
    assert (ids(listing), listing.complete) == (["w1", "w2", "w3"], True)


@pytest.mark.parametrize(("count", "complete"), [(2, True), (3, False)])
def test_a_count_that_nobody_maps_is_held_against_what_was_read(
    dialect: Dialect, count: int, complete: bool
) -> None:
    service = Service(lambda _: ListPart(wallets(1, 2), counted=("meta.count", count)))
    listing = listing_of(service, dialect, "none")
    assert listing.complete is complete
    assert ("meta.count" in listing.cut) is not complete


def test_a_list_without_paging_is_read_in_one_go(dialect: Dialect) -> None:
    service = Service(lambda _: ListPart(wallets(1, 2)))
    assert ids(listing_of(service, dialect, "none")) == ["w1", "w2"]
    assert service.asked == [{}]


def test_a_list_without_paging_that_tells_of_more_is_not_complete(dialect: Dialect) -> None:
    listing = listing_of(Service(lambda _: ListPart(wallets(1, 2), total=5)), dialect, "none")
    assert (counted(listing), listing.complete) == ("2 of 5", False)


def test_a_list_that_never_ends_is_cut_and_says_so(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MOST_REQUESTS", 20)
    service = Service(lambda query: ListPart(wallets(int(query["page"])), total=10**9))
    listing = listing_of(service, dialect)
    assert (len(service.asked), len(listing.records), listing.complete) == (20, 20, False)


def test_a_parameter_that_the_service_does_not_have_is_not_sent(dialect: Dialect) -> None:
    sizeless = replace(dialect, paging=replace(dialect.paging, size=""))
    service = Service(paged(wallets(1), 2, total=True))
    pages_of(service, sizeless)
    assert service.asked == [{"page": "1"}]


def test_the_total_beside_an_empty_page_makes_no_short_list_whole(dialect: Dialect) -> None:
    pages = {"1": ListPart(wallets(1, 2), total=5), "2": ListPart([], total=0)}
    listing = listing_of(Service(lambda query: pages[query["page"]]), dialect)
    assert (counted(listing), listing.complete) == ("2 of 5", False)


def test_other_signs_mean_nothing_where_a_cursor_led_to_the_end(dialect: Dialect) -> None:
    """The service repeats the cursor that it was asked with."""
    parts = {None: ListPart(wallets(1), next="a"), "a": ListPart(wallets(2), unread="more")}
    listing = listing_of(Service(lambda query: parts[query.get("after")]), dialect, "cursor")
    assert (ids(listing), listing.complete) == (["w1", "w2"], True)


def test_other_signs_mean_nothing_beside_the_empty_page_that_ends_a_list(dialect: Dialect) -> None:
    pages = {"1": ListPart(wallets(1), unread="more"), "2": ListPart([], unread="more")}
    listing = listing_of(Service(lambda query: pages[query["page"]]), dialect)
    assert (ids(listing), listing.complete) == (["w1"], True)


def test_a_page_that_nothing_followed_is_not_followed_again_while_it_is_as_long(
    dialect: Dialect,
) -> None:
    """Its total, 37, may count the page: after the first time that is known."""
    kept = ListCache()

    def read(count: int) -> list[str]:
        service = Service(paged(wallets(*range(count)), 500, total=True))

        async def whole() -> None:
            reader = Readers(dialect).of(Wallet)
            async for _ in read_pages(service.fetch, reader, dialect.paging, service.clock, kept):
                pass

        kept.begin(trusted=True)
        asyncio.run(whole())
        return [query["page"] for query in service.asked]

    assert [read(37), read(37), read(38), read(38)] == [["1", "2"], ["1"], ["1", "2"], ["1"]]
    assert [read(9), read(9)] == [["1"], ["1"]]
