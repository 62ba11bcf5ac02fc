"""The named ways to look at a list: to choose from, to add the one on view to, to forget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from paytui.config.errors import ConfigError
from paytui.config.keys import first_key
from paytui.config.settings import Settings, View
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.screens.dialog import Dialog
from paytui.tui.settings import SettingsChanged
from paytui.tui.table.columns import Column
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import Cell, Tone, toned
from paytui.tui.view_of_list import table_of, words_of

MOST = 12
"""Views on view at once; there may be more to scroll through."""

PLAIN = ""
"""Stands for the list as it comes among the names of views."""


@dataclass(frozen=True, slots=True)
class Named:
    """A view and its name."""

    name: str
    view: View


class ViewsDialog(Dialog[None]):
    """Shows the list below it by the view that is chosen.

    Args:
        desk: keeps what is saved.
        stem: which list: `payments`.
        now: how it is looked at.
        show: shows it by a view.
    """

    BINDINGS: ClassVar[list[BindingType]] = keys.VIEWS

    def __init__(self, desk: Desk, stem: str, now: View, show: Callable[[View], None]) -> None:
        super().__init__()
        self._desk = desk
        self._stem = stem
        self._now = now
        self._show = show
        self._words = Static(markup=False)
        self._line = Input(placeholder="a name for what is on view")
        self._line.cursor_blink = False
        self._list: Ledger[str, Named] = Ledger(
            _columns(), lambda named: named.name, opened=self._choose
        )

    def compose(self) -> ComposeResult:
        """The names, the line for a new one, and what is the matter with it."""
        box = Vertical(self._list, self._line, self._words, classes="box")
        box.border_title = f"Views of {self._stem.replace('_', ' ')}"
        keys = self._desk.settings.keys
        name, forget = first_key(keys, "views.save"), first_key(keys, "views.forget")
        box.border_subtitle = (
            f"enter chooses, {name} names what is on view, {forget} forgets, esc goes back"
        )
        yield box

    def on_mount(self) -> None:
        """Show the names alone."""
        self._ask(yes=False)
        self._fill(self._desk.settings)
        self._list.focus()

    def action_save(self) -> None:
        """Have a name typed for what is on view."""
        self._ask(yes=True)
        self._line.focus()

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep what is on view under the name."""
        if name := event.value.strip():
            await self._change(partial(self._desk.choices.choose, value=table_of(self._now)), name)

    async def action_forget(self) -> None:
        """Forget the view under the cursor, if it was saved from here."""
        named = self._list.selected
        if named is not None and named.name != PLAIN:
            settings = await self._change(self._desk.choices.take_back, named.name)
            if settings and named.name in settings.views.get(self._stem, {}):
                self._say(f"{named.name} stands in your configuration; take it out there.")

    async def _change(self, change: Callable[..., Settings], name: str) -> Settings | None:
        try:
            settings = await asyncio.to_thread(
                change, self._desk.settings, key=("views", self._stem, name)
            )
        except ConfigError as error:
            self._say(f"It {error.message}. {error.remedy}")
            return None
        self._ask(yes=False)
        self._list.focus()
        self._fill(settings)
        self._list.move_to(name)
        self.post_message(SettingsChanged(settings))
        return settings

    def _choose(self, named: Named) -> None:
        self._show(named.view)
        self.dismiss(None)

    def _fill(self, settings: Settings) -> None:
        views = settings.views.get(self._stem, {})
        names = [Named(PLAIN, View()), *(Named(name, views[name]) for name in sorted(views))]
        self._list.replace(names)
        self._list.styles.height = min(MOST, len(names)) + 1

    def _ask(self, *, yes: bool) -> None:
        self._line.display = self._line.can_focus = yes
        self._say("")

    def _say(self, words: str) -> None:
        self._words.update(toned(words, Tone.CLOSING))


def _columns() -> tuple[Column[Named], ...]:
    return (
        Column(
            title="View",
            cell=lambda named: Cell(named.name or "as it comes", _tone(named)),
            width=20,
        ),
        Column(
            title="Shows",
            cell=lambda named: Cell(words_of(named.view), Tone.MUTED),
            width=20,
            grows=True,
        ),
    )


def _tone(named: Named) -> Tone:
    return Tone.ACCENT if named.name == PLAIN else Tone.INK
