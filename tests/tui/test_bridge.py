"""The rate of screen updates: lower over a slow link."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from paytui.store.store import Store
from paytui.tui.store_bridge import FAR_FRAME, Bridge
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop
from tests.tui.book import wallet


class Link:
    """A store that changes all the time, and a terminal that takes what is painted, or not."""

    def __init__(self) -> None:
        self.store = Store()
        self.pulls: list[float] = []
        self.is_stuck = False
        self._balance = 0

    async def pull(self) -> None:
        self.pulls.append(asyncio.get_running_loop().time())

    async def change(self, seconds: float) -> None:
        """Change something every 50 ms."""
        for _ in range(round(seconds / 0.05)):
            self._balance += 1
            self.store.wallets.put([wallet(1, "AUD desk", str(self._balance))])
            self.store.notify()
            await asyncio.sleep(0.05)

    def pauses(self) -> list[float]:
        """Seconds between the pulls since the last look."""
        since, self.pulls = self.pulls, self.pulls[-1:]
        return [round(later - earlier, 2) for earlier, later in pairwise(since)]


def test_over_a_link_and_in_a_window_frames_are_longer_from_the_first() -> None:
    async def scenario() -> None:
        link = Link()
        running = asyncio.create_task(
            Bridge(link.store, link.pull, lambda: link.is_stuck, FAR_FRAME).run()
        )
        await link.change(2)
        assert set(link.pauses()) == {0.25}
        running.cancel()

    loop = VirtualLoop(ManualClock())
    loop.run_until_complete(scenario())
    loop.close()


def test_frames_grow_while_the_terminal_is_behind_and_are_short_again_afterwards() -> None:
    async def scenario() -> None:
        link = Link()
        bridge = Bridge(link.store, link.pull, lambda: link.is_stuck)
        running = asyncio.create_task(bridge.run())
        await link.change(1)
        assert set(link.pauses()) == {0.1}
        link.is_stuck = True
        await link.change(12)
        assert link.pauses() == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 3.2]
        link.is_stuck = False
        await link.change(5)
        assert set(link.pauses()[1:]) == {0.1}
        running.cancel()

    loop = VirtualLoop(ManualClock())
    loop.run_until_complete(scenario())
    loop.close()
