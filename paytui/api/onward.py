"""Signs around a list that it goes on, in members of the answer that the dialect does not read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from paytui.api.dialect import JsonPath, Paging
from paytui.api.jsontext import Json
from paytui.text import clean

_LEADS_ON = frozenset({
    "next", "nextpage", "nextcursor", "nexttoken", "nextpagetoken", "nextlink", "nexturl",
    "nextoffset", "more", "hasmore", "hasnext", "hasnextpage", "cursor", "endcursor", "after",
    "startingafter", "continuation", "continuationtoken",
})  # fmt: skip
"""Names, in small letters alone, of what says where a list goes on, or that it does."""

_COUNTS = frozenset({
    "count", "total", "totalcount", "totalitems", "totalelements", "totalrecords",
    "totalresults", "recordcount", "itemcount",
})  # fmt: skip

_ABOUT = frozenset({"meta", "metadata", "paging", "pagination", "page", "pageinfo", "data"})
"""Objects that say something of a list; elsewhere a total may be an amount."""

_OF_A_LINK = frozenset({"href", "url", "uri"})
"""Members of an object that is a link: the object has the name that counts."""

_LINK = re.compile(r"https?://|/|\?")

DEEPEST = 4
"""Names of a path around a list."""


def leads_on(body: dict[str, Json], paging: Paging) -> JsonPath | None:
    """Where an answer tells that its list goes on, and nobody reads it."""
    for path, value in _around(body):
        own = path[:-1] if letters(path[-1]) in _OF_A_LINK and path[1:] else path
        if letters(own[-1]) in _LEADS_ON and value and not _is_read(path, paging):
            return path
    return None


def counts(body: dict[str, Json], paging: Paging) -> tuple[JsonPath, int] | None:
    """Where an answer tells how long its list is, and nobody reads it; and how long."""
    told = [
        (path, value)
        for path, value in _around(body)
        if letters(path[-1]) in _COUNTS and path != paging.total
        if not path[:-1] or letters(path[-2]) in _ABOUT
        if isinstance(value, int) and not isinstance(value, bool)
    ]
    return max(told, key=lambda found: found[1], default=None)


def mends(path: JsonPath, value: Json) -> tuple[str, ...]:
    """The lines of a dialect with which a list is read on, from what tells that it goes on."""
    by_number = '[paging] style = "page"  # page and size as the manual calls them'
    if value is True or (isinstance(value, str) and _LINK.match(value)):
        return (by_number, f"# {'.'.join(path)} is no cursor: a link or a flag is not followed")
    if any("." in name for name in path):
        return (by_number, f"# {'.'.join(path)} cannot be mapped: a name has a dot in it")
    return (
        '[paging] style = "cursor"',
        f"[paging] next = {json.dumps('.'.join(path))}",
        '[paging] cursor = "after"  # the parameter that takes it, as the manual calls it',
    )


def letters(name: str) -> str:
    """A name without regard to how its words are joined: `next_page` is `nextPage`."""
    return "".join(filter(str.isalnum, name)).lower()


def _around(body: dict[str, Json], at: JsonPath = ()) -> Iterator[tuple[JsonPath, Json]]:
    """All single values that are in no list."""
    for name, value in body.items():
        path = (*at, clean(name))
        if isinstance(value, dict) and len(path) < DEEPEST:
            yield from _around(value, path)
        elif not isinstance(value, list | dict):
            yield path, value


def _is_read(path: JsonPath, paging: Paging) -> bool:
    return paging.style == "cursor" and path[: len(paging.next)] == paging.next
