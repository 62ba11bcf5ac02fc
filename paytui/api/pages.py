"""Reading a list to its end, in whichever way the service pages it, and never forever."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Generic, Protocol, TypeVar

from paytui.api.dialect import Paging
from paytui.api.errors import Refused
from paytui.api.wire.codec import ListPart
from paytui.api.wire.decode import BadRecord, Reader
from paytui.api.wire.paging_hints import PagingHistory
from paytui.domain.exact_json import Json
from paytui.domain.models import Payment
from paytui.platform.clock import Clock

# Lists as they were read: what came, what could not be read, and whether that is all.

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some records of a list, at most 500, none of them seen on a page before.

    Attributes:
        records: those that could be read.
        known: ids of records that were read before and are still the same; not among `records`.
        total: how many the whole list has, if the service tells.
        last: whether no page follows.
        complete: on the last page, whether nothing of the list is known to be missing.
        skipped: records that could not be read in the service's answer that this page ends.
        reason: why the first of them could not.
        cut: why the list is not complete, where more is known than that its total is not reached.
        remark: why it may be less than all that there is, where nobody can know.
        ends_answer: whether the next page comes of another answer of the service.
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


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """A whole list; `str()` says how much of it this is."""

    records: tuple[T, ...]
    total: int | None = None
    complete: bool = True
    skipped: int = 0
    reason: str = ""
    cut: str = ""
    remark: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether what is not in it is not in the service's list either."""
        return self.complete and not self.remark

    def __str__(self) -> str:
        if self.complete:
            return str(len(self.records))
        return f"{len(self.records)} of {'more' if self.total is None else self.total}"


def gather(pages: Iterable[Page[T]]) -> Listing[T]:
    """The list that these pages make up, in their order."""
    read = tuple(pages)
    return Listing(
        records=tuple(record for page in read for record in page.records),
        total=read[-1].total if read else None,
        complete=all(page.complete for page in read),
        skipped=sum(page.skipped for page in read),
        reason=next((page.reason for page in read if page.reason), ""),
        cut=read[-1].cut if read else "",
        remark=read[-1].remark if read else "",
    )


# What of a list outlives one reading of it.


@dataclass(frozen=True, slots=True)
class CachedPage:
    """An answer to a read of a list, once its records are in other hands.

    Attributes:
        around: the answer, with as many items as it had and nothing in them.
        ids: of the records that could be read.
        bad: how many could not.
    """

    around: ListPart
    ids: tuple[str, ...]
    bad: int


class PageCache(Protocol):
    """What is known of a list from one reading of it to the next.

    Attributes:
        alone: how long its one page was, when nothing else came for the next; 0: nobody knows.
        repeats: whether that page came for the next as well.
    """

    alone: int
    repeats: bool

    def keep(self, asked: dict[str, str], cached: CachedPage) -> None:
        """Is told what an answer came to, to give it back once the service says it is the same."""
        ...


class NullPageCache:
    """For reads that happen once."""

    alone = 0
    repeats = False

    def keep(self, asked: dict[str, str], cached: CachedPage) -> None:
        """Nobody asks again."""


SLICE = 500
"""Records of one page that we hand on: the screen's thread waits for no more than these."""

MOST_RECORDS = 2_000_000
MOST_REQUESTS = 20_000

MOST_IN_VAIN = 10
"""Answers in a row without a record that is new."""

MOST_REPEATED = 2
"""Answers in a row with records of which none is new: the service knows no such page."""

_USUAL = frozenset({10, 15, 20, 25, 30, 40, 50, 60, 75, 100, 150, 200, 250, 300, 400, 500, 1000})
"""Lengths of a page that services allow, however many are asked for."""

SHORTEST_PAGE = 10
"""Records of an answer from which on it may be a page, whatever its total says."""

_NO_SUCH_PAGE = frozenset({400, 404, 416, 422})
"""Statuses by which a service says that a list has no such page."""

