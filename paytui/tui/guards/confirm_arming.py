"""A guard of confirmations: a key confirms only a step that the terminal has drawn.

Keys typed over a frozen link arrive in a burst and may confirm a step that nobody saw. So a confirm
step ignores keys until the terminal has answered a query that was sent after the step was painted.
Input typed before the terminal drew the step arrives before that answer. The answer is then queued
like a key, so that it cannot overtake earlier keys; later ones wait for it, though they may have
come in the same packet.
Within tmux or screen the multiplexer answers, whatever the terminal behind it shows; and some
terminals never answer. There the trader types a code as well, which is shown on the screen alone.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from paytui.platform.clock import Clock
from paytui.tui.terminal.queries import TerminalQueries

DEAF = 0.5  # Seconds for which a step ignores keys on a terminal that has never answered
AGAIN = 2.0  # Seconds after which a terminal that has answered before is queried again

LETTERS = "ACDEFHJKMNPTWXY"
"""Letters of a code: none looks like another or like a digit, or is the key for a new rate."""

LENGTH = 2


class Arming:
    """The guard of one screen's confirmations.

    Args:
        clock: times terminals that never answer.
        questions: the queries sent to the terminal by any screen.
        random: draws codes.
        multiplexed: True if a program between here and the terminal answers in its place.
        is_behind: returns True while painted output is still waiting to be written.
    """

    def __init__(
        self,
        clock: Clock,
        questions: TerminalQueries,
        random: Random,
        *,
        multiplexed: bool,
        is_behind: Callable[[], bool],
    ) -> None:
        self._clock = clock
        self._questions = questions
        self._random = random
        self._multiplexed = multiplexed
        self._is_behind = is_behind
        self._shown: object = None
        self._showing = 0
        self._since = 0.0
        self._asked_at = 0.0
        self._question: int | None = None
        self._code = ""

    def shows(self, confirms: object) -> bool:
        """Set the step that can be confirmed now; None: nothing.

        Return True if the terminal is to be queried after this paint.
        """
        if confirms == self._shown:
            return False
        self._shown = confirms
        self._showing += 1
        self._question = None
        self._since = self._asked_at = self._clock.monotonic()
        self._code = "".join(self._random.sample(LETTERS, LENGTH))
        return confirms is not None

    @property
    def noting(self) -> Callable[[int], None]:
        """Return a callback that stores the number of the query about the step shown now."""
        showing = self._showing

        def asked(number: int) -> None:
            if showing == self._showing and self._question is None:
                self._question = number

        return asked

    def is_painted(self, confirms: object) -> bool:
        """Return True if this step is shown now and was painted since it came up."""
        return confirms == self._shown and self._question is not None

    def asks_again(self) -> bool:
        """Return True if an answer seems lost and the query is due again."""
        now = self._clock.monotonic()
        is_waited_for = self._questions.are_answered and not self._is_drawn
        is_due = is_waited_for and now - self._asked_at >= AGAIN and not self._is_behind()
        if self._shown is None or not is_due:
            return False
        self._asked_at = now
        return True

    def armed(self, confirms: object) -> bool:
        """Return True if the terminal can have drawn this step, so that a key may confirm it."""
        if confirms is None or confirms != self._shown:
            return False
        if self._questions.are_answered:
            return self._is_drawn
        return self._clock.monotonic() - self._since >= DEAF and not self._is_behind()

    def code(self, confirms: object) -> str:
        """Return the code to type to confirm this; empty if the terminal's answer is enough."""
        is_needed = self._multiplexed or self._questions.is_mute(self._clock.monotonic())
        return self._code if is_needed and confirms is not None and confirms == self._shown else ""

    @property
    def _is_drawn(self) -> bool:
        return self._question is not None and self._questions.is_heard(self._question)


def without_code(text: str, code: str) -> tuple[str, bool]:
    """Split a code off the end of a text. Return the rest, and True if the code was there."""
    typed = text.strip()
    if code and typed[-len(code) :].upper() == code:
        return typed[: -len(code)].rstrip(), True
    return text, not code
