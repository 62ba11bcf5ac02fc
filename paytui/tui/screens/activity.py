"""8 Activity: the lists of intents and of webhooks, the screens of one each, and who is here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.widget import Widget

from paytui.domain.colleagues import subject_of
from paytui.domain.intent import IntentId, IntentRow, Standing
from paytui.store.find import intent_title
from paytui.store.screen_rows import EventRow
from paytui.tui import textual_bindings
from paytui.tui.base_screens import BaseScreen
from paytui.tui.confirmation import may_send
from paytui.tui.details.intent import event_groups, intent_groups
from paytui.tui.format.cells import Cell, Tone, money_cell, standing_cell, toned, trust_cell
from paytui.tui.format.colleagues import colleague_groups, desk_words
from paytui.tui.list_dialogs import RowSpec
from paytui.tui.screens.detail import FactScreen
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.table import common_columns as columns
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.ticket.decision import DecisionTask, why_undecided
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ticket.screen import TicketScreen
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import RecentWebhooks, kind_title, listening_words, no_events_words

# The list of received webhooks, newest first, and the screen of one webhook.


class EventScreen(FactScreen):
    """The detail view of one webhook; it stays as it was once newer ones displace it."""

    def __init__(self, ui: UiContext, key: int) -> None:
        super().__init__(ui)
        self._key = key
        self._row = ui.store.events.get(key)

    @property
    def crumb(self) -> str:
        return f"Webhook {(self._row and self._row.event_type) or ''}".rstrip()

    async def pull(self) -> None:
        self._row = self.ui.store.events.get(self._key) or self._row
        await super().pull()

    def show_now(self) -> None:
        if self._row is not None:
            self._sheet.show(event_groups(self.ui, self._row))
            words = listening_words(self.ui)
            self.say_title(toned(words.text, words.tone))

    def action_copy_key(self) -> None:
        """Copy the event id that the sender gave it."""
        if self._row is not None:
            self.copy("Event id", self._row.event_id)


class EventsPage(ListPage[int, EventRow]):
    def open_row(self, row: EventRow) -> None:
        self.app.push_screen(EventScreen(self.ui, self._listing.table.key(row)))

    def _identifier(self, row: EventRow) -> tuple[str, str | None]:
        """Return the event id that the sender gave it; our own key is only an index."""
        return "Event id", row.event_id


def events(ui: UiContext) -> ListSpec[int, EventRow]:
    """Return the list in any scope: webhooks name objects, not accounts."""
    return ListSpec(
        mode="activity",
        row_spec=RowSpec(EventRow, "webhooks", listening_words, no_events_words),
        table=ui.store.events,
        columns=(
            columns.time_column(ui, "Received", lambda row: row.received_at),
            Column(
                title="Verified",
                cell=trust_cell,
                width=11,
                whole=True,
                indent=columns.SIGN,
                key=lambda row: row.trust,
            ),
            columns.text_column("Effect", lambda row: row.caused, width=20, most=40),
            columns.text_column("Object", _object, Tone.MUTED, width=16, most=56, gives_way=1),
            columns.text_column("Type", lambda row: row.event_type, width=16, most=32, gives_way=2),
        ),
        others=(
            columns.time_column(ui, "Event time", lambda row: row.created_at, config_id="happened"),
            columns.id_column("Event id", lambda row: row.event_id),
        ),
        sort="Received",
        descending=True,
        owner=lambda _: ui.scope,
    )


def _object(row: EventRow) -> str | None:
    """Return kind and id: `payment 6be91188-…`; the kind comes first, as the id may be cut."""
    if row.object_kind is None:
        return None
    return f"{kind_title(row.object_kind).lower()} {row.object_id}"


# 8 Activity: the list of intents, open ones first, and the screen of one intent.


class IntentScreen(FactScreen):
    """The detail view of one intent, kept up to date; an open intent is decided from it."""

    BINDINGS = textual_bindings.groups("Intents")

    def __init__(self, ui: UiContext, intent_id: IntentId) -> None:
        super().__init__(ui)
        self.subject = subject_of("intent", intent_id)
        self._intent_id = intent_id
        self._was_quiet: bool | None = None

    @property
    def crumb(self) -> str:
        return intent_title(row) if (row := self._row) else f"Intent {self._intent_id}"

    async def pull(self) -> None:
        await super().pull()
        row = self._row
        if row is not None:
            self.show_noted(intent_groups(self.ui, row))
        why_not = self.ui.store.sending.brief or may_send(self.ui) or ""
        self.say_title(toned(why_not, Tone.CLOSING))
        if (quiet := self.is_quiet("decide")) != self._was_quiet:
            self._was_quiet = quiet
            self.refresh_bindings()

    def action_copy_key(self) -> None:
        """Copy the intent's id, which its reference carries too."""
        self.copy("Intent id", self._intent_id)

    def is_quiet(self, action: str) -> bool:
        if action != "decide":
            return super().is_quiet(action)
        row = self._row
        return row is None or bool(why_undecided(self.ui, row))

    def action_decide(self) -> None:
        decide(self, self._row)

    @property
    def _row(self) -> IntentRow | None:
        return self.ui.store.intents.get(self._intent_id)


