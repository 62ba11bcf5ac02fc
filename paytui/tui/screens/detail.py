"""One object in full; it follows the store while it is open, and leads on to others."""

from __future__ import annotations

from paytui.domain.models import Record
from paytui.tui import keys
from paytui.tui.context import Desk
from paytui.tui.details.facts import Ref
from paytui.tui.details.objects import TITLES, groups_of
from paytui.tui.format.feeds import feed_words
from paytui.tui.screens.copy_deposit import copy_deposit, takes_deposits
from paytui.tui.screens.fact_screen import FactScreen
from paytui.tui.screens.making import add_to, can_add
from paytui.tui.screens.raw import RawScreen
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned


class DetailScreen(FactScreen):
    """All that is known of one object, with `—` for what the service did not send."""

    BINDINGS = [*keys.DEPOSIT, *keys.OBJECT]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, desk: Desk, ref: Ref) -> None:
        super().__init__(desk)
        self._ref = ref
        self._table = desk.store.table(ref.kind)

    @property
    def selected(self) -> Record | None:
        """The object as it is now."""
        return self._table.get(self._ref.key)

    async def pull(self) -> None:
        """Show what the object is now; one that is gone stays as it was last seen."""
        await super().pull()
        row = self._table.get(self._ref.key)
        if row is not None:
            self._sheet.show(groups_of(self.desk, row))
        self._say()

    def tick(self) -> None:
        """Judge the age of the feed again."""
        super().tick()
        self._say()

    def _say(self) -> None:
        """What it is, and how well the table that it is in is fed."""
        ref = self._ref
        title = toned(f" {TITLES[ref.kind]} ", Tone.INK, bold=True)
        title += toned(ref.key, Tone.MUTED)
        if self._table.get(ref.key) is None:
            title += toned("  the service no longer lists it", Tone.CLOSING)
        words = feed_words(self.desk, ref.kind, len(self._table))
        self._title.say(title, toned(words.text, words.tone))

    def lead_to(self, ref: Ref) -> None:
        """Open another object."""
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy the object's identifier."""
        copy(self.app, f"{TITLES[self._ref.kind]} id", self._ref.key)

    def is_quiet(self, action: str) -> bool:
        """Copying deposit details, or adding something, where there is no such thing."""
        match action:
            case "copy_deposit":
                return not takes_deposits(self.selected)
            case "add":
                return not can_add(self.selected)
            case _:
                return False

    def action_add(self) -> None:
        """Make something that belongs to it."""
        add_to(self)

    def action_copy_deposit(self) -> None:
        """Copy what somebody needs who sends money here."""
        copy_deposit(self)

    def action_raw(self) -> None:
        """Show the object as the service sends it."""
        self.app.push_screen(RawScreen(self.desk, self._ref))
