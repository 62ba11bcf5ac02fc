"""8 Activity: the list of intents, open ones first, and the screen of one intent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual.widget import Widget

from paytui.domain.intent import IntentId, IntentRow, Standing
from paytui.tui import keys
from paytui.tui.context import UiContext
from paytui.tui.details.fields import Ref, amount_words
from paytui.tui.details.intent import intent_groups
from paytui.tui.format.cells import standing_cell, text_cell
from paytui.tui.guards.sending import may_send
from paytui.tui.screens.base import BaseScreen
from paytui.tui.screens.detail import DetailScreen, FactScreen
from paytui.tui.screens.list_dialogs import RowSpec
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.webhooks import EventsPage
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    id_column,
    text_column,
    time_column,
    wallet_column,
    word_column,
)
from paytui.tui.terminal.clipboard import copy
from paytui.tui.theme.themes import Cell, Tone, toned
from paytui.tui.widgets.feeds import RecentWebhooks
from paytui.tui.widgets.text import SplitLine
from paytui.tui.wizards.decision.view import why_undecided


class IntentScreen(FactScreen):
    """The detail view of one intent, kept up to date; an open intent is decided from it."""

    BINDINGS = keys.INTENT

    def __init__(self, desk: UiContext, intent_id: IntentId) -> None:
        super().__init__(desk)
        self._intent_id = intent_id
        self._was_quiet: bool | None = None

    async def pull(self) -> None:
        """Show the intent's current state."""
        await super().pull()
        row = self._row
        if row is not None:
            self._sheet.show(intent_groups(self.desk, row))
        self._title.say(
            toned(" Intent ", bold=True) + toned(self._intent_id, Tone.MUTED),
            toned(may_send(self.desk) or "", Tone.CLOSING),
        )
        if (quiet := self.is_quiet("decide")) != self._was_quiet:
            self._was_quiet = quiet
            self.refresh_bindings()

    def lead_to(self, ref: Ref) -> None:
        """Open an object that the intent names or became."""
        self.app.push_screen(DetailScreen(self.desk, ref))

    def action_copy_key(self) -> None:
        """Copy the intent's id, which its reference carries too."""
        copy(self.app, "Intent id", self._intent_id)

    def is_quiet(self, action: str) -> bool:
        """Return True for `decide` while there is nothing to decide."""
        row = self._row
        return action == "decide" and (row is None or bool(why_undecided(self.desk, row)))

    def action_decide(self) -> None:
        """Open the wizard that settles the intent or sends it."""
        decide(self, self._row)

    @property
    def _row(self) -> IntentRow | None:
        return self.desk.store.intents.get(self._intent_id)


def decide(screen: BaseScreen, row: IntentRow | None) -> None:
    """Open the wizard that decides an intent, or say why it cannot be decided."""
    if row is None:
        return
    if why_not := why_undecided(screen.desk, row):
        screen.notify(why_not, markup=False)
    else:
        from paytui.tui.wizards.decision.wizard import DecisionWizard
        from paytui.tui.wizards.screen import WizardScreen

        screen.app.push_screen(WizardScreen(screen.desk, DecisionWizard(screen.desk, row)))


_PRESSING = {Standing.IN_DOUBT: 3, Standing.RECORDED: 2, Standing.SENDING: 1}
"""The order of open intents; settled ones come last."""


class ActivityPage(ListPage[IntentId, IntentRow]):
    """The list of intents, each of which can be decided."""

    BINDINGS = [*keys.INTENT, *keys.ACTIVITY]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, desk: UiContext) -> None:
        super().__init__(desk, activity(desk))
        self._was_quiet: bool | None = None
        self._strip_title = SplitLine(classes="title")
        self._strip = RecentWebhooks(desk, self._strip_title)

    def body(self) -> Iterator[Widget]:
        """Yield the intents, and the newest webhooks if these are enabled."""
        yield from super().body()
        if self.desk.settings.webhooks.enabled:
            yield self._strip_title
            yield self._strip

    async def pull(self) -> None:
        """Take in changes, and update the hints and the webhooks."""
        await super().pull()
        self._strip.show()
        if (quiet := self.is_quiet("decide")) != self._was_quiet:
            self._was_quiet = quiet
            self.refresh_bindings()

    def is_quiet(self, action: str) -> bool:
        """Return True for `decide` with nothing to decide, and for `events` without webhooks."""
        if action == "events":
            return not self.desk.settings.webhooks.enabled
        rows = self.desk.store.intents.rows()
        return action == "decide" and all(why_undecided(self.desk, row) for row in rows)

    def action_decide(self) -> None:
        """Open the wizard for the intent under the cursor."""
        decide(self, self._list.selected)

    def action_events(self) -> None:
        self.app.push_screen(EventsPage(self.desk))


def activity(desk: UiContext) -> ListSpec[IntentId, IntentRow]:
    return ListSpec(
        mode="activity",
        row_spec=INTENTS,
        table=desk.store.intents,
        columns=_columns(desk),
        others=_others(desk),
        sort="Status",
        descending=True,
        # An intent without an account is in every scope, so that none is overlooked.
        owner=lambda row: row.terms.account_id or desk.scope,
    )


def _health(desk: UiContext) -> Cell:
    return Cell("nothing is sent from here" if may_send(desk) else "", Tone.CLOSING)


def _empty(desk: UiContext) -> str:
    return may_send(desk) or "Nothing was confirmed yet. t trades, p pays out, x transfers."


INTENTS = RowSpec(
    listed=IntentRow,
    title="Intent",
    noun="intents",
    stem="intents",
    health=_health,
    empty=_empty,
    detail=lambda desk, key: IntentScreen(desk, IntentId(key)),
)


def _columns(desk: UiContext) -> tuple[Column[IntentRow], ...]:
    return (
        time_column(desk, "Confirmed", lambda row: row.confirmed_at),
        Column(
            title="Status",
            config_id="stands",
            cell=standing_cell,
            width=12,
            whole=True,
            key=lambda row: (_PRESSING.get(row.standing, 0), row.confirmed_at),
        ),
        text_column("What", lambda row: row.title, width=32, most=60),
        Column(
            title="Amount",
            cell=_amount,
            width=13,
            whole=True,
            right=True,
            gives_way=2,
            key=lambda row: row.terms.amount,
        ),
        replace(
            text_column("Result", lambda row: row.object_id, most=40, gives_way=4, tone=Tone.MUTED),
            config_id="became",
        ),
        word_column("Intent", lambda row: row.intent_id, width=11, gives_way=3),
        word_column("By", lambda row: row.user, width=8, gives_way=5),
    )


def _others(desk: UiContext) -> tuple[Column[IntentRow], ...]:
    return (
        time_column(desk, "Since", lambda row: row.since, gives_way=6),
        account_column(desk, lambda row: row.terms.account_id),
        wallet_column(desk, "From", lambda row: row.terms.source_wallet_id, gives_way=7),
        text_column("Reference", lambda row: row.terms.reference, gives_way=8),
        word_column("Host", lambda row: row.host, width=12, gives_way=8),
        id_column("Account id", lambda row: row.terms.account_id),
    )


def _amount(row: IntentRow) -> Cell:
    """Return the fixed amount with its currency; the title repeats both, so they may be hidden."""
    amount = row.terms.amount
    return text_cell(None if amount is None else amount_words(amount, row.terms.currency))
