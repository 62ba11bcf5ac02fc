"""Queries to the terminal: an answer proves that it drew all that was sent before."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
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
