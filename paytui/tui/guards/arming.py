"""Whether what is about to be confirmed can have been seen by the one who confirms it.

Keys that are typed over a frozen link arrive in a burst, and may confirm what nobody saw. So a
confirm step is deaf until the terminal has answered a query that was sent after the step was
painted: what was typed before the terminal drew it comes in before that answer.
"""

from __future__ import annotations

from textual.message import Message

from paytui.clock import Clock

DEAF = 0.5
"""Seconds that a step is deaf on a terminal that has never answered."""

QUERY = "\x1b[6n"
"""Where is the cursor? (ECMA-48, DSR). Its answer moves nothing."""


class QueryTerminal(Message):
    """Wants the terminal asked, after what is being painted."""


class TerminalAnswered(Message, bubble=False):
    """The terminal has drawn all that was sent before the oldest query without an answer."""


class Arming:
    """Of one screen; told what it shows to be confirmed, and what the terminal answers.

    Args:
        clock: for terminals that never answer.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown: object = None
        self._since = 0.0
        self._asked = 0
        self._answered = 0
        self._needed = 0

    def shows(self, confirms: object) -> bool:
        """Note what can be confirmed now; None: nothing.

        Returns:
            Whether the terminal is to be asked after this paint.
        """
        if confirms == self._shown:
            return False
        self._shown = confirms
        if confirms is None:
            return False
        self._since = self._clock.monotonic()
        self._asked += 1
        self._needed = self._asked
        return True

    def answered(self) -> None:
        """The terminal answers one query, the oldest."""
        self._answered += 1

    def armed(self, confirms: object) -> bool:
        """Whether this can have been seen, so that a key may confirm it."""
        if confirms is None or confirms != self._shown:
            return False
        if self._answered:
            return self._answered >= self._needed
        return self._clock.monotonic() - self._since >= DEAF
