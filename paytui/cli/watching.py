"""Watching a service: what changes in the store is told as it comes, until interrupted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain

from paytui.cli.watch_changes import WATCHED, Change, IntentWatch, KindWatch
from paytui.cli.watch_health import FeedWatch, LinkWatch
from paytui.domain.models import Problem
from paytui.platform.clock import Clock
from paytui.store.health import LinkState
from paytui.store.store import Store
from paytui.store.table import Wake
from paytui.worker.host import Inbox
from paytui.worker.worker import Worker

LOOK_AGAIN = 1.0
"""Seconds between two looks while a failure may become worth telling."""


class LoginRefused(Exception):
    """The service lets nobody in from the start, so there is nothing to watch."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(str(problem or "login refused"))


class Watcher:
    """Everything that is told of one store.

    Args:
        host: what a person calls the service.
        initial: whether to tell how everything stands at first, too.
    """

    def __init__(self, store: Store, clock: Clock, host: str, *, initial: bool) -> None:
        self._store = store
        self._link = LinkWatch(store, host)
        self._feeds = FeedWatch(store, clock, self._link)
        self._kinds = [KindWatch(store, kind, initial=initial) for kind in WATCHED]
        self._intents = IntentWatch(store, initial=initial)
        self._was_let_in = False

    @property
    def look_again(self) -> float | None:
        """Seconds after which there may be something to tell although nothing changed."""
        return LOOK_AGAIN if self._feeds.holds else None

    def look(self) -> Iterator[Change]:
        """What is to be told since the last look.

        Raises:
            LoginRefused: nobody was let in yet, and nobody will be.
        """
        self._was_let_in = self._was_let_in or self._store.link.state is LinkState.UP
        if self._store.link.state is LinkState.REFUSED and not self._was_let_in:
            raise LoginRefused(self._store.link.problem)
        yield from self._link.look()
        yield from self._feeds.look()
        yield from self._intents.look()
        yield from chain.from_iterable(kind.look() for kind in self._kinds)


async def watch(
    worker: Worker, store: Store, watcher: Watcher, tell: Callable[[Change], None]
) -> None:
    """Run a worker, and tell what changes, until cancelled.

    Raises:
        LoginRefused: the service lets nobody in.
        OSError: it cannot be told any more.
    """
    wake = Wake(asyncio.get_running_loop())
    store.subscribe(wake)
    running = asyncio.create_task(worker.run(Inbox()))
    running.add_done_callback(lambda _: wake())
    try:
        await asyncio.sleep(0)  # it begins by reading the outbox: what is in there is no news
        while not running.done():
            for change in watcher.look():
                tell(change)
            with suppress(TimeoutError):
                async with asyncio.timeout(watcher.look_again):
                    await wake.wait()
        await running
    finally:
        running.cancel()
        await asyncio.wait([running])
        await worker.aclose()
