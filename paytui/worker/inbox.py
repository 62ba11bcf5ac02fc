"""The worker's side of the port: what screens asked for and the worker has not yet taken."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import timedelta

from paytui.domain.intent import Decision, Intent
from paytui.domain.models import Kind, Record
from paytui.domain.money import Pair
from paytui.domain.older_rows import Reach
from paytui.domain.rates import QuoteId
from paytui.port import Port
from paytui.store.table import Wake

Wish = Callable[[Port], None]


class Inbox:
    """A `Port` for any thread, which passes on to another one that lives on the worker's loop.

    Of refreshing, intervals, watching, reaching and raw reads the newest wish counts; everything
    else is passed on one by one, in order. It can be called before it is served, which then finds
    what was asked for, and after.
    """

    def __init__(self) -> None:
        self._newest: dict[str, Wish] = {}
        self._each: deque[Wish] = deque()
        self._ring: Callable[[], None] = _nobody

    def refresh(self) -> None:
        """See `Port`."""
        self._newest["refresh"] = lambda port: port.refresh()
        self._ring()

    def read_every(self, intervals: Mapping[Kind, timedelta]) -> None:
        """See `Port`."""
        self._newest["pace"] = lambda port: port.read_every(intervals)
        self._ring()

    def pause(self, *, paused: bool) -> None:
        """See `Port`."""
        self._newest["pause"] = lambda port: port.pause(paused=paused)
        self._ring()

    def on_screen(self, kinds: Collection[Kind]) -> None:
        """See `Port`."""
        self._newest["on screen"] = lambda port: port.on_screen(kinds)
        self._ring()

    def watch_rates(self, pairs: tuple[Pair, ...]) -> None:
        """See `Port`."""
        self._newest["rates"] = lambda port: port.watch_rates(pairs)
        self._ring()

    def read_raw(self, kind: Kind, identifier: str) -> None:
        """See `Port`."""
        self._newest["raw"] = lambda port: port.read_raw(kind, identifier)
        self._ring()

    def reach(self, kind: Kind, reach: Reach) -> None:
        """See `Port`."""
        self._newest["reach"] = lambda port: port.reach(kind, reach)
        self._ring()

    def ask_quote(self, quote_id: QuoteId, pair: Pair) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.ask_quote(quote_id, pair))

    def name(self, record: Record) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.name(record))

    def submit(self, intent: Intent) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.submit(intent))

    def decide(self, decision: Decision) -> None:
        """See `Port`."""
        self._pass_on(lambda port: port.decide(decision))

    async def serve(self, port: Port) -> None:
        """Pass on what is asked for, on this loop, until cancelled."""
        wake = Wake(asyncio.get_running_loop())
        self._ring = wake
        try:
            while True:
                for wish in self._taken():
                    wish(port)
                await wake.wait()
        finally:
            self._ring = _nobody

    def _pass_on(self, wish: Wish) -> None:
        self._each.append(wish)
        self._ring()

    def _taken(self) -> Iterator[Wish]:
        while self._newest:
            yield self._newest.popitem()[1]
        while self._each:
            yield self._each.popleft()


def _nobody() -> None:
    """Nobody serves the inbox: what was asked for waits."""
