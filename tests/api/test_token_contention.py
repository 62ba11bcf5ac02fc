"""Another program uses the same client id: paytui does not fight over the token."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from paytui.api.errors import TimedOut, TokenLost
from tests.api.desk import PROBLEM, Desk
from tests.support.clock import ManualClock


def test_a_newer_token_is_used_where_one_is_known(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=False, urgent=False) as old:
            desk.clock.advance(290)
            assert await desk.token() == "token-2"
        desk.auth.rejected(old, gone=False)
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"


def test_an_expired_token_is_replaced_at_once(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=False, urgent=False) as held:
            desk.clock.advance(301)
            desk.auth.rejected(held, gone=False)
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"


@pytest.mark.parametrize("seed", range(2))
def test_after_a_supersession_polls_wait_thirty_to_sixty_seconds(
    clock: ManualClock, seed: int
) -> None:
    desk = Desk(clock, seed)

    async def scene() -> float:
        await desk.lose()
        with pytest.raises(TokenLost) as caught:
            await desk.token()
        assert caught.value.retry_after is not None
        start = clock.boot()
        clock.advance(29)
        with pytest.raises(TokenLost):
            await desk.token()
        clock.advance(caught.value.retry_after - 29)
        assert await desk.token() == "token-2"
        return clock.boot() - start

    assert 30 <= asyncio.run(scene()) <= 60


def test_a_persons_intent_asks_at_once_after_a_supersession(desk: Desk) -> None:
    async def scene() -> str:
        await desk.lose()
        return await desk.token(urgent=True)

    assert asyncio.run(scene()) == "token-2"


def test_a_token_lost_to_a_restart_of_the_service_is_replaced_at_once(desk: Desk) -> None:
    async def scene() -> str:
        await desk.token()
        desk.auth.service_was_away()
        await desk.lose()
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"
    assert not desk.auth.health.contested


def test_a_token_that_the_service_does_not_know_was_taken_by_nobody(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=False, urgent=False) as held:
            desk.clock.advance(60)
        desk.auth.rejected(held, gone=True)
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"
    assert not desk.auth.health.contested


def test_no_more_than_six_tokens_are_asked_for_in_a_minute(desk: Desk) -> None:
    async def scene() -> None:
        for _ in range(60):
            with suppress(TokenLost):
                await desk.lose()
            desk.clock.advance(1)

    asyncio.run(scene())
    assert desk.service.asked == 6


def test_three_losses_in_five_minutes_say_that_someone_else_is_there(desk: Desk) -> None:
    async def scene() -> list[bool]:
        seen = []
        for _ in range(3):
            await desk.lose()
            seen.append(desk.auth.health.contested)
            desk.clock.advance(100)
        desk.clock.advance(300)
        seen.append(desk.auth.health.contested)
        return seen

    assert asyncio.run(scene()) == [False, False, True, False]


async def give_up(desk: Desk) -> None:
    """A request for a token gets no answer in time; the next one does."""
    desk.service.failures = [TimedOut(PROBLEM)]
    with suppress(TimedOut):
        await desk.token(urgent=True)
    desk.clock.advance(40)
    await desk.token(urgent=True)


def test_a_token_that_our_own_late_request_ended_was_taken_by_nobody(desk: Desk) -> None:
    async def scene() -> str:
        for _ in range(3):
            await give_up(desk)
            await desk.lose()
        return await desk.token()

    assert asyncio.run(scene()) == "token-7"
    assert not desk.auth.health.contested


def test_a_token_that_a_cancelled_request_ended_was_taken_by_nobody(desk: Desk) -> None:
    async def scene() -> str:
        cancelled = asyncio.create_task(desk.token())
        await desk.service.reached.wait()
        cancelled.cancel()
        with suppress(asyncio.CancelledError):
            await cancelled
        await desk.token()
        await desk.lose()
        return await desk.token()

    assert asyncio.run(scene()) == "token-3"


def test_a_late_request_explains_one_loss_and_no_other(desk: Desk) -> None:
    async def scene() -> None:
        await give_up(desk)
        await desk.lose()
        await desk.lose()
        with pytest.raises(TokenLost, match="rejected the token"):
            await desk.token()

    asyncio.run(scene())


def test_a_request_given_up_long_ago_explains_no_loss(desk: Desk) -> None:
    async def scene() -> None:
        await give_up(desk)
        desk.clock.advance(121)
        await desk.lose()
        with pytest.raises(TokenLost, match="rejected the token"):
            await desk.token()

    asyncio.run(scene())
