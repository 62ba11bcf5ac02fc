"""Whether what is about to be confirmed can have been seen by the one who confirms it.

Keys that are typed over a frozen link arrive in a burst, and may confirm what nobody saw. So a
confirm step is deaf until the terminal has answered a query that was sent after the step was
painted: what was typed before the terminal drew it comes in before that answer. The answer then
goes the way of a key, so that it does not overtake those that are still on theirs.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message

from paytui.clock import Clock
from paytui.tui.guards.questions import Questions

DEAF = 0.5
"""Seconds that a step is deaf on a terminal that has never answered."""

QUERY = "\x1b[6n"
"""Where is the cursor? (ECMA-48, DSR). Its answer moves nothing."""


class QueryTerminal(Message):
    """Wants the terminal asked, after what is being painted.

    Attributes:
        laid_out: called just before: what was changed is laid out by then.
    """

    def __init__(self, laid_out: Callable[[], None]) -> None:
        super().__init__()
        self.laid_out = laid_out


class TerminalAnswered(Message):
    """An answer on the way of a key: from what has the focus up to the app.

    It goes twice. Behind the first trip no key is left that has not been bound to what it does;
    behind the second, nothing that such a key made its widget post (a line that is submitted).

    Attributes:
        number: of the question.
        again: whether another trip is to follow.
    """

    def __init__(self, number: int, *, again: bool) -> None:
        super().__init__()
        self.number = number
        self.again = again


class Arming:
    """Of one screen; told what it shows to be confirmed.

    Args:
        clock: for terminals that never answer.
        questions: what the terminal was asked by anybody.
    """

    def __init__(self, clock: Clock, questions: Questions) -> None:
        self._clock = clock
        self._questions = questions
        self._shown: object = None
        self._since = 0.0
        self._question = 0

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
        self._question = self._questions.ask(self._since)
        return True

    def armed(self, confirms: object) -> bool:
        """Whether this can have been seen, so that a key may confirm it."""
        if confirms is None or confirms != self._shown:
            return False
        if self._questions.are_answered:
            return self._questions.is_heard(self._question)
        return self._clock.monotonic() - self._since >= DEAF
