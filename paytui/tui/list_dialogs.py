"""Specifications of list rows, and the dialogs of a list: sort order, views and export."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from paytui.config.key_bindings import first_key
from paytui.config.settings import Settings, View
from paytui.config.validation import ConfigError
from paytui.domain.models import Kind
from paytui.domain.requests import DialectFeatures
from paytui.store.export import ExportError, Format, export_rows, layout, write_file
from paytui.store.fields import Listed
from paytui.tui import textual_bindings as keys
from paytui.tui.app_dialogs import LineDialog, help_line
from paytui.tui.base_screens import BoxDialog, Dialog, scrolled
from paytui.tui.format.cells import Cell, Tone, toned
from paytui.tui.table.columns import Column, Sort
from paytui.tui.table.data_list import DataList
from paytui.tui.ui_context import SettingsChanged, UiContext
from paytui.tui.widgets.feeds import counted, empty_words, feed_words


@dataclass(frozen=True, slots=True)
class RowSpec:
    """The fields, names and placeholder of a list's rows.

    Attributes:
        listed: the kind or class whose fields the rows have.
        noun: the plural name: `pay-in addresses`.
        health: returns the state of the feed; empty while all is well.
        empty: returns the placeholder of an empty list.
        kinds: the lists of the service that the rows come from.
    """

    listed: Listed
    noun: str
    health: Callable[[UiContext], Cell]
    empty: Callable[[UiContext], str]
    kinds: tuple[Kind, ...] = ()

    @property
    def stem(self) -> str:
        """Return the name of export files: `payin_addresses`."""
        return self.listed.value if isinstance(self.listed, Kind) else self.noun


def object_rows(kind: Kind) -> RowSpec:
    return RowSpec(
        kind,
        kind.noun,
        health=lambda ui: feed_words(ui, kind, len(ui.store.table(kind))),
        empty=lambda ui: empty_words(ui, kind),
        kinds=(kind,),
    )


R = TypeVar("R")

MOST_COLUMNS = 14  # Columns shown at once; the rest is scrolled to


OPERATORS = (
    ("to:acme", "contains the text"),
    ("status:failed,rej", "begins with one of them, as of currencies"),
    ("amount=10k", "equals; 10k, 1.5m and 2,500,000 are numbers"),
    ("amount>=10k", "also > < <=, for numbers, days and ages"),
    ("-status:failed", "does not match"),
    ('"unit 4"', "text with spaces or signs"),
    ("created:today", "also yesterday, mon, 2026-03-02T14:00"),
    (">2026-03-02", "created after that day"),
    ("last 7d", "created within 7 days; also 45s, 30m, 12h, 2w"),
    ("age>1h", "created more than an hour ago"),
)


def filter_help(
    fields: Sequence[tuple[str, str]], others: Sequence[str], examples: Sequence[str]
) -> BoxDialog:
    """Return a dialog of fields with an example each, of others, of operators and of filters."""
    lines = [
        toned("Fields", bold=True),
        *(help_line(name, Tone.INK, condition) for name, condition in fields),
        *([toned(f"  Also: {', '.join(others)}", Tone.MUTED)] if others else []),
        Content(),
        toned("All terms must match. Words are found in any text.", bold=True),
        *(help_line(term, Tone.INK, words) for term, words in OPERATORS),
        Content(),
        toned("Examples", bold=True),
        *(toned(f"  {text}") for text in examples),
    ]
    return BoxDialog("Filter", scrolled(lines))


class OrderDialog(Dialog[None], Generic[R]):
    """A choice of the columns to sort by; the list behind it is sorted at each key."""

    BINDINGS: ClassVar[list[BindingType]] = keys.groups("Order of a list")

    def __init__(
        self,
        sortable: Sequence[Column[R]],
        sorts: Sequence[Sort[R]],
        sort_by: Callable[[Sequence[Sort[R]]], None],
    ) -> None:
        super().__init__()
        self._sortable = sortable
        self._sorts = tuple(sorts)
        self._sort_by = sort_by
        self._list: DataList[str, tuple[str, Column[R]]] = DataList(
            (  # The rank and the direction of each: `1 ▲`; blank if it has none
                Column(title="Order", cell=lambda place: Cell(place[0], Tone.ACCENT), width=6),
                Column(
                    title="Column", cell=lambda place: Cell(place[1].title), width=20, grows=True
                ),
            ),
            lambda place: place[1].title,
            opened=lambda _: self.action_add(),
        )

    def compose(self) -> ComposeResult:
        yield self.box("Sort by", self._list, keys="space: add or reverse · backspace: remove")

    def on_mount(self) -> None:
        self._list.styles.height = min(MOST_COLUMNS, len(self._sortable)) + 1
        self._show()

    def action_add(self) -> None:
        """Sort by this column last; reverse it if the list is sorted by it already."""
        if (place := self._list.selected) is not None:
            column, sorts = place[1], self._sorts
            if any(sort.column is column for sort in sorts):
                self._change(tuple(s.reversed() if s.column is column else s for s in sorts))
            else:
                self._change((*sorts, Sort(column)))

    def action_remove(self) -> None:
        if (place := self._list.selected) is not None:
            self._change(tuple(sort for sort in self._sorts if sort.column is not place[1]))

    def _change(self, sorts: tuple[Sort[R], ...]) -> None:
        self._sorts = sorts
        self._sort_by(sorts)
        self._show()

    def _show(self) -> None:
        ranked = enumerate(self._sorts, 1)
        marks = {sort.column.title: f"{rank} {sort.sign}" for rank, sort in ranked}
        self._list.replace((marks.get(one.title, ""), one) for one in self._sortable)


K = TypeVar("K", bound=Hashable)


def current_view(wanted: str, ledger: DataList[K, R]) -> View:
    """Return the list's present view, under the filter `wanted`."""
    return View(
        filter=wanted.strip() or None,
        sort=tuple((sort.column.id, sort.descending) for sort in ledger.sorts),
        columns=tuple(column.id for column in ledger.columns),
    )


