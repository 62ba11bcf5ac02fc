"""The client secret: when it is read, sent, and no longer sent."""

from __future__ import annotations

import asyncio

import pytest

from paytui.api.errors import (
    AuthRefused,
    NoSecret,
)
from tests.api.desk import PROBLEM, Desk
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop


def test_refused_credentials_are_not_tried_again_by_themselves(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        for _ in range(100):
            with pytest.raises(AuthRefused):
                await desk.token(urgent=True)
            desk.clock.advance(60)
        assert desk.service.asked == 1
        desk.auth.try_again()
        assert await desk.token() == "token-2"

    asyncio.run(scene())


def test_a_rotated_secret_is_tried_by_itself(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        with pytest.raises(AuthRefused):
            await desk.token()
        with pytest.raises(AuthRefused):
            await desk.token()
        desk.secret = "second"
        desk.clock.advance(31)
        assert await desk.token() == "token-2"

    asyncio.run(scene())
    assert desk.service.secrets == ["first", "second"]


def test_a_secret_rotated_while_a_token_lives_costs_no_read(desk: Desk) -> None:
    """A token lives 300 s; its renewal 10 s before fails, and the one after its end does not."""

    async def scene() -> None:
        await desk.token()
        desk.secret = "second"
        desk.clock.advance(290)
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        assert await desk.token() == "token-1"
        assert await desk.token() == "token-1", "its source is being asked meanwhile"
        desk.clock.advance(11)
        assert await desk.token() == "token-3"

    asyncio.run(scene())
    assert desk.service.secrets == ["first", "first", "second"]


def test_a_secret_rotated_while_no_token_lives_costs_one_failed_read(desk: Desk) -> None:
    """After a suspend, say, that was longer than the 300 s of a token."""

    async def scene() -> None:
        await desk.token()
        desk.secret = "second"
        desk.clock.advance(301)
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        with pytest.raises(AuthRefused):
            await desk.token()
        assert await desk.token() == "token-3"

    asyncio.run(scene())
    assert desk.service.secrets == ["first", "first", "second"]


def test_the_source_of_a_secret_that_works_is_asked_once(desk: Desk) -> None:
    async def scene() -> None:
        for _ in range(5):
            await desk.token()
            desk.clock.advance(301)

    asyncio.run(scene())
    assert desk.service.asked == 5
    assert desk.sources_asked == 1


def test_a_secret_that_cannot_be_had_is_said_and_looked_for_again(desk: Desk) -> None:
    async def scene() -> None:
        desk.secret = ""
        for _ in range(29):
            with pytest.raises(NoSecret, match=r"secret_command.*timed out.*Run it by hand"):
                await desk.token(urgent=True)
            desk.clock.advance(1)
        assert (desk.service.asked, desk.sources_asked) == (0, 1)
        desk.secret = "second"
        desk.clock.advance(2)
        assert await desk.token() == "token-1"

    asyncio.run(scene())


def test_a_slow_source_holds_up_nobody_while_the_token_lives(
    desk: Desk, clock: ManualClock
) -> None:
    """A password store may take 10 s to say anything; reads go on with the token until it ends."""

    async def scene() -> None:
        await desk.token()
        desk.source_takes, desk.secret = 10.0, "second"
        await asyncio.sleep(260)
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        for _ in range(5):
            before = clock.boot()
            assert await desk.token() == "token-1"
            assert clock.boot() == before
            await asyncio.sleep(1)
        await asyncio.sleep(10)
        assert await desk.token() == "token-3"
        await desk.auth.aclose()

    loop = VirtualLoop(clock)
    loop.run_until_complete(scene())
    loop.close()
    assert desk.service.secrets == ["first", "first", "second"]
    assert desk.sources_asked == 2


def test_all_who_need_the_secret_wait_for_one_question(desk: Desk, clock: ManualClock) -> None:
    async def scene() -> None:
        desk.source_takes = 10.0
        assert set(await asyncio.gather(*(desk.token() for _ in range(5)))) == {"token-1"}

    loop = VirtualLoop(clock)
    loop.run_until_complete(scene())
    loop.close()
    assert desk.sources_asked == 1


def test_a_question_that_is_still_open_is_dropped_at_the_end(
    desk: Desk, clock: ManualClock
) -> None:
    async def scene() -> None:
        desk.source_takes = 1000.0
        waiting = asyncio.create_task(desk.token())
        await asyncio.sleep(1)
        waiting.cancel()
        await desk.auth.aclose()
        assert asyncio.all_tasks() <= {asyncio.current_task(), waiting}

    loop = VirtualLoop(clock)
    loop.run_until_complete(scene())
    loop.close()
