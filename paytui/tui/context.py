"""The desk: what every screen is given, and the account that it looks at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from paytui.config.runtime_settings import RuntimeSettings
from paytui.config.settings import Settings
from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.intent import IntentMaker
from paytui.domain.models import AccountId
from paytui.platform.clock import Clock, ServiceTime, Zone
from paytui.platform.host import DIRECT, TerminalEnvironment
from paytui.port import Port
from paytui.store.lookalikes import LookalikeWarnings
from paytui.store.payees import IntentIndex, PayeeHistory
from paytui.store.store import Store
from paytui.tui.format.times import age
from paytui.tui.guards.confirm_arming import TerminalQueries
from paytui.tui.rate_alerts import AlertWatch

if TYPE_CHECKING:
    from paytui.tui.forms.draft import SavedDrafts
    from paytui.tui.wizards.protocol import Wizard

# Whether somebody is there: after a while without a key nothing is created until they say so.
#
# It guards a keyboard that was left alone against a hand that happens on it, and the one who comes
# back against going on with what they had forgotten. It is no defence against somebody who means
# it.


class IdleLock:
    """Locks by itself, and is unlocked by nothing but `unlock`.

    Args:
        clock: whose boot time counts: a night in which the host was suspended is idle time too.
        after: how long no key was pressed; None: it never locks.
    """

    def __init__(self, clock: Clock, after: timedelta | None) -> None:
        self._clock = clock
        self._after = after
        self._pressed_at = clock.boot()
        self._locked = False

    def pressed(self) -> None:
        """A key came; one that comes too late finds it locked."""
        if not self.is_locked:
            self._pressed_at = self._clock.boot()

    def unlock(self) -> None:
        """Somebody has proved to be there."""
        self._locked = False
        self._pressed_at = self._clock.boot()

    @property
    def is_locked(self) -> bool:
        """Whether nothing is to be created."""
        idle = timedelta(seconds=self._clock.boot() - self._pressed_at)
        if self._after is not None and idle >= self._after:
            self._locked = True
        return self._locked

    def why(self, key: str) -> str:
        """Why nothing is created, and which key unlocks; empty while it is open."""
        if self._after is None or not self.is_locked:
            return ""
        return f"Locked: no key was pressed for {age(self._after)}. {key} unlocks."


@dataclass(slots=True, kw_only=True)
class UiContext:
    """Handed to every screen; `scope`, `zone`, `settings` and `alerts_waiting` are what changes.

    Attributes:
        maker: makes intents of what is confirmed.
        scope: the account whose figures and rows are shown; None = all accounts.
        zone: what times are shown in; None = the zone of this machine.
        vocabulary: what forms have to know of the dialect.
        questions: what the terminal was asked.
        drafts: forms that were left.
        choices: keeps what is set on screen.
        rate_alerts: those that are waited for.
        likeness: which recipients can be taken for one another.
        idle: whether somebody is there.
        acquaintances: which accounts of recipients were paid before.
        own_record: what was confirmed here of objects, where the service tells less.
        opened: wizards that are open, each with the numbered screen over which it lies.
        alerts_waiting: news that somebody should see to, held back while something is confirmed.
        surroundings: what lies between us and the terminal.
        random: draws the codes that are typed to confirm.
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
    likeness: LookalikeWarnings = field(init=False)
    idle: IdleLock = field(init=False)
    acquaintances: PayeeHistory = field(init=False)
    own_record: IntentIndex = field(init=False)
    opened: dict[Wizard, str] = field(default_factory=dict)
    alerts_waiting: int = 0
    surroundings: TerminalEnvironment = DIRECT
    random: Random = field(default_factory=SystemRandom)

    def __post_init__(self) -> None:
        self.zone = self.settings.display.zone
        self.choices = RuntimeSettings(self.settings)
        self.likeness = LookalikeWarnings(self.store)
        self.idle = IdleLock(self.time.clock, self.settings.lock.after)
        self.acquaintances = PayeeHistory(self.store)
        self.own_record = IntentIndex(self.store)
        self.rate_alerts = AlertWatch(self.store, self.time, self.settings.alerts.when)
