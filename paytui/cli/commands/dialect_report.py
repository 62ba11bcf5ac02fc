"""The report of a survey of records, for an integrator with the service's manual at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.dialect_survey import Section, Survey
from paytui.api.pages import is_full
from paytui.api.wire import codec
from paytui.api.wire.codec import ListPart
from paytui.api.wire.decode import BadRecord, Reader, Readers, find, section_of
from paytui.api.wire.paging_hints import bare_name
from paytui.domain.exact_json import Json
from paytui.domain.models import RateSheet
from paytui.platform.text import SIMILARITY, closest_match

ALMOST_EQUAL = 0.85
"""Similarity, of 1, required for a guess at a field that was already found elsewhere."""


def report(survey: Survey, dialect: Dialect) -> Iterator[str]:
    """Yield the found, absent, unreadable and unread fields of each section.

    An unread field comes with the line that would map it.
    """
    if survey.useless:
        yield f"  {survey.useless} of them cannot be used: they lack what identifies them"
    for name, section in survey.sections.items():
        yield f"  [fields.{name}]"
        if section.useless:
            yield f"    {section.useless} of them cannot be used: they lack what they need"
        yield from _known(section)
        for path in sorted(section.unread):
            yield _line("unread", dotted(path), mapping(name, path, section))
        for word in sorted(section.states):
            names = "|".join(dict.fromkeys(state.name for state in dialect.states[name].values()))
            line = f"[states.{name}] {names} = {{ wire = [{json.dumps(word)}], final = false }}"
            yield _line("state", json.dumps(word), line)


def is_guessed(section: Section) -> bool:
    """Return True if an unread name resembles an absent field."""
    return any(_guess(path, section.absent) for path in section.unread)


def enveloped(path: JsonPath, *, many: bool) -> Iterator[str]:
    """Yield the dialect's lines for records in an envelope."""
    if not mappable(path):
        yield _line("unread", dotted(path), "[envelope] cannot say it: a name has a dot in it")
        return
    single = path[:1] if many else path
    lines = {
        "many": f"[envelope] many = {json.dumps([dotted(path)])}",
        "one": f"[envelope] one = {json.dumps([dotted(single)])}",
    }
    sure, other = ("many", "one") if many else ("one", "many")
    yield _line("unread", dotted(path), lines[sure])
    yield _line("unread", dotted(path), f"{lines[other]}  # a guess")


def by_name(path: JsonPath) -> Iterator[str]:
    """Yield the line for records that are members of an object, named by their identifiers."""
    yield _line("unread", dotted(path), "[envelope] cannot say it: records by name, and no list")


def paging_lines(part: ListPart, paging: Paging, *, goes_on: bool) -> Iterator[str]:
    """Yield unread signs that a list continues, and the dialect's lines that would read them."""
    if part.unusable:
        yield f"  more follows: {part.unusable}"
    if part.open_ended and is_full(part, paging):
        yield f"  {'.'.join(paging.next)} is not there: [paging] next says where a cursor stands"
    if part.unread and not goes_on:
        yield f"  {part.unread}"
        yield from (f"    {line}" for line in part.suggestions)
    if part.counted is not None and part.counted[1] > len(part.items) and part.total is None:
        name, told = part.counted
        yield f"  {name} tells of {told}, only {len(part.items)} came"
        if name.startswith("@"):
            yield f"    {name} cannot be mapped: a name has a dot in it"
        else:
            yield f"    [paging] total = {json.dumps(name)}"


def mappable(path: JsonPath) -> bool:
    """Return True if a dialect can express a path: no name has a dot in it."""
    return not any("." in name for name in path)


def _known(section: Section) -> Iterator[str]:
    for field, path in section.found.items():
        if field not in section.unreadable:
            yield _line("found", field, dotted(path))
    for field, path in section.unreadable.items():
        yield _line("no use", field, f"{dotted(path)} is not what it should be")
    for field, paths in section.absent.items():
        looked = ", ".join(map(dotted, paths)) or "nothing: the dialect has no name for it"
        yield _line("absent", field, f"looked for {looked}")


