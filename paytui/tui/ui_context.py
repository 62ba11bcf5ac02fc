"""The context that every screen is given, the idle lock, and drafts that were left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from textual.message import Message

from paytui.config.load import RuntimeSettings
from paytui.config.settings import Settings
from paytui.domain.intent import IntentId, IntentMaker
from paytui.domain.models import AccountId, Kind
from paytui.domain.requests import DialectFeatures
from paytui.platform.clock import Clock, ServiceTime, Zone
from paytui.platform.host import DIRECT, TerminalEnvironment
from paytui.port import Port
from paytui.store.payable import IntentIndex, LookalikeWarnings, PayeeHistory
from paytui.store.store import CacheState, Store
from paytui.tui.rate_alerts import AlertWatch
from paytui.tui.rate_history import RateHistory
from paytui.tui.terminal.confirm_arming import TerminalQueries
from paytui.tui.textual_bindings import TICKETS

if TYPE_CHECKING:
    from paytui.tui.store_bridge import WindowReader


class IdleLock:
    """A lock that closes after a time without a key.

    It guards an unattended keyboard, and traders who come back and have forgotten the state of
    their screen. It is no defence against an attacker. Suspend is idle time, too.
    """

    def __init__(self, clock: Clock, after: timedelta | None) -> None:
        self._clock = clock
        self.after = after
        self._pressed_at = clock.boot()
        self._locked = False

    def pressed(self) -> None:
        """Note a key press. It does not open the lock."""
        if not self.is_locked:
            self._pressed_at = self._clock.boot()

    def unlock(self) -> None:
        self._locked = False
        self._pressed_at = self._clock.boot()

    @property
    def is_locked(self) -> bool:
        """Return True if nothing may be created."""
        idle = timedelta(seconds=self._clock.boot() - self._pressed_at)
        if self.after is not None and idle >= self.after:
            self._locked = True
        return self._locked


@dataclass(slots=True, kw_only=True)
class UiContext:
    """Everything that a screen needs: store, port, settings and state shared by all screens.

    Only `scope`, `zone`, `settings`, `in_ascii` and `alerts_waiting` change.

    Attributes:
        maker: makes intents of confirmed requests.
        scope: the account whose figures and rows are shown; None = all accounts.
        zone: the time zone of the display; None = the zone of this machine.
        vocabulary: the features of the dialect that forms depend on.
        drafts: forms and tickets that were left unfinished.
        likeness: finds recipients that can be mistaken for one another.
        acquaintances: which accounts of recipients were paid before.
        own_record: our record of confirmed requests, for fields that the service does not return.
        created_until: by kind, service time until which lists have shown what was created here.
        in_ascii: True if the terminal shows ASCII only.
        alerts_waiting: number of urgent notifications held back during a confirm step.
        surroundings: the link to the terminal: SSH, tmux.
        random: draws the codes that are typed to confirm.
        lists: reads lists that exceed memory; None in tests of short ones.
    """

    store: Store
    port: Port
    time: ServiceTime
    settings: Settings
    maker: IntentMaker
    scope: AccountId | None = None
    zone: Zone = field(init=False)
    vocabulary: DialectFeatures = field(default_factory=DialectFeatures)
    questions: TerminalQueries = field(default_factory=TerminalQueries)
    drafts: SavedDrafts = field(default_factory=dict)
    choices: RuntimeSettings = field(init=False)
    rate_alerts: AlertWatch = field(init=False)
    rate_history: RateHistory = field(init=False)
    likeness: LookalikeWarnings = field(init=False)
    idle: IdleLock = field(init=False)
    acquaintances: PayeeHistory = field(init=False)
    own_record: IntentIndex = field(init=False)
    created_until: dict[Kind, datetime] = field(init=False)
    in_ascii: bool = False
    alerts_waiting: int = 0
    surroundings: TerminalEnvironment = DIRECT
    random: Random = field(default_factory=SystemRandom)
    lists: WindowReader | None = None

    def __post_init__(self) -> None:
        self.zone = self.settings.display.zone
        self.choices = RuntimeSettings(self.settings)
        self.likeness = LookalikeWarnings(self.store)
        self.idle = IdleLock(self.time.clock, self.settings.lock.after)
        self.acquaintances = PayeeHistory(self.store)
        self.own_record = IntentIndex(self.store)
        self.created_until = dict.fromkeys(Kind, self.time.latest())
        self.rate_alerts = AlertWatch(self.store, self.time, self.settings.alerts.when)
        day_starts = self.settings.overview.day_starts
        self.rate_history = RateHistory(self.store, self.time, day_starts)

    def cache_of(self, kind: Kind) -> CacheState | None:
        """Return the file to read a long list from; None while memory has more of it."""
        lists, cache = self.lists, self.store.cache
        if lists is None or cache is None or lists.unreadable == cache.file:
            return None
        is_whole = kind in cache.whole or self.store.left_out(kind) > 0
        return cache if is_whole and self.store.is_long(kind) else None


UnlockCheck = Callable[[], Awaitable[str]]
"""Returns why the lock stays closed; empty if it may open."""


async def allow_unlock() -> str:
    """Open the lock without a further check."""
    return ""


class SettingsChanged(Message):
    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings


# Drafts


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """The draft of a ticket that was left.

    Attributes:
        values: what its fields held, by key.
        intent_id: of the intent that it was submitted as.
        at: the field that had the cursor.
        name: `Payout 700.00 USD Hana Hollister`.
    """

    values: Mapping[str, str]
    intent_id: IntentId | None = None
    at: str = ""
    name: str = ""


SavedDrafts = dict[tuple[str, str], SavedDraft]
"""Saved drafts by key and context: of a form, such as a recipient's identifier; else a number."""


def newest_ticket(drafts: SavedDrafts) -> tuple[str, str] | None:
    """Return the key of the newest draft of a ticket; None without one."""
    return next((key for key in reversed(drafts) if key[0] in TICKETS), None)


def new_key(drafts: SavedDrafts, ticket: str) -> tuple[str, str]:
    """Return a key for another draft of a ticket."""
    numbers = (int(context) for key, context in drafts if key in TICKETS)
    return ticket, str(max(numbers, default=0) + 1)


def keep_draft(
    drafts: SavedDrafts, key: tuple[str, str], draft: SavedDraft, *, is_newest: bool
) -> None:
    """Keep a draft as the newest, or as the oldest."""
    others = {other: kept for other, kept in drafts.items() if other != key}
    drafts.clear()
    drafts.update(others | {key: draft} if is_newest else {key: draft} | others)
