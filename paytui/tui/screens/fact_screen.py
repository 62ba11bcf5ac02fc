"""A screen of facts: each can be copied, seen alone, and opened if it leads on."""

from __future__ import annotations

from collections.abc import Iterator

from textual.widget import Widget

from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.details.facts import Activity, Fact, Ref, Those
from paytui.tui.screens.frame import Frame
from paytui.tui.screens.value_dialog import ValueDialog
from paytui.tui.terminal.clipboard import copy
from paytui.tui.widgets.detail_view import FactSheet
from paytui.tui.widgets.text import Edges


class FactScreen(Frame):
    """What is known of one thing, under a title; who inherits fills both."""

    BINDINGS = keys.DETAIL

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._title = Edges(classes="title")
        self._sheet = FactSheet(opened=self._open)

    def body(self) -> Iterator[Widget]:
        """What it is, and its facts."""
        yield self._title
        yield self._sheet

    def lead_to(self, ref: Ref) -> None:
        """Open what a fact leads to."""
        raise NotImplementedError

    def _open(self, fact: Fact) -> None:
        """Go to what it leads to, or show it alone."""
        match fact.link:
            case Ref():
                self.lead_to(fact.link)
            case Those():
                self._list(fact.link)
            case Activity():
                self._list_movements(fact.link)
            case None:
                self._show_alone(fact)

    def _list(self, those: Those) -> None:
        from paytui.tui.screens.those import those_page

        self.app.push_screen(those_page(self.desk, those))

    def _list_movements(self, activity: Activity) -> None:
        from paytui.tui.screens.movements import MovementsPage

        self.app.push_screen(MovementsPage(self.desk, activity.wallet_id))

    def _show_alone(self, fact: Fact) -> None:
        if fact.plain is not None:
            self.app.push_screen(ValueDialog(fact.label, fact.plain))

    def action_show_value(self) -> None:
        """Show the value under the cursor alone."""
        if (fact := self._sheet.selected) is not None:
            self._show_alone(fact)

    def action_copy(self) -> None:
        """Copy the value under the cursor."""
        if (fact := self._sheet.selected) is not None:
            copy(self.app, fact.label, fact.plain)

    def action_back(self) -> None:
        """To where one came from."""
        self.dismiss()
