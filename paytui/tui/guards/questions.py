"""What the terminal was asked, and what it has answered: it has drawn all that came before.

One for the program, as there is one terminal, which answers in the order of the questions. An
answer can be lost on its way; a question that stays open for long is given up, so that the answers
after it are not all taken for older ones.
"""

from __future__ import annotations

from collections import deque

LOST = 30.0
"""Seconds after which a question is given up where another is asked."""


class Questions:
    """Numbers them; whoever waits for an answer keeps its question's number."""

    def __init__(self) -> None:
        self._open: deque[tuple[int, float]] = deque()
        self._asked = 0
        self._heard = 0
        self._answers = False

    def ask(self, now: float) -> int:
        """A question goes out.

        Args:
            now: monotonic time.
        """
        while self._open and now - self._open[0][1] > LOST:
            self._open.popleft()
        self._asked += 1
        self._open.append((self._asked, now))
        return self._asked

    def answer(self) -> int | None:
        """An answer comes in: to the oldest question that is open; None where none is."""
        self._answers = True
        return self._open.popleft()[0] if self._open else None

    def hear(self, number: int) -> None:
        """An answer was waited for long enough that no key typed before it is still behind it."""
        self._heard = max(self._heard, number)

    def is_heard(self, number: int) -> bool:
        """Whether this question, or a later one, was answered."""
        return self._heard >= number

    @property
    def are_answered(self) -> bool:
        """Whether this terminal answers at all."""
        return self._answers
