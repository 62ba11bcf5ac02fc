"""A survey of a dialect's coverage, and its report for an integrator with a manual at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.paging import is_full
from paytui.api.wire import envelope
from paytui.api.wire.decode import BadRecord, Column, Readers
from paytui.api.wire.envelope import ListPart, bare_name
from paytui.api.wire.json import find
from paytui.domain.exact_json import Json
from paytui.domain.models import RateSheet, State
from paytui.domain.requests import section_of
from paytui.platform.text import SIMILARITY, clean, closest_match


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
            section.unread |= {
                leaf
                for leaf in _leaves(raw)
                if not any(leaf[:length] in read for length in range(1, len(leaf) + 1))
            }
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


ALMOST_EQUAL = 0.85
"""Similarity, of 1, required for a guess at a field that was already found elsewhere."""


def report(survey: Survey, dialect: Dialect) -> Iterator[str]:
    """Yield the found, absent, unreadable and unread fields of each section.

    An unread field comes with the line that would map it.
    """
    if survey.useless:
        yield f"  {survey.useless} of them cannot be used: they lack an identifier"
    for name, section in survey.sections.items():
        yield f"  [fields.{name}]"
        if section.useless:
            yield f"    {section.useless} of them cannot be used: they lack required fields"
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
        yield _line("unread", dotted(path), "[envelope] cannot express it: a name has a dot in it")
        return
    single = path[:1] if many else path
    lines = {
        "many": f"[envelope] many = {json.dumps([dotted(path)])}",
        "one": f"[envelope] one = {json.dumps([dotted(single)])}",
    }
    sure, other = ("many", "one") if many else ("one", "many")
    yield _line("unread", dotted(path), lines[sure])
    yield _line("unread", dotted(path), f"{lines[other]}  # a guess")


def paging_lines(part: ListPart, paging: Paging, *, goes_on: bool) -> Iterator[str]:
    """Yield unread signs that a list continues, and the dialect's lines that would read them."""
    if part.unusable:
        yield f"  more follows: {part.unusable}"
    if part.open_ended and is_full(part, paging):
        yield f"  {'.'.join(paging.next)} is missing: [paging] next is the path of the cursor"
    if part.unread and not goes_on:
        yield f"  {part.unread}"
        yield from (f"    {line}" for line in part.suggestions)
    if part.counted is not None and part.counted[1] > len(part.items) and part.total is None:
        name, told = part.counted
        yield f"  {name} reports {told}, only {len(part.items)} came"
        if name.startswith("@"):
            yield f"    {name} cannot be mapped: a name has a dot in it"
        else:
            yield f"    [paging] total = {json.dumps(name)}"


def mappable(path: JsonPath) -> bool:
    """Return True if a dialect can express a path: no name has a dot in it."""
    return not any("." in name for name in path)


def _known(section: Section) -> Iterator[str]:
    for name, path in section.found.items():
        if name not in section.unreadable:
            yield _line("found", name, dotted(path))
    for name, path in section.unreadable.items():
        yield _line("no use", name, f"{dotted(path)} has the wrong type")
    for name, paths in section.absent.items():
        looked = ", ".join(map(dotted, paths)) or "nothing: the dialect has no name for it"
        yield _line("absent", name, f"searched for {looked}")


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


DEEPEST = 3  # The most names of a path to the records

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
            what = "[envelope] cannot express it: records by name, and no list"
            return part, [_line("unread", dotted(path), what)]
        if (path := self._path(body)) is None:
            return part, []
        inner = find(body, (path,))
        lines = list(enveloped(path, many=isinstance(inner, list)))
        if isinstance(inner, list):
            return envelope.many(body, replace(self._dialect, many=(path,))), lines
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
                bare = not single and len(path) == 1  # only objects are beside it
                likeness = self._known(value) + 0.25 * bare if bare or self._is_record(value) else 0
            if likeness > known and path not in self._own:
                found.append((likeness, path))
        return max(found, key=lambda each: each[0])[1] if found else None

    def _of_list(self, items: list[Json], known: int | None) -> float:
        """Score a list as the records; `known` fields are beside it, None beside an identifier."""
        if not self._listed or not all(isinstance(item, dict) for item in items):
            return 0
        first = self._known(items[0]) if items else 0
        return first if known is None else max(first, known) + 0.5

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


def identity_problems(cls: type, records: Sequence[Json], dialect: Dialect) -> Iterator[str]:
    """Yield problems that make readable records useless."""
    readers = Readers(dialect)
    if cls is not RateSheet:
        found = readers.of(cls).identities(records)
        if others := len(found) - len(set(found)):  # only one of them is kept
            what = f"{others} of them have the identifier of another"
            yield f"  {what}: see [fields.{section_of(cls)}]"
        return
    for raw in records:
        try:
            sheet = readers.of(RateSheet).read(raw, sent_at=0.0)
        except BadRecord:
            continue
        if not sheet.rates and not sheet.unavailable:
            yield "  none of its rates can be used: see [fields.rate_sheet] rates and [fields.rate]"