def decide(screen: BaseScreen, row: IntentRow | None) -> None:
    if row is None:
        return
    if why_not := why_undecided(screen.ui, row):
        screen.notify(why_not)
    else:
        ticket = Ticket(DecisionTask(screen.ui, row))
        screen.app.push_screen(TicketScreen(screen.ui, ticket))


_PRESSING = {
    Standing.IN_DOUBT: 3,
    Standing.RECORDED: 2,
    Standing.PROPOSED: 2,
    Standing.SENDING: 1,
}
"""The order of open intents; settled ones come last."""


class ActivityPage(ListPage[IntentId, IntentRow]):
    """The list of intents, each of which can be decided."""

    BINDINGS = textual_bindings.groups("Intents", "Activity")

    def __init__(self, ui: UiContext) -> None:
        super().__init__(ui, activity(ui))
        self._was_quiet: bool | None = None
        self._strip = RecentWebhooks(ui)

    def body(self) -> Iterator[Widget]:
        yield from super().body()
        if self.ui.settings.webhooks.enabled:
            yield self._strip

    async def pull(self) -> None:
        await super().pull()
        self._strip.show()
        if (quiet := self.is_quiet("decide")) != self._was_quiet:
            self._was_quiet = quiet
            self.refresh_bindings()

    def is_quiet(self, action: str) -> bool:
        """Return True for `decide` with nothing to decide, and for `events` without webhooks."""
        if action == "events":
            return not self.ui.settings.webhooks.enabled
        rows = self.ui.store.intents.rows()
        return action == "decide" and all(why_undecided(self.ui, row) for row in rows)

    def action_decide(self) -> None:
        decide(self, self._list.selected)

    def open_row(self, row: IntentRow) -> None:
        self.app.push_screen(IntentScreen(self.ui, row.intent_id))

    def action_events(self) -> None:
        self.app.push_screen(EventsPage(self.ui, events(self.ui)))


def activity(ui: UiContext) -> ListSpec[IntentId, IntentRow]:
    on_desk = ui.settings.profile.desk is not None  # who confirmed it counts more than its id
    return ListSpec(
        mode="activity",
        row_spec=RowSpec(IntentRow, "intents", _health, _empty),
        table=ui.store.intents,
        columns=(
            columns.time_column(ui, "Confirmed", lambda row: row.confirmed_at),
            Column(
                title="Status",
                config_id="stands",
                cell=standing_cell,
                width=12,
                whole=True,
                indent=columns.SIGN,
                key=lambda row: (_PRESSING.get(row.standing, 0), row.confirmed_at),
            ),
            columns.text_column(
                "Intent",
                lambda row: row.title,
                width=26 if on_desk else 32,
                most=60,
                config_id="what",
            ),
            replace(
                figure_column("Amount", _amount, width=13, gives_way=6),
                spare=True,
                key=columns.amount_key(
                    lambda row: row.terms.amount, lambda row: row.terms.currency
                ),
            ),
            columns.text_column(
                "Result",
                lambda row: row.object_id,
                Tone.MUTED,
                most=40,
                gives_way=5,
                spare=True,
                config_id="became",
            ),
            columns.word_column(
                "Intent id", lambda row: row.intent_id, width=11, gives_way=3, config_id="intent"
            ),
            columns.word_column(
                "User",
                lambda row: row.user,
                width=8,
                gives_way=2 if on_desk else 4,
                config_id="by",
            ),
        ),
        others=(
            columns.time_column(ui, "Since", lambda row: row.since, gives_way=6),
            columns.account_column(ui, lambda row: row.terms.account_id, gives_way=8),
            columns.wallet_column(ui, "From", lambda row: row.terms.source_wallet_id, gives_way=7),
            columns.text_column("Reference", lambda row: row.terms.reference, gives_way=8),
            columns.word_column("Host", lambda row: row.host, width=12, gives_way=8),
            columns.id_column("Account id", lambda row: row.terms.account_id),
        ),
        sort="Status",
        descending=True,
        # An intent without an account is in every scope, so that none is overlooked.
        owner=lambda row: row.terms.account_id or ui.scope,
    )


def _health(ui: UiContext) -> Cell:
    off = ("sending is off",) if may_send(ui) else ()
    return Cell(", ".join(filter(None, (*off, desk_words(ui).text))), Tone.CLOSING)


def _empty(ui: UiContext) -> str:
    return may_send(ui) or "Nothing confirmed yet. t: trade, p: payout, x: transfer."


def _amount(row: IntentRow) -> Cell:
    """Return the fixed amount with its currency; the title repeats both, so they may be hidden."""
    return money_cell(row.terms.amount, row.terms.currency)


# Who is here.


class ColleaguesScreen(FactScreen):
    """The other dashboards that are open on the desk, and what is filled in there."""

    @property
    def crumb(self) -> str:
        return "Who is here"

    async def pull(self) -> None:
        await super().pull()
        self._sheet.show(colleague_groups(self.ui))
        words = desk_words(self.ui)
        self.say_title(toned(words.text, words.tone))
