"""A rate limiter for reads, and metrics of all requests."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus

from paytui.platform.clock import Clock

MINUTE = 60.0


class RateLimiter:
    """A token bucket that holds one minute's requests, or `burst`.

    Requests that move money or ask for a token do not pass it. `waited` is the seconds that callers
    have waited so far.
    """

    def __init__(self, per_minute: int, clock: Clock, burst: int | None = None) -> None:
        self._per_second = per_minute / MINUTE
        self._most = float(burst or per_minute)
        self._clock = clock
        self._left = self._most
        self._looked = clock.monotonic()
        self._queue = asyncio.Lock()
        self.waited = 0.0

    async def take(self) -> None:
        """Wait for a request's turn and take it, first come, first served."""
        began = self._clock.monotonic()
        async with self._queue:
            if (missing := 1.0 - self._refilled()) > 0:
                await asyncio.sleep(missing / self._per_second)
                self._refilled()
            self._left -= 1.0
        self.waited += self._clock.monotonic() - began

    def try_take(self) -> bool:
        """Take a turn; return False if there is none."""
        is_there = self._refilled() >= 1.0
        self._left -= is_there
        return is_there

    def _refilled(self) -> float:
        now = self._clock.monotonic()
        came = (now - self._looked) * self._per_second
        self._looked, self._left = now, min(self._most, self._left + came)
        return self._left


EXCHANGES_KEPT = 500  # Single exchanges in the metrics: five minutes at the usual pace


class RequestKind(StrEnum):
    """The purpose of a request; durations are compared within one kind."""

    SIGN_IN = "sign in"
    READ = "read"
    PRICE = "price"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The figures of one request and its response.

    Attributes:
        at: boot time in seconds at its end.
        took: seconds until the response, or until the request was given up.
        sent, received: bytes of headers and bodies, before TLS.
        status: HTTP status; None = no response.
    """

    work: RequestKind
    at: float
    took: float
    sent: int
    received: int
    status: int | None


class RequestMetrics:
    """Sums since the start, and the newest exchanges, the oldest first. For one thread.

    Attributes:
        sent, received: bytes.
        sign_ins: tokens received.
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
        """Count an exchange that has ended."""
        self.requests += 1
        self.sent += exchange.sent
        self.received += exchange.received
        self.unanswered += exchange.status is None
        self.too_many += exchange.status == HTTPStatus.TOO_MANY_REQUESTS
        signed_in = exchange.status in (HTTPStatus.OK, HTTPStatus.CREATED)
        self.sign_ins += exchange.work is RequestKind.SIGN_IN and signed_in
        self.newest.append(exchange)
