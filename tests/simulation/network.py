"""The network between a process and the service: delays, loss, duplicates, corruption.

It keeps time-outs itself, as a real transport does; what the client gives up goes on at the
service.
"""

from __future__ import annotations

import asyncio

import httpx

from paytui.domain.models import IdempotencyKey
from tests.simulation.fates import BARE, BOOKED_OTHERWISE, DOUBLED, NOT_DELIVERED, Fate
from tests.simulation.misdeeds import bare
from tests.simulation.post_log import KEY_HEADER, Look, Post, moves_money
from tests.simulation.power import Power
from tests.simulation.scenario import GATEWAY_PATIENCE
from tests.simulation.site import Site
from tests.simulation.spoiling import (
    connecting,
    copied,
    copy_of,
    cut,
    dated,
    never,
    spoken_after,
    undelivered,
    with_content,
)
from tests.support.network import final_check

HELD = 0.8
"""The probability that a lost request is held and delivered after its client gave it up."""

LONGEST_HELD = 30.0 + GATEWAY_PATIENCE.total_seconds() - 0.5

_IN_FLIGHT = {"error": {"code": "idempotency_key_in_flight", "message": "it is still running"}}


class Network(httpx.AsyncBaseTransport):
    """The connections of a process.

    Args:
        process: its number.
        client_id: as whom it speaks.
        power: dies before a request leaves, after it has left, and before its answer is taken in.
    """

    def __init__(self, process: int, client_id: str, power: Power, site: Site) -> None:
        self._process = process
        self._client_id = client_id
        self._power = power
        self._site = site
        self._service = site.service
        self._weather = site.weather
        self._trace = site.trace
        self._gateway = site.rng(f"gateway of {process}")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self._power.passes("before a request")
        await request.aread()
        if not moves_money(request.method, request.url.path):
            return await self._other(request)
        key = IdempotencyKey(request.headers[KEY_HEADER])
        quoted = b"rateSheetId" in request.content
        fate = self._weather.of_money(again=bool(self._site.log.of(key)), quoted=quoted)
        await self._connect(request, fate)
        post = self._logged(request, key, fate)
        try:
            response = await self._exchange(request, fate)
        finally:
            post.ended = self._service.now()
            if fate is Fate.LOST and self._gateway.random() < HELD:
                self._service.start(self._deliver_held(request))
        post.status = response.status_code
        self._trace.say(f"  {response.status_code} to {post.key[:8]}")
        return response

    async def _other(self, request: httpx.Request) -> httpx.Response:
        signs_in = request.url.path.endswith("/auth")
        fate = self._weather.of_sign_in() if signs_in else self._weather.of_read()
        await self._connect(request, fate)
        asked = self._service.now()
        response = await self._exchange(request, fate)
        if response.status_code in (200, 304) and fate is not Fate.MALFORMED:
            look = Look(self._process, request.url.path, asked, self._service.now())
            self._site.log.looks.append(look)
        return response

    async def _connect(self, request: httpx.Request, fate: Fate) -> None:
        """Establish a connection; then nothing is left but to write the request to it."""
        if fate is not Fate.FINE:
            self._trace.fault(fate.value, f"({request.method} {request.url.path})")
        if fate is Fate.UNREACHABLE:
            raise httpx.ConnectError("connection refused", request=request)
        if fate is Fate.SLOW_CONNECTION:
            await connecting(request, self._weather.connecting())
            self._power.passes("once connected")
        final_check()

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
        return copy_of(response)

    async def _way(self, request: httpx.Request, fate: Fate) -> httpx.Response:
        await asyncio.sleep(self._weather.latency())
        if fate in NOT_DELIVERED:
            return await undelivered(request, fate)
        if fate is Fate.IN_FLIGHT:
            self._service.start(self._deliver(request, late=True))
            return httpx.Response(409, headers={"retry-after": "1"}, json=_IN_FLIGHT)
        otherwise = fate in BOOKED_OTHERWISE
        response = await self._deliver(request, late=fate is Fate.LATE, otherwise=otherwise)
        if fate in DOUBLED:
            self._service.start(self._deliver(request, late=fate is Fate.TWICE))
        await asyncio.sleep(self._weather.latency())
        return await self._spoilt(response, request, fate)

    async def _deliver(
        self, request: httpx.Request, *, late: bool, otherwise: bool = False
    ) -> httpx.Response:
        with self._service.expecting(request.headers.get(KEY_HEADER, "")):
            if late:
                await asyncio.sleep(self._weather.pause())
            return await self._service.answer(copied(request), otherwise=otherwise)

    async def _deliver_held(self, request: httpx.Request) -> httpx.Response:
        """Deliver what its client has given up, as late as a network may, but no later."""
        self._trace.fault("delivered after it was given up")
        with self._service.expecting(request.headers.get(KEY_HEADER, "")):
            await asyncio.sleep(self._gateway.uniform(1.0, LONGEST_HELD))
            return await self._service.answer(copied(request))

    async def _spoilt(
        self, response: httpx.Response, request: httpx.Request, fate: Fate
    ) -> httpx.Response:
        match fate:
            case Fate.SLOW | Fate.SLOW_TOKEN:
                await asyncio.sleep(self._weather.pause())
            case Fate.ANSWER_LOST | Fate.TWICE_UNANSWERED:
                await never(request)
            case Fate.CUT_AFTER:
                return cut(request)
            case Fate.FAILED_AFTER | Fate.REFUSED_AFTER | Fate.KEY_SEEN_AFTER:
                return spoken_after(fate, self._weather.rng, dated(response))
            case Fate.MALFORMED:
                return with_content(response, response.content[: len(response.content) // 2])
            case Fate.NAMELESS:
                return with_content(response, b'{"item": {"status": "created"}}')
        if response.status_code == 201 and fate in (*BARE, Fate.MISTAKEN):
            return self._of_another(response, request, fate)
        return response

    def _of_another(
        self, response: httpx.Response, request: httpx.Request, fate: Fate
    ) -> httpx.Response:
        """Return the response to a payment that the service has not booked as such."""
        content = response.content
        if fate is Fate.MISTAKEN:
            content = self._service.misdeeds.anothers(request) or content
        if fate in BARE or (fate is Fate.MISTAKEN and self._weather.coin()):
            content = bare(content)
        return with_content(response, content)

    def _logged(self, request: httpx.Request, key: IdempotencyKey, fate: Fate) -> Post:
        post = Post(
            at=self._service.now(),
            process=self._process,
            client_id=self._client_id,
            key=key,
            path=request.url.path,
            body=request.content,
            fate=fate,
            departures=self._site.disk.departures(key),
        )
        self._site.log.posts.append(post)
        self._trace.say(f"#{self._process} posts {post.path} under {key[:8]}")
        return post
