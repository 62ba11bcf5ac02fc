"""How often: the interval of each kind, and the wait after a failure."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta

from paytui.domain.models import Kind

FLOOR = 1.0
"""Seconds: nothing is asked for more often than this, whatever a configuration says."""

UNSEEN_FACTOR = 4.0
"""How many times its interval passes between reads of what nobody looks at."""

REST_FACTOR = 4.0
"""A read is followed by a rest of so many times its own length: it is never the main load."""

JITTER = 0.1
FIRST_RETRY = 1.0
LONGEST_RETRY = 30.0
LONGEST_WISH = 600.0
"""Seconds of `Retry-After` that we heed; a longer one is a mistake or malice."""

NOT_OFFERED_RETRY = 600.0
"""Seconds after which a list that the service does not have is tried again (contract.md)."""


@dataclass(slots=True)
class Pace:
    """The intervals at which kinds are read; all of it may change while the worker runs.

    Attributes:
        paused: whether nothing is read before somebody asks for it.
        in_doubt: the kinds that are read all the same: something is looked for in them.
        on_screen: the kinds that somebody looks at; None: all.
    """

    intervals: Mapping[Kind, timedelta]
    paused: bool = False
    in_doubt: Collection[Kind] = ()
    on_screen: Collection[Kind] | None = None

    def pauses(self, kind: Kind) -> bool:
        """Whether a kind is not read before somebody asks for it."""
        return self.paused and kind not in self.in_doubt

    def interval(self, kind: Kind, *, has_open: bool = False) -> float:
        """Seconds from the end of one read to the start of the next.

        What nobody looks at is read more seldom, unless something of it is about to change.
        """
        wanted = max(FLOOR, self.intervals[kind].total_seconds())
        is_seen = self.on_screen is None or kind in self.on_screen
        return wanted if is_seen or has_open else UNSEEN_FACTOR * wanted


def rest(interval: float, took: float, rng: random.Random) -> float:
    """Seconds to wait after a read that took so many; jittered, so that reads spread out."""
    return max(interval, REST_FACTOR * took) * rng.uniform(1 - JITTER, 1 + JITTER)


def longest_rest(took: float) -> float:
    """Seconds from one start to the next where reading takes so many."""
    return took + REST_FACTOR * took * (1 + JITTER)


class Backoff:
    """Seconds to wait after failures in a row: about 1, 2, 4, … 30, or what the service asks for.

    The first ones are short so that a service which was just restarted is soon seen again.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._failures = 0

    def reset(self) -> None:
        """It worked, or somebody wants it tried at once."""
        self._failures = 0

    def after_failure(self, retry_after: float | None) -> float:
        """One more failure; `retry_after` is the service's own wish, never undercut."""
        grown = min(FIRST_RETRY * 2.0**self._failures, LONGEST_RETRY)
        self._failures = min(self._failures + 1, 10)
        wished = min(retry_after or 0.0, LONGEST_WISH) * self._rng.uniform(1, 1 + JITTER)
        return max(grown * self._rng.uniform(0.75, 1.0), wished)