LONGEST_READ = 600.0
"""Seconds after which no more of a list is asked for: a million records take a few minutes."""

Fetch = Callable[[dict[str, str]], Awaitable[ListPart | CachedPage]]
"""Asks the service for one part of the list; a leaf: it is still the same. Raises ApiError."""


async def read_pages(
    fetch: Fetch,
    reader: Reader[T],
    paging: Paging,
    clock: Clock,
    cache: PageCache | None = None,
    *,
    history: PagingHistory | None = None,
    waited: Callable[[], float] = lambda: 0.0,
) -> AsyncGenerator[Page[T], None]:
    """The list, page by page, each record once; the last page says whether that is all of it.

    `waited` tells how many seconds reads were held back on purpose so far: they do not count.
    """
    cache = cache or NullPageCache()
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
            slices = [part.items[at : at + SLICE] for at in range(0, len(part.items), SLICE)]
            for at, items in enumerate(slices, start=1):
                records = walk.read(items, reader)
                if at < len(slices):
                    yield Page(records, walk.total, last=False, ends_answer=False)
            cache.keep(asked, walk.cached(part))
        walk.finish(part, late=clock.boot() >= end + waited())
        how = walk.ended, walk.complete, walk.bad, walk.reason, walk.cut, walk.remark
        yield Page(records, walk.total, *how, known)
    cache.alone, cache.repeats = walk.alone, walk.repeats


async def _answer(fetch: Fetch, asked: dict[str, str], walk: _Walk) -> ListPart | CachedPage:
    """What comes; nothing, where the service says that the list has no such page."""
    try:
        return await fetch(asked)
    except Refused as error:
        if error.status is None or not walk.ends_at(error.status):
            raise
        return CachedPage(ListPart([]), (), 0)


def first_query(paging: Paging) -> dict[str, str]:
    """The parameters with which the reading of a list begins."""
    return _Walk(paging).query()


def next_query(paging: Paging, first: ListPart) -> dict[str, str] | None:
    """The parameters with which it goes on after the first answer, if it can."""
    walk = _Walk(paging)
    walk.begin(first)
    walk.finish(first, late=False)
    asked = walk.query()
    return asked if asked != first_query(paging) else None


def is_full(part: ListPart, paging: Paging) -> bool:
    """Whether an answer is as long as it was asked to be, or as it says that answers may be."""
    asked = paging.records if paging.size else None
    return not part.ends and len(part.items) in (asked, part.longest)


def may_be_full(part: ListPart, paging: Paging) -> bool:
    """Whether an answer is as long as the longest that services give, so that more may follow."""
    return is_full(part, paging) or (not part.ends and len(part.items) in _USUAL)


