"""The arming of a confirmation, by an answer of the terminal that proves what it has drawn.

A key confirms only a step that the terminal has drawn. Keys typed over a frozen link arrive in a
burst and may confirm a step that nobody saw. So a confirm step ignores keys until the terminal has
answered a query that was sent after the step was painted. Input typed before the terminal drew the
step arrives before that answer. The answer is then queued like a key, so that it cannot overtake
earlier keys; later ones wait for it, though they may have come in the same packet.
Within tmux or screen the multiplexer answers, whatever the terminal behind it shows; and some
terminals never answer. There the trader types a code as well, which is shown on the screen alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from textual.events import CursorPosition, Key, Paste
from textual.message import Message

from paytui.platform.clock import Clock

if TYPE_CHECKING:
    from paytui.tui.textual_internals import HookedApp


MUTE = 0.5  # Seconds without any answer after which a terminal is assumed never to answer
LONGEST_TRIP = 0.5  # Seconds for which input waits for an answer that came before it
ABOVE = 2  # The first line to ask at: a report of line 1 can be read as F3 with shift, alt or ctrl
Position = tuple[int, int]  # Column and line, counted from 1


class TerminalQueries:
    """The cursor queries sent to the terminal, numbered in the order of sending.

    An answer proves that the terminal drew everything sent before the query. A terminal answers in
    order, but an answer can be lost, or come a minute later over a frozen link. So each query uses
    a cursor position of its own, and the answer repeats the position: none is taken for the answer
    to another query. There is one object for the program, as there is one terminal.

    Attributes:
        are_answered: True if this terminal has answered anything.
    """

    def __init__(self) -> None:
        self._open: dict[Position, int] = {}
        self._asked = 0
        self._heard = 0
        self._first_at: float | None = None
        self.are_answered = False

    def ask(self, now: float, columns: int, lines: int) -> tuple[int, str]:
        """Number a query that is sent at a monotonic time, and return number and text.

        The text asks for the cursor position (ECMA-48, DSR) at the first position of the terminal
        without an open query, and moves the cursor back. It is empty if there is none.
        """
        self._first_at = now if self._first_at is None else self._first_at
        self._asked += 1
        for line, column in product(range(ABOVE, lines + 1), range(1, columns + 1)):
            if (column, line) not in self._open:
                self._open[column, line] = self._asked
                return self._asked, f"\x1b7\x1b[{line};{column}H\x1b[6n\x1b8"
        return self._asked, ""

    def answer(self, place: Position) -> int | None:
        """Return the number of the open query answered from this position, if any."""
        number = self._open.pop(place, None)
        self.are_answered = self.are_answered or number is not None
        return number

    def hear(self, number: int) -> None:
        """Note an answer, once all keys typed before it are handled."""
        self._heard = max(self._heard, number)

    def is_heard(self, number: int) -> bool:
        """Return True if this query, or a later one, was answered."""
        return self._heard >= number

    def is_mute(self, now: float) -> bool:
        asked_long_ago = self._first_at is not None and now - self._first_at >= MUTE
        return asked_long_ago and not self.are_answered


class QueryTerminal(Message):
    """A request to query the terminal after the paint that is under way.

    `asked` is called with the query's number just before it is sent. All changes are laid out and
    painted by then.
    """

    def __init__(self, asked: Callable[[int], None]) -> None:
        super().__init__()
        self.asked = asked


class TerminalAnswered(Message):
    """An answer of the terminal, queued like a key: from the focused widget up to the app.

    It is queued twice: once behind pending keys, once behind the messages those keys post (a
    submitted line). Only then is all earlier input processed.

    Attributes:
        again: True on the first of the two trips.
    """

    def __init__(self, number: int, *, again: bool) -> None:
        super().__init__()
        self.number = number
        self.again = again


class QuerySender:
    """Sends queries, and takes in the answers behind the keys that came before them."""

    def __init__(self, app: HookedApp, queries: TerminalQueries, clock: Clock) -> None:
        self._app = app
        self._queries = queries
        self._clock = clock
        self._held_back: tuple[Callable[[int], None], ...] = ()
        self._arrived: CursorPosition | None = None
        self._behind: list[CursorPosition | Key | Paste] = []

    def send(self, asked: Callable[[int], None]) -> None:
        """Query now, or, while painting is batched, after layout and paint."""
        if self._app.is_batching:
            self._held_back += (asked,)
            return
        now, size = self._clock.monotonic(), self._app.size
        number, query = self._queries.ask(now, size.width, size.height)
        asked(number)
        self._app.write_terminal(query)

    def send_held_back(self) -> None:
        """Query for what was held back, after the next paint."""
        held_back, self._held_back = self._held_back, ()
        for asked in held_back:
            self._app.call_after_refresh(self.send, asked)

    def take_in(self, place: CursorPosition) -> bool:
        """Take an answer: the terminal has drawn everything sent before the query.

        Return True if input is to be kept until the answer is accepted.
        """
        number = self._queries.answer((place.x + 1, place.y + 1))
        if number is not None:
            self._arrived = place
            self._send_behind_keys(TerminalAnswered(number, again=True))
        return number is not None

    def keeps(self, event: CursorPosition | Key | Paste) -> bool:
        """Keep input that was typed behind an answer which is not accepted yet; else return False.

        Over a slow link both may arrive at once. Another answer is kept as well, so that no key
        before it is taken for one behind it.
        """
        if self._arrived is None or event.time < self._arrived.time:
            return False
        self._behind.append(event)
        return True

    def accept(self, answer: TerminalAnswered) -> bool:
        """Queue an answer a second time, then accept it; return True then."""
        if answer.again:
            self._send_behind_keys(TerminalAnswered(answer.number, again=False))
        else:
            self._queries.hear(answer.number)
        return not answer.again

    def release(self) -> list[CursorPosition | Key | Paste]:
        """Return the input that was kept, in the order in which it came."""
        kept, self._arrived, self._behind = self._behind, None, []
        return kept

    def _send_behind_keys(self, answer: TerminalAnswered) -> None:
        (self._app.focused or self._app.screen).post_message(answer)


# Confirmations

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
