"""Pagination: a reader of whole lists, with bounds and checks for completeness."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from itertools import compress
from struct import Struct
from typing import Generic, TypeVar

from paytui.api.dialect import Paging
from paytui.api.errors import Refused
from paytui.api.http.response import Answer
from paytui.api.wire.decode import BadRecord, Reader
from paytui.api.wire.envelope import PAGING_HEADERS, ListPart
from paytui.domain.exact_json import Json
from paytui.platform.clock import Clock

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some records of a list, at most 500 or all of it; none is on an earlier page.

    Attributes:
        known: ids of records that are unchanged since an earlier read; not among `records`.
        total: length of the whole list, if the service tells it.
        complete: on the last page, True if no record of the list is known to be missing.
        skipped: unreadable records in the response that this page ends.
        reason: the error of the first unreadable record.
        cut: the cause of an incomplete list, if more is known than that the total is not reached.
        remark: the reason to suspect that the list is longer, if that cannot be known.
        ends_answer: True if the next page comes from another response.
    """

    records: tuple[T, ...]
    total: int | None = None
    last: bool = True
    complete: bool = True
    skipped: int = 0
    reason: str = ""
    cut: str = ""
    remark: str = ""
    known: tuple[str, ...] = ()
    ends_answer: bool = True

    @property
    def is_sure(self) -> bool:
        """Return True if a record that is missing here is missing at the service too."""
        return self.complete and not self.remark


LENGTHS_SHARED = 8
"""Lengths of pages whose lists of blanks are shared: a list that grows has a new one each time."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A response without its records, which the caller holds: `around` has None for each item.

    Its identifiers are one compressed text: the first character of each, then the second, and so
    on, as those have much in common. A random UUID takes 16 bytes, as a string 100.
    """

    around: ListPart
    packed: bytes
    count: int
    bad: int

    @classmethod
    def of(cls, part: ListPart, ids: Sequence[str], bad: int) -> CachedPage:
        around = replace(part, items=_blanks(len(part.items)))
        width = max(map(len, ids), default=0)
        rows = "".join([one.ljust(width, "\n") for one in ids])
        columns = "".join([rows[at::width] for at in range(width)])
        pack = zlib.compressobj(1, strategy=zlib.Z_RLE)
        packed = pack.compress(columns.encode(errors="surrogatepass")) + pack.flush()
        return cls(around, packed, len(ids), bad)

    @property
    def ids(self) -> tuple[str, ...]:
        columns = zlib.decompress(self.packed).decode(errors="surrogatepass")
        return tuple([columns[at :: self.count].rstrip("\n") for at in range(self.count)])


@lru_cache(LENGTHS_SHARED)
def _blanks(count: int) -> list[Json]:
    """Return one list for all pages of the same length; nobody changes it."""
    return [None] * count


class IdSet:
    """A set of identifiers that holds a hash of each: 8 bytes, where a set of numbers takes 80.

    The chance that two of a million share one, so that a record is missing until the end of the
    process, is 1 in 37 million.
    """

    def __init__(self) -> None:
        self._buckets: defaultdict[int, bytearray] = defaultdict(bytearray)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, ids: Iterable[str]) -> list[bool]:
        """Add identifiers; return for each True if it was not there."""
        buckets, pack, found = self._buckets, _HASH.pack, list[bool]()
        for number in map(hash, ids):
            piece, bucket = pack(number), buckets[number % _BUCKETS]
            is_new = bucket.find(piece) < 0  # across two others it is no likelier than as one
            found.append(is_new)
            if is_new:
                bucket += piece
        self._count += sum(found)
        return found


_HASH = Struct("q")
_BUCKETS = 4_096  # Of a million hashes each has 2 KB

MOST_KEPT = 5_000  # Responses in the cache of one list

_TAG = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,200}"')
"""Entity tags that are sent back unchanged (RFC 9110 §8.8.3); others are ignored."""

Asked = Mapping[str, str]  # The paging parameters of a request

_Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Response:
    etag: str
    digest: int
    page: CachedPage


