"""A check of the dialect's pagination against the service, at most every five minutes.

A service may number its pages from 0 although its dialect says 1. A service that takes each
parameter for a filter answers with an empty list.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import TypeVar

from paytui.api.dialect import Paging
from paytui.api.errors import ApiError
from paytui.api.paging import CachedPage, Fetch, IdSet, Page, first_query
from paytui.api.wire.decode import BadRecord, Reader
from paytui.platform.clock import Clock

T = TypeVar("T")

AGAIN = 300.0  # Seconds between two checks of an empty list


class PageZeroCheck:
    """A check of page 0, once a run for each list of a service.

    Lists with a total need no check: missing records show in their count. An empty list is also
    requested without paging.
    """

    def __init__(self, paging: Paging, clock: Clock) -> None:
        self._paging = paging
        self._clock = clock
        self._found: dict[str, bool] = {}
        self._asked: dict[str, float] = {}
        self._bare: dict[str, bool] = {}
        self._bare_asked: dict[str, float] = {}

    async def with_check(
        self, operation: str, pages: AsyncGenerator[Page[T], None], fetch: Fetch, reader: Reader[T]
    ) -> AsyncGenerator[Page[T], None]:
        """Yield the pages of a list. Mark the last as cut if page 0 has other records.

        Likewise if the list is empty, but not without paging.
        """
        seen = IdSet()
        is_empty, is_told = True, False
        async with aclosing(pages):
            async for page in pages:
                is_empty &= not (page.records or page.known or page.skipped)
                is_untold = page.last and page.complete and page.total is None
                is_told |= page.total is not None
                if not is_told and self._is_to_be_asked(operation):
                    seen.add((*map(reader.identity, page.records), *page.known))
                    if is_untold:
                        await self._ask(operation, seen, fetch, reader)
                if is_untold and is_empty and not self._found.get(operation):
                    await self._ask_bare(operation, fetch)
                    yield self._judged_bare(operation, page)
                else:
                    yield self._judged(operation, page)

    def _is_to_be_asked(self, operation: str) -> bool:
        if self._paging.style != "page" or self._paging.first != 1 or not self._paging.page:
            return False
        asked = self._asked.get(operation)
        waited = asked is None or self._clock.boot() - asked >= AGAIN
        return operation not in self._found and waited

    async def _ask(self, operation: str, seen: IdSet, fetch: Fetch, reader: Reader[T]) -> None:
        self._asked[operation] = self._clock.boot()
        try:
            part = await fetch(first_query(replace(self._paging, first=0)))
        except ApiError:
            self._found[operation] = False
            return
        read = [] if isinstance(part, CachedPage) else reader.read_each(part.items)
        held = [reader.identity(one) for one in read if not isinstance(one, BadRecord)]
        # If page 0 is another name of page 1, its few new records were created since.
        if seen or held:
            self._found[operation] = 2 * sum(seen.add(held)) > len(held)

    async def _ask_bare(self, operation: str, fetch: Fetch) -> None:
        asked, now = self._bare_asked.get(operation), self._clock.boot()
        if not first_query(self._paging) or (asked is not None and now - asked < AGAIN):
            return
        self._bare_asked[operation] = now
        try:
            part = await fetch({})
        except ApiError:
            return
        self._bare[operation] = bool(part.ids if isinstance(part, CachedPage) else part.items)

    def _judged_bare(self, operation: str, page: Page[T]) -> Page[T]:
        if not self._bare.get(operation):
            return page
        named = "&".join(f"{name}={value}" for name, value in first_query(self._paging).items())
        cut = f"with {named} the list is empty, without it it is not; see [paging]"
        return replace(page, complete=False, cut=cut, remark="")

    def _judged(self, operation: str, page: Page[T]) -> Page[T]:
        if not page.last or page.cut or not self._found.get(operation):
            return page
        name = self._paging.page
        cut = f"{name}=0 brings records that {name}=1 does not; set [paging] first = 0"
        return replace(page, complete=False, cut=cut, remark="")
