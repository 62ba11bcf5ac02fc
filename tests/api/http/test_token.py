"""The access token: one request at a time, early renewal, and backoff after failures."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta

import pytest

from paytui.api.errors import (
    ApiError,
    RateLimited,
    ServiceFailed,
    ServiceUnreachable,
    TimedOut,
    TokenLost,
)
from tests.api.desk import PROBLEM, Desk
from tests.support.clock import ManualClock


def test_all_callers_wait_for_one_request(desk: Desk) -> None:
    async def many() -> list[str]:
        return await asyncio.gather(*(desk.token() for _ in range(20)))

    assert set(asyncio.run(many())) == {"token-1"}
    assert desk.service.asked == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_token_is_kept_for_most_of_its_life_and_renewed_before_its_end(
    clock: ManualClock, seed: int
) -> None:
    desk = Desk(clock, seed)

    async def over_time() -> list[str]:
        tokens = [await desk.token()]
        clock.advance(200)
        tokens.append(await desk.token())
        clock.advance(70)  # 30 s are left of five minutes
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(over_time()) == ["token-1", "token-1", "token-2"]


def test_two_programs_started_together_do_not_renew_together(clock: ManualClock) -> None:
    def renewed_after(seed: int) -> float:
        own_clock = ManualClock()
        desk = Desk(own_clock, seed)

        async def wait() -> float:
            while await desk.token() == "token-1":
                own_clock.advance(1)
            return own_clock.boot()

        return asyncio.run(wait())

    assert len({renewed_after(seed) for seed in range(8)}) > 4


def test_a_short_lived_token_is_used_and_not_renewed_at_every_call(clock: ManualClock) -> None:
    desk = Desk(clock, lifetime=timedelta(seconds=10))

    async def calls() -> list[str]:
        tokens = []
        for _ in range(10):
            tokens.append(await desk.token(post=True))
            clock.advance(1)
        return tokens

    assert asyncio.run(calls()) == ["token-1"] * 8 + ["token-2"] * 2


def test_polls_go_on_for_as_long_as_you_like_with_tokens_of_ten_seconds(clock: ManualClock) -> None:
    desk = Desk(clock, lifetime=timedelta(seconds=10))

    async def polls() -> None:
        for _ in range(600):
            await desk.token()
            clock.advance(1)

    asyncio.run(polls())
    assert 60 <= desk.service.asked <= 90


def test_tokens_that_end_as_they_come_are_not_asked_for_at_every_call(clock: ManualClock) -> None:
    """Six, and then one in five seconds."""
    desk = Desk(clock, lifetime=timedelta(seconds=0.5))

    async def polls() -> None:
        for _ in range(60):
            with suppress(TokenLost):
                await desk.token()
            clock.advance(1)

    asyncio.run(polls())
    assert desk.service.asked <= 6 + 60 // 5


def test_a_host_clock_ten_minutes_off_does_no_harm(clock: ManualClock) -> None:
    """Without any `Date` seen, the token's age alone bounds it (service.md)."""
    desk = Desk(clock)

    async def calls() -> list[str]:
        tokens = [await desk.token()]
        clock.set_wall(clock.now() - timedelta(minutes=10))
        clock.advance(299)
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(calls()) == ["token-1", "token-2"]


def test_a_renewal_waits_for_a_post_in_flight(desk: Desk) -> None:
    async def scene() -> list[str]:
        order: list[str] = []

        async def read() -> None:
            order.append(await desk.token())

        async with desk.auth.lease(post=True, urgent=True):
            desk.clock.advance(310)
            reading = asyncio.create_task(read())
            for _ in range(10):
                await asyncio.sleep(0)
            order.append("post answered")
        await reading
        return order

    assert asyncio.run(scene()) == ["post answered", "token-2"]