class ListCache:
    """The parsed responses of one list, for as long as the service repeats them (ETag or digest).

    It lives in memory only and belongs to one service and one dialect.

    Attributes:
        since: the list holds changes since this time; None = the whole list.
        alone: length of its only page; 0 = unknown, or the list had several.
        repeats: True if the service sent that page for the next page number as well.
        age: the longest time in seconds that a response of the newest read spent in an HTTP cache.
    """

    def __init__(self, since: datetime | None = None) -> None:
        self.since = since
        self.alone = 0
        self.repeats = False
        self.age = 0.0
        self._responses: dict[_Key, _Response] = {}
        self._met: set[_Key] = set()
        self._trusted = True
        self._digest = 0
        self._etag = ""

    def begin(self, *, trusted: bool) -> None:
        """Begin a read of the whole list; if the cache is not trusted, it is read anew."""
        self._met.clear()
        self.age = 0.0
        self._trusted = trusted
        self.alone = self.alone if trusted else 0
        self.repeats &= trusted

    def end(self) -> None:
        """End a read of the whole list and drop the responses that it did not use."""
        self._responses = {key: known for key, known in self._responses.items() if key in self._met}

    @property
    def met(self) -> int:
        """Return the number of responses in the newest read of the list."""
        return len(self._met)

    def note_age(self, answer: Answer) -> None:
        self.age = max(self.age, answer.age)

    def etag(self, asked: Asked) -> str:
        """Return the value of `If-None-Match`; "" = no header."""
        known = self._responses.get(_key(asked)) if self._trusted else None
        return known.etag if known else ""

    def same(self, asked: Asked, answer: Answer) -> CachedPage | None:
        """Return the page of the earlier response if this one is unchanged."""
        self._digest = hash((answer.body, *map(answer.headers.get, PAGING_HEADERS)))
        self._etag = answer.headers.get("etag", "")
        key = _key(asked)
        known = self._responses.get(key) if self._trusted else None
        unchanged = answer.status == HTTPStatus.NOT_MODIFIED
        if known is None or not (unchanged or known.digest == self._digest):
            return None
        self._met.add(key)
        return known.page

    def keep(self, asked: Asked, page: CachedPage) -> None:
        """Store the page of the newest response."""
        key = _key(asked)
        if key in self._responses or len(self._responses) < MOST_KEPT:
            etag = self._etag if _TAG.fullmatch(self._etag) else ""
            self._responses[key] = _Response(etag, self._digest, page)
            self._met.add(key)


def _key(asked: Asked) -> _Key:
    return tuple(asked.items())


@dataclass(slots=True)
class PagingHistory:
    """Observations of pagination in all reads of a run: a service caps all lists alike.

    Attributes:
        longest: records of the longest response that was a whole list.
        has_cursor: True if any response had a next cursor.
    """

    longest: int = 0
    has_cursor: bool = False


SLICE = 500  # Records of a `Page`: the screens' thread never waits for more

MOST_RECORDS = 2_000_000
MOST_REQUESTS = 20_000

MOST_IN_VAIN = 10  # Responses in a row without a new record, after which the read stops
MOST_REPEATED = 2  # Responses in a row with known records only: the service has no such page

_USUAL = frozenset({10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 400, 500, 1000})
"""Usual page limits: services apply them whatever size is requested."""

SHORTEST_PAGE = 10
"""Records of a response that may be a full page although its total counts no more."""

_NO_SUCH_PAGE = frozenset({400, 404, 416, 422})
"""Statuses that may mean that the list has no such page."""

LONGEST_READ = 600.0  # Seconds until a read is stopped: a million records take a few minutes

Fetch = Callable[[dict[str, str]], Awaitable[ListPart | CachedPage]]
"""Requests one part of a list; returns a `CachedPage` if it is unchanged. Raises ApiError."""


