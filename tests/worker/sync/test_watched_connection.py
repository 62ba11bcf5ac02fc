"""A seat that reads nothing notices by an idle connection that it cannot reach the service."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from paytui.api.client import Client, Credentials
from paytui.api.errors import AuthRefused, ServiceUnreachable
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.store.health import LinkState
from paytui.store.store import Store
from paytui.worker.sync.shared import LinkKeeper, watch_connection
from tests.support.client import known_secret
from tests.support.documented import documented
from tests.support.tcp import Handler, own_port, server

PROBLEM = Problem("reach the service", "no connection")


async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """Wait for a request, as a server does."""
    assert not await reader.read()


async def hasty(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close the connection at once."""
    writer.close()


class Seat:
    """A client and its link, which nothing is read by."""

    def __init__(self, port: int) -> None:
        self.store, self.recovered = Store(), 0
        time, credentials = ServiceTime(SystemClock()), Credentials("x", known_secret)
        rng = random.Random(1)  # noqa: S311 - a test repeats itself
        self.client = Client(f"http://127.0.0.1:{port}", credentials, documented(), time, rng)
        self.link = LinkKeeper(self.client, self.store, time, self._recover)

    def _recover(self) -> None:
        self.recovered += 1

    @property
    def state(self) -> LinkState:
        return self.store.link.state


@pytest.mark.parametrize(("handler", "connections"), [(silent, 1), (hasty, 3)])
def test_a_service_that_is_gone_is_unreachable_until_it_is_back(
    handler: Handler, connections: int
) -> None:
    async def scene(port: int) -> None:
        changed, accepted = asyncio.Event(), 0
        seat = Seat(port)
        seat.store.subscribe(changed.set)

        async def count(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal accepted
            accepted += 1
            changed.set()
            await handler(reader, writer)

        async def until(condition: Callable[[], bool]) -> None:
            async with asyncio.timeout(30):
                while not condition():
                    changed.clear()
                    await changed.wait()

        seat.link.succeeded()
        async with server(count, port=port):
            watching = asyncio.create_task(watch_connection(seat.client, seat.link, (0.01, 0.02)))
            await until(lambda: accepted == connections)
            assert (seat.state, seat.recovered) == (LinkState.UP, 0)
        await until(lambda: seat.state is LinkState.UNREACHABLE)
        assert seat.store.link.problem is not None
        async with server(count, port=port):
            await until(lambda: seat.state is LinkState.UP)
            assert seat.recovered == 1
            watching.cancel()
            await asyncio.wait([watching])
        assert seat.client.metrics.requests == 0
        await seat.client.aclose()

    with own_port() as port:
        asyncio.run(scene(port))


def test_connections_tell_less_than_reads() -> None:
    seat, error = Seat(1), ServiceUnreachable(PROBLEM, written=False)
    states = []
    for note in (seat.link.succeeded, lambda: seat.link.failed(AuthRefused(PROBLEM))):
        for _ in range(3):
            note()
            seat.link.unconnected(error)
        states.append(seat.state)
    seat.link.unconnected(error)
    seat.link.connected()
    assert states == [LinkState.UP, LinkState.REFUSED]
    assert (seat.state, seat.recovered) == (LinkState.REFUSED, 0)
