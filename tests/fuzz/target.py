"""A target of fuzzing: a generator of cases and a check that holds for each."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

MOST_CALLS = 500_000
"""Calls of Python functions that one case may take; most take some hundred."""


@dataclass(frozen=True, slots=True)
class Target:
    """A reader under test.

    Attributes:
        check: reads a case; tells whether it was accepted, and raises what is not promised.
    """

    cases: SearchStrategy[Any]
    check: Callable[[Any], bool]


@dataclass(slots=True)
class Tally:
    """The results of a run.

    Attributes:
        accepted: how many cases were read as something good.
        most_calls: of the case that took most.
        slowest: seconds of the processor that one took at the most, whatever else ran.
        seconds: that the run took.
    """

    tried: int = 0
    accepted: int = 0
    most_calls: int = 0
    slowest: float = 0.0
    seconds: float = 0.0


def fuzz(target: Target, cases: int, seed_: int = 0, *, counted: bool = True) -> Tally:
    """Try so many cases; the first that breaks a promise is raised, made as small as can be.

    Args:
        counted: whether to count calls, and allow no more than `MOST_CALLS`; it takes time.
    """
    tally = Tally()

    @seed(seed_)
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.cases)
    def try_one(case: object) -> None:
        began = time.process_time()
        with _counted() if counted else nullcontext([0]) as calls:
            accepted = target.check(case)
        tally.tried += 1
        tally.accepted += accepted
        tally.most_calls = max(tally.most_calls, calls[0])
        tally.slowest = max(tally.slowest, time.process_time() - began)
        assert calls[0] <= MOST_CALLS, f"{calls[0]} calls"

    began = time.perf_counter()
    try_one()
    tally.seconds = time.perf_counter() - began
    return tally


@contextmanager
def _counted() -> Iterator[list[int]]:
    """Count the calls made within the context."""
    calls = [0]

    def note(_frame: FrameType, event: str, _argument: object) -> None:
        calls[0] += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(before)
