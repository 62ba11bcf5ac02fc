"""One object in full; it follows the store while it is open."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual.widget import Widget

from paytui.api.models import Kind
from paytui.store.table import Table
from paytui.tui import keys
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Group
from paytui.tui.feed_words import feed_words
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
    kind: Kind
    table: Table[K, R]
    key: K
    groups: Callable[[Desk, R], list[Group]]


class DetailScreen(Frame, Generic[K, R]):
    """All that is known of one object, with `—` for what the service did not send."""

    BINDINGS = keys.DETAIL

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
        if row is not None:
            self._sheet.show(self._subject.groups(self.desk, row))
        self._say()

    def tick(self) -> None:
        """Judge the age of the feed again."""
        super().tick()
        self._say()

    def _say(self) -> None:
        """What it is, and how well the table that it is in is fed."""
        subject = self._subject
        title = toned(f" {subject.title} ", Tone.INK, bold=True)
        title += toned(str(subject.key), Tone.MUTED)
        if subject.table.get(subject.key) is None:
            title += toned("  the service no longer lists it", Tone.CLOSING)
        words = feed_words(self.desk, subject.kind, len(subject.table))
        self._title.say(title, toned(words.text, words.tone))

    def action_copy(self) -> None:
        """Put its identifier on the clipboard of the terminal."""
        self.app.copy_to_clipboard(str(self._subject.key))

    def action_back(self) -> None:
        """To the list."""
        self.dismiss()
