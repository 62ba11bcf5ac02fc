"""A screen that is one list, declared by what is particular to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from paytui.api.resources import READS
from paytui.config.keys import first_key
from paytui.config.settings import View
from paytui.domain.models import AccountId, Kind
from paytui.store.query.fields import named_fields, references
from paytui.store.query.filter import (
    Filter,
    FilterError,
    TimeContext,
    narrows,
    older_rows_query,
    parse_filter,
    unknown_word,
)
from paytui.store.query.search_text import NameChanges, SearchTextCache, search_text
from paytui.store.table import SLICE, Changes, Table
from paytui.tui import keys
from paytui.tui.bridge import TableReader
from paytui.tui.context import UiContext
from paytui.tui.format.feeds import counted
from paytui.tui.screens.base import MainPage
from paytui.tui.screens.list_dialogs import RowSpec, current_view, matches_view, sorts_of
from paytui.tui.table.columns import Column, choose_columns, column_id
from paytui.tui.table.data_list import DataList
from paytui.tui.table.order import sort_words
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned
from paytui.tui.widgets.input import FilterLine
from paytui.tui.widgets.text import SplitLine

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

AGES_EVERY = 5.0
"""Seconds after which a filter of ages looks at all rows again."""


TEXTS = 200
"""Rows whose texts are made at once: a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSpec(Generic[K, R]):
    """What is particular to one list.

    Attributes:
        columns: those that are shown where nobody chose others.
        others: what else can be shown, and sorted by in any case.
        owner: the account that a row belongs to, by which it is in scope or not.
        only: the rows that this list is about, of those in the table.
        within: what all of these belong to, in a person's words.
    """

    mode: str
    row_spec: RowSpec
    table: Table[K, R]
    columns: tuple[Column[R], ...]
    others: tuple[Column[R], ...] = ()
    sort: str
    descending: bool = False
    owner: Callable[[R], AccountId | None]
    only: Callable[[R], bool] = lambda _: True
    within: str = ""


