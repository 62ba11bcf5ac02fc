"""Where in an answer the records are, if it is wrapped in what the dialect does not name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from paytui.api.dialect import Dialect, JsonPath
from paytui.api.wire import codec
from paytui.api.wire.codec import Slice
from paytui.api.wire.decode import Readers, find
from paytui.api.wire.paging_hints import letters
from paytui.cli.dialect_report import by_name, enveloped
from paytui.domain.exact_json import Json
from paytui.domain.models import RateSheet

DEEPEST = 3
"""Names of a path to the records."""

_OF_AN_IDENTIFIER = ("id", "ref", "no", "number", "uuid", "key")
"""Ends of names that single objects have, and envelopes have not."""


class Unwrapping:
    """Tells an envelope from a record of a class whose fields the dialect may not know either."""

    def __init__(self, cls: type, dialect: Dialect) -> None:
        self._dialect = dialect
        self._listed = cls is not RateSheet
        columns = Readers(dialect).columns(cls)
        self._columns = [column for column in columns if () not in column.paths]
        self._own = {path for column in columns if column.inner for path in column.paths}

    def opened(self, part: Slice) -> tuple[Slice, list[str]]:
        """The records of an answer, and the lines of a dialect that find them, if none does."""
        body = part.items[0] if len(part.items) == 1 else None
        if (path := self._map(body)) is not None:
            return part, list(by_name(path))
        if (path := self._path(body)) is None:
            return part, []
        inner = find(body, (path,))
        lines = list(enveloped(path, many=isinstance(inner, list)))
        if isinstance(inner, list):
            return codec.many(body, replace(self._dialect, many=(path,))), lines
        return Slice([inner]), lines

    def _map(self, body: Json) -> JsonPath | None:
        """Where records stand as members that have their identifiers as names."""
        if not isinstance(body, dict) or not self._listed:
            return None
        maps = (
            path
            for path, value in [((), body), *_inside(body)]
            if isinstance(value, dict)
            and len(value) > 1
            and all(map(self._is_record, value.values()))
        )
        return next(maps, None)

    def _path(self, body: Json) -> JsonPath | None:
        """Where the records are; None where what was taken for a record is one."""
        if not isinstance(body, dict) or self._is_record(body):
            return None
        single = [name for name, value in body.items() if not isinstance(value, dict | list)]
        around = not any(letters(name).endswith(_OF_AN_IDENTIFIER) for name in single)
        known = self._known(body)
        found: list[tuple[float, JsonPath]] = []
        for path, value in _inside(body):
            if isinstance(value, list):
                likeness = self._of_list(value, known if around else None)
            else:
                likeness = self._of_object(value, bare=not single and len(path) == 1)
            if likeness > known and path not in self._own:
                found.append((likeness, path))
        return max(found, key=lambda each: each[0])[1] if found else None

    def _of_list(self, items: list[Json], known: int | None) -> float:
        """How likely a list holds the records; `known` fields stand beside it and no identifier."""
        if not self._listed or not all(isinstance(item, dict) for item in items):
            return 0
        first = self._known(items[0]) if items else 0
        return first if known is None else max(first, known) + 0.5

    def _of_object(self, value: Json, *, bare: bool) -> float:
        """How likely an object is the record; a `bare` one has nothing but objects beside it."""
        return self._known(value) + 0.25 * bare if bare or self._is_record(value) else 0

    def _known(self, value: Json) -> int:
        return sum(find(value, column.paths) is not None for column in self._columns)

    def _is_record(self, value: Json) -> bool:
        return all(
            column.convert(find(value, column.paths)) not in (None, "")
            for column in self._columns
            if column.required
        )


def _inside(body: dict[str, Json], at: JsonPath = ()) -> Iterator[tuple[JsonPath, Json]]:
    for name, value in body.items():
        path = (*at, name)
        if isinstance(value, dict | list):
            yield path, value
        if isinstance(value, dict) and len(path) < DEEPEST:
            yield from _inside(value, path)
