"""What panels have in common: they reckon anew only when what they rest on has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from paytui.store.table import Follower
from paytui.tui.context import Desk
from paytui.tui.table.data_list import Ledger
from paytui.tui.theme.themes import toned
from paytui.tui.widgets.text import Edges

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Panel(Vertical, Generic[K, R]):
    """A title and a list; `reckon()` fills it, `tick()` follows the clock.

    Args:
        heading: what the panel is called.
        ledger: the list.
    """

    def __init__(self, desk: Desk, heading: str, ledger: Ledger[K, R]) -> None:
        super().__init__()
        self.desk = desk
        self.ledger = ledger
        self._heading = toned(f" {heading}", bold=True)
        self._title = Edges(classes="title")
        self._seen: tuple[object, ...] | None = None

    def compose(self) -> Iterator[Widget]:
        """The title over the list."""
        yield self._title
        yield self.ledger

    @property
    def selected(self) -> object | None:
        """What is under the cursor, for a wizard to start from; None where nothing is."""
        return None

    @property
    def followers(self) -> tuple[Follower, ...]:
        """What follows the tables that the figures rest on."""
        return ()

    def rests_on(self) -> tuple[object, ...]:
        """What the figures rest on; equal as long as they stay the same."""
        raise NotImplementedError

    async def prepare(self) -> None:
        """What of reckoning takes long, in slices."""

    def reckon(self) -> None:
        """Reckon and show the figures."""
        raise NotImplementedError

    def tick(self) -> None:
        """Say what depends on time alone."""

    async def pull(self) -> None:
        """Take in what changed, a slice at a time, so that keys have their turn in between."""
        for follower in self.followers:
            more = True
            while more:
                more = follower.take_in()
                await asyncio.sleep(0)
        seen = self.rests_on()
        if seen != self._seen:
            self._seen = seen
            await self.prepare()
            self.reckon()
        self.tick()

    def say(self, *words: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """The panel's name, words after it, and words at the right edge."""
        self._title.say(Content("").join([self._heading, *words]), right)
