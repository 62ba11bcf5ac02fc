"""The list of received webhooks, newest first, and the screen of one webhook."""

from __future__ import annotations

from paytui.store.reports import EventKey, EventRow
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Ref
from paytui.tui.details.intent import event_groups
from paytui.tui.details.objects import TITLES
from paytui.tui.format.cells import text_cell, trust_cell
from paytui.tui.format.feeds import listening_words, no_events_words
from paytui.tui.screens.detail import DetailScreen, FactScreen
from paytui.tui.screens.list_dialogs import RowSpec
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import id_column, text_column, time_column
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Tone, toned


class EventScreen(FactScreen):
    """The detail view of one webhook; it stays as it was once newer ones displace it."""

    def __init__(self, desk: UiContext, key: EventKey) -> None:
        super().__init__(desk)
        self._key = key
        self._row = desk.store.events.get(key)

    async def pull(self) -> None:
        """Show the webhook with its effects so far."""
        await super().pull()
        newest = self.desk.store.events.get(self._key)
        if newest is not None and self._row is not None and newest.number == self._row.number:
            self._row = newest
        self._show()

    def tick(self) -> None:
        """Update its age."""
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
        """Open the object that it names."""
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy the event id that the sender gave it."""
        if self._row is not None:
            copy(self.app, "Event id", self._row.event_id)


EVENTS = RowSpec(
    listed=EventRow,
    title="Webhook",
    noun="webhooks",
    stem="webhooks",
    health=listening_words,
    empty=no_events_words,
    detail=lambda desk, key: EventScreen(desk, EventKey(key)),
)


class EventsPage(ListPage[EventKey, EventRow]):
    def __init__(self, desk: UiContext) -> None:
        super().__init__(desk, _events(desk))

    def action_copy(self) -> None:
        """Copy the event id that the sender gave it; our own key is only an index."""
        if (row := self._list.selected) is not None:
            copy(self.app, "Event id", row.event_id)


def _events(desk: UiContext) -> ListSpec[EventKey, EventRow]:
    """Return the list in any scope: webhooks name objects, not accounts."""
    return ListSpec(
        mode="activity",
        row_spec=EVENTS,
        table=desk.store.events,
        columns=_columns(desk),
        others=_others(desk),
        sort="Received",
        descending=True,
        owner=lambda _: desk.scope,
    )


def _columns(desk: UiContext) -> tuple[Column[EventRow], ...]:
    return (
        time_column(desk, "Received", lambda row: row.received_at),
        Column(
            title="Verified",
            cell=trust_cell,
            width=11,
            whole=True,
            key=lambda row: row.trust,
        ),
        Column(
            title="Effect",
            cell=lambda row: text_cell(row.caused),
            width=20,
            grows=True,
            most=40,
            key=lambda row: row.caused,
        ),
        text_column("Object", _object, width=16, most=56, gives_way=1, tone=Tone.MUTED),
        text_column("Type", lambda row: row.event_type, width=16, most=32, gives_way=2),
    )


def _object(row: EventRow) -> str | None:
    """Return kind and id: `payment 6be91188-…`; the kind comes first, as the id may be cut."""
    if row.object_kind is None:
        return None
    return f"{TITLES[row.object_kind].lower()} {row.object_id}"


def _others(desk: UiContext) -> tuple[Column[EventRow], ...]:
    return (
        time_column(desk, "Happened", lambda row: row.created_at),
        id_column("Event id", lambda row: row.event_id),
    )
