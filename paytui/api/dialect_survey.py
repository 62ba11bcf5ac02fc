"""A survey of a dialect's coverage of a service's responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from paytui.api.dialect import Dialect, JsonPath
from paytui.api.error_mapping import unreadable
from paytui.api.http.executor import Executor, Operation, operation_of
from paytui.api.http.response import Answer
from paytui.api.pages import first_query
from paytui.api.resources import READS
from paytui.api.sending import create_operation
from paytui.api.wire.codec import ListPart, Wire
from paytui.api.wire.decode import Column, Readers, find, section_of
from paytui.domain.exact_json import CannotReadError, Json
from paytui.domain.models import IdempotencyKey, Kind, State
from paytui.domain.requests import RateSheetRequest
from paytui.platform.text import clean


@dataclass(slots=True)
class Section:
    """The coverage of one object of the dialect, for example `wallet`.

    Attributes:
        found: path of each canonical field that was found.
        absent: canonical fields that no record had, and the paths that were tried.
        unreadable: canonical fields with a value of the wrong type, and its path.
        unread: paths on the wire that the dialect does not map.
        states: words for states that the dialect does not list.
        useless: nested objects without a required field.
    """

    found: dict[str, JsonPath] = field(default_factory=dict)
    absent: dict[str, tuple[JsonPath, ...]] = field(default_factory=dict)
    unreadable: dict[str, JsonPath] = field(default_factory=dict)
    unread: set[JsonPath] = field(default_factory=set)
    states: set[str] = field(default_factory=set)
    useless: int = 0


class Survey:
    """The coverage of a dialect, collected from records on the wire.

    Attributes:
        sections: coverage by section of the dialect's `[fields]`.
        useless: records without a required field, or that are not objects.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._readers = Readers(dialect)
        self.sections: dict[str, Section] = {}
        self.useless = 0

    def look_at(self, cls: type, records: Iterable[Json]) -> None:
        """Survey records of a class of `domain/models.py`."""
        for record in records:
            self.useless += not self._is_usable(cls, record)
            if isinstance(record, dict):
                self._object(cls, record)

    def _is_usable(self, cls: type, record: Json) -> bool:
        """Return True if a record has its required fields; nested objects are judged apart."""
        needed = [column for column in self._readers.columns(cls) if column.required]
        if not needed:
            return True
        has_all = all(column.inner or _read(column, record) for column in needed)
        return isinstance(record, dict) and has_all

    def _object(self, cls: type, raw: Json, *, part: bool = False) -> set[JsonPath]:
        """Return the mapped paths from this object inwards, and note the unmapped ones.

        A `part` is read from within another object, whose own columns map the rest.
        """
        section = self.sections.setdefault(section_of(cls), Section())
        read: set[JsonPath] = set()
        for column in self._readers.columns(cls):
            path = next((path for path in column.paths if find(raw, [path]) is not None), None)
            if path is None:
                if column.name not in section.found:
                    section.absent[column.name] = column.paths
                continue
            section.absent.pop(column.name, None)
            section.found[column.name] = path
            read |= self._value(column, path, raw, section)
        if isinstance(raw, dict) and not part:
            section.unread |= {leaf for leaf in _leaves(raw) if not _is_under(leaf, read)}
        return read

    def _value(self, column: Column, path: JsonPath, raw: Json, section: Section) -> set[JsonPath]:
        value = find(raw, [path])
        if column.inner is not None:
            within: set[JsonPath] = set()
            for each in value if isinstance(value, list) else [value]:
                within |= self._object(column.inner, each, part=not path)
                inner = self.sections[section_of(column.inner)]
                inner.useless += not self._is_usable(column.inner, each)
            return {path} if path else within
        read = column.convert(value)
        if read is None:
            section.unreadable[column.name] = path
        elif isinstance(read, State) and not read.known:
            section.states.add(read.name)
        return {path}


def _read(column: Column, record: Json) -> object:
    value = find(record, column.paths)
    return None if value is None else column.convert(value)


def _leaves(raw: dict[str, Json], at: JsonPath = ()) -> Iterator[JsonPath]:
    """Yield the paths of all values that are neither objects nor empty."""
    for name, value in raw.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*at, clean(name)))
        elif value not in (None, "", []):
            yield (*at, clean(name))


def _is_under(leaf: JsonPath, read: set[JsonPath]) -> bool:
    return any(leaf[:length] in read for length in range(1, len(leaf) + 1))


class Sampler:
    """A reader of single responses, not decoded. Every method raises `ApiError`.

    Args:
        fresh_key: returns a new idempotency key for a rate sheet.
    """

    def __init__(
        self,
        executor: Executor,
        wire: Wire,
        dialect: Dialect,
        fresh_key: Callable[[], IdempotencyKey],
    ) -> None:
        self._executor = executor
        self._wire = wire
        self._dialect = dialect
        self._fresh_key = fresh_key

    async def listed(
        self,
        kind: Kind,
        parent: str | None = None,
        asked: Mapping[str, str] | None = None,
        since: str | None = None,
    ) -> ListPart:
        """Return one response of a kind's list, by default the first.

        Args:
            kind: the kind.
            parent: the identifier of the parent, for kinds that have one.
            asked: the paging parameters, instead of the first page's.
            since: list only changes since this time.
        """
        read = READS[kind]
        given = {read.parameter: parent} if parent is not None else {}
        if since is not None:
            given["updated_since"] = since
        operation = operation_of(self._dialect, read.operation, given)
        paging = first_query(self._dialect.paging.of(read.operation)) if asked is None else asked
        answer = await self._executor.call(replace(operation, paging=paging))
        return self._read(answer, operation, lambda: self._wire.listed(answer))

    async def fetched(self, kind: Kind, identifier: str) -> ListPart:
        """Return the record of one object of a kind of `resources.TRACKED`."""
        read = READS[kind]
        # A payment is fetched through the list (service.md §4), unless the dialect names a path.
        is_listed = read.is_filtered and not self._dialect.paths[read.get]
        name = read.operation if is_listed else read.get
        operation = operation_of(self._dialect, name, {read.identifier: identifier})
        answer = await self._executor.call(operation)
        if not is_listed:
            return self._one(answer, operation)
        return self._read(answer, operation, lambda: self._wire.listed(answer))

    async def locked(self, request: RateSheetRequest) -> ListPart:
        """Request a new rate sheet, which is harmless: sheets cannot be listed (service.md)."""
        operation = create_operation("create_rate_sheet", request, self._fresh_key(), self._wire)
        return self._one(await self._executor.call(operation), operation)

    def _one(self, answer: Answer, operation: Operation) -> ListPart:
        return self._read(answer, operation, lambda: ListPart([self._wire.raw(answer.body)]))

    def _read(self, answer: Answer, operation: Operation, read: Callable[[], ListPart]) -> ListPart:
        try:
            return read()
        except CannotReadError as error:
            raise unreadable(answer, operation.attempted, str(error), self._dialect) from None
