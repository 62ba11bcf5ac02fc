"""How the worker itself is doing: what it asks for, how long that takes, what it waits for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Latency:
    """How long exchanges of one sort took in the last minutes.

    Attributes:
        work: what they were for: `read`.
        count: how many there were.
        p50, p95: seconds that a half, and nineteen of twenty, took at the most.
    """

    work: str
    count: int
    p50: float
    p95: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """Sums since the worker's start, and what was so in the last minutes.

    Attributes:
        at: boot time in seconds.
        running: seconds since the start.
        requests: exchanges with the service that ended; `unanswered` of them without an answer.
        sent, received: bytes of heads and bodies, as they are before TLS.
        sign_ins: tokens that were got from the service.
        back_offs: reads after whose failure the next one waits longer.
        too_many: answers that said that we ask too often (429).
        waiting: reads that wait for others to end, now.
        wake_ups: how often screens were told that something changed.
        requests_a_minute, bytes_a_minute: in the last minutes.
        latencies: of the last minutes, by sort.
    """

    at: float
    running: float
    requests: int
    unanswered: int
    sent: int
    received: int
    sign_ins: int
    back_offs: int
    too_many: int
    waiting: int
    wake_ups: int
    requests_a_minute: float
    bytes_a_minute: float
    latencies: tuple[Latency, ...]
