"""A network between a client and an app in this process: delays, counts, outages."""

from __future__ import annotations

import asyncio
from collections import Counter

import httpx
from starlette.types import ASGIApp

from paytui.api.http import connections


def final_check() -> None:
    """Run the final check of the current task's request, which a connection would run."""
    if (request := connections._CURRENT.get()) is not None:
        request.check()


class Network(httpx.AsyncBaseTransport):
    """Carries requests to an app.

    Attributes:
        app: what is reached; None: every connection is refused.
        mistakes: exceptions that are raised instead, by path.
        requests: the paths asked for, in order.
        posts: those of them that something was sent to.
        most_at_once: how many requests were under way at once, at the most.
        connecting: seconds until a connection stands.
        stopped: seconds between the first byte of a POST and its rest.
        instead: answers that the client gets in place of the app's, once for each, by path.
        headers: added to every answer to a GET.
        closed: whether the client has closed it.
    """

    LATENCY = 0.01

    def __init__(self, app: ASGIApp | None) -> None:
        self.app = app
        self.mistakes: dict[str, Exception] = {}
        self.requests: list[str] = []
        self.posts: list[str] = []
        self.most_at_once = 0
        self.connecting = 0.0
        self.stopped = 0.0
        self.instead: dict[str, httpx.Response] = {}
        self.headers: dict[str, str] = {}
        self.closed = False
        self._under_way = 0

    @property
    def counts(self) -> Counter[str]:
        """Return the number of requests of each path."""
        return Counter(self.requests)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(self.connecting)
        final_check()
        self.requests.append(request.url.path)
        if request.method == "POST":
            self.posts.append(request.url.path)
            await asyncio.sleep(self.stopped)
            final_check()
        self._under_way += 1
        self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            await asyncio.sleep(self.LATENCY)
            return await self._carry(request)
        finally:
            self._under_way -= 1

    async def aclose(self) -> None:
        self.closed = True

    async def _carry(self, request: httpx.Request) -> httpx.Response:
        if request.url.path in self.mistakes:
            raise self.mistakes[request.url.path]
        if self.app is None:
            raise httpx.ConnectError("connection refused", request=request)
        try:
            response = await httpx.ASGITransport(self.app).handle_async_request(request)
            if request.method == "GET":
                response.headers.update(self.headers)
            return self.instead.pop(request.url.path, response)
        except ConnectionResetError as error:  # how the sandbox cuts a connection without a server
            raise httpx.ReadError("connection reset", request=request) from error
