"""A check of a dialect against live reads of each kind, or against a response in a file."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise

from paytui.api import errors
from paytui.api.client import Client
from paytui.api.dialect import Dialect, Paging
from paytui.api.paging import first_query, is_full, next_query
from paytui.api.raw_reads import RawReader
from paytui.api.resources import READS, TRACKED
from paytui.api.wire.codec import Wire
from paytui.api.wire.decode import BadRecord, Reader, Readers
from paytui.api.wire.envelope import ListPart, other_style
from paytui.cli.commands import dialect_report
from paytui.cli.common import CommandError
from paytui.config.settings import Rates
from paytui.domain.exact_json import CannotReadError, Json, parse
from paytui.domain.models import Kind, RateSheet, Record
from paytui.domain.money import Pair
from paytui.domain.requests import RateSheetRequest
from paytui.platform.clock import utc


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a check.

    Attributes:
        lines: problems, with the dialect's lines that may solve them.
        goes_on: True if the next page had other records.
        is_sure: True if records are missed, or may well be.
    """

    lines: tuple[str, ...] = ()
    goes_on: bool = False
    is_sure: bool = False


NOT_TRIED = Trial()

OVERLAP = timedelta(seconds=30)  # Margin before the newest change, from which changes are requested

_NO_LIST = (errors.Refused, errors.NotOffered, errors.ServiceFailed, errors.Unreadable)
"""Errors that may be due to the parameters of a request."""

ORDERED = frozenset({Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS})
"""Kinds of which only the first pages are read if new objects come first."""


