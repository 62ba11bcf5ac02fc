"""Rows count as gone only on proof; rows that moved during a read stay."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from paytui.api.paging import Page
from paytui.domain.models import Kind, PayIn, PayInId, Payment, PaymentId, Record
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.sync.freshness import Part
from paytui.worker.sync.ingest import ListIngest
from tests.support.clock import ManualClock


class Table:
    """A table after repeated reads of its list."""

    def __init__(self, clock: ManualClock) -> None:
        self._store = Store()
        self._ingest = ListIngest(Kind.PAYMENTS, self._store, ServiceTime(clock))
        self.part = Part()

    def read(self, *answers: str, complete: bool = True, remark: str = "") -> set[str]:
        """Take a list in: an answer is one letter a payment. Returns what the table then holds."""
        asyncio.run(self._ingest.take(self.part, _pages(answers, complete, remark)))
        return set(self._store.payments.keys())


async def _pages(
    answers: tuple[str, ...], complete: bool, remark: str
) -> AsyncGenerator[Page[Record], None]:
    for number, answer in enumerate(answers, start=1):
        rows = tuple(Payment(PaymentId(letter)) for letter in answer)
        last = number == len(answers)
        yield Page(rows, last=last, complete=complete or not last, remark=remark if last else "")


@pytest.fixture
def table(clock: ManualClock) -> Table:
    return Table(clock)


def test_what_one_answer_no_longer_holds_is_gone(table: Table) -> None:
    assert table.read("abcd") == set("abcd")
    assert table.read("abd") == set("abd")
    assert not table.part.missed


def test_what_slips_onto_a_page_that_was_read_is_still_there(table: Table) -> None:
    """a goes while page 2 is asked for, so that c is on page 1; e is new."""
    assert table.read("ab", "cd") == set("abcd")
    assert table.read("ab", "de") == set("abcde")
    assert table.read("bc", "de") == set("abcde")
    assert table.read("bc", "de") == set("bcde")


def test_what_two_readings_in_a_row_do_not_hold_is_gone(table: Table) -> None:
    table.read("ab", "cd")
    assert table.read("ab", "d") == set("abcd")
    assert table.part.missed == {"c"}
    assert table.read("ab", "d") == set("abd")
    assert not table.part.missed


def test_what_two_readings_that_may_be_all_do_not_hold_is_gone(table: Table) -> None:
    table.read("abc", remark="may be all")
    assert table.read("ab", remark="may be all") == set("abc")
    assert table.read("ab", remark="may be all") == set("ab")


def test_a_reading_that_was_cut_short_is_no_second_look(table: Table) -> None:
    table.read("ab", "cd")
    table.read("ab", "d")
    assert table.read("ab", complete=False) == set("abcd")
    assert table.read("ab", "d") == set("abd")


def test_an_empty_answer_that_ends_a_list_makes_no_second_of_it(table: Table) -> None:
    assert table.read("abc", "") == set("abc")
    assert table.read("ac", "") == set("ac")


def test_of_a_deposit_that_is_gone_it_is_forgotten_in_which_wallet_it_was(
    clock: ManualClock,
) -> None:
    """The service does not repeat the wallet; under two at once it would be known to be in none."""
    store = Store()
    ingest = ListIngest(Kind.PAYINS, store, ServiceTime(clock))
    first, second = Part("w1"), Part("w2")
    for part, deposits in ((first, "a"), (first, ""), (second, "a")):
        rows = tuple(PayIn(PayInId(letter)) for letter in deposits)
        asyncio.run(ingest.take(part, _page(Page(rows))))
    [deposit] = store.payins.rows()
    assert deposit.wallet_id == "w2"


async def _page(page: Page[Record]) -> AsyncGenerator[Page[Record], None]:
    yield page


def test_a_list_that_lacks_many_at_once_is_read_again_before_it_is_believed(table: Table) -> None:
    """Of ten, none: the service answers with nothing and a total of 0."""
    table.read("abcdefghij")
    assert table.read("") == set("abcdefghij")
    assert table.part.loss == "10 gone at once: read again"
    assert table.part.missed == set("abcdefghij")
    assert table.read("") == set()
    assert table.part.loss == "10 gone at once at 12:00 UTC, by two reads"


def test_a_list_that_lacked_many_once_has_lost_nothing(table: Table) -> None:
    table.read("abcdefghij")
    table.read("")
    assert table.read("abcdefghij") == set("abcdefghij")
    assert not table.part.loss
    assert not table.part.missed


def test_a_loss_is_told_for_an_hour(table: Table, clock: ManualClock) -> None:
    table.read("abcdefghij")
    table.read("a")
    table.read("a")
    clock.advance(3_500)
    table.read("ab")
    assert table.part.loss == "9 gone at once at 12:00 UTC, by two reads"
    clock.advance(200)
    table.read("ab")
    assert not table.part.loss
