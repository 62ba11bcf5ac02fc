"""The link to the service: latency, and bad conditions on demand."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx

from tests.simulation.fates import NOT_DELIVERED, Fate, Weather
from tests.simulation.spoiling import connecting, copied, never, undelivered, with_content
from tests.soak.books import Books
from tests.support.network import final_check

_SHEETS = "/rate-sheets"


class Line(httpx.AsyncBaseTransport):
    """Carries requests, and keeps time-outs itself, as a real transport does.

    What the client gives up goes on at the service.

    Attributes:
        weather: draws what becomes of a request.
        only: what becomes of every one instead, while it is set.
        requests: how often each path was asked for; what stands behind a list is one path.
        fates: how often something went wrong on purpose.
    """

    def __init__(self, books: Books, weather: Weather) -> None:
        self.weather = weather
        self.only: Fate | None = None
        self.requests = 0
        self.sign_ins = 0
        self.fates: Counter[Fate] = Counter()
        self._books = books
        self._under_way: set[asyncio.Task[httpx.Response]] = set()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        fate = self._fate(request)
        self.fates[fate] += 1
        self.requests += 1
        self.sign_ins += request.url.path.endswith("/auth")
        if fate is Fate.UNREACHABLE:
            raise httpx.ConnectError("connection refused", request=request)
        if fate is Fate.SLOW_CONNECTION:
            await connecting(request, self.weather.connecting())
        final_check()
        return await self._exchange(request, fate)

    async def quiet(self) -> None:
        """Wait until nothing is on its way."""
        while self._under_way:
            await asyncio.wait(list(self._under_way))

    def _fate(self, request: httpx.Request) -> Fate:
        if self.only is not None:
            return self.only
        path = request.url.path
        fate = self.weather.of_sign_in() if path.endswith("/auth") else self.weather.of_read()
        # A sheet's age counts from before the connection: only the service's time is judged here.
        is_slow_sheet = fate is Fate.SLOW_CONNECTION and path.endswith(_SHEETS)
        return Fate.FINE if is_slow_sheet else fate

    async def _exchange(self, request: httpx.Request, fate: Fate) -> httpx.Response:
        way = asyncio.get_running_loop().create_task(self._way(request, fate))
        self._under_way.add(way)
        way.add_done_callback(self._arrived)
        try:
            async with asyncio.timeout(request.extensions["timeout"]["read"]):
                return await asyncio.shield(way)
        except TimeoutError:
            raise httpx.ReadTimeout("no answer in time", request=request) from None

    async def _way(self, request: httpx.Request, fate: Fate) -> httpx.Response:
        await asyncio.sleep(self.weather.latency())
        if fate in NOT_DELIVERED:
            return await undelivered(request, fate)
        response = await self._books.answer(copied(request))
        await asyncio.sleep(self.weather.latency())
        if fate in (Fate.SLOW, Fate.SLOW_TOKEN):
            await asyncio.sleep(self.weather.pause())
        if fate is Fate.ANSWER_LOST:
            await never(request)
        if fate is Fate.MALFORMED:
            return with_content(response, response.content[: len(response.content) // 2])
        return response

    def _arrived(self, way: asyncio.Task[httpx.Response]) -> None:
        self._under_way.discard(way)
        if not way.cancelled():
            way.exception()  # its client may have given up long since: nobody else asks
