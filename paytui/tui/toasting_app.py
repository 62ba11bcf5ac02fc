"""Toasts that end, by a clock that nobody sets; Textual's go by the host's, and may hang an app."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.app import App
from textual.notifications import Notification, Notify, SeverityLevel

from paytui.platform.clock import Clock
from paytui.tui.desk import Desk

SHORTEST = 0.25
"""Seconds that a toast is shown for, though its time is over before it is: after a pause of the
whole process. Textual's timer counts a time that is over for ever, and nothing else runs."""


@dataclass(kw_only=True)
class Toasted(Notification):
    """What a toast says.

    Attributes:
        clock: tells how long ago it was said.
        raised_at: when that was, in its monotonic seconds.
    """

    clock: Clock
    raised_at: float = field(init=False)

    def __post_init__(self) -> None:
        self.raised_at = self.clock.monotonic()

    @property
    def _left(self) -> float:
        return self.raised_at + self.timeout - self.clock.monotonic()

    @property
    def time_left(self) -> float:
        """Seconds for which to show a toast that is made now: never none."""
        return max(self._left, SHORTEST)

    @property
    def has_expired(self) -> bool:
        """Whether no toast is to be made of it any more."""
        return self._left <= 0


class ToastingApp(App[None]):
    """An app whose toasts do not hang it.

    Attributes:
        desk: has the clock that they go by.
    """

    desk: Desk

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a toast: see `App.notify`."""
        lasts = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        clock = self.desk.time.clock
        said = Toasted(message, title, severity, lasts, markup=markup, clock=clock)
        self.post_message(Notify(said))