class ListTrial:
    """A check of what a dialect says of a list: paging beyond the first page, changes and order.

    Its methods raise `ApiError`.
    """

    def __init__(
        self, sampler: RawReader, dialect: Dialect, kind: Kind, parent: str | None = None
    ) -> None:
        self._sampler = sampler
        self._kind = kind
        self._parent = parent
        self._paging: Paging = dialect.paging.of(READS[kind].operation)
        self._dialect = dialect
        self._reader: Reader[Record] = Readers(dialect).of(READS[kind].record)

    async def whole(self) -> tuple[ListPart, Trial]:
        """Return the first response, and the trial of paging, changes and order."""
        answer, trial = await self._first()
        if trial.is_sure:
            return answer, trial
        records = self._read(answer.items)
        lines, is_sure = await self._changes(records)
        if trial.goes_on or (answer.total or 0) > len(answer.items):
            order, contradicts = self._order(records)
            lines, is_sure = (*lines, *order), is_sure or contradicts
        return answer, replace(trial, lines=(*trial.lines, *lines), is_sure=is_sure)

    async def _first(self) -> tuple[ListPart, Trial]:
        """Return the first response, and the trial of the pages after and before it.

        If it is empty or refused, ask again without paging parameters.
        """
        asked = first_query(self._paging)
        named = "&".join(f"{name}={value}" for name, value in asked.items())
        try:
            first = await self._sampler.listed(self._kind, self._parent)
        except errors.Refused as error:
            if not (bare := await self._bare()).items:
                raise
            return bare, self._without(f"  with {named}: {error.problem.what}", bare)
        trial = await self._pages_around(first)
        if first.items or trial.lines or not (bare := await self._bare()).items:
            return first, trial
        return bare, self._without(f"  with {named} the list is empty", bare)

    async def _bare(self) -> ListPart:
        return await self._part({}) if first_query(self._paging) else ListPart([])

    def _without(self, what: str, bare: ListPart) -> Trial:
        lines = (
            f"{what}; without, {len(bare.items)} records",
            "  each parameter may be treated as a filter: name those of the manual, or none",
            '    [paging] style = "none"  # or the style and the names that the manual has',
            f'    [paging] unpaged = ["{READS[self._kind].operation}"]  # if it is this list alone',
        )
        return Trial(lines, is_sure=True)

    async def _pages_around(self, first: ListPart) -> Trial:
        """Try the pages after and before the first response."""
        if first.items and first.total == len(first.items) and not first.unread:
            return NOT_TRIED
        if (zeroth := await self._before(first)) is not None:
            return zeroth
        asked = next_query(self._paging, first) if first.items else None
        if asked is None:
            return self._without_a_cursor(first)
        second = await self._part(asked)
        if not second.items:
            return NOT_TRIED
        if self._ids(second) - self._ids(first):
            return Trial(goes_on=True)
        return await self._repeated(first, asked)

    def _without_a_cursor(self, first: ListPart) -> Trial:
        if not (first.items and first.open_ended) or is_full(first, self._paging):
            return NOT_TRIED  # a full page is reported anyway
        name = ".".join(self._paging.next)
        return Trial((f"  {name}: not in the response. Is that the right field name?",))

    async def _before(self, first: ListPart) -> Trial | None:
        """Return the trial of a page 0; None if there is none."""
        paging = self._paging
        if paging.style != "page" or paging.first != 1:
            return None
        page = await self._part(first_query(replace(paging, first=0)))
        if not self._ids(page) - self._ids(first):
            return None
        what = f"  {paging.page}=0 brings records that {paging.page}=1 does not"
        return Trial((what, "    [paging] first = 0"), is_sure=True)

    async def _repeated(self, first: ListPart, asked: Mapping[str, str]) -> Trial:
        paging = self._paging
        name, value = next(each for each in asked.items() if each[0] != paging.size)
        what = f"  the same records come again for {name}={value}"
        if paging.style == "cursor":
            mend = (
                '    [paging] cursor = "…"  # the parameter that takes it, as the manual calls it'
            )
            return Trial((what, mend), is_sure=True)
        by_offset = replace(paging, style="offset")
        more = await self._part({**first_query(by_offset), paging.offset: str(len(first.items))})
        if self._ids(more) - self._ids(first):
            named = f"    [paging] offset = {json.dumps(paging.offset)}"
            return Trial((what, '    [paging] style = "offset"', named), is_sure=True)
        lines = [f"    {line}" for line in other_style(paging)]
        if not first.unread:
            lines.insert(0, '    [paging] style = "none"  # if that is all of the list, or else:')
        return Trial((what, *lines), is_sure=is_full(first, paging))

    async def _part(self, asked: Mapping[str, str]) -> ListPart:
        """Return a part of the list; empty if the service refuses the paging."""
        try:
            return await self._sampler.listed(self._kind, self._parent, asked)
        except _NO_LIST:
            return ListPart([])

    def _ids(self, part: ListPart) -> set[str]:
        return set(self._reader.identities(part.items))

    async def _changes(self, records: Sequence[Record]) -> tuple[tuple[str, ...], bool]:
        operation = READS[self._kind].operation
        changes = {self._reader.identity(record): _changed(record) for record in records}
        dated = {key: time for key, time in changes.items() if time is not None}
        if operation not in self._dialect.tell_changes or not dated:
            return (), False
        newest = max(dated, key=lambda key: dated[key])
        since = dated[newest] - OVERLAP
        name = self._dialect.query["updated_since"]
        without = '    [query] updated_since = ""  # or leave the list out of [changes] lists'
        try:
            part = await self._sampler.listed(self._kind, self._parent, since=utc(since))
        except _NO_LIST as error:
            return (f"  with {name}, the service answers: {error.problem.what}", without), True
        came = self._read(part.items)
        older = [record for record in came if (_changed(record) or since) < since]
        if 2 * len(older) > len(came):
            return (f"  {name} is ignored, which is harmless", without), False
        if newest in map(self._reader.identity, came) or is_full(part, self._dialect.paging):
            return (), False
        what = f"  asked for {name}={utc(since)}, it leaves out a later change:"
        return (what, "  it treats the parameter as a filter, or lists no changes", without), True

    def _order(self, records: Sequence[Record]) -> tuple[tuple[str, ...], bool]:
        if self._kind not in ORDERED or (found := _order_of(records)) is None:
            return (), False
        told = self._dialect.paging.order
        words = {"newest_first": "newest first", "oldest_first": "oldest first", "none": "no order"}
        if told in ("none", found):
            return (), False
        line = f'    [paging] order = "{found}"'
        if told:
            return (f"  listed {words[found]}, not {words[told]}", line), told == "newest_first"
        if found == "newest_first":
            line += "  # if new objects are listed there too: see the manual"
        return (f"  listed {words[found]}, in the part that was read", line), False

    def _read(self, items: Iterable[Json]) -> list[Record]:
        read = self._reader.read_each(list(items))
        return [record for record in read if not isinstance(record, BadRecord)]


