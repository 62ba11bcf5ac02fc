"""How much may be asked of the service in a minute: who comes when that is used up waits."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

from paytui.platform.clock import Clock

MINUTE = 60.0


class RateLimiter:
    """A minute's worth may be used at once; then so much comes back in each moment.

    What moves money, and what asks for a token, does not pass here.

    Args:
        per_minute: requests; at least one.
        clock: whose monotonic time counts.

    Attributes:
        waited: seconds that askers waited here, all told.
    """

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._left = self._most
        self._looked = clock.monotonic()
        self._queue = asyncio.Lock()
        self.waited = 0.0

    async def take(self) -> None:
        """Use one; returns once there is one. Who came first is served first."""
        began = self._clock.monotonic()
        async with self._queue:
            if (missing := 1.0 - self._refilled()) > 0:
                await asyncio.sleep(missing * MINUTE / self._most)
                self._refilled()
            self._left -= 1.0
        self.waited += self._clock.monotonic() - began

    def _refilled(self) -> float:
        """What is left, with what came back since the last look."""
        now = self._clock.monotonic()
        came = (now - self._looked) * self._most / MINUTE
        self._looked, self._left = now, min(self._most, self._left + came)
        return self._left


# What goes to the service and comes back, counted where it passes.

EXCHANGES_KEPT = 500
"""Exchanges that are remembered one by one: five minutes at the usual pace."""


class RequestKind(StrEnum):
    """What an exchange is for, as far as its length is compared with others'."""

    SIGN_IN = "sign in"
    READ = "read"
    PRICE = "price"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Exchange:
    """One of them.

    Attributes:
        at: boot time in seconds at its end.
        took: seconds; of one that got no answer, until it was given up.
        sent, received: bytes of heads and bodies, as they are before TLS.
        status: of the answer; None where there was none.
    """

    work: RequestKind
    at: float
    took: float
    sent: int
    received: int
    status: int | None

    @property
    def answered(self) -> bool:
        """Whether there was an answer, whatever it was."""
        return self.status is not None


class RequestMetrics:
    """Sums since the start, and the newest exchanges. Written and read in one thread.

    Attributes:
        requests: exchanges that ended.
        sent, received: bytes.
        sign_ins: tokens that were got.
        unanswered: exchanges that ended without an answer.
        too_many: answers that said that we ask too often (429).
        newest: the last ones, the oldest first.
    """

    def __init__(self) -> None:
        self.requests = 0
        self.sent = 0
        self.received = 0
        self.sign_ins = 0
        self.unanswered = 0
        self.too_many = 0
        self.newest: deque[Exchange] = deque(maxlen=EXCHANGES_KEPT)

    def note(self, exchange: Exchange) -> None:
        """One more has ended."""
        self.requests += 1
        self.sent += exchange.sent
        self.received += exchange.received
        self.unanswered += not exchange.answered
        self.too_many += exchange.status == HTTPStatus.TOO_MANY_REQUESTS
        signed_in = exchange.status in (HTTPStatus.OK, HTTPStatus.CREATED)
        self.sign_ins += exchange.work is RequestKind.SIGN_IN and signed_in
        self.newest.append(exchange)
