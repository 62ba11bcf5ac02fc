"""Dead connections are abandoned; requests in progress are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from paytui.api.http.transport import Call, Http, Timeouts
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock
from tests.support.deaf import DeafService
from tests.support.tcp import server

CALL = Call("read wallets", "GET", "/v2/wallets")


@asynccontextmanager
async def http_to(service: DeafService, clock: ManualClock) -> AsyncIterator[Http]:
    async with server(service) as url:
        http = Http(url, ServiceTime(clock), None, Timeouts())
        try:
            yield http
        finally:
            await http.aclose()


def test_what_is_asked_next_is_answered_over_a_new_connection() -> None:
    async def scene() -> None:
        service, clock = DeafService(), ManualClock()
        async with http_to(service, clock) as http:
            await http.exchange(CALL)
            service.let_die()
            clock.suspend(3600)
            assert (await http.exchange(CALL)).ok
            assert service.requests == [1, 1]

    asyncio.run(scene())


def test_without_a_suspend_a_connection_is_used_again() -> None:
    async def scene() -> None:
        service, clock = DeafService(), ManualClock()
        async with http_to(service, clock) as http:
            await http.exchange(CALL)
            service.let_die()
            service.arrived.clear()
            unanswered = asyncio.create_task(http.exchange(CALL))
            await service.arrived.wait()
            assert service.requests == [2]
            unanswered.cancel()
            await asyncio.wait([unanswered])

    asyncio.run(scene())


def test_a_connection_that_the_service_has_closed_is_not_used_again() -> None:
    async def scene() -> None:
        service, clock = DeafService(), ManualClock()
        async with http_to(service, clock) as http:
            await http.exchange(CALL)
            service.close_all()
            await service.ended.wait()
            assert (await http.exchange(CALL)).ok
            assert service.requests == [1, 1]

    asyncio.run(scene())


def test_what_is_under_way_is_answered_and_its_connection_closed_after() -> None:
    async def scene() -> None:
        service, clock = DeafService(), ManualClock()
        async with http_to(service, clock) as http:
            service.held.clear()
            under_way = asyncio.create_task(http.exchange(CALL))
            await service.arrived.wait()
            clock.suspend(3600)
            service.arrived.clear()
            next_one = asyncio.create_task(http.exchange(CALL))
            async with asyncio.timeout(20):
                await service.arrived.wait()
            assert service.requests == [1, 1]
            assert not service.ended.is_set()
            service.held.set()
            assert (await under_way).ok
            assert (await next_one).ok
            async with asyncio.timeout(20):
                await service.ended.wait()

    asyncio.run(scene())