async def read_pages(
    fetch: Fetch,
    reader: Reader[T],
    paging: Paging,
    clock: Clock,
    cache: ListCache | None = None,
    *,
    history: PagingHistory | None = None,
    waited: Callable[[], float] = lambda: 0.0,
) -> AsyncGenerator[Page[T], None]:
    """Read a list page by page, each record once. The last page tells if the list is complete.

    `waited` returns the seconds spent on the rate limit so far; they do not count as read time.
    """
    cache = cache or ListCache()
    walk = _Walk(paging, cache, history)
    end = clock.boot() + LONGEST_READ - waited()
    while not walk.ended:
        asked = walk.query()
        part = await _answer(fetch, asked, walk)
        records: tuple[T, ...] = ()
        known: tuple[str, ...] = ()
        if isinstance(part, CachedPage):
            known, part = walk.recall(part), part.around
        else:
            walk.begin(part)
            for at in range(0, len(part.items), SLICE):
                records = walk.read(part.items[at : at + SLICE], reader)
                if at + SLICE < len(part.items):
                    yield Page(records, walk.total, last=False, ends_answer=False)
            cache.keep(asked, walk.cached(part))
        walk.finish(part, late=clock.boot() >= end + waited())
        how = walk.ended, walk.complete, walk.bad, walk.reason, walk.cut, walk.remark
        del part  # its memory is for the next response
        yield Page(records, walk.total, *how, known)
    cache.alone, cache.repeats = walk.alone, walk.repeats


async def _answer(fetch: Fetch, asked: dict[str, str], walk: _Walk) -> ListPart | CachedPage:
    """Fetch a part; an empty one if the service refuses because the list has no such page."""
    try:
        return await fetch(asked)
    except Refused as error:
        if error.status is None or not walk.ends_at(error.status):
            raise
        return CachedPage.of(ListPart([]), (), 0)


def first_query(paging: Paging) -> dict[str, str]:
    """Return the paging parameters of a list's first request."""
    return _Walk(paging).query()


def next_query(paging: Paging, first: ListPart) -> dict[str, str] | None:
    """Return the paging parameters of the second request, if there can be one."""
    walk = _Walk(paging)
    walk.begin(first)
    walk.finish(first, late=False)
    asked = walk.query()
    return asked if asked != first_query(paging) else None


def is_full(part: ListPart, paging: Paging) -> bool:
    """Return True if a response has the requested length, or the limit that it states itself."""
    asked = paging.records if paging.size else None
    return not part.ends and len(part.items) in (asked, part.longest)


