"""A webhook in full, and the way to what it named."""

from __future__ import annotations

from paytui.store.reports import EventKey
from paytui.tui.context import Desk
from paytui.tui.details.event import event_groups
from paytui.tui.details.facts import Ref
from paytui.tui.format.feeds import listening_words
from paytui.tui.screens.detail import DetailScreen
from paytui.tui.screens.fact_screen import FactScreen
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned


class EventScreen(FactScreen):
    """All that is known of one webhook; one that newer ones pushed out stays as it was."""

    def __init__(self, desk: Desk, key: EventKey) -> None:
        super().__init__(desk)
        self._key = key
        self._row = desk.store.events.get(key)

    async def pull(self) -> None:
        """Show what it has caused by now."""
        await super().pull()
        newest = self.desk.store.events.get(self._key)
        if newest is not None and self._row is not None and newest.number == self._row.number:
            self._row = newest
        self._show()

    def tick(self) -> None:
        """Let it age."""
        super().tick()
        self._show()

    def _show(self) -> None:
        row = self._row
        if row is None:
            return
        self._sheet.show(event_groups(self.desk, row))
        words = listening_words(self.desk)
        title = toned(" Webhook ", bold=True) + toned(row.event_type or "", Tone.MUTED)
        self._title.say(title, toned(words.text, words.tone))

    def lead_to(self, ref: Ref) -> None:
        """Open what it named."""
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy the identifier that its sender gave it."""
        if self._row is not None:
            copy(self.app, "Event id", self._row.event_id)
