"""Notifications about intents: headlines, toasts, terminal messages and the summary at exit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from textual.notifications import Notification

from paytui.config.settings import Notify
from paytui.domain.intent import IntentId, IntentRow, Standing
from paytui.domain.models import PayInAddress, Payment, Problem, Record, State
from paytui.platform.clock import Clock
from paytui.platform.text import clean
from paytui.store.health import LinkState
from paytui.store.store import Store
from paytui.store.table import Subset
from paytui.tui.format.cells import BAD, GOOD, state_words
from paytui.tui.textual_internals import HookedApp
from paytui.tui.ui_context import SavedDrafts, UiContext

MARGIN = timedelta(seconds=2)
"""Maximum step back of our estimate of the service's clock when it becomes more precise."""

LONGEST_TITLE = 160  # Maximum characters of an intent's title; the names in it come from outside

_PASSING = frozenset({Standing.RECORDED, Standing.SENDING})
"""States that end within moments; if they do not, other parts of the screen show it."""

_PRESSING = frozenset({Standing.IN_DOUBT, Standing.NOT_RECORDED})

_BECAME = frozenset({Standing.ACCEPTED, Standing.DONE})


@dataclass(frozen=True, slots=True)
class Headline:
    """One change in words; `pressing` if the trader must act."""

    words: str
    pressing: bool = False


@dataclass(slots=True)
class _Outcome:
    """An intent, its object's state when last seen, and True if it was so before the session."""

    row: IntentRow
    old: bool
    state: str | None = None


class IntentNotifications:
    """Follows intents and the objects they create. The state at the start is not reported."""

    def __init__(self, ui: UiContext) -> None:
        self._store = ui.store
        self._time = ui.time
        self._looked_at = ui.time.latest()
        self._rows = Subset[IntentId, IntentRow](
            ui.store.intents, lambda row: not row.is_colleagues
        )
        self._last_standing: dict[IntentId, Standing | None] = {}
        self._alerts: dict[IntentId, int] = {}
        self._outcomes: dict[IntentId, _Outcome] = {}
        self._seen: tuple[object, ...] = ()
        self._stopped_by: Problem | None = None
        self._is_damaged = False

    def poll(self) -> list[Headline]:
        since, self._looked_at = self._looked_at - MARGIN, self._time.latest()
        rows = (row for _, _, row in self._rows.changes() if row is not None)
        found = [headline for row in rows for headline in self._intent_headlines(row, since)]
        found += self._trouble_headlines()
        store = self._store
        kinds = {outcome.row.action.becomes for outcome in self._outcomes.values()}
        tables = ((store.table(kind).version, store.feed(kind).cached) for kind in sorted(kinds))
        seen = (self._rows.version, *tables)
        if seen != self._seen:
            self._seen = seen
            found += self._outcome_headlines()
        return found

    def _trouble_headlines(self) -> Iterator[Headline]:
        """Yield each reason why the link stopped for good, and a damaged outbox, once."""
        link, sending = self._store.link, self._store.sending
        if link.state is LinkState.STOPPED and link.problem != self._stopped_by:
            self._stopped_by = link.problem
            yield Headline(str(link.problem), pressing=True)
        if sending.damaged and not self._is_damaged:
            yield Headline(sending.why, pressing=True)
        self._is_damaged = sending.damaged

    def _intent_headlines(self, row: IntentRow, since: datetime) -> Iterator[Headline]:
        key = row.intent_id
        old = key not in self._last_standing and row.since < since
        last = self._last_standing.setdefault(key, None)
        stays = row.standing not in _PASSING or row.is_approved
        if stays and row.standing is not last:
            self._last_standing[key] = row.standing
            if not old:
                yield Headline(self._words(row), row.standing in _PRESSING)
        reported = len(row.alerts) if old else self._alerts.get(key, 0)
        self._alerts[key] = len(row.alerts)
        for alert in row.alerts[reported:]:
            yield Headline(f"{_title(row)}: {alert}", pressing=True)
        if row.standing in _BECAME and row.object_id is not None:
            created = _created_object(self._store, row)
            state = None if row.action.moves_money else _state_of(created)
            self._outcomes.setdefault(key, _Outcome(row, old, state.name if state else None))

    def _words(self, row: IntentRow) -> str:
        if row.standing is Standing.ACCEPTED and not row.action.moves_money:
            state = _state_of(_created_object(self._store, row)) if row.object_id else None
            reported = "" if state is None or state.as_created else f", {state_words(state)}"
            return f"{_title(row)}: created{reported}"
        words = f"{_title(row)}: {row.standing_words}"
        if row.standing is Standing.NOT_RECORDED:
            words = f"{_title(row)}: could not be recorded, so nothing was sent"
        if row.problem is not None and row.standing not in _BECAME:
            words += f": {row.problem.said or row.problem.what}"
        return f"{words}. See Activity (8)." if row.standing in _PRESSING else words

    def _outcome_headlines(self) -> Iterator[Headline]:
        for outcome in self._outcomes.values():
            record = _created_object(self._store, outcome.row)
            state = _state_of(record)
            cached = self._store.feed(outcome.row.action.becomes).cached
            if record is None or state is None or state.as_created or cached:
                continue
            before, outcome.state = outcome.state, state.name
            is_new = before != outcome.state and (before is not None or not outcome.old)
            # `completed` after `released` is not worth a toast.
            is_good = outcome.state in GOOD and before not in GOOD
            if is_new and (is_good or outcome.state in BAD):
                words = _outcome_words(record, outcome.state)
                yield Headline(f"{_title(outcome.row)}: {words}", outcome.state in BAD)


