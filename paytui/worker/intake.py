"""How a list that is being read goes into its table: slice by slice, and what is gone goes out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace
from itertools import islice

from paytui.api.kinds import READS
from paytui.api.listing import Page
from paytui.api.models import (
    Kind,
    PayIn,
    PayInAddress,
    PaymentAddress,
    RecipientId,
    Record,
    WalletId,
)
from paytui.store.store import Store
from paytui.store.table import SLICE
from paytui.worker.parts import Part

Pages = AsyncIterator[Page[Record]]


class Intake:
    """Puts the lists of one kind into its table."""

    def __init__(self, kind: Kind, store: Store) -> None:
        self._store = store
        self._parent_field = READS[kind].parameter
        self._table = store.table(kind)
        self._parents: dict[str, str | None] = {}

    async def take(self, part: Part, pages: Pages) -> None:
        """Read a part to its end.

        A row that the part held and that a whole list no longer holds is removed; if the list is
        cut short or has records that cannot be read, nothing is known to be gone. Rows of another
        parent, from a service that ignores which one was asked for, are not the part's.

        Raises:
            ApiError: the read failed on the way; what came until then is in the table.
        """
        if part.parent is None:
            part.held |= self._table.keys()
        seen: set[str] = set()
        read, skipped, total, complete, cut = 0, 0, None, True, ""
        async for page in pages:
            seen |= await self._put(part, page)
            read += len(page.records) + len(page.known)
            skipped += page.skipped
            total, complete, cut = page.total, page.complete, page.cut
        if read > len(seen):
            total = len(seen) if complete else None
        part.total, part.complete, part.cut, part.skipped = total, complete, cut, skipped
        if complete and not skipped:
            await self.remove(part.held - seen)
            part.held = seen
            part.memory.end()

    async def remove(self, keys: Iterable[str]) -> None:
        """Take rows out of the table."""
        left = iter(keys)
        while chunk := list(islice(left, SLICE)):
            self._table.remove(chunk)
            await self._let_others_run()

    async def _put(self, part: Part, page: Page[Record]) -> set[str]:
        rows = [self._with_parent(row, part.parent) for row in page.records]
        self._table.put(rows)
        keys = {self._table.key(row) for row in rows if self._belongs(row, part)}
        part.held |= keys
        keys |= part.held.intersection(page.known)
        await self._let_others_run()
        return keys

    async def _let_others_run(self) -> None:
        self._store.notify()
        await asyncio.sleep(0)

    def _belongs(self, row: Record, part: Part) -> bool:
        return part.parent is None or getattr(row, self._parent_field) in (None, part.parent)

    def _with_parent(self, row: Record, parent: str | None) -> Record:
        """The row with the parent that was asked for, where the service does not repeat it.

        One that is listed under several parents is known to be in none of them: the service does
        not look at which one was asked for.
        """
        if parent is None or getattr(row, self._parent_field) is not None:
            return row
        key = self._table.key(row)
        if self._parents.setdefault(key, parent) != parent:
            self._parents[key] = None
        return _child_of(row, self._parents[key])


def _child_of(row: Record, parent: str | None) -> Record:
    if parent is None:
        return row
    match row:
        case PayIn() | PayInAddress():
            return replace(row, wallet_id=WalletId(parent))
        case PaymentAddress():
            return replace(row, recipient_id=RecipientId(parent))
        case _:
            return row
