"""One object in full; it follows the store while it is open."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.widget import Widget

from paytui.store.table import Table
from paytui.tui import keys
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group
from paytui.tui.screens.frame import Frame
from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.edges import Edges
from paytui.tui.widgets.fact_sheet import FactSheet

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Subject(Generic[K, R]):
    """What a detail view is about."""

    title: str
    table: Table[K, R]
    key: K
    groups: Callable[[Desk, R], list[Group]]


class DetailScreen(Frame, Generic[K, R]):
    """All that is known of one object, with `—` for what the service did not send."""

    BINDINGS = keys.BACK

    def __init__(self, desk: Desk, subject: Subject[K, R]) -> None:
        super().__init__(desk)
        self._subject = subject
        self._title = Edges(classes="title")
        self._sheet = FactSheet()

    def body(self) -> Iterator[Widget]:
        """What it is, and its facts."""
        yield self._title
        yield self._sheet

    async def pull(self) -> None:
        """Show what the object is now; one that is gone stays as it was last seen."""
        await super().pull()
        row = self._subject.table.get(self._subject.key)
        gone = toned("  the service no longer lists it", Tone.CLOSING)
        name = toned(f" {self._subject.title} ", Tone.INK, bold=True)
        title = name + toned(str(self._subject.key), Tone.MUTED)
        self._title.say(title if row is not None else title + gone)
        if row is not None:
            self._sheet.show(self._subject.groups(self.desk, row))

    def action_back(self) -> None:
        """To the list."""
        self.dismiss()