class _Walk:
    """The state of one read of a list."""

    def __init__(
        self, paging: Paging, cache: ListCache | None = None, history: PagingHistory | None = None
    ) -> None:
        self._paging = paging
        self._history = history or PagingHistory()
        self._requests = 0
        self._taken = 0
        self._fruitful = 0
        self._lengths: list[int] = []
        self._refused = 0
        self._cursor: str | None = None
        self._cursors: set[str | None] = set()
        self._seen = IdSet()
        self._skipped = 0
        self._new = 0
        self._readable = 0
        self._in_vain = 0
        self._same = False
        self._repeats = 0
        self._items: list[Json] | None = None
        self._ids: list[str] = []
        self._cached: CachedPage | None = None
        self._total_holds = True
        self._counted: tuple[str, int] | None = None
        self.alone = cache.alone if cache else 0
        self.repeats = cache.repeats if cache else False
        self.total: int | None = None
        self.bad = 0
        self.reason = ""
        self.ended = False
        self.complete = True
        self.cut = ""
        self.remark = ""

    def query(self) -> dict[str, str]:
        """Return the paging parameters of the next request, as far as the service has them."""
        paging = self._paging
        if paging.style == "none":
            return {}
        asked = {paging.size: str(paging.records)}
        if paging.style == "page":
            asked[paging.page] = str(paging.first + self._requests)
        elif paging.style == "offset":
            asked[paging.offset] = str(self._taken)
        elif self._cursor is not None:
            asked[paging.cursor] = self._cursor
        return {name: value for name, value in asked.items() if name}

    def ends_at(self, status: int) -> bool:
        """Return True if a refusal with this status means that the list has no such page."""
        counted = self._paging.style in ("page", "offset")
        if counted and self._requests and status in _NO_SUCH_PAGE:
            self._refused = status
        return self._refused > 0

    def begin(self, part: ListPart) -> None:
        self._same = bool(part.items) and part.items == self._items
        self._items = part.items
        self._cached = None
        self._open(part)

    def recall(self, cached: CachedPage) -> tuple[str, ...]:
        """Skip an unchanged page. Return its ids that are new to this read."""
        self._same = bool(cached.around.items) and cached == self._cached
        self._items = None
        self._cached = cached
        self._open(cached.around)
        ids = cached.ids
        self.bad, self._readable = cached.bad, len(ids)
        new = tuple(compress(ids, self._seen.add(ids)))
        self._new = len(new)
        return new

    def cached(self, part: ListPart) -> CachedPage:
        return CachedPage.of(part, self._ids, self.bad)

    def _open(self, part: ListPart) -> None:
        self._requests += 1
        self._new = self._readable = self.bad = 0
        self.reason = ""
        self._ids = []
        self._counted = part.counted or self._counted
        # In an empty page the total may count that page alone.
        if part.total is not None and part.total >= 0 and (part.items or self._requests == 1):
            # The first total counts. Records created during the read shift the pages and need not
            # be in it; a deletion may move an unread record onto a page that was read already.
            self.total = part.total if self.total is None else self.total

    def read(self, items: list[Json], reader: Reader[T]) -> tuple[T, ...]:
        read = reader.read_each(items)
        bad = [str(one) for one in read if isinstance(one, BadRecord)]
        usable = [one for one in read if not isinstance(one, BadRecord)]
        ids = list(map(reader.identity, usable))
        self._ids += ids
        self._readable += len(ids)
        if ids:
            self._items = None  # by them it is noted if the page comes again
        records: dict[str, T] = {}
        for record, identity, is_new in zip(usable, ids, self._seen.add(ids), strict=True):
            if is_new:
                records[identity] = record
            elif records.get(identity, record) != record:
                bad.append("several records with one identifier")
        self.bad += len(bad)
        self.reason = self.reason or next(iter(bad), "")
        self._new += len(records)
        return tuple(records.values())

    def finish(self, part: ListPart, *, late: bool) -> None:
        """Decide if the read ends with this response, and if the list is complete then."""
        self._note_repeat()
        self._skipped += self.bad
        self._taken += len(part.items)
        self._lengths.append(len(part.items))
        self._fruitful += self._new > 0
        self._in_vain = 0 if self._new else self._in_vain + 1
        count = len(self._seen) + self._skipped
        # A total below the count is not the list's: it counts a page, or nothing.
        self._total_holds &= self.total is None or count <= self.total
        if not self._total_holds:
            self.total = None
        self._history.has_cursor |= part.next is not None
        last = self._is_last(part, count)
        has_enough = count >= MOST_RECORDS or self._requests >= MOST_REQUESTS
        self.ended = last or late or has_enough or self._in_vain >= MOST_IN_VAIN
        short = self.total is not None and count < self.total
        given_up = f"{MOST_IN_VAIN} responses in a row brought nothing new"
        given_up = given_up if self._in_vain >= MOST_IN_VAIN else ""
        self.cut = self._why_cut(part, count) if last else given_up
        self.complete = not self.ended or (last and not short and not self.cut)
        self.remark = self._why_unsure(part) if last and self.complete else ""
        if self.ended:
            self._learn()
        self._cursor = part.next
        self._cursors.add(part.next)

    def _learn(self) -> None:
        """Store the findings for the next read of this list, and of others."""
        if self._requests > 1:
            self.repeats = self._is_one_for_all()
            one = self.repeats or self._lengths[1:] == [0]
            self.alone = self._lengths[0] if one else 0
        if (self.repeats or self._paging.style == "cursor") and self._fruitful <= 1:
            self._history.longest = max(self._history.longest, self._lengths[0])

    def _is_one_for_all(self) -> bool:
        """Return True if the first response came again for every page."""
        return self._repeats > 0 and self._fruitful <= 1

    def _note_repeat(self) -> None:
        if not (self._same or (self._requests > 1 and self._readable > 0 and self._new == 0)):
            self._repeats = 0
            return
        self._repeats += 1
        self.bad = 0  # they were counted when they came first

    def _is_last(self, part: ListPart, count: int) -> bool:
        repeated = self._repeats >= (1 if self.repeats else MOST_REPEATED)
        match self._paging.style:
            case "none":
                return True
            case "cursor":
                return part.next is None or part.next in self._cursors or repeated
            case "page" | "offset":
                told = self.total is not None and count >= self.total
                more = part.unread or self._is_full_page(part)
                again = self._is_again_alone(part)
                return (told and not more) or not part.items or repeated or again

    def _is_again_alone(self, part: ListPart) -> bool:
        """Return True if a list that ignores page numbers is as long as in the last read."""
        alone = self.repeats and self._requests == 1 and len(part.items) == self.alone
        return alone and not (part.unread or self.total is not None or self._may_be_full(part))

    def _is_full_page(self, part: ListPart) -> bool:
        """Return True for a full page, so its total may count this page only."""
        length, asked = len(part.items), self._paging.records
        if length in (asked, part.longest):
            return True
        if part.total != length or part.longest is not None:
            return False
        if length == self.alone and (self.repeats or length not in _USUAL):
            return False
        return length in _USUAL or SHORTEST_PAGE <= length < asked

    def _may_be_full(self, part: ListPart) -> bool:
        """Return True if a response is full or has a usual page length, so that more may follow."""
        is_usual = not part.ends and len(part.items) in _USUAL
        return self._is_length_unknown(part) and (is_usual or is_full(part, self._paging))

    def _is_full(self, part: ListPart) -> bool:
        return self._is_length_unknown(part) and is_full(part, self._paging)

    def _is_length_unknown(self, part: ListPart) -> bool:
        """Return True if the response may be capped: no list had a longer one."""
        return self.total is None and len(part.items) >= self._history.longest

    def _why_cut(self, part: ListPart, count: int) -> str:
        """Return the reason to call a list incomplete although the service sends no more."""
        if part.unusable:
            return part.unusable
        if self._paging.style == "cursor" and (why := self._why_no_end(part)):
            return why
        if part.unread and not self._was_led_on(part):
            return part.unread
        if self._counted is not None and self._counted[1] > count:
            name, told = self._counted
            return f"{name} reports {told}, only {count} were read; set [paging]"
        if self.total is None and self._paging.style in ("page", "offset"):
            return self._why_without_a_total(part)
        return ""

    def _why_no_end(self, part: ListPart) -> str:
        """Return the reason to doubt the end of a list with cursors."""
        if self._is_without_cursor(part) and self._is_full(part):
            return self._no_cursor(part)
        waits_for_more = not part.items and part.next == self._cursor
        if part.next is None or waits_for_more:
            return ""
        if self._repeats:
            return (
                f"{self._paging.cursor} has no effect: the same records come again; see [paging] "
                "cursor"
            )
        return "the service leads back to where it was read already"

    def _is_without_cursor(self, part: ListPart) -> bool:
        """Return True if no response has a next cursor: its name may be another."""
        return part.open_ended and self._requests == 1 and not self._history.has_cursor

    def _no_cursor(self, part: ListPart) -> str:
        name = ".".join(self._paging.next)
        return f"no {name} came with {len(part.items)} records; see [paging] next"

    def _why_unsure(self, part: ListPart) -> str:
        """Return the reason to suspect more records, if only the length suggests them."""
        if not self._may_be_full(part):
            return ""
        if self._paging.style == "cursor" and self._is_without_cursor(part):
            return f"may be all: {self._no_cursor(part)}"
        if self._paging.style in ("page", "offset") and self._is_one_for_all():
            came = f"the same {len(part.items)} records come for every {self._place()}"
            return f'may be all: {came}; if so, [paging] style = "none"'
        return ""

    def _place(self) -> str:
        return self._paging.page if self._paging.style == "page" else self._paging.offset

    def _why_without_a_total(self, part: ListPart) -> str:
        """Return the reason to call a list without a total incomplete."""
        if self._is_one_for_all() and self._is_full(part):
            count, place = len(part.items), self._place()
            return f"the same {count} records come, whatever {place} says; set [paging]"
        before = self._lengths[:-1]
        # A 404 is the usual end of a list; another refusal may be a limit on the page number.
        refused = self._refused not in (0, HTTPStatus.NOT_FOUND)
        if refused and before[1:] and before[-1] == before[0]:
            return f"the service goes no further than {sum(before)} records"
        return ""

    def _was_led_on(self, part: ListPart) -> bool:
        """Return True if paging worked in this read, so that unmapped hints mean nothing."""
        if self._paging.style == "cursor":
            return bool(self._cursors - {None})
        return self._requests > 1 and not part.items
