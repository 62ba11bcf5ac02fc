"""News as toasts. None lies over a step that confirms, whose facts it would hide: it waits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from paytui.platform.clock import Clock
from paytui.platform.text import clean
from paytui.tui.news import Headline

LONGEST = 400
"""Characters of a toast; whoever says more would cover the screen. The activity has it whole."""

LASTS, PRESSING_LASTS = 8.0, 30.0
"""Seconds that what came of an intent is on screen, and where somebody should see to it."""


class Notifier(Protocol):
    """What shows toasts: the app."""

    def notify(self, message: str, *, timeout: float, markup: bool) -> None:
        """Show one for so many seconds."""
        ...

    def clear_notifications(self) -> None:
        """Take down all that are up."""
        ...


class Toasts:
    """Every headline is shown once for its whole time, at once or later.

    Args:
        notifier: shows them.
        clock: tells which ones are still up.
    """

    def __init__(self, notifier: Notifier, clock: Clock) -> None:
        self._notifier = notifier
        self._clock = clock
        self._up: list[tuple[float, Headline]] = []
        self._waiting: list[Headline] = []

    @property
    def pressing(self) -> int:
        """How many of those that wait somebody should see to."""
        return sum(headline.pressing for headline in self._waiting)

    def tell(self, headlines: Iterable[Headline], *, later: bool) -> None:
        """Show these and what has waited; or take down what is up, and have all wait."""
        self._waiting += headlines
        self._up = [(until, one) for until, one in self._up if until > self._clock.monotonic()]
        if not later:
            self._show()
        elif self._up:
            self._waiting[:0] = [headline for _, headline in self._up]
            self._up.clear()
            self._notifier.clear_notifications()

    def _show(self) -> None:
        for headline in self._waiting:
            lasts = PRESSING_LASTS if headline.pressing else LASTS
            self._notifier.notify(clean(headline.words, LONGEST), timeout=lasts, markup=False)
            self._up.append((self._clock.monotonic() + lasts, headline))
        self._waiting.clear()
