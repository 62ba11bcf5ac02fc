"""Reading a list to its end, in whichever way the service pages it, and never forever."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from paytui.api.dialect import Paging
from paytui.api.envelope import Slice
from paytui.api.jsontext import Json
from paytui.api.listing import Page
from paytui.api.reading import BadRecord, Reader

T = TypeVar("T")

SLICE = 500
"""Records of one page that we hand on: the screen's thread waits for no more than these."""

MOST_RECORDS = 500_000
MOST_REQUESTS = 5_000

Fetch = Callable[[dict[str, str]], Awaitable[Slice]]
"""Asks the service for one part of the list. Raises ApiError."""


async def read_pages(fetch: Fetch, reader: Reader[T], paging: Paging) -> AsyncIterator[Page[T]]:
    """The list, page by page, each record once; the last page says whether that is all of it."""
    walk = _Walk(paging)
    while not walk.ended:
        part = await fetch(walk.query())
        walk.begin(part)
        chunks = [part.items[at : at + SLICE] for at in range(0, len(part.items), SLICE)] or [[]]
        for at, chunk in enumerate(chunks, start=1):
            records, skipped, reason = walk.read(chunk, reader)
            if at == len(chunks):
                walk.finish(part)
            yield Page(records, walk.total, walk.ended, walk.complete, skipped, reason)


def first_query(paging: Paging) -> dict[str, str]:
    """The parameters with which the reading of a list begins."""
    return _Walk(paging).query()


class _Walk:
    """Where the reading of one list stands."""

    def __init__(self, paging: Paging) -> None:
        self._paging = paging
        self._requests = 0
        self._cursor: str | None = None
        self._cursors: set[str | None] = set()
        self._seen: set[str] = set()
        self._skipped = 0
        self._new = 0
        self._readable = 0
        self._items: list[Json] | None = None
        self._repeated = False
        self.total: int | None = None
        self.ended = False
        self.complete = True

    def query(self) -> dict[str, str]:
        """What to ask for next; a parameter that the service does not have is left out."""
        paging = self._paging
        if paging.style == "none":
            return {}
        asked = {paging.size: str(paging.records)}
        if paging.style == "page":
            asked[paging.page] = str(paging.first + self._requests)
        elif self._cursor is not None:
            asked[paging.cursor] = self._cursor
        return {name: value for name, value in asked.items() if name}

    def begin(self, part: Slice) -> None:
        self._requests += 1
        self._new = self._readable = 0
        self._repeated = part.items == self._items
        self._items = part.items
        if part.total is not None and part.total >= 0:
            # What is created while we read shifts the pages on; it need not be in this reading.
            self.total = part.total if self.total is None else min(self.total, part.total)

    def read(self, items: list[Json], reader: Reader[T]) -> tuple[tuple[T, ...], int, str]:
        records: list[T] = []
        skipped, reason = 0, ""
        for item in items:
            try:
                record = reader.read(item)
            except BadRecord as error:
                skipped += 1
                reason = reason or str(error)
                continue
            self._readable += 1
            identity = reader.identity(record)
            if identity not in self._seen:
                self._seen.add(identity)
                records.append(record)
        self._skipped += skipped
        self._new += len(records)
        return tuple(records), skipped, reason

    def finish(self, part: Slice) -> None:
        """Judge by what came whether more follows, and if not, whether that was all."""
        self._repeated |= self._requests > 1 and self._readable > 0 and self._new == 0
        count = len(self._seen) + self._skipped
        last = self._is_last(part, count)
        full = count >= MOST_RECORDS or self._requests >= MOST_REQUESTS
        goes_on = full if not last else self._paging.style == "cursor" and part.next is not None
        short = last and self.total is not None and count < self.total
        self.ended = last or full
        self.complete = not goes_on and not short
        self._cursor = part.next
        self._cursors.add(part.next)

    def _is_last(self, part: Slice, count: int) -> bool:
        match self._paging.style:
            case "none":
                return True
            case "cursor":
                return part.next is None or part.next in self._cursors or self._repeated
            case "page":
                told = self.total is not None and count >= self.total
                return told or not part.items or self._repeated
