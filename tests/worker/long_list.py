"""Assertions on a long list of payments."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from paytui.domain.models import Kind, PaymentId, Problem
from tests.support.big_book import BigBook, name, written
from tests.support.clock import ManualClock
from tests.support.documented import documented
from tests.worker.desk import PAYMENTS_ALONE, Desk

LOST = Problem(
    "read payments",
    "no longer listed though open, and not read by identifier: 1",
    remedy="paytui retries automatically.",
)
"""The error for an open row that cannot be found."""


def without_changes(book: BigBook, clock: ManualClock) -> Desk:
    """A desk that does not ask what changed."""
    dialect = replace(documented(), tell_changes=frozenset())
    return Desk(book, clock, dialect=dialect, intervals=PAYMENTS_ALONE)


def status(desk: Desk, number: int) -> str:
    row = desk.store.payments.get(PaymentId(name(number)))
    return row.status.name if row and row.status else ""


def open_for(book: BigBook, number: int, *, minutes: float, state: str = "processing") -> None:
    """A payment that has been in a state for so long."""
    since = written(book.now() - timedelta(minutes=minutes))
    book.row(number).update(status=state, updatedAt=since)


def age(desk: Desk, kind: Kind = Kind.PAYMENTS) -> float:
    """Seconds by which what is shown of a kind may be old."""
    return desk.clock.boot() - (desk.store.feed(kind).read_at or 0.0)


async def settle(desk: Desk, book: BigBook) -> None:
    """All was read once."""
    await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
    book.asked.clear()


def pages(book: BigBook) -> Counter[str]:
    """Return the number of requests of each page."""
    return Counter(one.query["page"] for one in book.asked if "page" in one.query)


async def most_at_once(desk: Desk, book: BigBook, seconds: float) -> int:
    """The most things that were asked for within one second, for so long."""
    asked: Counter[int] = Counter()
    book.before = lambda: asked.update([round(desk.clock.boot())])
    await desk.wait(seconds)
    return max(asked.values())


def by_id(book: BigBook) -> Counter[str]:
    """Return the number of single reads of each payment."""
    named = "paymentTransactionId"
    return Counter(one.query[named] for one in book.asked if named in one.query)