def _changed(record: Record) -> datetime | None:
    time: datetime | None = getattr(record, "updated_at", None)
    return time


def _order_of(records: Iterable[Record]) -> str | None:
    """Return the order of some records; None if it cannot be told."""
    made = [getattr(record, "created_at", None) for record in records]
    times = [time for time in made if time is not None]
    if len(times) < len(made) or len(set(times)) <= 1:
        return None
    pairs = list(pairwise(times))
    if all(one >= other for one, other in pairs):
        return "newest_first"
    return "oldest_first" if all(one <= other for one, other in pairs) else "none"


MOST_ASKED = 5  # Wallets, recipients or identifiers that are tried at most until one has records

_ASKED = "signed in: the token was understood"
_SHARED = (
    "signed in with a token that another paytui shares: sign-in was not tested. "
    "Try again when no other has run for five minutes"
)

_NOTHING = "Nothing was understood: start with prefix and [paths]."
_NOT_LET_IN = (
    "Nothing was read, so nothing can be said of the dialect: the service rejected every token. "
    "End other programs with this client id, then run this again."
)

_NO_CODE = (
    "  [errors] code: this refusal has none but its status. If all errors of the service are so, "
    "name a member that each has: until then, a payment that it refuses stays in doubt."
)

MOST_LOCKED = 3  # Pairs of the rate sheet that is locked for the check


@dataclass(slots=True)
class Outcome:
    """The lines to print, and whether all records could be read.

    Attributes:
        let_in: False if a read failed for lack of a token.
        to_judge: the number of lines to compare with the manual.
    """

    lines: list[str] = field(default_factory=list)
    understood: bool = True
    let_in: bool = True
    to_judge: int = 0

    def add_records(
        self, title: str, cls: type, answer: ListPart, dialect: Dialect, trial: Trial = NOT_TRIED
    ) -> list[Json]:
        """Add the report on a response with records of a class, and return the records."""
        part, around = dialect_report.EnvelopeFinder(cls, dialect).opened(answer)
        around.extend(dialect_report.paging_lines(part, dialect.paging, goes_on=trial.goes_on))
        around.extend(dialect_report.identity_problems(cls, part.items, dialect))
        self.understood &= not around and not trial.is_sure
        records = part.items
        self.lines.append(f"{title}: {len(records)} checked")
        self.lines.extend(dict.fromkeys((*around, *trial.lines)))
        survey = dialect_report.Survey(dialect)
        survey.look_at(cls, records)
        self.lines.extend(dialect_report.report(survey, dialect))
        self.understood &= not survey.useless
        for section in survey.sections.values():
            self.understood &= not (
                section.unreadable or section.useless or dialect_report.is_guessed(section)
            )
            self.to_judge += len(section.unread) + len(section.states)
        return records

    def conclude(self) -> None:
        if self.to_judge:
            self.lines.append(
                f"Lines that say unread or state: {self.to_judge}. Look through them."
            )

    async def add_read(
        self, kind: Kind, asked: Awaitable[tuple[ListPart, Trial]], dialect: Dialect
    ) -> list[Json]:
        """Add the report on a read, or the reason of its failure."""
        try:
            answer, trial = await asked
        except errors.ApiError as error:
            self.lines.append(f"{kind.value}: {error}")
            if isinstance(error, errors.Refused) and not error.stated:
                self.lines.append(_NO_CODE)
            self.understood &= isinstance(error, errors.NotOffered)
            self.let_in &= not isinstance(
                error, (errors.TokenLost, errors.AuthRefused, errors.NoSecret)
            )
            return []
        return self.add_records(kind.value, _record_of(kind), answer, dialect, trial)


