"""When the secret is asked for, sent, and sent no more."""

from __future__ import annotations

import asyncio

import pytest

from paytui.api.errors import (
    AuthRefused,
    NoSecret,
)
from tests.api.desk import PROBLEM, Desk


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
        assert desk.auth.stopped is None

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


def test_a_secret_rotated_while_running_costs_one_failed_read(desk: Desk) -> None:
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
        assert desk.auth.stopped is not None
        desk.secret = "second"
        desk.clock.advance(2)
        assert await desk.token() == "token-1"
        assert desk.auth.stopped is None

    asyncio.run(scene())