def _title(row: IntentRow) -> str:
    return clean(row.title, LONGEST_TITLE)


def _created_object(store: Store, row: IntentRow) -> Record | None:
    assert row.object_id is not None
    return store.table(row.action.becomes).get(row.object_id)


def _state_of(record: Record | None) -> State | None:
    return None if record is None or isinstance(record, PayInAddress) else record.status


def _outcome_words(record: Record, state: str) -> str:
    if not isinstance(record, Payment):
        return state
    if state in BAD:
        return f"{state}: {record.failure_reason}" if record.failure_reason else state
    return f"{state}, end-to-end id {record.end_to_end_id}" if record.end_to_end_id else state


TOAST_LENGTH = 400  # Maximum characters of a toast; Activity shows the whole text
MESSAGE_LENGTH = 200
LASTS, PRESSING_LASTS = 8.0, 30.0  # Seconds on screen, and seconds if the trader must act


def notify_sequence(notify: Notify, words: str) -> str:
    """Return the escape sequence that rings the bell or shows a desktop message.

    OSC 9 is understood by iTerm2 and terminals that follow it. OSC 777 is rxvt's
    `notify;TITLE;BODY`, in which a semicolon begins a field. The words contain no escapes.
    """
    message = clean(words, MESSAGE_LENGTH).replace(";", ",")
    match notify:
        case "bell":
            return "\a"
        case "osc9":
            return f"\x1b]9;paytui: {message}\a"
        case "osc777":
            return f"\x1b]777;notify;paytui;{message}\a"
        case "off":
            return ""


class Notifications:
    """All that an app reports by itself: toasts, and messages outside of the screen.

    Each toast is shown for its whole time, but never over a confirm step.
    """

    def __init__(self, app: HookedApp, ui: UiContext) -> None:
        self._app = app
        self._ui = ui
        self._intents = IntentNotifications(ui)
        self._up: list[tuple[float, Headline]] = []
        self._waiting: list[Headline] = []

    def show_news(self, *, later: bool) -> None:
        """Report what changed; if `later`, as at a confirm step, hold all back and count it."""
        crossed = [crossing.words for crossing in self._ui.rate_alerts.poll()]
        self._waiting += self._intents.poll()
        self._waiting += [Headline(words, pressing=True) for words in crossed]
        now = self._ui.time.clock.monotonic()
        self._up = [(until, headline) for until, headline in self._up if until > now]
        if not later:
            self._show(now)
        elif self._up:
            self._waiting[:0] = [headline for _, headline in self._up]
            self._up.clear()
            self._app.clear_notifications()
        for words in crossed:
            if told := notify_sequence(self._ui.settings.alerts.notify, words):
                self._app.write_terminal(told)
        self._ui.alerts_waiting = sum(headline.pressing for headline in self._waiting)

    def _show(self, now: float) -> None:
        for headline in self._waiting:
            lasts = PRESSING_LASTS if headline.pressing else LASTS
            self._app.notify(clean(headline.words, TOAST_LENGTH), timeout=lasts)
            self._up.append((now + lasts, headline))
        self._waiting.clear()


SHORTEST_TOAST = 0.25
"""Minimum seconds of a toast. After a pause of the whole process its time may be over before it
is shown, and Textual's timer would loop forever on a negative duration."""


@dataclass(kw_only=True)
class MonotonicNotification(Notification):
    """A notification on our monotonic clock: a change of the wall clock can hang Textual's."""

    clock: Clock
    raised_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.raised_at = self.clock.monotonic()

    @property
    def _left(self) -> float:
        return self.raised_at + self.timeout - self.clock.monotonic()

    @property
    def time_left(self) -> float:
        """Return the seconds for which to show a new toast; at least `SHORTEST_TOAST`."""
        return max(self._left, SHORTEST_TOAST)

    @property
    def has_expired(self) -> bool:
        """Return True if no toast is due any more."""
        return self._left <= 0


_OPEN_WORDS = {
    Standing.IN_DOUBT: "in doubt",
    Standing.SENDING: "being sent",
    Standing.RECORDED: "not sent",
    Standing.PROPOSED: "proposed, not sent",
}
"""Open states, the most urgent first."""


def open_intents(store: Store) -> list[IntentRow]:
    """Return the open intents of this outbox, the most urgent first."""
    first = list(_OPEN_WORDS)
    rows = [
        row
        for row in store.intents.rows()
        if row.standing.open and not row.is_colleagues and not row.is_approved_mandate
    ]
    return sorted(rows, key=lambda row: (first.index(row.standing), row.confirmed_at))


def open_words(rows: list[IntentRow]) -> list[str]:
    return [f"{_OPEN_WORDS[row.standing]}: {row.title} ({row.intent_id})" for row in rows]


def unsent_words(drafts: SavedDrafts) -> str:
    """Return how many forms are filled in and not sent; empty if none is."""
    count = sum(kept.intent_id is None for kept in drafts.values())
    if not count:
        return ""
    return f"Quitting discards {count} unsent {'form' if count == 1 else 'forms'}."


def exit_summary(rows: list[IntentRow]) -> str:
    lines = ["Still open:", *(f"  {words}" for words in open_words(rows))]
    lines.append("`paytui audit` shows its history; resolve it in the dashboard.")
    return "\n".join(lines)