def matches_view(now: View, view: View) -> bool:
    """Return True if the present view has all that a named view sets."""
    return (
        (view.filter or "").strip() == (now.filter or "")
        and view.sort in (None, now.sort)
        and view.columns in (None, now.columns)
    )


def sorts_of(view: View, sortable: Sequence[Column[R]]) -> tuple[Sort[R], ...]:
    by_id = {column.id: column for column in sortable}
    named = ((by_id.get(name), descending) for name, descending in view.sort or ())
    return tuple(Sort(column, descending) for column, descending in named if column is not None)


def view_settings(view: View) -> dict[str, object]:
    columns = list(view.columns or ())
    table = {"filter": view.filter, "sort": _sort_settings(view), "columns": columns}
    return {name: value for name, value in table.items() if value}


def view_words(view: View) -> str:
    """Return a view in a few words: `status:held, by -created`."""
    sort = ", ".join(_sort_settings(view))
    return ", ".join(filter(None, [view.filter, sort and f"by {sort}"]))


def _sort_settings(view: View) -> list[str]:
    return [f"{'-' if descending else ''}{name}" for name, descending in view.sort or ()]


FAILURES = ("failed", "rejected", "returned")
REVIEW = "compliance_review"


def built_in_views(
    listed: Listed, vocabulary: DialectFeatures, *, is_updated: bool
) -> Mapping[str, View]:
    """Return the views that lists of payments, trades and pay-ins have without a configuration.

    Args:
        is_updated: the rows have a time of their last change, which is that of a failure.
    """
    if not isinstance(listed, Kind) or listed not in (Kind.PAYMENTS, Kind.TRADES, Kind.PAYINS):
        return {}
    known, settled = vocabulary.states.get(listed, ()), vocabulary.settled.get(listed, ())
    failed = ",".join(state for state in FAILURES if state in known)
    filters = {
        "Open": settled and f"-status={','.join(settled)}",
        "Failed today": failed
        and f"status={failed} {'updated' if is_updated else 'created'}:today",
        "In review": REVIEW in known and f"status={REVIEW}",
        "Over 100k": "amount>100k",
    }
    return {name: View(filter=text) for name, text in filters.items() if text}


MOST_VIEWS = 12  # Views shown at once; the rest is scrolled to
UNNAMED = ""  # The name of the list's default view
NamedView = tuple[str, View]


