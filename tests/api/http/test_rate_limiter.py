"""Reads wait when the request budget of a minute is used up; nothing else waits."""

from __future__ import annotations

import asyncio

import pytest

from paytui.api.http.transport import RateLimiter
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def seconds_of(clock: ManualClock, budget: RateLimiter, times: int) -> list[float]:
    """Return the times at which callers that all ask at once get their turns."""
    began, turns = clock.monotonic(), []

    async def ask() -> None:
        await budget.take()
        turns.append(clock.monotonic() - began)

    async def ask_all() -> None:
        async with asyncio.TaskGroup() as group:
            for _ in range(times):
                group.create_task(ask())

    loop = VirtualLoop(clock)
    loop.run_until_complete(ask_all())
    loop.close()
    return turns


def test_a_minutes_worth_is_there_at_once(clock: ManualClock) -> None:
    assert seconds_of(clock, RateLimiter(60, clock), 60) == [0.0] * 60


def test_who_comes_later_gets_one_in_each_sixtieth_of_a_minute(clock: ManualClock) -> None:
    """Of 63 at 60 a minute the last three wait one, two and three seconds."""
    assert seconds_of(clock, RateLimiter(60, clock), 63)[60:] == pytest.approx([1, 2, 3], abs=0.01)


def test_what_was_not_used_is_not_saved_up_for_longer(clock: ManualClock) -> None:
    budget = RateLimiter(60, clock)
    clock.advance(3_600)
    assert seconds_of(clock, budget, 62)[60:] == pytest.approx([1, 2], abs=0.01)


def test_a_minute_later_all_of_it_is_there_again(clock: ManualClock) -> None:
    budget = RateLimiter(600, clock)
    seconds_of(clock, budget, 600)
    clock.advance(60)
    assert seconds_of(clock, budget, 600)[-1] == pytest.approx(0, abs=0.01)


def test_it_is_known_how_long_reads_waited(clock: ManualClock) -> None:
    """One a second comes back: of 62 two wait, for one and for two seconds."""
    budget = RateLimiter(60, clock)
    seconds_of(clock, budget, 62)
    assert budget.waited == pytest.approx(3.0)