def test_reads_go_on_with_a_token_that_still_lives_while_a_post_is_in_flight(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=True, urgent=True):
            desk.clock.advance(280)  # due for renewal, 20 s left
            return await asyncio.wait_for(desk.token(), 5)

    assert asyncio.run(scene()) == "token-1"


def test_a_post_goes_out_with_thirty_seconds_of_token_left(desk: Desk) -> None:
    """Even where renewal fails: a token that dies on the way is worse than an error."""

    async def scene() -> None:
        await desk.token()
        desk.clock.advance(265)  # 35 s left
        desk.service.failures = [refused_connection(), refused_connection()]
        assert await desk.token(post=True, urgent=True) == "token-1"
        desk.clock.advance(10)
        with pytest.raises(ServiceUnreachable):
            await desk.token(post=True, urgent=True)
        assert await desk.token() == "token-1"

    asyncio.run(scene())


def refused_connection() -> ApiError:
    return ServiceUnreachable(PROBLEM, written=False)


def test_after_a_time_out_the_old_token_is_taken_for_dead(desk: Desk) -> None:
    async def scene() -> list[str]:
        tokens = [await desk.token()]
        desk.clock.advance(280)
        desk.service.failures = [TimedOut(PROBLEM)]
        with pytest.raises(TimedOut):
            await desk.token()
        desk.clock.advance(1)
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(scene()) == ["token-1", "token-3"]


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_host_clock_ten_minutes_off_before_the_services_is_known_does_no_harm(
    clock: ManualClock, minutes: int
) -> None:
    desk = Desk(clock)

    async def calls() -> list[str]:
        clock.set_wall(clock.now() - timedelta(minutes=minutes))
        desk.service.ahead = timedelta(minutes=minutes)
        tokens = [await desk.token() for _ in range(3)]
        clock.advance(290)
        return [*tokens, await desk.token()]

    assert asyncio.run(calls()) == ["token-1", "token-1", "token-1", "token-2"]


def test_a_caller_that_gives_up_leaves_the_others_a_way(desk: Desk) -> None:
    async def scene() -> str:
        first = asyncio.create_task(desk.token())
        second = asyncio.create_task(desk.token())
        await desk.service.reached.wait()
        first.cancel()
        return await second

    assert asyncio.run(scene()) == "token-2"
    assert desk.service.most_at_once == 1


def test_an_error_inside_a_lease_ends_it(desk: Desk) -> None:
    async def scene() -> str:
        with pytest.raises(RuntimeError):
            async with desk.auth.lease(post=True, urgent=True):
                raise RuntimeError
        desk.clock.advance(310)
        return await asyncio.wait_for(desk.token(), 5)

    assert asyncio.run(scene()) == "token-2"


def test_what_is_left_of_a_token_is_told(desk: Desk) -> None:
    assert desk.auth.health.remaining is None
    asyncio.run(desk.token())
    desk.clock.advance(60)
    assert desk.auth.health.remaining == timedelta(minutes=4)


@pytest.mark.parametrize("error", [ServiceFailed(PROBLEM), TimedOut(PROBLEM), RateLimited(PROBLEM)])
def test_failures_back_off_longer_and_longer(desk: Desk, error: ApiError) -> None:
    async def scene() -> None:
        desk.service.failures = [error.again(None) for _ in range(100)]
        for _ in range(600):
            with pytest.raises(ApiError) as caught:
                await desk.token(urgent=True)
            assert caught.value.retry_after is not None
            assert 0 < caught.value.retry_after <= 60
            desk.clock.advance(1)

    asyncio.run(scene())
    assert 15 <= desk.service.asked <= 45  # ten minutes at 15 to 30 s, after a quick start


def test_what_the_service_says_about_waiting_is_kept_to(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [RateLimited(PROBLEM, retry_after=100)]
        for _ in range(100):
            with pytest.raises(RateLimited):
                await desk.token(urgent=True)
            desk.clock.advance(1)
        assert await desk.token() == "token-2"

    asyncio.run(scene())
