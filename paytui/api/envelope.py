"""What surrounds records on the wire: one object, or a list with its place in a longer one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.onward import (
    counts,
    is_link,
    leads_on,
    length_told,
    mends,
    place_in,
    says_no_more,
    total_told,
)
from paytui.api.reading import find, kind_of
from paytui.api.scalars import read_count, read_decimal
from paytui.domain.exact_json import CannotReadError, Json
from paytui.domain.money import plain
from paytui.platform.text import clean

MOST_NAMED = 8
"""Members of an answer that are named where none of them is what was asked for."""

LONGEST_NAME = 40

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class BadEnvelope(CannotReadError):
    """An answer that does not hold what was asked for; the message says what it is."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One answer to a read of a list.

    Attributes:
        items: the records as they came.
        total: how many the whole list has, if told.
        next: where the list goes on, if told.
        unusable: why what should tell where the list goes on cannot be used.
        unread: what else tells that the list goes on, and that it is not read.
        mends: lines of a dialect that would read on there.
        counted: what else tells how many the whole list has, by its name, and how many.
        longest: how many records an answer may have, if told.
        open_ended: whether lists go on at cursors, and nothing stands where one would.
        ends: whether it is told in so many words that nothing follows.
    """

    items: list[Json]
    total: int | None = None
    next: str | None = None
    unusable: str = ""
    unread: str = ""
    mends: tuple[str, ...] = ()
    counted: tuple[str, int] | None = None
    longest: int | None = None
    open_ended: bool = False
    ends: bool = False


def one(body: Json, dialect: Dialect) -> dict[str, Json]:
    """The object that an answer holds, in an envelope or bare.

    Raises:
        BadEnvelope: there is none.
    """
    if isinstance(body, dict):
        inner = find(body, dialect.one)
        return inner if isinstance(inner, dict) else body
    raise BadEnvelope(f"{kind_of(body)} where an object was expected")


def many(body: Json, dialect: Dialect, headers: Mapping[str, str] = _NO_HEADERS) -> Slice:
    """The records that an answer holds: in an envelope, as a bare list, or one alone.

    Raises:
        BadEnvelope: there is no list.
    """
    match body:
        case list():
            part = Slice(body, open_ended=dialect.paging.style == "cursor")
            return _signed(part, body, headers, dialect.paging)
        case dict():
            return _slice(body, headers, dialect)
        case _:
            raise BadEnvelope(f"{kind_of(body)} where a list was expected")


def _slice(body: dict[str, Json], headers: Mapping[str, str], dialect: Dialect) -> Slice:
    items = find(body, dialect.many)
    total = read_count(find(body, (dialect.paging.total,)))
    if isinstance(items, list):
        part = _around(body, items, total, dialect.paging)
        return _signed(part, body, headers, dialect.paging)
    if items is None and find(body, dialect.one) is not None:
        return Slice([find(body, dialect.one)])
    if total == 0 and any(_is_null(body, path) for path in dialect.many):
        return Slice([], total)
    names = " or ".join(".".join(path) for path in dialect.many)
    raise BadEnvelope(f"an object without a list named {names} ([envelope] many): {_members(body)}")


def _around(body: dict[str, Json], items: list[Json], total: int | None, paging: Paging) -> Slice:
    cursor, unusable = None, ""
    if paging.style == "cursor" and (told := find(body, (paging.next,))):
        cursor = _cursor(told, paging)
        if cursor is None:
            what = f"a link without {paging.cursor}" if isinstance(told, str) else kind_of(told)
            unusable = f"{'.'.join(paging.next)} is {what}, not a cursor: see [paging] next"
    counted = counts(body, paging)
    return Slice(
        items,
        total,
        cursor,
        unusable,
        counted=(".".join(counted[0]), counted[1]) if counted else None,
        longest=length_told(body),
        open_ended=paging.style == "cursor" and not _is_there(body, paging.next),
    )


def _signed(part: Slice, body: Json, headers: Mapping[str, str], paging: Paging) -> Slice:
    """A list with what else tells how long it is, and that it goes on."""
    if part.total is None:
        part = replace(part, total=total_told(headers))
    if isinstance(body, dict) and says_no_more(body):
        part = replace(part, ends=True)
    if (sign := leads_on(body, headers, paging)) is None:
        return part
    unread = f"more seems to follow: {sign.name} is not read; set [paging]"
    return replace(part, unread=unread, mends=mends(sign, paging))


def _cursor(told: Json, paging: Paging) -> str | None:
    """A cursor as it is sent; what is empty, false or 0 was none in the first place."""
    if isinstance(told, str):
        return place_in(told, paging.cursor) if is_link(told) else told
    number = read_decimal(told)
    return None if number is None else plain(number)


def _is_null(body: dict[str, Json], path: JsonPath) -> bool:
    return _is_there(body, path) and find(body, (path,)) is None


def _is_there(body: dict[str, Json], path: JsonPath) -> bool:
    inner = find(body, (path[:-1],))
    return isinstance(inner, dict) and path[-1:] != () and path[-1] in inner


def _members(body: dict[str, Json]) -> str:
    """What an answer holds, in a few words."""
    named = [f"{clean(name, LONGEST_NAME)} ({kind_of(body[name])})" for name in body]
    more = ", …" if len(named) > MOST_NAMED else ""
    return f"it has {', '.join(named[:MOST_NAMED]) or 'nothing'}{more}"
