"""The base of the client: sends an operation and reads the response."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from dataclasses import replace
from typing import TypeVar
from uuid import UUID

from paytui.api.answer import Answer
from paytui.api.caller import Caller, Operation, operation_of
from paytui.api.creation import creation
from paytui.api.dialect import Dialect
from paytui.api.envelope import Slice
from paytui.api.errors import ApiError
from paytui.api.failures import unreadable
from paytui.api.filtering import only_asked_for
from paytui.api.habits import Habits
from paytui.api.kept import Leaf
from paytui.api.listing import Listing, Page, gather
from paytui.api.memory import Memory
from paytui.api.paging import read_pages
from paytui.api.wire import Wire
from paytui.api.zeroth import ZerothPages
from paytui.domain.exact_json import CannotReadError
from paytui.domain.models import IdempotencyKey, RateSheet
from paytui.domain.money import Pair
from paytui.platform.clock import Clock

T = TypeVar("T")


class Exchanges:
    """Asks for lists, for single objects and for new ones, each by the operation's name.

    Args:
        caller: makes the calls.
        wire: reads and writes objects.
        dialect: how the service spells things.
        clock: dates pages.
        rng: for keys.
    """

    def __init__(
        self, caller: Caller, wire: Wire, dialect: Dialect, clock: Clock, rng: random.Random
    ) -> None:
        self._caller = caller
        self._wire = wire
        self._dialect = dialect
        self._clock = clock
        self._rng = rng
        self._habits = Habits()
        self._zeroth = ZerothPages(dialect.paging, clock)

    async def _list(
        self, name: str, cls: type[T], memory: Memory | None = None, /, **given: str | None
    ) -> Listing[T]:
        pages = self._pages(name, cls, given, memory or Memory())
        listing = gather([page async for page in pages])
        return only_asked_for(listing, given)

    def _pages(
        self, name: str, cls: type[T], given: Mapping[str, str | None], memory: Memory
    ) -> AsyncGenerator[Page[T], None]:
        operation = operation_of(self._dialect, name, given)

        async def fetch(paging: dict[str, str]) -> Slice | Leaf:
            etag = memory.etag(paging)
            answer = await self._caller.call(replace(operation, paging=paging, etag=etag))
            memory.note_age(answer)
            if (leaf := memory.same(paging, answer)) is not None:
                return leaf
            try:
                return await self._wire.listed_in_turns(answer)
            except CannotReadError as error:
                raise self._unreadable(answer, operation, error) from None

        reader = self._wire.reader(cls)
        paging = self._dialect.paging.of(name)
        pages = read_pages(
            fetch,
            reader,
            paging,
            self._clock,
            memory,
            habits=self._habits,
            waited=self._caller.waited,
        )
        if memory.since is not None or paging.style == "none":
            return pages
        return self._zeroth.beside(name, pages, fetch, reader)

    async def _get(
        self, name: str, cls: type[T], memory: Memory | None = None, /, **identifiers: str
    ) -> T:
        operation = Operation(name, identifiers=identifiers)
        answer = await self._caller.call(operation)
        if memory is not None:
            memory.note_age(answer)
        return self._object(answer, operation, cls)

    async def _sheet(self, operation: Operation, asked: Collection[Pair] | None) -> RateSheet:
        answer = await self._caller.call(operation)
        return self._read(
            answer,
            operation,
            lambda: self._wire.rate_sheet(answer.body, answer.sent - answer.age, asked),
        )

    async def _create(self, name: str, cls: type[T], request: object, key: IdempotencyKey) -> T:
        operation = replace(creation(name, request, key, self._wire), urgent=True)
        return self._object(await self._caller.call(operation), operation, cls)

    def _fresh_key(self) -> IdempotencyKey:
        return IdempotencyKey(str(UUID(int=self._rng.getrandbits(128), version=4)))

    def _object(self, answer: Answer, operation: Operation, cls: type[T]) -> T:
        return self._read(answer, operation, lambda: self._wire.one(answer.body, cls))

    def _read(self, answer: Answer, operation: Operation, read: Callable[[], T]) -> T:
        try:
            return read()
        except CannotReadError as error:
            raise self._unreadable(answer, operation, error) from None

    def _unreadable(self, answer: Answer, operation: Operation, why: CannotReadError) -> ApiError:
        return unreadable(answer, operation.attempted, str(why), self._dialect)
