"""Toasts that end: Textual's timer counts a time that is over for ever, and nothing else runs."""

from __future__ import annotations

from textual.app import App
from textual.notifications import Notification, Notify, SeverityLevel

SHORTEST = 0.25
"""Seconds that a toast is shown for, though its time is over before it is: after a pause of the
whole process, or a step of the host's clock."""


class Toasted(Notification):
    """What a toast says."""

    @property
    def time_left(self) -> float:
        """Seconds for which to show a toast that is made now: never none, nor more than all."""
        return min(max(super().time_left, SHORTEST), self.timeout)

    @property
    def has_expired(self) -> bool:
        """Whether no toast is to be made of it any more."""
        return super().time_left <= 0


class ToastingApp(App[None]):
    """An app whose toasts do not hang it."""

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
        self.post_message(Notify(Toasted(message, title, severity, lasts, markup=markup)))
