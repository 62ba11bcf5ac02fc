"""Checks that the shown time to a rate's end is true."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paytui.domain.rates import sheet_left
from paytui.tui.times import full_time
from tests.soak.books import Books
from tests.soak.desk import Desk

EARLY = 1.5
"""Seconds that a countdown may end before the rate does: a `Date` header tells no parts of a second
(RFC 9110 §5.6.7), and the request that brought it was on its way."""

LATE = 0.1
"""Seconds that it may end after: what a quartz loses before that is noticed."""

SUMMER = datetime(2026, 3, 29, 1, 0, tzinfo=UTC)
"""From when it is an hour later in London (Summer Time Order 2002)."""


class Countdowns:
    """Looks at the newest sheet of a desk.

    Attributes:
        looks: how often there was something to compare.
        wrong: the first of what must not be, in words.
    """

    def __init__(self, desk: Desk, books: Books) -> None:
        self.looks = 0
        self.wrong: list[str] = []
        self._desk = desk
        self._books = books
        self._off: list[float] = []

    def look(self) -> None:
        """Compare what is shown now with the service's true time."""
        sheet, now = self._desk.sheet(), self._books.now()
        if sheet is None or sheet.expires_at <= now:
            return
        off = (sheet.expires_at - now - sheet_left(self._desk.time, sheet)).total_seconds()
        self.looks += 1
        self._off.append(off)
        if not -LATE <= off <= EARLY:
            self._say(f"at {now} a countdown ends {off:.2f} s before its rate")

    def look_at_the_clock(self) -> None:
        """Compare the local time that is shown with London's."""
        now = self._books.now()
        is_summer = now >= SUMMER
        london = (now + timedelta(hours=is_summer)).strftime("%Y-%m-%d %H:%M:%S")
        expected = f"{london} {'BST' if is_summer else 'GMT'}"
        if (shown := full_time(now, None)) != expected:
            self._say(f"at {now} the time shown is {shown}, not {expected}")

    def furthest(self) -> float:
        """Seconds by which one was off the most since the last time that this was asked."""
        found, self._off = max(self._off, key=abs, default=0.0), []
        return found

    def _say(self, words: str) -> None:
        if len(self.wrong) < 20:
            self.wrong.append(words)
