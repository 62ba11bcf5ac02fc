"""Corruption of requests and responses by the network."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import NoReturn

import httpx

from tests.simulation.fates import Fate

_INSTEAD: dict[Fate, Callable[[], httpx.Response]] = {
    Fate.FAILED_BEFORE: lambda: httpx.Response(500, content=b""),
    Fate.GAVE_UP_BEFORE: lambda: httpx.Response(408, content=b"<h1>Request Timeout</h1>"),
    Fate.BUSY: lambda: httpx.Response(429, headers={"retry-after": "2"}, content=b""),
    Fate.FORBIDDEN: lambda: httpx.Response(403, json={"error": {"code": "forbidden"}}),
    Fate.NO_SUCH_PATH: lambda: httpx.Response(404, content=b"<h1>Not Found</h1>"),
    Fate.PROXY_PAGE: lambda: httpx.Response(200, content=b"<html><body>Welcome</body></html>"),
    Fate.REDIRECTED: lambda: httpx.Response(302, headers={"location": "https://login.example"}),
}
"""Another one each time: a client wraps what it gets, and one that comes again is wrapped anew."""


_OF_GATEWAYS = (
    (401, b'{"message": "Unauthorized"}'),
    (403, b'{"message": "Forbidden"}'),
    (404, b"<h1>Not Found</h1>"),
    (405, b""),
    (409, b""),
    (422, b"<h1>Unprocessable</h1>"),
    (429, b""),
    (499, b""),
)
_OF_THE_KEY = (
    (409, b'{"error": {"code": "idempotency_conflict", "message": "it is in use"}}'),
    (409, b'{"error": {"code": "conflict", "message": "this idempotency key is in use"}}'),
    (422, b'{"error": {"code": "idempotency_key_reused", "message": "another body"}}'),
)
_INTERNAL = b'{"error": {"code": "internal_error", "message": "something went wrong"}}'


def spoken_after(fate: Fate, rng: random.Random, headers: dict[str, str]) -> httpx.Response:
    """Return an untrue response to an executed request."""
    status, content = 500, _INTERNAL
    if fate is not Fate.FAILED_AFTER:
        told = _OF_GATEWAYS if fate is Fate.REFUSED_AFTER else _OF_THE_KEY
        status, content = rng.choice(told)
    return httpx.Response(status, headers=headers, content=content)


async def undelivered(request: httpx.Request, fate: Fate) -> httpx.Response:
    """Return the response to a request that does not arrive."""
    if fate is Fate.LOST:
        await never(request)
    if fate is Fate.CUT_BEFORE:
        return cut(request)
    return _INSTEAD[fate]()


async def never(request: httpx.Request) -> None:
    """Longer than anybody waits."""
    await asyncio.sleep(60.0 + request.extensions["timeout"]["read"])


async def connecting(request: httpx.Request, needed: float) -> None:
    """A connection that takes so many seconds, or longer than anybody waits for it."""
    patience = request.extensions["timeout"]["connect"]
    await asyncio.sleep(min(patience, needed))
    if needed > patience:
        raise httpx.ConnectTimeout("no connection in time", request=request)


def cut(request: httpx.Request) -> NoReturn:
    """The connection ends before an answer."""
    raise httpx.ReadError("connection reset", request=request)


def dated(response: httpx.Response) -> dict[str, str]:
    """The service's time, and nothing else of an answer."""
    return {"date": response.headers["date"]} if "date" in response.headers else {}


def with_content(response: httpx.Response, content: bytes) -> httpx.Response:
    """An answer of the same kind that says something else."""
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return httpx.Response(response.status_code, headers=headers, content=content)


def copied(request: httpx.Request) -> httpx.Request:
    """A request of its own for each delivery."""
    return httpx.Request(
        request.method, request.url, headers=request.headers, content=request.content
    )


def copy_of(response: httpx.Response) -> httpx.Response:
    """An answer of its own for each client."""
    return httpx.Response(response.status_code, headers=response.headers, content=response.content)
