"""A screen with one list, declared by a specification."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input

from paytui.api.resources import READS
from paytui.config.key_bindings import first_key
from paytui.config.settings import View
from paytui.domain.models import AccountId, Kind, singular
from paytui.store.fields import FieldType, find_fields, search_text
from paytui.store.filter import (
    Filter,
    FilterError,
    TimeContext,
    completions,
    example,
    parse_filter,
    unknown_word,
)
from paytui.store.names import Owner
from paytui.store.search_text import NameChanges, SearchTextCache, named_fields
from paytui.store.sums import GROUPS, MONEY, NOTHING, Group, GroupBy, groups_of, sums_of
from paytui.store.table import Changes, Table
from paytui.tui import list_dialogs, textual_bindings
from paytui.tui.base_screens import MainPage
from paytui.tui.format.cells import Ref, Tone, toned
from paytui.tui.list_totals import GroupByDialog, GroupLine, GroupsDialog, SumLine, group_lines
from paytui.tui.store_bridge import TableReader
from paytui.tui.table.columns import Column, choose_columns, column_id, sort_words
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import counted, counted_rows, lacks_rows
from paytui.tui.widgets.ordered_keys import FilterLine
from paytui.tui.widgets.text import RuleLine

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")

AGES_EVERY = 5.0  # Seconds after which a filter by age is applied to all rows again
EXAMPLES = 100  # Rows that are searched for examples and completions


@dataclass(frozen=True, slots=True, kw_only=True)
class ListSpec(Generic[K, R]):
    """The table, columns, order and scope of one list.

    Attributes:
        columns: the columns shown by default.
        others: further columns to show; the list can be sorted by them in any case.
        owner: returns the account of a row, which decides whether the row is in scope.
        of: the object that the list belongs to; None: it holds all rows of the table.
        only: returns True for rows that belong to it.
        within: its name.
    """

    mode: str
    row_spec: list_dialogs.RowSpec
    table: Table[K, R]
    columns: tuple[Column[R], ...]
    others: tuple[Column[R], ...] = ()
    sort: str
    descending: bool = False
    owner: Callable[[R], AccountId | None]
    of: Owner | None = None
    only: Callable[[R], bool] = lambda _: True
    within: str = ""


class ListPage(MainPage, Generic[K, R]):
    """A list under a line with its count, filter, order and the state of its feed."""

    BINDINGS = textual_bindings.groups("Lists")
    list_class: ClassVar[type[DataList[Any, Any]]] = DataList

    def __init__(self, ui: UiContext, listing: ListSpec[K, R]) -> None:
        super().__init__(ui, listing.mode)
        self._listing = listing
        self._row_spec = listing.row_spec
        self._scope = ui.scope
        self._zone = ui.zone
        self._title = RuleLine(classes="title")
        self._sum_line = SumLine(listing.row_spec.listed)
        self._sums = NOTHING
        self._summed: Hashable = None  # The state of the list when it was summed
        self._filter_line = FilterLine(self._completions)
        self._fields = named_fields(ui.store, listing.row_spec.listed)
        self._texts = SearchTextCache(search_text(self._fields), listing.table.key)
        self._row_filter = self._parsed("")
        self._filter_error = ""
        self._unknown_word = ("", 0, "")
        self._filtered_at = 0.0
        self._built_in_views: Mapping[str, View] = {}
        self._is_visited = False
        self._renamed = NameChanges(ui.store)
        chosen = ui.settings.columns.get(listing.row_spec.stem)
        shown, unseen = listing.columns, listing.others
        if chosen is not None:
            shown, unseen = choose_columns((*shown, *unseen), chosen)
        self._list: DataList[K, R] = self.list_class(
            shown,
            listing.table.key,
            sort=listing.sort,
            descending=listing.descending,
            unseen=unseen,
            keep=self._matching,
            opened=self.open_row,
        )
        self._usual = (shown, unseen)
        self._reader = TableReader(listing.table, self._list.apply)

    def body(self) -> Iterator[Widget]:
        yield self._title
        yield self._filter_line
        yield self._list
        if self._row_spec.listed in MONEY:
            yield self._sum_line

    @property
    def crumb(self) -> str:
        is_numbered = self.app.screen_stack[0] is self
        return super().crumb if is_numbered else self._row_spec.noun.capitalize()

    @property
    def selected(self) -> R | None:
        return self._list.selected

    @property
    def marked(self) -> Collection[object]:
        return self._list.marked_rows()

    @property
    def account_id(self) -> AccountId | None:
        """The account of new objects: that which the list belongs to, or the one in scope."""
        return AccountId(self._listing.of[1]) if self._listing.of else self.ui.scope

    def visit(self) -> None:
        self._is_visited = True
        self._list.visit()

    async def pull(self) -> None:
        await super().pull()
        await self.pull_rows()
        if self._scope != self.ui.scope:
            self._scope = self.ui.scope
            self._refilter()
        if self._zone != self.ui.zone:
            self._zone = self.ui.zone
            self._filter_by(self._filter_line.value)
        self._update_marks()
        self._list.settle()
        if self._is_visited:
            self._is_visited = False
            self._show_created()
        self._update_lines()

    async def pull_rows(self) -> None:
        """Take in changes of the rows, and of the names in them."""
        if self._renamed.look():  # rows are found and sorted by these names, and owned by them
            self._texts.clear()
            rows = tuple(self._list.every_row())
            self._list.apply(Changes(rows, (), version=0, more=False))
        await self._reader.pull()

    def _show_created(self) -> None:
        """Put the cursor on the newest object that was created here and is not shown yet.

        It would be out of view behind a cursor that was moved, as if nothing had been created.
        """
        kind, until = self._row_spec.listed, self.ui.created_until
        created = [
            row
            for row in self.ui.store.intents.rows()
            if row.action.becomes is kind and row.object_id is not None and not row.is_colleagues
        ]
        newest = max(created, key=lambda row: row.confirmed_at, default=None)
        if newest is None or newest.confirmed_at <= until[newest.action.becomes]:
            return
        until[newest.action.becomes] = newest.confirmed_at  # found or not: no later visit jumps
        self._list.move_to(cast("K", newest.object_id))

    def tick(self) -> None:
        """Update the feed's age, and apply filters by age again when due."""
        super().tick()
        if self._row_filter.ages and self.ui.time.clock.boot() - self._filtered_at >= AGES_EVERY:
            self._refilter()
        self._update_lines()

    def action_filter(self) -> None:
        self._filter_line.open(self._when.zone_name)

    def action_leave_filter(self) -> None:
        """Return to the rows and keep the filter; a blank one is closed."""
        if not self._filter_line.value.strip():
            self._filter_line.close()
            self._texts.clear()
        self._list.stay()
        self.set_focus(self._list)

    def action_unfilter(self) -> None:
        """Unmark all rows, else show all; without a filter, return to the screen before.

        The marks stay when the line of the filter is left.
        """
        if self._list.marks and not self._filter_line.has_focus:
            self._list.marks.clear()
            self._show_marks()
            return
        if not self._filter_line.display and self.app.screen_stack[0] is not self:
            self.dismiss()
            return
        self._filter_line.close()
        self._texts.clear()
        self.set_focus(self._list)

    def show_filter(self, text: str) -> None:
        """Filter as if the text had been typed and applied."""
        self._filter_line.show(text)
        self.set_focus(self._list)

    def _completions(self, text: str) -> Sequence[str]:
        rows = self._listing.table.rows()[:EXAMPLES]
        return completions(text, self._field_names, self._fields, rows, {"status": self._states})

    def action_filter_help(self) -> None:
        rows = self._listing.table.rows()[:EXAMPLES]
        meant = {name: find_fields(name, self._fields) for name in self._field_names}
        found = {name: example(name, those, rows, self._when) for name, those in meant.items()}
        by_type = {those[0].type: found[name] for name, those in reversed(meant.items())}
        number, time = by_type.get(FieldType.NUMBER, ""), by_type.get(FieldType.TIME, "")
        code = found.get("status") or by_type.get(FieldType.CODE) or by_type[FieldType.TEXT]
        examples = ("acme -sydney", f"{code} {time}".strip(), f"{number} -{code}".strip())
        shown = {field.name for those in meant.values() for field in those}
        others = [field.name for field in self._fields if field.name not in shown]
        self.app.push_screen(list_dialogs.filter_help([*found.items()], others, examples))

    @property
    def _field_names(self) -> list[str]:
        """Return the names that column headings give to fields, in the order of the columns."""
        columns = (*self._listing.columns, *self._listing.others)
        names = (column_id(column.title.removesuffix(" ±")) for column in columns)
        return [name for name in names if find_fields(name, self._fields)]

    def action_order(self) -> None:
        self.app.push_screen(
            list_dialogs.OrderDialog(self._list.sortable, self._list.sorts, self._list.sort_by)
        )

    def action_views(self) -> None:
        rows, updated = self._listing.table.rows()[:EXAMPLES], find_fields("updated", self._fields)
        self._built_in_views = list_dialogs.built_in_views(
            self._row_spec.listed,
            self.ui.vocabulary,
            is_updated=any(field.values(row) for field in updated for row in rows),
        )
        now = list_dialogs.current_view(self._filter_line.value, self._list)
        self.app.push_screen(
            list_dialogs.ViewsDialog(
                self.ui, self._row_spec.stem, now, self._built_in_views, self._apply_view
            )
        )

    def _apply_view(self, view: View) -> None:
        """Show the list by a view; settings that it leaves out are the list's defaults."""
        listing, columns = self._listing, self._usual
        if view.columns is not None:
            columns = choose_columns((*listing.columns, *listing.others), view.columns)
        self._list.show_columns(*columns)
        usual = View(sort=((column_id(listing.sort), listing.descending),))
        self._list.sort_by(
            list_dialogs.sorts_of(usual if view.sort is None else view, self._list.sortable)
        )
        self._filter_line.show(view.filter or "")
        self._list.focus()

    def on_data_list_sorted(self) -> None:
        self._update_lines()

    def on_data_list_filtered(self) -> None:
        self._update_lines()
        self._title.call_later(self.end_hold)  # so that rows are painted with their title

    def action_mark(self) -> None:
        """Mark the row under the cursor, or unmark it, and go to the next."""
        self._list.mark()
        self._show_marks()

    def _show_marks(self) -> None:
        self._list.settle_cursor()
        self._update_lines()

    def _update_marks(self) -> None:
        """Take the marked rows as they are in the table; unmark those that have left it."""
        newest = ((key, self._listing.table.get(key)) for key in self._list.marks)
        self._list.marks = {key: row for key, row in newest if row is not None}

    def action_export(self) -> None:
        if self._filter_error:
            self.notify(f"Invalid filter, nothing exported: {self._mend_filter}")
            return
        marked = self._list.marked_rows()
        spec, ui = self._row_spec, self.ui
        if marked:
            what = counted(len(marked), f"marked {spec.noun}")
            dialog = list_dialogs.ExportDialog(ui, spec, marked, what)
        else:
            rows, is_part = self._list.rows(), lacks_rows(ui, spec.kinds)
            what = self._counted_rows()
            dialog = list_dialogs.ExportDialog(ui, spec, rows, what, is_part=is_part)
        self.app.push_screen(dialog)

    def action_copy(self) -> None:
        """Copy the identifier of the row under the cursor, or those of the marked rows."""
        marked = self._list.marked_rows()
        selected = self._list.selected
        rows = marked or ([] if selected is None else [selected])
        if rows:
            labels, values = zip(*map(self._identifier, rows), strict=True)
            label = labels[0] if len(rows) == 1 else f"{len(rows):,} identifiers"
            self.copy(label, "\n".join(filter(None, values)))

    def _identifier(self, row: R) -> tuple[str, str | None]:
        """Return the name and the value of the identifier that is copied."""
        return f"{singular(self._row_spec.noun).capitalize()} id", str(self._listing.table.key(row))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter at each key; a filter that cannot be parsed leaves the rows, dimmed."""
        self._filter_by(event.value, is_typed=True)
        if self._filter_error:
            self._update_lines()

    def _filter_by(self, text: str, *, is_typed: bool = False) -> None:
        try:
            self._row_filter = self._parsed(text)
        except FilterError as error:
            self._filter_error = str(error)
        else:
            self._filter_error = ""
            if not self._row_filter.tests:
                self._texts.clear()
                self._list.return_from_search()
            elif is_typed:
                self._list.search()
            self._refilter()
        self._list.dim(yes=bool(self._filter_error))

    @property
    def _when(self) -> TimeContext:
        return TimeContext(self.ui.time.latest, self.ui.zone)

    def _parsed(self, text: str) -> Filter:
        return parse_filter(text, self._fields, self._when, self._texts)

    def _refilter(self) -> None:
        self._filtered_at = self.ui.time.clock.boot()
        self._list.keep(self._matching)

    def _matching(self, rows: Sequence[R]) -> Sequence[R]:
        owner, scope, only = self._listing.owner, self.ui.scope, self._listing.only
        if scope is not None:
            rows = [row for row in rows if owner(row) == scope]
        return self._row_filter.among([row for row in rows if only(row)])

    def _update_lines(self) -> None:
        """Show the title, the words in place of rows, and the sums."""
        words = self._row_spec.health(self.ui)
        right = toned(words.text, words.tone)
        # An error needs the whole line.
        self._title.say(self._count(), Content() if self._filter_error else right)
        if self._filter_error:
            self._list.placeholder(f"The filter was not applied. {self._mend_filter}")
        elif self._row_filter.tests:
            self._list.placeholder(self._no_match())
        else:
            self._list.placeholder(self._row_spec.empty(self.ui))
        self._update_sums()

    # Sums

    def _update_sums(self) -> None:
        """Show the sums of the marked rows, or else of all rows of the list."""
        kind = self._row_spec.listed
        if not isinstance(kind, Kind) or kind not in MONEY:
            return
        if self._list.marks:
            marked = self._list.marks.values()
            self._sum_line.say(f"{len(marked):,} marked", sums_of(kind, marked))
        else:
            self._sum_all(kind)

    def _sum_all(self, kind: Kind) -> None:
        """Sum up all rows, if they have changed: 5,000 take some milliseconds."""
        if self._list.changes != self._summed:
            self._sums, self._summed = sums_of(kind, self._list.rows()), self._list.changes
        self._show_sums()

    def _show_sums(self) -> None:
        """Show the sums; under a filter that cannot be parsed with the one that still applies."""
        applied = self._row_filter.text if self._filter_error else ""
        count = self._counted(self._sums.rows)
        self._sum_line.say(f"{count}{applied and f', shown: {applied}'}", self._sums)

    # Groups

    def action_group(self) -> None:
        """Ask for a column, then show the groups of the marked rows, or else of all rows."""
        kind = self._row_spec.listed
        if not isinstance(kind, Kind) or kind not in GROUPS:
            self.notify(f"{self._row_spec.noun.capitalize()} have no amounts.")
        elif self._filter_error:
            self.notify(f"Invalid filter, nothing grouped: {self._mend_filter}")
        else:
            self.app.push_screen(GroupByDialog(kind), self._group)

    def _group(self, by: GroupBy | None) -> None:
        kind = self._row_spec.listed
        if by is not None and isinstance(kind, Kind):
            self.run_worker(self._show_groups(kind, by), group="groups", exclusive=True)

    async def _show_groups(self, kind: Kind, by: GroupBy) -> None:
        if (groups := await self._groups(kind, by)) is None:
            self.notify("The cache could not be read. Group the rows again.")
            return
        what = self._row_spec.noun.capitalize()
        if self._list.marks:
            what = f"{len(self._list.marks):,} marked {self._row_spec.noun}"
        elif lacks_rows(self.ui, self._row_spec.kinds):
            what = self._counted(sum(group.sums.rows for group in groups))
        title = f"{what} by {by.title}"
        lines = group_lines(self.ui.store, by, groups)
        dialog = GroupsDialog(title, by, lines, self.size.width)
        self.app.push_screen(dialog, self._filter_by_group)

    async def _groups(self, kind: Kind, by: GroupBy) -> list[Group] | None:
        rows = self._list.marked_rows() or self._list.rows()
        return groups_of(kind, rows, by, self._when.day, self._listing.owner)

    def _filter_by_group(self, line: GroupLine | None) -> None:
        if line is not None:
            self._filter_line.show(f"{self._filter_line.value} {line.term}".strip())
            self._list.focus()

    @property
    def _mend_filter(self) -> str:
        return f"{first_key(self.ui.settings.keys, 'list.filter')}: edit, esc: clear."

    def _no_match(self) -> str:
        """Return the reason for an empty list; an unknown word is shown with the known ones."""
        if not len(self._list) and not self._list.is_filtering:
            rows, text = self._list.every_row(), self._row_filter.text
            if self._unknown_word[:2] != (text, len(rows)):
                # Not at each tick: there may be many rows.
                unknown = unknown_word(text, self._fields, rows, {"status": self._states})
                self._unknown_word = text, len(rows), unknown
            if self._unknown_word[2]:
                return f"{self._unknown_word[2]} esc: clear the filter."
        noun = self._row_spec.noun
        return f"No {noun} match the filter. esc: clear."

    @property
    def kinds_in_view(self) -> Collection[Kind]:
        """Return the kind of the list, and the kind of its parent objects."""
        listed = self._row_spec.listed
        if not isinstance(listed, Kind):
            return super().kinds_in_view
        return {kind for kind in (listed, READS[listed].parent) if kind is not None}

    @property
    def _states(self) -> tuple[str, ...]:
        listed = self._row_spec.listed
        return self.ui.vocabulary.states.get(listed, ()) if isinstance(listed, Kind) else ()

    def _count(self) -> Content:
        if self._filter_error:
            return toned(f"Not applied: {self._filter_error}", Tone.CLOSING)
        views = {**self._built_in_views, **self.ui.settings.views.get(self._row_spec.stem, {})}
        now = list_dialogs.current_view(self._filter_line.value, self._list)
        named = (name for name, view in views.items() if list_dialogs.matches_view(now, view))
        view = f", view {name}" if (name := next(named, "")) else ""
        filtered = ", filtered" if self._row_filter.tests else ""
        filtered = ", filtering …" if self._list.is_filtering else filtered
        filtered = f" so far{filtered}" if self._list.is_partial else filtered
        count = self._counted_rows()
        within = f" of {self._listing.within}" if self._listing.within else ""
        order = sort_words(self._list.sorts)
        words = f"{view}{filtered}{self._marked_words()}{order and f', {order}'}"
        return toned(f"{count}{within}", bold=True) + toned(words, Tone.MUTED)

    def _marked_words(self) -> str:
        """Return `, 3 marked (1 hidden)`, if the list does not show one of them."""
        marked = list(self._list.marks.values())
        hidden = len(marked) - len(self._matching(marked))
        if not marked:
            return ""
        return f", {len(marked):,} marked{f' ({hidden:,} hidden)' if hidden else ''}"

    def _counted_rows(self) -> str:
        return self._counted(len(self._list))

    def _counted(self, rows: int) -> str:
        return counted_rows(self.ui, self._row_spec.kinds, rows, self._row_spec.noun)

    def open_row(self, row: R) -> None:
        if isinstance(listed := self._row_spec.listed, Kind):
            self.dashboard.open_link(Ref(listed, str(self._listing.table.key(row))))
