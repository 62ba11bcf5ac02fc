"""The way from a process to the service: it takes time, loses, doubles and spoils.

It keeps time-outs itself, as a real transport does; what the client gives up goes on at the
service.
"""

from __future__ import annotations

import asyncio
from typing import NoReturn

import httpx

from paytui.api.models import IdempotencyKey
from tests.simulation.fates import NOT_DELIVERED, Fate, Weather
from tests.simulation.post_log import KEY_HEADER, Post, PostLog, moves_money
from tests.simulation.power import Power
from tests.simulation.service import Service
from tests.simulation.trace import Trace

_INSTEAD = {
    Fate.FAILED_BEFORE: httpx.Response(500, content=b""),
    Fate.GAVE_UP_BEFORE: httpx.Response(408, content=b"<h1>Request Timeout</h1>"),
    Fate.BUSY: httpx.Response(429, headers={"retry-after": "2"}, content=b""),
    Fate.FORBIDDEN: httpx.Response(403, json={"message": "blocked by the gateway"}),
    Fate.PROXY_PAGE: httpx.Response(200, content=b"<html><body>Welcome</body></html>"),
    Fate.REDIRECTED: httpx.Response(302, headers={"location": "https://login.example"}),
}


class Network(httpx.AsyncBaseTransport):
    """One process's connections.

    Args:
        process: its number.
        power: dies before a request leaves, after it has left, and before its answer is taken in.
    """

    def __init__(
        self,
        *,
        process: int,
        power: Power,
        service: Service,
        weather: Weather,
        log: PostLog,
        trace: Trace,
    ) -> None:
        self._process = process
        self._power = power
        self._service = service
        self._weather = weather
        self._log = log
        self._trace = trace

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._power.passes("before a request")
        await request.aread()
        if not moves_money(request.method, request.url.path):
            return await self._other(request)
        key = IdempotencyKey(request.headers[KEY_HEADER])
        fate = self._weather.of_money(again=bool(self._log.of(key)))
        if fate is Fate.UNREACHABLE:
            self._note(fate, request)
            self._refuse(request)
        post = self._logged(request, key)
        self._note(fate, request)
        response = await self._exchange(request, fate)
        post.status = response.status_code
        self._trace.say(f"  {response.status_code} to {post.key[:8]}")
        return response

    async def _other(self, request: httpx.Request) -> httpx.Response:
        signs_in = request.url.path.endswith("/auth")
        fate = self._weather.of_sign_in() if signs_in else self._weather.of_read()
        self._note(fate, request)
        if fate is Fate.UNREACHABLE:
            self._refuse(request)
        return await self._exchange(request, fate)

    async def _exchange(self, request: httpx.Request, fate: Fate) -> httpx.Response:
        self._trace.note(f"#{self._process} {request.method} {request.url} {fate}")
        way = self._service.start(self._way(request, fate))
        self._power.passes("after a request")
        try:
            async with asyncio.timeout(request.extensions["timeout"]["read"]):
                response = await asyncio.shield(way)
        except TimeoutError:
            raise httpx.ReadTimeout("no answer in time", request=request) from None
        self._power.passes("before an answer")
        return _copy(response)

    async def _way(self, request: httpx.Request, fate: Fate) -> httpx.Response:
        await asyncio.sleep(self._weather.latency())
        if fate in NOT_DELIVERED:
            return await _undelivered(request, fate)
        response = await self._deliver(request, late=fate is Fate.LATE)
        if fate is Fate.TWICE:
            self._service.start(self._deliver(request, late=True))
        await asyncio.sleep(self._weather.latency())
        return await self._spoilt(response, request, fate)

    async def _deliver(self, request: httpx.Request, *, late: bool) -> httpx.Response:
        with self._service.expecting(request.headers.get(KEY_HEADER, "")):
            if late:
                await asyncio.sleep(self._weather.pause())
            return await self._service.answer(_copied(request))

    async def _spoilt(
        self, response: httpx.Response, request: httpx.Request, fate: Fate
    ) -> httpx.Response:
        match fate:
            case Fate.SLOW:
                await asyncio.sleep(self._weather.pause())
            case Fate.ANSWER_LOST:
                await _never(request)
            case Fate.CUT_AFTER:
                return _cut(request)
            case Fate.FAILED_AFTER:
                return httpx.Response(500, headers=_date(response))
            case Fate.MALFORMED:
                half = response.content[: len(response.content) // 2]
                return httpx.Response(response.status_code, headers=_date(response), content=half)
            case Fate.NAMELESS:
                body = {"item": {"status": "created"}}
                return httpx.Response(response.status_code, headers=_date(response), json=body)
        return response

    def _refuse(self, request: httpx.Request) -> NoReturn:
        raise httpx.ConnectError("connection refused", request=request)

    def _logged(self, request: httpx.Request, key: IdempotencyKey) -> Post:
        post = Post(self._service.now(), self._process, key, request.url.path, request.content)
        self._log.posts.append(post)
        self._trace.say(f"#{self._process} posts {post.path} under {key[:8]}")
        return post

    def _note(self, fate: Fate, request: httpx.Request) -> None:
        if fate is not Fate.FINE:
            self._trace.fault(fate.value, f"({request.method} {request.url.path})")


async def _undelivered(request: httpx.Request, fate: Fate) -> httpx.Response:
    if fate is Fate.LOST:
        await _never(request)
    if fate is Fate.CUT_BEFORE:
        return _cut(request)
    return _INSTEAD[fate]


async def _never(request: httpx.Request) -> None:
    """Longer than anybody waits."""
    await asyncio.sleep(60.0 + request.extensions["timeout"]["read"])


def _cut(request: httpx.Request) -> NoReturn:
    raise httpx.ReadError("connection reset", request=request)


def _date(response: httpx.Response) -> dict[str, str]:
    return {"date": response.headers["date"]} if "date" in response.headers else {}


def _copied(request: httpx.Request) -> httpx.Request:
    return httpx.Request(
        request.method, request.url, headers=request.headers, content=request.content
    )


def _copy(response: httpx.Response) -> httpx.Response:
    """An answer of its own for each client."""
    return httpx.Response(response.status_code, headers=response.headers, content=response.content)
