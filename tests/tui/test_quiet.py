"""The pause between two keys of a test lasts until the app is idle, however busy the machine is."""

from __future__ import annotations

import asyncio
import time

from tests.support.quiet import quiet

MOST = 0.02


def test_an_app_without_a_turn_is_waited_for() -> None:
    async def scene() -> int:
        loop, steps = asyncio.get_running_loop(), list[int]()

        def step() -> None:
            time.sleep(MOST / 2)  # without work, as when others have the processor
            steps.append(len(steps))
            if len(steps) < 5:
                loop.call_soon(step)

        loop.call_soon(step)
        await quiet(max_sleep=MOST)
        return len(steps)

    assert asyncio.run(scene()) == 5


def test_what_never_ends_is_given_up() -> None:
    async def scene() -> None:
        loop = asyncio.get_running_loop()

        def move() -> None:
            loop.call_later(MOST / 10, move)

        move()
        await quiet(max_sleep=MOST)

    asyncio.run(scene())
