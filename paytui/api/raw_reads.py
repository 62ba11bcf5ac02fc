"""Responses that are not decoded: one object for a person, and samples of lists."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from paytui.api.dialect import Dialect
from paytui.api.errors import NotFound, NotOffered
from paytui.api.http.response import LONGEST, Answer, decoding, not_in_part
from paytui.api.paging import first_query, read_pages
from paytui.api.resources import READS, Operation
from paytui.api.wire import envelope
from paytui.api.wire.codec import Wire, operation_of
from paytui.api.wire.decode import BadRecord, Reader
from paytui.api.wire.envelope import ListPart
from paytui.domain.exact_json import Digits, Json, parse_verbatim
from paytui.domain.models import Kind, Problem, RawObject, Record
from paytui.platform.clock import Clock
from paytui.platform.text import clean


@dataclass(frozen=True, slots=True)
class RawReader:
    """A reader of responses that does not decode them. `call` executes an operation."""

    call: Callable[[Operation], Awaitable[Answer]]
    wire: Wire
    dialect: Dialect
    clock: Clock

    async def read(self, kind: Kind, identifier: str, parent: str | None = None) -> RawObject:
        """Return the whole response to a read of one object, or else its record in a list."""
        read = READS[kind]
        if not read.get:
            return await self._listed(kind, identifier, parent)
        operation = operation_of(self.dialect, read.get, {read.identifier: identifier})
        try:
            answer = await self.call(operation)
        except NotOffered:
            if read.parent is not None and parent is None:
                raise
            return await self._listed(kind, identifier, parent)
        with decoding(answer, operation.attempted, self.dialect):
            return _shown(parse_verbatim(answer.body), answer, operation)

    async def _listed(self, kind: Kind, identifier: str, parent: str | None) -> RawObject:
        read = READS[kind]
        given = {read.parameter: parent} if read.parameter else {}
        given = {read.identifier: identifier} if read.is_filtered else given
        operation = operation_of(self.dialect, read.operation, given)
        reader: Reader[Record] = self.wire.readers.of(read.record)
        found: list[RawObject] = []

        async def fetch(paging: dict[str, str]) -> ListPart:
            answer = await self.call(replace(operation, paging=paging))
            with decoding(answer, operation.attempted, self.dialect):
                part = self.wire.listed(answer)
            if (place := _place(part.items, reader, identifier)) is not None:
                whole = envelope.many(parse_verbatim(answer.body), self.dialect)
                found.append(_shown(whole.items[place], answer, operation))
            return part

        complete, cut = True, ""
        paging = self.dialect.paging.of(read.operation)
        async for page in read_pages(fetch, reader, paging, self.clock):
            if found:
                return found[0]
            complete, cut = page.is_sure, page.cut or page.remark
        if not complete:
            raise not_in_part(operation.attempted, cut)
        words = f"{identifier} is not in the service's answer"
        remedy = "It may be gone, or the service may list it elsewhere."
        raise NotFound(Problem(operation.attempted, words, remedy=remedy))

    async def listed(
        self,
        kind: Kind,
        parent: str | None = None,
        asked: Mapping[str, str] | None = None,
        since: str | None = None,
    ) -> ListPart:
        """Return one response of a kind's list.

        `asked` is the paging, by default the first page's; `since` limits it to changes.
        """
        read = READS[kind]
        given = {read.parameter: parent} if parent is not None else {}
        if since is not None:
            given["updated_since"] = since
        operation = operation_of(self.dialect, read.operation, given)
        paging = first_query(self.dialect.paging.of(read.operation)) if asked is None else asked
        return await self._part(replace(operation, paging=paging))

    async def fetched(self, kind: Kind, identifier: str) -> ListPart:
        """Return the record of one object of a kind of `resources.TRACKED`."""
        read = READS[kind]
        # A payment is fetched through the list (service.md §4), unless the dialect names a path.
        is_listed = read.is_filtered and not self.dialect.paths[read.get]
        name = read.operation if is_listed else read.get
        operation = operation_of(self.dialect, name, {read.identifier: identifier})
        return await (self._part(operation) if is_listed else self.single(operation))

    async def single(self, operation: Operation) -> ListPart:
        """Return the one record in the response to an operation."""
        answer = await self.call(operation)
        with decoding(answer, operation.attempted, self.dialect):
            return ListPart([self.wire.raw(answer.body)])

    async def _part(self, operation: Operation) -> ListPart:
        answer = await self.call(operation)
        with decoding(answer, operation.attempted, self.dialect):
            return self.wire.listed(answer)


def _place(items: list[Json], reader: Reader[Record], identifier: str) -> int | None:
    """Return the index of an object in a list."""
    for place, one in enumerate(reader.read_each(items)):
        if not isinstance(one, BadRecord) and reader.identity(one) == identifier:
            return place
    return None


def _shown(value: Json, answer: Answer, operation: Operation) -> RawObject:
    """Return the lines to show; they are cut before they are cleaned, to bound the work."""
    lines, cut = pretty(value, LONGEST)
    veiled = answer.redact("\n".join(lines)).split("\n")
    cleaned = tuple(clean(line, LONGEST) for line in veiled)
    return RawObject(cleaned, cut, len(answer.body), operation.attempted)


DEEPEST = 60  # Nested levels that are shown; deeper ones become `…`


def pretty(value: Json, limit: int) -> tuple[list[str], bool]:
    """Return the indented lines of a value, and True if some of it was cut off.

    `value` is from `parse_verbatim`; `limit` counts characters, line breaks included.
    """
    shown: list[str] = []
    too_deep = False
    for line in _lines(value):
        too_deep = too_deep or line.endswith(_TOO_DEEP)
        if len(line) > limit:
            return [*shown, line[:limit]], True
        shown.append(line)
        limit -= len(line) + 1
    return shown, too_deep


def _lines(value: Json, name: str = "", depth: int = 0, comma: str = "") -> Iterator[str]:
    indent = "  " * depth
    if not (isinstance(value, dict | list) and value):
        yield f"{indent}{name}{_scalar(value)}{comma}"
        return
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    if depth == DEEPEST:
        yield f"{indent}{name}{opened}{_TOO_DEEP}"
        return
    yield f"{indent}{name}{opened}"
    last = len(value) - 1
    for position, (inner, item) in enumerate(_items(value)):
        yield from _lines(item, inner, depth + 1, "," if position < last else "")
    yield f"{indent}{closed}{comma}"


def _items(value: dict[str, Json] | list[Json]) -> Iterator[tuple[str, Json]]:
    if isinstance(value, list):
        yield from (("", item) for item in value)
    else:
        yield from ((f"{_scalar(key)}: ", item) for key, item in value.items())


def _scalar(value: Json) -> str:
    return value if isinstance(value, Digits) else json.dumps(value, ensure_ascii=False)


_TOO_DEEP = "…"
