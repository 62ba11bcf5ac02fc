"""One object as the service sends it, for a person to read: unknown fields and every digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from paytui.api.dialect import Dialect
from paytui.api.error_mapping import not_in_part, unreadable
from paytui.api.errors import NotFound, NotOffered
from paytui.api.http.executor import Executor, Operation, operation_of
from paytui.api.http.response import Answer
from paytui.api.pages import read_pages
from paytui.api.redaction import LONGEST
from paytui.api.resources import READS, KindRead
from paytui.api.wire import codec
from paytui.api.wire.codec import ListPart, Wire
from paytui.api.wire.decode import BadRecord, Reader
from paytui.api.wire.json import pretty
from paytui.domain.exact_json import CannotReadError, Json, parse_verbatim
from paytui.domain.models import Kind, Problem, RawObject, Record
from paytui.platform.clock import Clock
from paytui.platform.text import clean

T = TypeVar("T")


class RawReader:
    """A reader of single objects that does not decode them."""

    def __init__(self, executor: Executor, wire: Wire, dialect: Dialect, clock: Clock) -> None:
        self._executor = executor
        self._wire = wire
        self._dialect = dialect
        self._clock = clock

    async def read(self, kind: Kind, identifier: str, parent: str | None = None) -> RawObject:
        """Return the whole response to a read of one object, or else its record in a list.

        Args:
            kind: the object's kind.
            identifier: the object's identifier.
            parent: the identifier of its parent, for kinds with `READS[kind].parent`.

        Raises:
            ApiError: it cannot be read.
        """
        read = READS[kind]
        if not read.get:
            return await self._listed(kind, identifier, parent)
        try:
            return await self._fetched(read, identifier)
        except NotOffered:
            if read.parent is not None and parent is None:
                raise
            return await self._listed(kind, identifier, parent)

    async def _fetched(self, read: KindRead, identifier: str) -> RawObject:
        operation = operation_of(self._dialect, read.get, {read.identifier: identifier})
        answer = await self._executor.call(operation)
        body = self._understood(answer, operation, lambda: parse_verbatim(answer.body))
        return _shown(body, answer, operation)

    async def _listed(self, kind: Kind, identifier: str, parent: str | None) -> RawObject:
        read = READS[kind]
        operation = operation_of(self._dialect, read.operation, _given(read, identifier, parent))
        reader: Reader[Record] = self._wire.reader(read.record)
        found: list[RawObject] = []

        async def fetch(paging: dict[str, str]) -> ListPart:
            answer = await self._executor.call(replace(operation, paging=paging))
            part = self._understood(answer, operation, lambda: self._wire.listed(answer))
            if (place := _place(part.items, reader, identifier)) is not None:
                whole = codec.many(parse_verbatim(answer.body), self._dialect)
                found.append(_shown(whole.items[place], answer, operation))
            return part

        complete, cut = True, ""
        paging = self._dialect.paging.of(read.operation)
        async for page in read_pages(fetch, reader, paging, self._clock):
            if found:
                return found[0]
            complete, cut = page.complete and not page.remark, page.cut or page.remark
        if not complete:
            raise not_in_part(operation.attempted, cut)
        words = f"{identifier} is not in the service's answer"
        remedy = "It may be gone, or the service may list it elsewhere."
        raise NotFound(Problem(operation.attempted, words, remedy=remedy))

    def _understood(self, answer: Answer, operation: Operation, read: Callable[[], T]) -> T:
        try:
            return read()
        except CannotReadError as error:
            raise unreadable(answer, operation.attempted, str(error), self._dialect) from None


def _given(read: KindRead, identifier: str, parent: str | None) -> dict[str, str | None]:
    if read.is_filtered:
        return {read.identifier: identifier}
    return {read.parameter: parent} if read.parameter else {}


def _place(items: list[Json], reader: Reader[Record], identifier: str) -> int | None:
    """Return the index of an object in a list."""
    for place, item in enumerate(items):
        try:
            if reader.identity(reader.read(item)) == identifier:
                return place
        except BadRecord:
            continue
    return None


def _shown(value: Json, answer: Answer, operation: Operation) -> RawObject:
    """Return the lines to show; they are cut before they are cleaned, to bound the work."""
    lines, cut = pretty(value, LONGEST)
    veiled = answer.redact("\n".join(lines)).split("\n")
    cleaned = tuple(clean(line, LONGEST) for line in veiled)
    return RawObject(cleaned, cut, len(answer.body), operation.attempted)
