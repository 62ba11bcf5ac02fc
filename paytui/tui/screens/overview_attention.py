"""The overview's list of items that need attention, and what the trader does with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from paytui.config.key_bindings import first_key
from paytui.domain.colleagues import AttentionKey, AttentionNote
from paytui.domain.intent import IntentId
from paytui.domain.models import Kind, State
from paytui.domain.money import MISSING
from paytui.store.names import account_name
from paytui.store.needs_attention import (
    Attention,
    AttentionCandidates,
    AttentionTarget,
    NextStep,
    Urgency,
    attention_is_known,
    attention_key,
    needs_attention,
)
from paytui.store.table import Subset
from paytui.tui import textual_bindings
from paytui.tui.format.cells import (
    Cell,
    Tone,
    amount_words,
    rounded,
    state_cell,
    state_words,
    toned,
)
from paytui.tui.format.colleagues import aside_words, desk_words
from paytui.tui.screens.overview_balances import FiguresPanel
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.data_list import DataList
from paytui.tui.times import since_time
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.rates import countdown_words

_SIGNS = {
    Urgency.DOUBT: Cell("?!", Tone.DOUBT),
    Urgency.ALERT: Cell("!!", Tone.DOWN),
    Urgency.ALARM: Cell("!!", Tone.DOWN),
    Urgency.WARNING: Cell("!", Tone.CLOSING),
    Urgency.NOTICE: Cell("·", Tone.MUTED),
}

SNOOZE = timedelta(hours=1)
ISSUE = 22  # Cells for an issue, at least; an amount that needs more is rounded
LOOK_EVERY = 5.0  # Seconds between full checks: some rows come to need attention with time alone
AT_WORK = 60.0  # Seconds after a key for which rows stay where they are


@dataclass(frozen=True, slots=True)
class AttentionRow:
    """An item at its place in the list.

    Attributes:
        since: service time since which it is known to be so; None if unknown.
        note: None while nothing is noted.
        is_aside: it is acknowledged or snoozed.
    """

    place: int
    item: Attention
    since: datetime | None
    note: AttentionNote | None
    is_aside: bool

    @property
    def key(self) -> AttentionKey:
        return attention_key(self.item)


class AttentionList(DataList[AttentionKey, AttentionRow], inherit_bindings=False):
    """Items in the order they are given in, but for the row under the cursor, which stays put.

    A minute after the last key, the order is that of urgency again, and the cursor goes with its
    row.
    """

    BINDINGS = textual_bindings.UNSORTED_LIST

    def __init__(
        self,
        ui: UiContext,
        *,
        opened: Callable[[AttentionRow], object],
        left: Callable[[], None],
    ) -> None:
        """`left` is called when the focus leaves it."""
        super().__init__(attention_columns(ui), lambda row: row.key, sort="", opened=opened)
        self._clock = ui.time.clock
        self._left = left
        self._used_at = float("-inf")

    def show_rows(self, rows: Sequence[AttentionRow]) -> None:
        ordered = list(rows)
        if self.has_focus and self._clock.boot() - self._used_at < AT_WORK:
            pinned = next((row for row in ordered if row.key == self._cursor), None)
            if pinned is not None:
                ordered.remove(pinned)
                ordered.insert(self._cursor_position, pinned)
        self.replace([replace(row, place=place) for place, row in enumerate(ordered)])

    def use(self) -> None:
        """Note that the trader is at work here."""
        self._used_at = self._clock.boot()

    def on_blur(self) -> None:
        self._left()

    def _put_cursor(self, place: int) -> None:
        self.use()
        super()._put_cursor(place)


class AttentionPanel(FiguresPanel[AttentionKey, AttentionRow]):
    """Items that need the trader, the most urgent first; enter opens the place to act.

    What is acknowledged or snoozed here stays in view, dimmed, until the panel is left.

    Attributes:
        items: all items.
        open_count: the number of those that are not set aside; None if it is unknown.
    """

    BINDINGS = textual_bindings.groups("Intents", "Needs attention")

    def __init__(self, ui: UiContext, opened: Callable[[Attention], object]) -> None:
        self._list = AttentionList(ui, opened=lambda row: opened(row.item), left=self.put_away)
        super().__init__(ui, "Needs attention", self._list)
        self.items: Sequence[Attention] = ()
        self.open_count: int | None = None
        self._suspects = AttentionCandidates(ui.store, ui.settings.floors)
        self._looked_at = ui.time.clock.boot()
        self._local_items: tuple[Attention, ...] = ()
        self._noted: dict[AttentionKey, tuple[AttentionNote, AttentionNote | None]] = {}
        self._in_hand: set[AttentionKey] = set()
        self._shows_aside = self._is_known = False

    @property
    def selected(self) -> Attention | None:
        row = self._list.selected
        return None if row is None else row.item

    @property
    def rows_wanted(self) -> int:
        return max(2, len(self._list))  # as many as it takes to say that there are none

    @property
    def followers(self) -> tuple[Subset[Any, Any], ...]:
        return self._suspects.followers

    def inputs(self) -> tuple[object, ...]:
        store = self.ui.store
        versions = (follower.version for follower in self.followers)
        names = (store.accounts.version, store.recipients.version)
        shown = (self.ui.scope, self.ui.zone, self.ui.settings)
        return (*versions, *names, store.attention.version, store.health_version, *shown)

    def recompute(self) -> None:
        ui, now = self.ui, self.ui.time.latest()
        self._looked_at = ui.time.clock.boot()
        was_known, self._is_known = self._is_known, attention_is_known(ui.store)
        self._local_items = tuple(_local_items(ui))
        found = (*self._local_items, *needs_attention(self._suspects, now, ui.scope))
        self.items = found
        self._forget_notes({attention_key(item) for item in found})
        rows = [self._row(item, now) for item in found]
        rows.sort(key=lambda row: (row.item.urgency, row.since or now), reverse=True)
        in_view = [
            row for row in rows if self._shows_aside or not row.is_aside or row.key in self._in_hand
        ]
        if not was_known:  # rows still come in
            self._list.visit()
        self._list.show_rows(in_view)
        self._say(rows)

    def _row(self, item: Attention, now: datetime) -> AttentionRow:
        note = self._note(attention_key(item))
        since = item.since or (None if note is None else note.first_seen)
        if since is None and self._is_known:
            since = now  # the worker notes it within seconds
        return AttentionRow(0, item, since, note, note is not None and note.is_set_aside(now))

    def _note(self, key: AttentionKey) -> AttentionNote | None:
        noted = self._noted.get(key)
        return noted[0] if noted else self.ui.store.attention.get(key)

    def _forget_notes(self, there: set[AttentionKey]) -> None:
        """Forget our notes on items that are over, or of which the store has another by now."""
        store = self.ui.store.attention
        self._noted = {
            key: (note, before)
            for key, (note, before) in self._noted.items()
            if key in there
            if (kept := store.get(key)) == before and not (kept and _is_same(kept, note))
        }

    def _say(self, rows: Sequence[AttentionRow]) -> None:
        aside = [row.note for row in rows if row.is_aside and row.note is not None]
        acknowledged = sum(note.acknowledged for note in aside)
        self.open_count = len(rows) - len(aside) if self._is_known or rows else None
        counts = ((acknowledged, "acknowledged"), (len(aside) - acknowledged, "snoozed"))
        words = ", ".join(f"{count:,} {what}" for count, what in counts if count)
        if self.open_count:
            count = toned(f"  {self.open_count:,}", Tone.CLOSING)
        elif self._is_known:
            count = toned("  nothing", Tone.UP)
        else:
            count = toned("  not known yet", Tone.MUTED)
        right = toned("")
        if aside:
            key = first_key(self.ui.settings.keys, "attention.aside")
            does = "hides" if self._shows_aside else "shows"
            right = toned(f"{key} {does} {'it' if len(aside) == 1 else 'them'}", Tone.MUTED)
        desk = desk_words(self.ui) if aside else Cell("")
        known = toned(f"  {desk.text}" if desk.text else "", desk.tone)
        self.say(count, toned(f"  {words}" if words else "", Tone.MUTED), known, right=right)
        nothing = f"Nothing else needs attention: {words}." if words else "Nothing needs attention."
        self.ledger.placeholder(nothing if self._is_known else "Unknown until every list is read.")

    def tick(self) -> None:
        """Recompute when a check is due or an alert changed; update what is left of rates."""
        is_time = self.ui.time.clock.boot() - self._looked_at >= LOOK_EVERY
        if is_time or self._local_items != tuple(_local_items(self.ui)):
            self.recompute()
        elif any(item.expires_at for item in self.items):
            self.ledger.settle()

    # What the trader does with an item

    def put_away(self) -> None:
        """Hide what was set aside in this visit."""
        if self._in_hand:
            self._in_hand.clear()
            self.recompute()

    def action_set_aside(self) -> None:
        """Show what is acknowledged or snoozed, or hide it again."""
        self._list.use()
        self._shows_aside = not self._shows_aside
        self._in_hand.clear()
        self.recompute()

    def action_acknowledge(self) -> None:
        """Acknowledge an item until it changes; one that is set aside needs attention again."""
        if (row := self._list.selected) is not None:
            note = self._note_on(row)
            self._set(replace(note, acknowledged=not row.is_aside, snoozed_until=None))

    def action_snooze(self) -> None:
        """Put an item aside for an hour, at the next call until the next day, then no more."""
        if (row := self._list.selected) is None:
            return
        note, now = self._note_on(row), self.ui.time.latest()
        starts = self.ui.settings.overview.day_starts
        begins = (starts.begun(now + timedelta(hours=hours)) for hours in (24, 25))
        tomorrow = next(time for time in begins if time > now)  # a day may have 25 hours
        if note.snoozed_until is None or note.snoozed_until <= now:
            until: datetime | None = min(now + SNOOZE, tomorrow)
        else:
            until = tomorrow if note.snoozed_until < tomorrow else None
        self._set(replace(note, acknowledged=False, snoozed_until=until))

    def action_decide(self) -> None:
        """Open the decision on an intent."""
        from paytui.tui.base_screens import BaseScreen
        from paytui.tui.screens.activity import decide

        screen, item = self.screen, self.selected
        self._list.use()
        if item is None or item.place is not AttentionTarget.INTENT:
            self.app.notify("Nothing to decide here; enter opens it.")
        elif isinstance(screen, BaseScreen):
            decide(screen, self.ui.store.intents.get(IntentId(item.key)))

    def _note_on(self, row: AttentionRow) -> AttentionNote:
        return self._note(row.key) or AttentionNote(row.key, row.since or self.ui.time.latest())

    def _set(self, note: AttentionNote) -> None:
        self._list.use()
        note = replace(note, by="", at=None)
        self._noted[note.key] = note, self.ui.store.attention.get(note.key)
        self._in_hand.add(note.key)
        self.ui.port.note_attention(note)
        self.recompute()


def _is_same(one: AttentionNote, other: AttentionNote) -> bool:
    return (one.acknowledged, one.snoozed_until) == (other.acknowledged, other.snoozed_until)


def attention_columns(ui: UiContext) -> tuple[Column[AttentionRow], ...]:
    return (
        Column(title="", cell=_sign, width=2, whole=True, key=lambda row: row.place),
        Column(
            title="Item",
            cell=lambda row: _cell(row, _subject(row.item)),
            width=23,
            grows=True,
            most=48,
        ),
        figure_column("Amount", lambda row: _cell(row, row.item.amount), width=6),
        Column(
            title="Issue",
            cell=lambda row: _issue(ui, row),
            width=ISSUE,
            grows=True,
            grows_first=True,
            shrinks=True,
            most=60,
        ),
        Column(
            title="Account",
            cell=lambda row: _cell(row, _account(ui, row.item), Tone.MUTED),
            width=12,
            grows=True,
            most=30,
            gives_way=3,
        ),
        Column(title="Seen", cell=lambda row: _since(ui, row), width=6, right=True, gives_way=1),
        Column(
            title="Next step",
            cell=lambda row: _cell(row, _next_step(ui, row.item), Tone.MUTED),
            width=11,
            gives_way=2,
        ),
    )


def _sign(row: AttentionRow) -> Cell:
    if row.is_aside:
        return Cell("✓" if row.note is not None and row.note.acknowledged else "z", Tone.FAINT)
    return _SIGNS[row.item.urgency]


def _cell(row: AttentionRow, text: str, tone: Tone = Tone.INK) -> Cell:
    return Cell(text, Tone.FAINT if row.is_aside else tone)


def _subject(item: Attention) -> str:
    """Return `Payout to Ban Bua Kaew`."""
    words = f"{item.subject} {item.party}".strip()
    return words[:1].upper() + words[1:]


def _issue(ui: UiContext, row: AttentionRow) -> Cell:
    """Return the problem with its amount or reason, or how long the item is set aside."""
    item, note, now = row.item, row.note, ui.time.latest()
    if row.is_aside and note is not None:
        return Cell(aside_words(ui, note), Tone.FAINT)
    if isinstance(item.matter, State):  # a state has one colour on every screen
        matter, tone = state_words(item.matter), state_cell(item.matter).tone
    else:
        matter, tone = _MATTERS.get(item.matter, item.matter), _SIGNS[item.urgency].tone
    if (measure := item.measure) is not None:
        words = f"{matter} {amount_words(measure.amount, measure.currency)}"
        is_short = len(words) <= ISSUE
        matter = words if is_short else f"{matter} {rounded(measure.amount)} {measure.currency}"
    if item.next_step is NextStep.READ:
        matter = f"read failed: {matter}"
    if item.expires_at is not None:
        left = item.expires_at - now
        matter = f"{matter}, rate {countdown_words(left)}"
    return Cell(f"{matter}: {item.reason}" if item.reason else matter, tone)


def _account(ui: UiContext, item: Attention) -> str:
    return account_name(ui.store, item.account_id) if item.account_id else ""


def _since(ui: UiContext, row: AttentionRow) -> Cell:
    """Return the time, or the day before today: `14:02`, `25 Nov`. An age would tick."""
    if row.since is None:
        return Cell(MISSING, Tone.FAINT)
    words = since_time(row.since, ui.time.latest(), ui.zone)
    return _cell(row, words[: len("25 Nov")], Tone.MUTED)


_MATTERS = {"short": "to fund"}
"""Other words for matters that an amount follows."""

_STEPS = {
    NextStep.DECIDE: ("decide", "intent.decide"),
    NextStep.APPROVE: ("approve", "intent.decide"),
    NextStep.COMPARE: ("compare", "list.open"),
    NextStep.FUND: ("fund", "app.transfer"),
    NextStep.BUY: ("buy", "app.trade"),
    NextStep.REPEAT: ("repeat", "app.repeat"),
    NextStep.CHECK: ("check", "list.open"),
    NextStep.READ: ("refresh", "app.refresh"),
    NextStep.LOOK: ("rates", "list.open"),
}
"""The next step in words, and the action that does it."""


def _next_step(ui: UiContext, item: Attention) -> str:
    if item.next_step is NextStep.ASK:
        return "ask service"
    if item.next_step is NextStep.WAIT:
        return "wait"
    does, action = _STEPS[item.next_step]
    if item.next_step is NextStep.BUY and item.measure is not None:
        does = f"{does} {item.measure.currency}"
    return f"{does} ({first_key(ui.settings.keys, action)})"


def _local_items(ui: UiContext) -> Iterator[Attention]:
    """Yield rate alerts that crossed their level, and those that no rate sheet prices."""
    watch = ui.rate_alerts
    for crossing in watch.standing:
        alert = crossing.alert
        yield Attention(
            urgency=Urgency.WARNING,
            kind=Kind.RATE_SHEETS,
            key=str(alert),
            subject=alert.name,
            matter=alert.level_words,
            next_step=NextStep.LOOK,
            since=crossing.at,
            place=AttentionTarget.LIST,
            amount=crossing.price_words,
        )
    for alert in watch.unpriced:
        yield Attention(
            urgency=Urgency.NOTICE,
            kind=Kind.RATE_SHEETS,
            key=str(alert),
            subject=f"alert {alert.name}",
            matter="not priced",
            next_step=NextStep.LOOK,
            place=AttentionTarget.LIST,
        )
