"""Reading the payments of a service, once or repeatedly as a dashboard does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from paytui.api.dialect import Dialect
from paytui.api.paging import ListCache, Page
from paytui.domain.models import Kind, Record
from tests.support.answering import Answering
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.typed_client import TypedClient

T = TypeVar("T")


def gather(pages: Iterable[Page[T]]) -> Page[T]:
    """Join the pages of a list into one, in their order."""
    read = tuple(pages)
    return replace(
        read[-1],
        records=tuple(record for page in read for record in page.records),
        complete=all(page.complete for page in read),
        skipped=sum(page.skipped for page in read),
        reason=next((page.reason for page in read if page.reason), ""),
    )


def counted(listing: Page[T]) -> str:
    """Return the count of a list, or `N of M` if it is incomplete."""
    if listing.complete:
        return str(len(listing.records))
    return f"{len(listing.records)} of {'more' if listing.total is None else listing.total}"


def listed(app: Answering, dialect: Dialect) -> Page[Record]:
    """All payments, by a client that knows nothing of the service."""

    async def read() -> Page[Record]:
        client = client_of(app, ManualClock(), dialect)
        try:
            return gather([page async for page in client.pages(Kind.PAYMENTS)])
        finally:
            await client.aclose()

    return asyncio.run(read())


@dataclass(frozen=True, slots=True)
class Poll:
    """One of several reads of a list.

    Attributes:
        count: how many payments it held, be they new or as they were.
        asked: how many requests it took.
    """

    listing: Page[Record]
    count: int
    asked: int


def polled(app: Answering, dialect: Dialect, times: int) -> list[Poll]:
    """All payments, several times by one client that remembers what came."""

    async def read() -> list[Poll]:
        client, memory = client_of(app, ManualClock(), dialect), ListCache()
        try:
            return [await _poll(app, client, memory) for _ in range(times)]
        finally:
            await client.aclose()

    return asyncio.run(read())


async def _poll(app: Answering, client: TypedClient, memory: ListCache) -> Poll:
    before = len(app.asked)
    memory.begin(trusted=True)
    pages = [page async for page in client.pages(Kind.PAYMENTS, None, memory)]
    memory.end()
    count = sum(len(page.records) + len(page.known) for page in pages)
    return Poll(gather(pages), count, len(app.asked) - before)
