"""The object or the list in a response, and where the list continues.

Pagination hints (`next`, `hasMore`, `Link`) that the dialect does not map are found too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from paytui.api.dialect import Dialect, JsonPath, Paging
from paytui.api.wire.json import find, kind_of, read_count, read_decimal
from paytui.domain.exact_json import CannotReadError, Json
from paytui.domain.money import plain
from paytui.platform.text import clean

_MORE = frozenset({
    "more", "hasmore", "hasnext", "hasnextpage", "moreavailable", "truncated", "istruncated",
})  # fmt: skip
"""Bare names (see `bare_name`) of flags that say that more follows."""

_LEADS_ON = _MORE | frozenset({
    "next", "nextpage", "nextcursor", "nexttoken", "nextpagetoken", "nextlink", "nexturl",
    "nexturi", "nextpageurl", "nextpageuri", "nextpagelink", "nextoffset", "nextmarker", "nextkey",
    "cursor", "endcursor", "after", "startingafter", "continuation", "continuationtoken",
    "odatanextlink", "lastevaluatedkey",
})  # fmt: skip
"""Bare names of members that point to the next page, or say that there is one."""

_ENDS = frozenset({"last", "islast", "lastpage", "islastpage"})
"""Bare names of flags that mark the last page; false means that more follows."""

_PAGES = frozenset({"totalpages", "pagecount", "pages", "numpages", "numberofpages", "lastpage"})
_PLACES = frozenset({"page", "currentpage", "pagenumber"})

_COUNTS = frozenset({
    "count", "total", "totalcount", "totalitems", "totalelements", "totalrecords",
    "totalresults", "recordcount", "itemcount", "odatacount",
})  # fmt: skip

_ABOUT = frozenset({
    "meta", "metadata", "paging", "pagination", "page", "pageinfo", "data", "resultinfo", "pager",
})  # fmt: skip
"""Objects that describe a list; elsewhere a total may be an amount."""

_LENGTHS = frozenset({"limit", "pagesize", "perpage", "pagelimit", "maxresults", "itemsperpage"})
_LINKS = frozenset({"links", "link"})

_OF_A_LINK = frozenset({"href", "url", "uri"})
_OF_A_COUNT = frozenset({"value", "count"})
"""Members of a link or count object, which itself has the telling name."""

_LINK = re.compile(r"https?://|(/[^?]*)?\?[^=&]+=.")
_NEXT = re.compile(
    r"""<([^>]*)>[^<]*;\s*rel\s*=\s*(?:next\b|"(?:[^"]*\s)?next(?:\s[^"]*)?")""", re.IGNORECASE
)
_BY_NUMBER = ("page", "pagenumber")
_BY_PLACE = ("offset", "skip", "start", "from")
_NO_PLACE = frozenset({"limit", "pagesize", "perpage", "size", "count", "top", "maxresults"})

_TOTALS = ("x-total-count", "x-total")  # Headers with the length of a list
PAGING_HEADERS = ("link", *_TOTALS)  # Headers that describe a list
LONGEST_HEADER = 4_000  # Characters of a header that are searched
DEEPEST = 4  # Levels of objects around a list that are searched


@dataclass(frozen=True, slots=True)
class PagingHint:
    """A member or header that says that a list continues, but that the dialect does not map.

    `path` is None if a dialect cannot express it.
    """

    name: str
    value: Json
    path: JsonPath | None = None


def find_hint(body: Json, headers: Mapping[str, str], paging: Paging) -> PagingHint | None:
    """Return the first unmapped hint that a list continues, if there is one."""
    if isinstance(body, dict):
        place = max(_numbers(body, _PLACES), default=0)
        for path, value in _values(body):
            is_read = paging.style == "cursor" and path[: len(paging.next)] == paging.next
            if _is_sign(path, value, place) and not is_read:
                return PagingHint(
                    ".".join(path), value, None if any("." in name for name in path) else path
                )
        if (link := _link_in(body)) is not None:
            return PagingHint("links (rel: next)", link)
    if (told := _NEXT.search(headers.get("link", "")[:LONGEST_HEADER])) is not None:
        return PagingHint("the header Link (rel=next)", clean(told[1]))
    return None


def find_total(body: dict[str, Json], paging: Paging) -> tuple[JsonPath, int] | None:
    """Return the path and value of the largest unmapped total, if there is one."""
    told = [
        (path, count)
        for path, value in _values(body)
        for own in (_without_kind(path, _OF_A_COUNT, _COUNTS),)
        if bare_name(own[-1]) in _COUNTS and path != paging.total
        if not own[:-1] or bare_name(own[-2]) in _ABOUT
        if (count := read_count(value)) is not None
    ]
    return max(told, key=lambda found: found[1], default=None)


def suggest_paging(sign: PagingHint, paging: Paging) -> tuple[str, ...]:
    """Return the dialect lines that would follow a hint."""
    asks = _asked_by(sign.value) if isinstance(sign.value, str) else None
    if asks is None and (not isinstance(sign.value, str) or _LINK.match(sign.value)):
        return (*other_style(paging), f"# {sign.name} is no cursor: it names no place to go on at")
    if asks is not None and bare_name(asks) in _BY_NUMBER and paging.style != "page":
        return ('[paging] style = "page"', f"[paging] page = {json.dumps(asks)}")
    if asks is not None and bare_name(asks) in _BY_PLACE:
        return ('[paging] style = "offset"', f"[paging] offset = {json.dumps(asks)}")
    if sign.path is None:
        dotted = "a name has a dot in it" if "." in sign.name else "it is in no member"
        return (*other_style(paging), f"# {sign.name} cannot be mapped: {dotted}")
    named = f"[paging] cursor = {json.dumps(asks or 'after')}"
    return (
        '[paging] style = "cursor"',
        f"[paging] next = {json.dumps('.'.join(sign.path))}",
        named if asks else f"{named}  # the parameter that takes it, as the manual calls it",
    )


def other_style(paging: Paging) -> tuple[str, ...]:
    """Return the dialect line that tries another style of pagination."""
    if paging.style == "page":
        return ('[paging] style = "offset"  # offset and size as the manual calls them',)
    return ('[paging] style = "page"  # page and size as the manual calls them',)


def is_link(text: str) -> bool:
    """Return True for an address, as opposed to a cursor."""
    return _LINK.match(text) is not None


def bare_name(name: str) -> str:
    """Return a name's letters and digits in lower case: `next_page` equals `nextPage`."""
    return "".join(filter(str.isalnum, name)).lower()


def _is_sign(path: JsonPath, value: Json, place: int) -> bool:
    name = bare_name(_without_kind(path, _OF_A_LINK, _LEADS_ON)[-1])
    if name in _ENDS and value is False:
        return True
    if name in _PAGES and (pages := read_count(value)) is not None:
        return pages > max(place, 1)
    return name in _LEADS_ON and bool(value)


def _is_end(path: JsonPath, value: Json, place: int) -> bool:
    name = bare_name(_without_kind(path, _OF_A_LINK, _LEADS_ON)[-1])
    if isinstance(value, bool):
        return name in (_ENDS if value else _MORE)
    if value is None:  # only `next…`: an echo of the requested cursor is null in any first response
        return name in _LEADS_ON and name.startswith("next")
    return name in _PAGES and 0 < (read_count(value) or 0) <= place


def _without_kind(path: JsonPath, members: frozenset[str], names: frozenset[str]) -> JsonPath:
    """Return a path without its last name, if that is a member of a link or count object."""
    inner = path[1:] and bare_name(path[-1]) in members and bare_name(path[-2]) in names
    return path[:-1] if inner else path


def _asked_by(link: str) -> str | None:
    """Return the parameter of a link that holds the place of the next page."""
    if not is_link(link):
        return None
    names = [name for name, _ in _asked(link)]
    known = _LEADS_ON.union(_BY_NUMBER, _BY_PLACE)
    likely = [name for name in names if bare_name(name) in known]
    return next(iter(likely or [name for name in names if bare_name(name) not in _NO_PLACE]), None)


def _asked(link: str) -> list[tuple[str, str]]:
    """Return the parameters of a link; none if it is not an address after all."""
    try:
        return parse_qsl(urlsplit(link).query)
    except ValueError:
        return []


def _link_in(body: dict[str, Json]) -> Json:
    """Return the link with `rel: next` in a list of links."""
    for name, value in body.items():
        if bare_name(name) in _LINKS and isinstance(value, list):
            for link in value:
                if isinstance(link, dict) and link.get("rel") == "next":
                    return next(
                        (link[each] for each in link if bare_name(each) in _OF_A_LINK), True
                    )
    return None


def _numbers(body: dict[str, Json], names: frozenset[str]) -> list[int]:
    told = (read_count(value) for path, value in _values(body) if bare_name(path[-1]) in names)
    return [number for number in told if number]


def _values(body: dict[str, Json], at: JsonPath = ()) -> Iterator[tuple[JsonPath, Json]]:
    """Yield the path and value of each scalar outside of lists."""
    for name, value in body.items():
        path = (*at, clean(name))
        if isinstance(value, dict) and len(path) < DEEPEST:
            yield from _values(value, path)
        elif not isinstance(value, list | dict):
            yield path, value


MOST_NAMED = 8  # Members of a response that an error names if the expected one is missing

LONGEST_NAME = 40

_NO_HEADERS: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class ListPart:
    """One response of a list.

    Attributes:
        items: the records, not yet decoded.
        unusable: the problem with a value that should be a cursor.
        unread: a note on an unmapped hint that the list continues.
        suggestions: dialect lines that would follow the hint.
        counted: the name and value of an unmapped total.
        longest: the page limit, if stated.
        open_ended: True if the list uses cursors and the member for the next one is missing.
        ends: True if the response says that nothing follows.
    """

    items: list[Json]
    total: int | None = None
    next: str | None = None
    unusable: str = ""
    unread: str = ""
    suggestions: tuple[str, ...] = ()
    counted: tuple[str, int] | None = None
    longest: int | None = None
    open_ended: bool = False
    ends: bool = False


def one(body: Json, dialect: Dialect) -> dict[str, Json]:
    """Return the object in a response, in an envelope or bare. Raises CannotReadError."""
    if isinstance(body, dict):
        inner = find(body, dialect.one)
        return inner if isinstance(inner, dict) else body
    raise CannotReadError(f"{kind_of(body)} where an object was expected")


def many(body: Json, dialect: Dialect, headers: Mapping[str, str] = _NO_HEADERS) -> ListPart:
    """Return the records in a response: in an envelope, as a bare list, or a single one.

    Raises CannotReadError: there is no list.
    """
    match body:
        case list():
            part = ListPart(body, open_ended=dialect.paging.style == "cursor")
            return _signed(part, body, headers, dialect.paging)
        case dict():
            return _slice(body, headers, dialect)
        case _:
            raise CannotReadError(f"{kind_of(body)} where a list was expected")


def _slice(body: dict[str, Json], headers: Mapping[str, str], dialect: Dialect) -> ListPart:
    items = find(body, dialect.many)
    total = read_count(find(body, (dialect.paging.total,)))
    if isinstance(items, list):
        part = _around(body, items, total, dialect.paging)
        return _signed(part, body, headers, dialect.paging)
    if items is None and find(body, dialect.one) is not None:
        return ListPart([find(body, dialect.one)])
    nulls = [path for path in dialect.many if _is_there(body, path) and find(body, (path,)) is None]
    if total == 0 and nulls:
        return ListPart([], total)
    names = " or ".join(".".join(path) for path in dialect.many)
    named = [f"{clean(name, LONGEST_NAME)} ({kind_of(body[name])})" for name in body]
    has = f"it has {', '.join(named[:MOST_NAMED]) or 'nothing'}"
    has += ", …" if len(named) > MOST_NAMED else ""
    raise CannotReadError(f"an object without a list named {names} ([envelope] many): {has}")


def _around(
    body: dict[str, Json], items: list[Json], total: int | None, paging: Paging
) -> ListPart:
    cursor, unusable = None, ""
    if paging.style == "cursor" and (told := find(body, (paging.next,))):
        cursor = _cursor(told, paging)
        if cursor is None:
            what = f"a link without {paging.cursor}" if isinstance(told, str) else kind_of(told)
            unusable = f"{'.'.join(paging.next)} is {what}, not a cursor: see [paging] next"
    counted = find_total(body, paging)
    return ListPart(
        items,
        total,
        cursor,
        unusable,
        counted=(".".join(counted[0]), counted[1]) if counted else None,
        longest=min(_numbers(body, _LENGTHS), default=None),
        open_ended=paging.style == "cursor" and not _is_there(body, paging.next),
    )


def _signed(part: ListPart, body: Json, headers: Mapping[str, str], paging: Paging) -> ListPart:
    """Add the totals and hints that the dialect does not map."""
    if part.total is None:
        stated = (read_count(headers[name]) for name in _TOTALS if name in headers)
        part = replace(part, total=next(stated, None))
    if isinstance(body, dict):  # it may say that nothing follows, for example by a null cursor
        place = max(_numbers(body, _PLACES), default=1)
        ends = any(_is_end(path, value, place) for path, value in _values(body))
        part = replace(part, ends=ends)
    if (sign := find_hint(body, headers, paging)) is None:
        return part
    unread = f"more seems to follow: {sign.name} is not read; set [paging]"
    return replace(part, unread=unread, suggestions=suggest_paging(sign, paging))


def _cursor(told: Json, paging: Paging) -> str | None:
    """Return a cursor as it is sent; `told` is not empty, false or 0."""
    if isinstance(told, str):
        return dict(_asked(told)).get(paging.cursor) if is_link(told) else told
    number = read_decimal(told)
    return None if number is None else plain(number)


def _is_there(body: dict[str, Json], path: JsonPath) -> bool:
    inner = find(body, (path[:-1],))
    return isinstance(inner, dict) and path[-1:] != () and path[-1] in inner
