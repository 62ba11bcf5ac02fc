"""Possible fates of one request between a client and a service."""

from __future__ import annotations

import random
from enum import StrEnum


class Fate(StrEnum):
    """In the order: what keeps it from arriving; what changes its way; what spoils its answer;
    what the service itself does wrong."""

    FINE = "fine"

    UNREACHABLE = "connection refused"
    LOST = "request lost"
    CUT_BEFORE = "cut before it arrives"
    FAILED_BEFORE = "500 before commit"
    GAVE_UP_BEFORE = "408 before commit"
    BUSY = "429"
    FORBIDDEN = "403 before commit"
    NO_SUCH_PATH = "404 from a gateway"
    PROXY_PAGE = "200 from a proxy"
    REDIRECTED = "302 from a gateway"

    SLOW_CONNECTION = "slow connection"
    LATE = "request delayed"
    TWICE = "delivered twice"
    TWICE_UNANSWERED = "delivered twice, answer lost"
    IN_FLIGHT = "409: its key is in flight"

    SLOW = "answer delayed"
    SLOW_TOKEN = "slow token"
    ANSWER_LOST = "answer lost after commit"
    CUT_AFTER = "cut after commit"
    FAILED_AFTER = "500 after commit"
    REFUSED_AFTER = "refused by a gateway after commit"
    KEY_SEEN_AFTER = "after commit: its key was seen before"
    MALFORMED = "malformed answer"
    NAMELESS = "answer without an identifier"
    BARE = "answer of an identifier alone"

    MISTAKEN = "answer that names another object"
    MISBOOKED = "booked otherwise"
    MISBOOKED_BARE = "booked otherwise, told in brief"


NOT_DELIVERED = frozenset(
    {
        Fate.UNREACHABLE,
        Fate.LOST,
        Fate.CUT_BEFORE,
        Fate.FAILED_BEFORE,
        Fate.GAVE_UP_BEFORE,
        Fate.BUSY,
        Fate.FORBIDDEN,
        Fate.NO_SUCH_PATH,
        Fate.PROXY_PAGE,
        Fate.REDIRECTED,
    }
)
DOUBLED = frozenset({Fate.TWICE, Fate.TWICE_UNANSWERED})
"""A service that does not honour keys executes these twice, which nobody on this side prevents."""

BOOKED_OTHERWISE = frozenset({Fate.MISBOOKED, Fate.MISBOOKED_BARE})
BARE = frozenset({Fate.BARE, Fate.MISBOOKED_BARE})

_OF_READS = (
    Fate.UNREACHABLE,
    Fate.LOST,
    Fate.SLOW,
    Fate.SLOW_CONNECTION,
    Fate.FAILED_BEFORE,
    Fate.MALFORMED,
    Fate.BUSY,
)
_OF_SIGN_IN = (
    Fate.UNREACHABLE,
    Fate.LOST,
    Fate.SLOW_TOKEN,
    Fate.SLOW_CONNECTION,
    Fate.ANSWER_LOST,
    Fate.FAILED_BEFORE,
)
_OF_REPEATS = (Fate.FORBIDDEN,) * 6
_OF_QUOTED = (Fate.SLOW_CONNECTION,) * 20
_OF_MONEY = tuple(fate for fate in Fate if fate not in (Fate.FINE, Fate.SLOW_TOKEN))


class Weather:
    """Draws fates.

    Args:
        honours_keys: whether the service knows keys; only such a one says that one is in flight.

    Attributes:
        rng: chance.
        storm, drizzle: how likely something goes wrong: with creating requests, with all others.
    """

    def __init__(
        self, rng: random.Random, *, storm: float, drizzle: float, honours_keys: bool
    ) -> None:
        self.storm = storm
        self.drizzle = drizzle
        self.rng = rng
        self._of_money = (
            (*_OF_MONEY, Fate.IN_FLIGHT)
            if honours_keys
            else (*(fate for fate in _OF_MONEY if fate is not Fate.IN_FLIGHT), *sorted(DOUBLED) * 3)
        )

    def clear(self) -> None:
        """The network is well again."""
        self.storm = self.drizzle = 0.0

    def of_money(self, *, again: bool, quoted: bool) -> Fate:
        """The fate of a request that moves money.

        A refusal of a repeat is what misleads most; a slow connection is what a rate dies on.
        """
        more = (*_OF_REPEATS * again, *_OF_QUOTED * quoted)
        return self._drawn(self.storm, (*self._of_money, *more))

    def of_sign_in(self) -> Fate:
        """The fate of `POST /auth`."""
        return self._drawn(self.drizzle, _OF_SIGN_IN)

    def of_read(self) -> Fate:
        """The fate of anything else."""
        return self._drawn(self.drizzle, _OF_READS)

    def pause(self) -> float:
        """Seconds of a delay: as often longer than a client waits as not."""
        return self.rng.uniform(1.0, 40.0)

    def connecting(self) -> float:
        """Seconds that a slow connection takes: as often longer than a client waits as not."""
        return self.rng.uniform(0.5, 9.0)

    def latency(self) -> float:
        """Seconds one way."""
        return self.rng.uniform(0.005, 0.2)

    def coin(self) -> bool:
        """Return True or False at random."""
        return self.rng.random() < 0.5

    def _drawn(self, likely: float, fates: tuple[Fate, ...]) -> Fate:
        return self.rng.choice(fates) if self.rng.random() < likely else Fate.FINE