async def check_live(
    client: Client, dialect: Dialect, tracked: Mapping[Kind, Sequence[str]], watched: Sequence[Pair]
) -> Outcome:
    """Check live reads of each kind that the service lists or that is tracked.

    A rate sheet is locked for some of the watched pairs, or of the default ones.

    Raise ApiError if the login is refused.
    """
    outcome = Outcome([_ASKED if await client.sign_in() else _SHARED])
    known: dict[Kind, list[str]] = {}
    readers = Readers(dialect)
    for kind, read in READS.items():
        parents = known.get(read.parent, []) if read.parent else [None]
        if read.parent is not None and not parents and not tracked.get(kind):
            outcome.lines.append(_unlisted(kind, read.parent))
            continue
        asked = _answer(client, dialect, kind, parents, tracked.get(kind, ()))
        records = await outcome.add_read(kind, asked, dialect)
        known[kind] = readers.of(read.record).identities(records)
    pairs = tuple(watched or Rates().watch)[:MOST_LOCKED]
    named = ", ".join(f"{pair.sell}>{pair.buy}" for pair in pairs)
    outcome.lines.append(f"rate_sheets: locking one of {named}; without obligation")

    async def lock() -> tuple[ListPart, Trial]:
        sheet = await client.sample_rate_sheet(RateSheetRequest(currency_pairs=pairs))
        return sheet, NOT_TRIED

    sheets = await outcome.add_read(Kind.RATE_SHEETS, lock(), dialect)
    if not sheets and not any(known.values()):
        outcome.lines.append(_NOTHING if outcome.let_in else _NOT_LET_IN)
        outcome.understood = False
    outcome.conclude()
    return outcome


async def _answer(
    client: Client,
    dialect: Dialect,
    kind: Kind,
    parents: Sequence[str | None],
    tracked: Sequence[str],
) -> tuple[ListPart, Trial]:
    trial = NOT_TRIED
    try:
        for parent in parents[:MOST_ASKED]:
            answer, trial = await ListTrial(client.raw, dialect, kind, parent).whole()
            if answer.items or trial.lines:
                return answer, trial
    except errors.NotOffered:
        if not tracked:
            raise
    for identifier in tracked[:MOST_ASKED] if kind in TRACKED else ():
        if (answer := await client.raw.fetched(kind, identifier)).items:
            return answer, NOT_TRIED
    return ListPart([]), trial


def _unlisted(kind: Kind, parent: Kind) -> str:
    one = parent.noun_of_one
    also = f" or a {kind.noun_of_one} of your own" if kind in TRACKED else ""
    return (
        f"{kind.value}: not checked: they are listed for each {one}, and no {one} is known; "
        f"track a {one}{also}: paytui track ID…"
    )


def explain_response(kind: Kind, body: bytes, dialect: Dialect) -> Outcome:
    """Explain a response that holds objects of a kind.

    Raise CommandError if it is not JSON, or holds no object.
    """
    wire, outcome = Wire(dialect), Outcome()
    try:
        parse(body)
        try:
            answer = wire.many(body)
        except CannotReadError:
            answer = ListPart([wire.raw(body)])
    except CannotReadError as error:
        raise CommandError(f"The answer cannot be read: {error}.") from None
    outcome.add_records(kind.value, _record_of(kind), answer, dialect)
    outcome.conclude()
    return outcome


def _record_of(kind: Kind) -> type[Record | RateSheet]:
    return READS[kind].record if kind in READS else RateSheet