class ViewsDialog(Dialog[None]):
    """The named views of the list `stem`: choose one, save the present one, or delete one.

    Args:
        built_in: further views, below those that were saved.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys.groups("Views")

    def __init__(
        self,
        ui: UiContext,
        stem: str,
        now: View,
        built_in: Mapping[str, View],
        show: Callable[[View], None],
    ) -> None:
        super().__init__()
        self._ui = ui
        self._built_in = built_in
        self._stem = stem
        self._now = now
        self._show = show
        self._words = Static(markup=False)
        self._line = Input(placeholder="name for the current view")
        self._line.cursor_blink = False
        self._list: DataList[str, NamedView] = DataList(
            (
                Column(
                    title="View",
                    cell=lambda named: Cell(named[0]) if named[0] else Cell("default", Tone.ACCENT),
                    width=20,
                ),
                Column(
                    title="Shows",
                    cell=lambda named: Cell(view_words(named[1]), Tone.MUTED),
                    width=20,
                    grows=True,
                ),
            ),
            lambda named: named[0],
            opened=self._choose,
        )

    def compose(self) -> ComposeResult:
        keys = self._ui.settings.keys
        name, forget = first_key(keys, "views.save"), first_key(keys, "views.forget")
        does = f"enter: choose · {name}: save the view · {forget}: delete"
        title = f"Views of {self._stem.replace('_', ' ')}"
        yield self.box(title, self._list, self._line, self._words, keys=does)

    def on_mount(self) -> None:
        self._ask(yes=False)
        self._fill(self._ui.settings)
        self._list.focus()

    def action_save(self) -> None:
        self._ask(yes=True)
        self._line.focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        if name := event.value.strip():
            save = partial(self._ui.choices.set_value, value=view_settings(self._now))
            await self._change(save, name)

    async def action_forget(self) -> None:
        """Delete the view under the cursor, if it was saved from here."""
        name, view = self._list.selected or (UNNAMED, None)
        if name != UNNAMED and self._built_in.get(name) is view:
            self._say(f"{name} is built in and cannot be deleted.")
        elif name != UNNAMED:
            settings = await self._change(self._ui.choices.reset, name)
            if settings and name in settings.views.get(self._stem, {}):
                self._say(f"{name} is in your configuration; remove it there.")

    async def _change(self, change: Callable[..., Settings], name: str) -> Settings | None:
        key = ("views", self._stem, name)
        try:
            settings = await asyncio.to_thread(change, self._ui.settings, key=key)
        except ConfigError as error:
            self._say(f"It {error.message}. {error.remedy}")
            return None
        self._ask(yes=False)
        self._list.focus()
        self._fill(settings)
        self._list.move_to(name)
        self.post_message(SettingsChanged(settings))
        return settings

    def _choose(self, named: NamedView) -> None:
        self._show(named[1])
        self.dismiss(None)

    def _fill(self, settings: Settings) -> None:
        views = settings.views.get(self._stem, {})
        others = {name: view for name, view in self._built_in.items() if name not in views}
        saved = ((name, views[name]) for name in sorted(views))
        names = [(UNNAMED, View()), *saved, *others.items()]
        self._list.replace(names)
        self._list.styles.height = min(MOST_VIEWS, len(names)) + 1

    def _ask(self, *, yes: bool) -> None:
        self._line.display = self._line.can_focus = yes
        self._say("")

    def _say(self, words: str) -> None:
        self._words.update(toned(words, Tone.CLOSING))


class ExportDialog(LineDialog[None]):
    """A question for the export file; the rows are those at the time it opened.

    Args:
        what: the rows with their count.
        is_part: rows of the list are missing, and the dialog says why.
    """

    def __init__(
        self,
        ui: UiContext,
        row_spec: RowSpec,
        rows: Sequence[object],
        what: str,
        *,
        is_part: bool = False,
    ) -> None:
        name = f"{row_spec.stem}-{ui.time.latest():%Y%m%d-%H%M%S}.csv"
        super().__init__(f"Export {what}", "export", words="", text=name)
        why = row_spec.health(ui).text
        self._caveat = f"\nThe list is incomplete{why and f': {why}'}" if is_part else ""
        self._ui = ui
        self._row_spec = row_spec
        self._rows = rows
        self._written = False
        self._say("The extension decides the format: .csv, .json or .jsonl", Tone.MUTED)

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write the file, or say why not; once it is written, close."""
        if self._written:
            self.dismiss(None)
            return
        try:
            path = _path(event.value)
        except (RuntimeError, ValueError):
            self._say("There is no such folder")
            return
        ending = path.suffix.removeprefix(".").lower()
        if ending not in set(Format):
            self._say("The name must end in .csv, .json or .jsonl")
            return
        columns, zone = layout(self._ui.store, self._row_spec.listed), self._ui.zone
        write = partial(export_rows, columns, self._rows, Format(ending), zone=zone)
        try:
            # In a thread: a slow network disk must not block the screen.
            await asyncio.to_thread(write_file, path, write)
        except ExportError as error:
            self._say(str(error))
        else:
            self._written = True
            count = len(self._rows)
            rows = f"{count:,}+ rows" if self._caveat else counted(count, "rows")
            self._say(f"{rows} written to {path}", Tone.INK)
            self.query_one(".box").border_subtitle = "enter: close"

    def _say(self, words: str, tone: Tone = Tone.CLOSING) -> None:
        self._words.update(toned(words, tone) + toned(self._caveat, Tone.CLOSING))


def _path(typed: str) -> Path:
    return Path(typed).expanduser().absolute()
