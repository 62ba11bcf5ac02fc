"""Cursor queries to the terminal: an answer proves that it drew everything sent before.

One object for the program, as there is one terminal. A terminal answers in order, but an answer can
be lost, or come a minute later over a link that stood still. So each question is asked at a place
of its own, and the answer tells the place: none is taken for that to another question.
"""

from __future__ import annotations

from itertools import product

MUTE = 0.5
"""Seconds without any answer after which a terminal is assumed never to answer."""

ABOVE = 2
"""The first line to ask at: a report of line 1 can be read as F3 with shift, alt or ctrl."""

Place = tuple[int, int]
"""Column and line, counted from 1."""


class Questions:
    """Numbers questions in the order in which they are sent."""

    def __init__(self) -> None:
        self._open: dict[Place, int] = {}
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

    def answer(self, place: Place) -> int | None:
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
