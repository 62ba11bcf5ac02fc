"""A check of a list's pagination: pages beyond the first are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from paytui.api.dialect import Dialect, Paging
from paytui.api.dialect_survey import Sampler
from paytui.api.errors import NotOffered, Refused, ServiceFailed, Unreadable
from paytui.api.pages import first_query, is_full, next_query
from paytui.api.resources import READS
from paytui.api.wire.codec import Slice
from paytui.api.wire.paging_hints import other_way
from paytui.cli.dialect_records import identifiers
from paytui.domain.models import Kind


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of a check.

    Attributes:
        lines: what is wrong, with the lines of a dialect that may mend it.
        goes_on: whether other records came.
        is_sure: whether records are known to be missed, or may well be.
    """

    lines: tuple[str, ...] = ()
    goes_on: bool = False
    is_sure: bool = False


NOT_TRIED = Trial()


class PagesOf:
    """Asks for parts of a kind's list. Its methods raise `ApiError`."""

    def __init__(
        self, sampler: Sampler, dialect: Dialect, kind: Kind, parent: str | None = None
    ) -> None:
        self._sampler = sampler
        self._kind = kind
        self._parent = parent
        self._paging: Paging = dialect.paging.of(READS[kind].operation)
        self._dialect = dialect

    async def first(self) -> tuple[Slice, Trial]:
        """Return the first response, and the trial of the pages after and before it.

        If it is empty or refused, ask again without paging parameters.
        """
        asked = first_query(self._paging)
        named = "&".join(f"{name}={value}" for name, value in asked.items())
        try:
            first = await self._sampler.listed(self._kind, self._parent)
        except Refused as error:
            if not (bare := await self._bare()).items:
                raise
            return bare, self._without(f"  with {named}: {error.problem.what}", bare)
        trial = await self.tried(first)
        if first.items or trial.lines or not (bare := await self._bare()).items:
            return first, trial
        return bare, self._without(f"  with {named} nothing comes", bare)

    async def _bare(self) -> Slice:
        return await self._part({}) if first_query(self._paging) else Slice([])

    def _without(self, what: str, bare: Slice) -> Trial:
        lines = (
            f"{what}; without, {len(bare.items)} records",
            "  each parameter may be treated as a filter: name those of the manual, or none",
            '    [paging] style = "none"  # or the style and the names that the manual has',
            f'    [paging] unpaged = ["{READS[self._kind].operation}"]  # if it is this list alone',
        )
        return Trial(lines, is_sure=True)

    async def tried(self, first: Slice) -> Trial:
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

    def _without_a_cursor(self, first: Slice) -> Trial:
        if not (first.items and first.open_ended) or is_full(first, self._paging):
            return NOT_TRIED  # of a full answer it is told anyway
        name = ".".join(self._paging.next)
        return Trial((f"  {name} is not there, as where nothing follows: is it called so?",))

    async def _before(self, first: Slice) -> Trial | None:
        """A page before the first, where there is one."""
        paging = self._paging
        if paging.style != "page" or paging.first != 1:
            return None
        page = await self._part(first_query(replace(paging, first=0)))
        if not self._ids(page) - self._ids(first):
            return None
        what = f"  {paging.page}=0 brings records that {paging.page}=1 does not"
        return Trial((what, "    [paging] first = 0"), is_sure=True)

    async def _repeated(self, first: Slice, asked: Mapping[str, str]) -> Trial:
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
        lines = [f"    {line}" for line in other_way(paging)]
        if not first.unread:
            lines.insert(0, '    [paging] style = "none"  # if that is all of the list, or else:')
        return Trial((what, *lines), is_sure=is_full(first, paging))

    async def _part(self, asked: Mapping[str, str]) -> Slice:
        """Return a part of the list; empty if the service refuses the paging."""
        try:
            return await self._sampler.listed(self._kind, self._parent, asked)
        except (Refused, NotOffered, ServiceFailed, Unreadable):
            return Slice([])

    def _ids(self, part: Slice) -> set[str]:
        return set(identifiers(READS[self._kind].record, part.items, self._dialect))