class _Walk:
    """Where the reading of one list stands."""

    def __init__(
        self, paging: Paging, cache: PageCache | None = None, history: PagingHistory | None = None
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
        self._seen: set[str] = set()
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
        """What to ask for next; a parameter that the service does not have is left out."""
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
        """Whether a service that refuses so says that the list ends before this page."""
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
        """Go past what is known; the ids in it that are new to this reading."""
        self._same = bool(cached.around.items) and cached == self._cached
        self._items = None
        self._cached = cached
        self._open(cached.around)
        self.bad, self._readable = cached.bad, len(cached.ids)
        new = tuple(dict.fromkeys(one for one in cached.ids if one not in self._seen))
        self._seen.update(new)
        self._new = len(new)
        return new

    def cached(self, part: ListPart) -> CachedPage:
        """What the present answer came to."""
        return CachedPage(replace(part, items=[None] * len(part.items)), tuple(self._ids), self.bad)

    def _open(self, part: ListPart) -> None:
        self._requests += 1
        self._new = self._readable = self.bad = 0
        self.reason = ""
        self._ids = []
        self._counted = part.counted or self._counted
        # Beside an empty page a total may count that page.
        if part.total is not None and part.total >= 0 and (part.items or self._requests == 1):
            # The first one holds. What is created while we read shifts the pages on, and need not
            # be in this reading; what goes may draw a row, unread, onto a page that was read.
            self.total = part.total if self.total is None else self.total

    def read(self, items: list[Json], reader: Reader[T]) -> tuple[T, ...]:
        records: list[T] = []
        for record in reader.read_each(items):
            if isinstance(record, BadRecord):
                self.bad += 1
                self.reason = self.reason or str(record)
                continue
            self._readable += 1
            identity = reader.identity(record)
            self._ids.append(identity)
            if identity not in self._seen:
                self._seen.add(identity)
                records.append(record)
            elif any(reader.identity(other) == identity for other in records if other != record):
                self.bad += 1
                self.reason = self.reason or "several records with one identifier"
        self._new += len(records)
        return tuple(records)

    def finish(self, part: ListPart, *, late: bool) -> None:
        """Judge by what came whether more follows, and if not, whether that was all."""
        self._note_repeat()
        self._skipped += self.bad
        self._taken += len(part.items)
        self._lengths.append(len(part.items))
        self._fruitful += self._new > 0
        self._in_vain = 0 if self._new else self._in_vain + 1
        count = len(self._seen) + self._skipped
        # Fewer than have come: it counts a page, or nothing.
        self._total_holds &= self.total is None or count <= self.total
        if not self._total_holds:
            self.total = None
        self._history.has_hint |= part.next is not None
        last = self._is_last(part, count)
        self.ended = last or late or self._has_enough(count)
        short = self.total is not None and count < self.total
        self.cut = self._why_cut(part, count) if last else self._why_given_up()
        self.complete = not self.ended or (last and not short and not self.cut)
        self.remark = self._why_unsure(part) if last and self.complete else ""
        if self.ended:
            self._learn()
        self._cursor = part.next
        self._cursors.add(part.next)

    def _learn(self) -> None:
        """What the next reading of the list, and that of others, may go by."""
        if self._requests > 1:
            self.repeats = self._is_one_for_all()
            one = self.repeats or self._lengths[1:] == [0]
            self.alone = self._lengths[0] if one else 0
        if (self.repeats or self._paging.style == "cursor") and self._fruitful <= 1:
            self._history.note_alone(self._lengths[0])

    def _is_one_for_all(self) -> bool:
        """Whether the first answer came again, whatever page was asked for."""
        return self._repeats > 0 and self._fruitful <= 1

    def _note_repeat(self) -> None:
        if not (self._same or (self._requests > 1 and self._readable > 0 and self._new == 0)):
            self._repeats = 0
            return
        self._repeats += 1
        self.bad = 0  # they were counted when they came first

    def _has_enough(self, count: int) -> bool:
        return (
            count >= MOST_RECORDS
            or self._requests >= MOST_REQUESTS
            or self._in_vain >= MOST_IN_VAIN
        )

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
        """Whether it is as long as when it came for any page, and no more can be behind it."""
        alone = self.repeats and self._requests == 1 and len(part.items) == self.alone
        return alone and not (part.unread or self.total is not None or self._may_be_full(part))

    def _is_full_page(self, part: ListPart) -> bool:
        """Whether an answer is as long as it may be, so that its total may count it alone."""
        length, asked = len(part.items), self._paging.records
        if length in (asked, part.longest):
            return True
        if part.total != length or part.longest is not None:
            return False
        if length == self.alone and (self.repeats or length not in _USUAL):
            return False
        return length in _USUAL or SHORTEST_PAGE <= length < asked

    def _may_be_full(self, part: ListPart) -> bool:
        """Whether more than an answer holds may be there: nobody tells how long the list is."""
        return self._is_not_told(part) and may_be_full(part, self._paging)

    def _is_full(self, part: ListPart) -> bool:
        """The same, where the answer itself says so."""
        return self._is_not_told(part) and is_full(part, self._paging)

    def _is_not_told(self, part: ListPart) -> bool:
        return self.total is None and not self._history.allow_more(len(part.items))

    def _why_given_up(self) -> str:
        if self._in_vain < MOST_IN_VAIN:
            return ""
        return f"{MOST_IN_VAIN} answers in a row brought nothing new"

    def _why_cut(self, part: ListPart, count: int) -> str:
        """Why the list is not all of it, although the service gives no more."""
        if part.unusable:
            return part.unusable
        if self._paging.style == "cursor" and (why := self._why_no_end(part)):
            return why
        if part.unread and not self._was_led_on(part):
            return part.unread
        if self._counted is not None and self._counted[1] > count:
            name, told = self._counted
            return f"{name} tells of {told}, only {count} were read; set [paging]"
        if self.total is None and self._paging.style in ("page", "offset"):
            return self._why_without_a_total(part)
        return ""

    def _why_no_end(self, part: ListPart) -> str:
        """Why what stands where a cursor would does not say that the list ends."""
        if self._is_without_cursor(part) and self._is_full(part):
            return self._no_cursor(part)
        waits_for_more = not part.items and part.next == self._cursor
        if part.next is None or waits_for_more:
            return ""
        if self._repeats:
            return (
                f"{self._paging.cursor} leads nowhere: what came comes again; see [paging] cursor"
            )
        return "the service leads back to where it was read already"

    def _is_without_cursor(self, part: ListPart) -> bool:
        """Whether no answer says where its list goes on: perhaps it is called otherwise."""
        return part.open_ended and self._requests == 1 and not self._history.has_hint

    def _no_cursor(self, part: ListPart) -> str:
        name = ".".join(self._paging.next)
        return f"no {name} came with {len(part.items)} records; see [paging] next"

    def _why_unsure(self, part: ListPart) -> str:
        """Why what was read may be less than all of it: only its length says so."""
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
        """Why what was read may be no more than a beginning, where nobody tells how long it is."""
        if self._is_one_for_all() and self._is_full(part):
            count, place = len(part.items), self._place()
            return f"the same {count} records come, whatever {place} says; set [paging]"
        before = self._lengths[:-1]
        # 404 is how an end is told; a service may refuse otherwise to go as far as it was asked to.
        refused = self._refused not in (0, HTTPStatus.NOT_FOUND)
        if refused and before[1:] and before[-1] == before[0]:
            return f"the service goes no further than {sum(before)} records"
        return ""

    def _was_led_on(self, part: ListPart) -> bool:
        """Whether the way of reading on was tried and worked: other signs may mean anything."""
        if self._paging.style == "cursor":
            return bool(self._cursors - {None})
        return self._requests > 1 and not part.items


# A list narrowed once more on our side: a service may ignore the filters that it is sent.

_WALLETS_OF_A_PAYMENT = ("source_wallet_id", "destination_wallet_id")


def only_asked_for(listing: Listing[T], given: Mapping[str, str | None]) -> Listing[T]:
    """The records that say of themselves what was asked for, or do not say.

    `given` are canonical parameters; `status` is the service's own word and is left to it.
    """
    wanted = {name: value for name, value in given.items() if value and name != "status"}
    records = tuple(record for record in listing.records if _is_wanted(record, wanted))
    if len(records) == len(listing.records):
        return listing
    return replace(listing, records=records, total=len(records) if listing.complete else None)


def _is_wanted(record: object, wanted: Mapping[str, str]) -> bool:
    return all(value in own for name, value in wanted.items() if (own := _own(record, name)))


def _own(record: object, name: str) -> set[object]:
    """What a record says of itself; nothing where it does not tell."""
    both = isinstance(record, Payment) and name == "wallet_id"
    fields = _WALLETS_OF_A_PAYMENT if both else (name,)
    return {getattr(record, field, None) for field in fields} - {None}