def mapping(section_name: str, path: JsonPath, section: Section) -> str:
    """Return the dialect's line that would map a path, with a guess at the field."""
    if not mappable(path):
        return "cannot be mapped: a name has a dot in it"
    guess = _guess(path, section.absent) or _guess(path, section.found, ALMOST_EQUAL)
    line = f"[fields.{section_name}] {guess or 'NAME'} = [{json.dumps(dotted(path))}]"
    if guess:
        return f"{line}  # a guess"
    return f"{line}  # NAME: one that is absent" if section.absent else "nothing of ours is absent"


def _guess(path: JsonPath, names: Iterable[str], alike: float = SIMILARITY) -> str | None:
    plain = {name.replace("_", ""): name for name in names}
    for spelt in ("".join(path), path[-1]):
        if near := closest_match("".join(filter(str.isalnum, spelt)), plain, alike):
            return plain[near]
    return None


def dotted(path: JsonPath) -> str:
    """Return a path as a dialect writes it."""
    return ".".join(path) or "."


def _line(what: str, name: str, rest: str) -> str:
    return f"    {what:7} {name:24}  {rest}"


DEEPEST = 3
"""The most names of a path to the records."""

_OF_AN_IDENTIFIER = ("id", "ref", "no", "number", "uuid", "key")
"""Suffixes of names that occur in objects, but not in envelopes."""


class EnvelopeFinder:
    """A search for the records in a response whose envelope the dialect does not name.

    The dialect may not know the fields of the records either.
    """

    def __init__(self, cls: type, dialect: Dialect) -> None:
        self._dialect = dialect
        self._listed = cls is not RateSheet
        columns = Readers(dialect).columns(cls)
        self._columns = [column for column in columns if () not in column.paths]
        self._own = {path for column in columns if column.inner for path in column.paths}

    def opened(self, part: ListPart) -> tuple[ListPart, list[str]]:
        """Return the records of a response, and the lines that the dialect lacks to find them."""
        body = part.items[0] if len(part.items) == 1 else None
        if (path := self._map(body)) is not None:
            return part, list(by_name(path))
        if (path := self._path(body)) is None:
            return part, []
        inner = find(body, (path,))
        lines = list(enveloped(path, many=isinstance(inner, list)))
        if isinstance(inner, list):
            return codec.many(body, replace(self._dialect, many=(path,))), lines
        return ListPart([inner]), lines

    def _map(self, body: Json) -> JsonPath | None:
        """Return the path of an object whose members are records, if there is one."""
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
        """Return the path of the records; None if the body itself is a record."""
        if not isinstance(body, dict) or self._is_record(body):
            return None
        single = [name for name, value in body.items() if not isinstance(value, dict | list)]
        around = not any(bare_name(name).endswith(_OF_AN_IDENTIFIER) for name in single)
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
        """Score a list as the records; `known` fields are beside it, None beside an identifier."""
        if not self._listed or not all(isinstance(item, dict) for item in items):
            return 0
        first = self._known(items[0]) if items else 0
        return first if known is None else max(first, known) + 0.5

    def _of_object(self, value: Json, *, bare: bool) -> float:
        """Score an object as the record; a `bare` one has only objects beside it."""
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


def identifiers(cls: type, records: Iterable[Json], dialect: Dialect) -> list[str]:
    """Return the identifiers of the readable records, in order."""
    reader: Reader[object] = Readers(dialect).of(cls)
    found = []
    for record in records:
        try:
            found.append(reader.identity(reader.read(record)))
        except BadRecord:
            continue
    return found


def identity_problems(cls: type, records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    """Yield problems that make readable records useless."""
    if cls is RateSheet:
        return _without_rates(records, dialect)
    return _shared(cls, records, dialect)


def _without_rates(records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    for raw in records:
        try:
            sheet = Readers(dialect).of(RateSheet).read(raw, sent_at=0.0)
        except BadRecord:
            continue
        if not sheet.rates and not sheet.unavailable:
            yield "  none of its rates can be used: see [fields.rate_sheet] rates and [fields.rate]"


def _shared(cls: type, records: Iterable[Json], dialect: Dialect) -> Iterator[str]:
    """Yield a line if records share an identifier, so that only one of them is kept."""
    found = identifiers(cls, records, dialect)
    if others := len(found) - len(set(found)):
        what = f"{others} of them have the identifier of another"
        yield f"  {what}: see [fields.{section_of(cls)}]"