class ListPage(MainPage, Generic[K, R]):
    """The list, and above it how many there are and how well they are fed."""

    BINDINGS = keys.LIST

    def __init__(self, desk: UiContext, listing: ListSpec[K, R]) -> None:
        super().__init__(desk, listing.mode)
        self._listing = listing
        self._scope = desk.scope
        self._zone = desk.zone
        self._title = SplitLine(classes="title")
        self._filter_line = FilterLine()
        self._fields = named_fields(desk.store, listing.row_spec.listed)
        self._texts = SearchTextCache(search_text(self._fields), listing.table.key)
        self._wanted = self._parsed("")
        self._complaint = ""
        self._judged = ("", 0, "")
        self._kept_at = 0.0
        self._renamed = NameChanges(desk.store)
        self._references = references(listing.row_spec.listed)
        chosen = desk.settings.columns.get(listing.row_spec.stem)
        shown, unseen = listing.columns, listing.others
        if chosen is not None:
            shown, unseen = choose_columns((*shown, *unseen), chosen)
        self._list: DataList[K, R] = DataList(
            shown,
            listing.table.key,
            sort=listing.sort,
            descending=listing.descending,
            unseen=unseen,
            keep=self._kept,
            opened=self._open,
        )
        self._usual = (shown, unseen)
        self._reader = TableReader(listing.table, self._list.apply)

    def body(self) -> Iterator[Widget]:
        """The list under its line of words."""
        yield self._title
        yield self._filter_line
        yield self._list

    @property
    def selected(self) -> R | None:
        """The row under the cursor."""
        return self._list.selected

    async def pull(self) -> None:
        """Take in rows that changed, names that changed, and the account in scope."""
        await super().pull()
        if renamed := self._renamed.look():
            await self._name_again(renamed)
        await self._reader.pull()
        if self._scope != self.desk.scope:
            self._scope = self.desk.scope
            self._keep()
        if self._zone != self.desk.zone:
            self._zone = self.desk.zone
            self._filter_by(self._filter_line.value)
        self._list.settle()
        self._say()

    def tick(self) -> None:
        """Judge the age of the feed again."""
        super().tick()
        if self._wanted.ages and self.desk.time.clock.boot() - self._kept_at >= AGES_EVERY:
            self._keep()
        self._say()

    def action_filter(self) -> None:
        """Have a filter typed."""
        self._filter_line.open(self._when.zone_name)
        self.run_worker(self._make_texts(), group="texts", exclusive=True)

    def action_leave_filter(self) -> None:
        """Back to the rows, with the filter as it is; a blank one goes."""
        if not self._filter_line.value.strip():
            self._filter_line.close()
            self._texts.clear()
        self._reach()
        self.set_focus(self._list)

    def action_unfilter(self) -> None:
        """Show all rows again; where they are shown already, go back to where one came from."""
        if not self._filter_line.display and self.app.screen_stack[0] is not self:
            self.dismiss()
            return
        self._filter_line.close()
        self._texts.clear()
        self.set_focus(self._list)

    def action_order(self) -> None:
        """Choose the columns to sort by."""
        from paytui.tui.screens.list_dialogs import OrderDialog

        self.app.push_screen(OrderDialog(self._list.sortable, self._list.sorts, self._list.sort_by))

    def action_views(self) -> None:
        """Choose a named way to look at the list, or give the present one a name."""
        from paytui.tui.screens.list_dialogs import ViewsDialog

        stem, now = self._listing.row_spec.stem, current_view(self._filter_line.value, self._list)
        self.app.push_screen(ViewsDialog(self.desk, stem, now, self._look))

    def _look(self, view: View) -> None:
        """Show the list by a view; what that does not say is as the list comes."""
        listing, columns = self._listing, self._usual
        if view.columns is not None:
            columns = choose_columns((*listing.columns, *listing.others), view.columns)
        self._list.show_columns(*columns)
        usual = View(sort=((column_id(listing.sort), listing.descending),))
        self._list.sort_by(sorts_of(usual if view.sort is None else view, self._list.sortable))
        self._filter_line.show(view.filter or "")
        self._list.focus()

    def on_data_list_sorted(self) -> None:
        """Say by what."""
        self._say()

    def on_data_list_filtered(self) -> None:
        """Say how many there are."""
        self._say()

    def action_export(self) -> None:
        """Write what is shown, in the order in which it is, to a file."""
        from paytui.tui.screens.list_dialogs import ExportDialog

        if self._complaint:
            mend = first_key(self.desk.settings.keys, "list.filter")
            remedy = f"{mend} mends it, esc clears it."
            words = f"The filter is not understood, so that nothing is exported: {remedy}"
            self.notify(words, markup=False)
            return
        self.app.push_screen(ExportDialog(self.desk, self._listing.row_spec, self._list.rows()))

    def action_copy(self) -> None:
        """Put the row's identifier on the clipboard of the terminal."""
        if (row := self._list.selected) is not None:
            copy(self.app, f"{self._listing.row_spec.title} id", str(self._listing.table.key(row)))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter while it is typed; what cannot be understood leaves the rows as they are."""
        self._filter_by(event.value)
        self._say()

    def _filter_by(self, text: str) -> None:
        before = self._wanted.text
        try:
            self._wanted = self._parsed(text)
        except FilterError as error:
            self._complaint = str(error)
        else:
            self._complaint = ""
            if not self._wanted.tests:
                self._texts.clear()
            self._keep(narrower=narrows(text, before, self._fields))

    async def _make_texts(self) -> None:
        """Make what words are looked for in while the first of them is yet to be typed."""
        rows, only = self._listing.table.rows(), self._listing.only
        for start in range(0, len(rows), TEXTS):
            await asyncio.sleep(0)
            if not self._filter_line.display or self._wanted.tests:
                return  # who looks through all rows makes the rest
            for row in filter(only, rows[start : start + TEXTS]):
                self._texts(row)

    def _reach(self) -> None:
        """Look for what the filter names among what is older than what is in memory, too."""
        kind = self._partly_held
        if kind is None or self._complaint:
            return
        if reach := older_rows_query(self._filter_line.value, self._fields, self._when):
            self.desk.port.reach(kind, reach)

    @property
    def _partly_held(self) -> Kind | None:
        """The kind of the rows, if older ones of it are not in memory."""
        listed = self._listing.row_spec.listed
        return listed if isinstance(listed, Kind) and self.desk.store.left_out(listed) else None

    @property
    def _when(self) -> TimeContext:
        """Days are those of the zone that times are shown in."""
        return TimeContext(self.desk.time.latest, self.desk.zone)

    def _parsed(self, text: str) -> Filter:
        return parse_filter(text, self._fields, self._when, self._texts)

    async def _name_again(self, renamed: frozenset[str]) -> None:
        """Look anew at the rows that name what was renamed: they may be found, or stand, elsewhere.

        Whom they belong to may be known by that, too.
        """
        rows = self._list.every_row()
        for start in range(0, len(rows), SLICE):
            part = rows[start : start + SLICE]
            named = tuple(row for row in part if self._names_one_of(row, renamed))
            self._texts.forget(named)
            if named:
                self._list.apply(Changes(named, (), version=0, more=False))
            await asyncio.sleep(0)

    def _names_one_of(self, row: R, renamed: frozenset[str]) -> bool:
        return any(read(row) in renamed for read in self._references)

    def _keep(self, *, narrower: bool = False) -> None:
        self._kept_at = self.desk.time.clock.boot()
        self._list.keep(self._kept, narrower=narrower)

    def _kept(self, rows: Sequence[R]) -> Sequence[R]:
        owner, scope, only = self._listing.owner, self.desk.scope, self._listing.only
        if scope is not None:
            rows = [row for row in rows if owner(row) == scope]
        return self._wanted.among([row for row in rows if only(row)])

    def _say(self) -> None:
        row_spec = self._listing.row_spec
        words = row_spec.health(self.desk)
        right = Content("").join([toned(words.text, words.tone), Content(" ")])
        self._title.say(self._count(), right)
        if self._wanted.tests:
            self._list.placeholder(self._no_match())
        else:
            self._list.placeholder(row_spec.empty(self.desk))

    def _no_match(self) -> str:
        """Why nothing is shown: a word that nothing has is told with those that there are."""
        if not len(self._list) and not self._list.is_filtering:
            rows, text = self._list.every_row(), self._wanted.text
            if self._judged[:2] != (text, len(rows)):
                # Many rows are not to be looked through again at each tick.
                unknown = unknown_word(text, self._fields, rows, {"status": self._states})
                self._judged = text, len(rows), unknown
            if self._judged[2]:
                return f"{self._judged[2]} esc clears the filter."
        words = f"No {self._listing.row_spec.noun} match the filter; esc clears it."
        if self._partly_held is None:
            return words
        return f"{words} Older ones: a whole id, or created>DAY or created<DAY, and enter."

    @property
    def kinds_in_view(self) -> Collection[Kind]:
        """The list, and what tells whose lists there are."""
        listed = self._listing.row_spec.listed
        if not isinstance(listed, Kind):
            return super().kinds_in_view
        return {kind for kind in (listed, READS[listed].parent) if kind is not None}

    @property
    def _states(self) -> tuple[str, ...]:
        listed = self._listing.row_spec.listed
        return self.desk.vocabulary.states.get(listed, ()) if isinstance(listed, Kind) else ()

    def _count(self) -> Content:
        if self._complaint:
            return toned(f" {self._complaint}", Tone.CLOSING)
        view = f", view {name}" if (name := self._view_name()) else ""
        filtered = ", filtered" if self._wanted.tests else ""
        filtered = ", filtering …" if self._list.is_filtering else filtered
        filtered = f" so far{filtered}" if self._list.is_partial else filtered
        count = counted(len(self._list), self._listing.row_spec.noun)
        within = f" of {self._listing.within}" if self._listing.within else ""
        order = sort_words(self._list.sorts)
        return toned(f" {count}{within}{view}{filtered}{order and f', {order}'}", Tone.MUTED)

    def _view_name(self) -> str:
        """Of the view by which the list is looked at; empty where it has no name."""
        views = self.desk.settings.views.get(self._listing.row_spec.stem)
        if not views:
            return ""
        now = current_view(self._filter_line.value, self._list)
        return next((name for name, view in views.items() if matches_view(now, view)), "")

    def _open(self, row: R) -> None:
        key = str(self._listing.table.key(row))
        self.app.push_screen(self._listing.row_spec.detail(self.desk, key))
