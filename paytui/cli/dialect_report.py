"""What a survey of records found, as lines for a person with the service's manual at hand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.dialect_survey import Section, Survey
from paytui.api.pages import is_full
from paytui.api.wire.codec import Slice
from paytui.platform.text import ALIKE, nearest

ALMOST_EQUAL = 0.85
"""How alike, of 1, a name of the wire must be to a canonical one that was found elsewhere."""


def report(survey: Survey, dialect: Dialect) -> Iterator[str]:
    """Section by section: found, absent, unreadable, unread with the line that would map it."""
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
    """Whether something that nobody reads looks like a field that is absent."""
    return any(_guess(path, section.absent) for path in section.unread)


def enveloped(path: JsonPath, *, many: bool) -> Iterator[str]:
    """The lines of a dialect that find the records of an answer in an envelope."""
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
    """That records stand as members of an object, by their identifiers, and not in a list."""
    yield _line("unread", dotted(path), "[envelope] cannot say it: records by name, and no list")


def paged(part: Slice, paging: Paging, *, goes_on: bool) -> Iterator[str]:
    """What tells that a list goes on although nobody reads it, and the lines that would."""
    if part.unusable:
        yield f"  more follows: {part.unusable}"
    if part.open_ended and is_full(part, paging):
        yield f"  {'.'.join(paging.next)} is not there: [paging] next says where a cursor stands"
    if part.unread and not goes_on:
        yield f"  {part.unread}"
        yield from (f"    {line}" for line in part.mends)
    if part.counted is not None and part.counted[1] > len(part.items) and part.total is None:
        name, told = part.counted
        yield f"  {name} tells of {told}, only {len(part.items)} came"
        if name.startswith("@"):
            yield f"    {name} cannot be mapped: a name has a dot in it"
        else:
            yield f"    [paging] total = {json.dumps(name)}"


def mappable(path: JsonPath) -> bool:
    """Whether a dialect can write a path: dots stand between names, and in none."""
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
    """The line of a dialect that would read a path, with a guess at what it is."""
    if not mappable(path):
        return "cannot be mapped: a name has a dot in it"
    guess = _guess(path, section.absent) or _guess(path, section.found, ALMOST_EQUAL)
    line = f"[fields.{section_name}] {guess or 'NAME'} = [{json.dumps(dotted(path))}]"
    if guess:
        return f"{line}  # a guess"
    return f"{line}  # NAME: one that is absent" if section.absent else "nothing of ours is absent"


def _guess(path: JsonPath, names: Iterable[str], alike: float = ALIKE) -> str | None:
    plain = {name.replace("_", ""): name for name in names}
    for spelt in ("".join(path), path[-1]):
        if near := nearest("".join(filter(str.isalnum, spelt)), plain, alike):
            return plain[near]
    return None


def dotted(path: JsonPath) -> str:
    """A path as a dialect writes it."""
    return ".".join(path) or "."


def _line(what: str, name: str, rest: str) -> str:
    return f"    {what:7} {name:24}  {rest}"
