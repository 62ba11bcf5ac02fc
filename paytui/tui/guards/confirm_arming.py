"""The guard of everything that is confirmed: a key confirms only what can have been seen.

Keys that are typed over a frozen link arrive in a burst, and may confirm what nobody saw. So a
confirm step is deaf until the terminal has answered a query that was sent after the step was
painted: what was typed before the terminal drew it comes in before that answer. The answer then
goes the way of a key, so that it does not overtake those that are still on theirs.

Within tmux or screen it is that program which answers, whatever the terminal behind it shows; and
some terminals never answer. There a code is asked for as well. It stands on the screen alone, so
that nobody can type it who does not see it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

from textual.message import Message

from paytui.platform.clock import Clock

# Cursor queries to the terminal: an answer proves that it drew everything sent before.
#
# One object for the program, as there is one terminal. A terminal answers in order, but an answer
# can be lost, or come a minute later over a link that stood still. So each question is asked at a
# place of its own, and the answer tells the place: none is taken for that to another question.

MUTE = 0.5
"""Seconds without any answer after which a terminal is assumed never to answer."""

ABOVE = 2
"""The first line to ask at: a report of line 1 can be read as F3 with shift, alt or ctrl."""

Position = tuple[int, int]
"""Column and line, counted from 1."""


class TerminalQueries:
    """Numbers questions in the order in which they are sent."""

    def __init__(self) -> None:
        self._open: dict[Position, int] = {}
        self._asked = 0
        self._heard = 0
        self._first_at: float | None = None
        self._answers = False

    def ask(self, now: float, columns: int, lines: int) -> tuple[int, str]:
        """Note a question that is sent now.

        Args:
            now: monotonic time.
            columns: of the terminal.
            lines: of the terminal.

        Returns:
            Its number and what to send: it asks where the cursor is (ECMA-48, DSR), at the first
            place with no open question, and moves the cursor back. Nothing where there is none.
        """
        self._first_at = now if self._first_at is None else self._first_at
        self._asked += 1
        for line, column in product(range(ABOVE, lines + 1), range(1, columns + 1)):
            if (column, line) not in self._open:
                self._open[column, line] = self._asked
                return self._asked, f"\x1b7\x1b[{line};{column}H\x1b[6n\x1b8"
        return self._asked, ""

    def answer(self, place: Position) -> int | None:
        """Return the number of the open question that this answers, if any."""
        number = self._open.pop(place, None)
        self._answers = self._answers or number is not None
        return number

    def hear(self, number: int) -> None:
        """Note an answer, once all keys typed before it were handled."""
        self._heard = max(self._heard, number)

    def is_heard(self, number: int) -> bool:
        """Return True if this question, or a later one, was answered."""
        return self._heard >= number

    @property
    def are_answered(self) -> bool:
        """Return True if this terminal has answered anything."""
        return self._answers

    def is_mute(self, now: float) -> bool:
        """Return True if this terminal seems never to answer."""
        asked_long_ago = self._first_at is not None and now - self._first_at >= MUTE
        return asked_long_ago and not self._answers


DEAF = 0.5
"""Seconds that a step is deaf on a terminal that has never answered."""

AGAIN = 2.0
"""Seconds after which a terminal that has answered before is asked once more."""

LETTERS = "ACDEFHJKMNPTWXY"
"""Letters of a code: not similar to another or to a digit, and not the key for a new rate."""

LENGTH = 2


class QueryTerminal(Message):
    """Wants the terminal asked, after what is being painted.

    Attributes:
        asked: called with the number of the question just before it is sent: what was changed is
            laid out and painted by then.
    """

    def __init__(self, asked: Callable[[int], None]) -> None:
        super().__init__()
        self.asked = asked


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
    """The guard of one screen's confirmations.

    Args:
        clock: for terminals that never answer.
        questions: what the terminal was asked by any screen.
        random: draws codes.
        multiplexed: whether a program between here and the terminal answers in its place.
        is_behind: whether some of what was painted has not left for the terminal yet.
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
        """Note what can be confirmed now; None: nothing.

        Returns:
            Whether the terminal is to be asked after this paint.
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
        """Return a function that notes the number of the question about what is shown now."""
        showing = self._showing

        def asked(number: int) -> None:
            if showing == self._showing and self._question is None:
                self._question = number

        return asked

    def asks_again(self) -> bool:
        """Return True, once in a while, if an answer seems lost and has to be asked for again."""
        now = self._clock.monotonic()
        is_waited_for = self._questions.are_answered and not self._is_drawn
        is_due = is_waited_for and now - self._asked_at >= AGAIN and not self._is_behind()
        if self._shown is None or not is_due:
            return False
        self._asked_at = now
        return True

    def armed(self, confirms: object) -> bool:
        """Return True if this can have been drawn, so that a key may confirm it."""
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
