"""HTTP transport: one request, one whole response, bounded in time and size.

The only module that imports httpx. Requests leave on the guarded connections of `connections.py`.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache, partial
from http import HTTPStatus
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TypeAlias
from urllib.parse import quote, urlencode

import httpcore
import httpx

from paytui import __version__
from paytui.api.errors import ServiceUnreachable, TimedOut, Unreadable
from paytui.api.http import connections
from paytui.api.http.response import (
    Answer,
    CorruptBody,
    Redactor,
    UnreadableBody,
    codings_of,
    decompressed,
    http_date,
    is_stored,
    stored_for,
)
from paytui.api.http.tls import TlsPolicy, ssl_context
from paytui.domain.models import Problem
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.host import checked_base_url
from paytui.platform.text import clean

MINUTE = 60.0


class RateLimiter:
    """A token bucket that holds one minute's requests, or `burst`.

    Requests that move money or ask for a token do not pass it. `waited` is the seconds that callers
    have waited so far.
    """

    def __init__(self, per_minute: int, clock: Clock, burst: int | None = None) -> None:
        self._per_second = per_minute / MINUTE
        self._most = float(burst or per_minute)
        self._clock = clock
        self._left = self._most
        self._looked = clock.monotonic()
        self._queue = asyncio.Lock()
        self.waited = 0.0

    async def take(self) -> None:
        """Wait for a request's turn and take it, first come, first served."""
        began = self._clock.monotonic()
        async with self._queue:
            if (missing := 1.0 - self._refilled()) > 0:
                await asyncio.sleep(missing / self._per_second)
                self._refilled()
            self._left -= 1.0
        self.waited += self._clock.monotonic() - began

    def try_take(self) -> bool:
        """Take a turn; return False if there is none."""
        is_there = self._refilled() >= 1.0
        self._left -= is_there
        return is_there

    def _refilled(self) -> float:
        now = self._clock.monotonic()
        came = (now - self._looked) * self._per_second
        self._looked, self._left = now, min(self._most, self._left + came)
        return self._left


EXCHANGES_KEPT = 500  # Single exchanges in the metrics: five minutes at the usual pace


class RequestKind(StrEnum):
    """The purpose of a request; durations are compared within one kind."""

    SIGN_IN = "sign in"
    READ = "read"
    PRICE = "price"
    SEND = "send"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The figures of one request and its response.

    Attributes:
        at: boot time in seconds at its end.
        took: seconds until the response, or until the request was given up.
        sent, received: bytes of headers and bodies, before TLS.
        status: HTTP status; None = no response.
    """

    work: RequestKind
    at: float
    took: float
    sent: int
    received: int
    status: int | None


class RequestMetrics:
    """Sums since the start, and the newest exchanges, the oldest first. For one thread.

    Attributes:
        sent, received: bytes.
        sign_ins: tokens received.
    """

    def __init__(self) -> None:
        self.requests = 0
        self.sent = 0
        self.received = 0
        self.sign_ins = 0
        self.unanswered = 0
        self.too_many = 0
        self.newest: deque[Exchange] = deque(maxlen=EXCHANGES_KEPT)

    def note(self, exchange: Exchange) -> None:
        """Count an exchange that has ended."""
        self.requests += 1
        self.sent += exchange.sent
        self.received += exchange.received
        self.unanswered += exchange.status is None
        self.too_many += exchange.status == HTTPStatus.TOO_MANY_REQUESTS
        signed_in = exchange.status in (HTTPStatus.OK, HTTPStatus.CREATED)
        self.sign_ins += exchange.work is RequestKind.SIGN_IN and signed_in
        self.newest.append(exchange)


Transport: TypeAlias = httpx.AsyncBaseTransport

CONNECTIONS = 8

IDLE = 4.0
"""Seconds that an idle connection of reads is kept. Servers close theirs after 5 s or more."""

CONNECT_WITHIN = 2.0  # Seconds for a connection that carries nothing

URLS = 200  # Parsed URLs in the cache: polls repeat the same few

DIRECT = TlsPolicy()


@dataclass(frozen=True, slots=True)
class Timeouts:
    """The timeouts of a request in seconds, `overall` as a whole, and the most `reads` a minute."""

    connect: float = 5.0
    read: float = 15.0
    write: float = 10.0
    pool: float = 5.0
    overall: float = 30.0
    reads: int = 1_200


@dataclass(frozen=True, slots=True)
class Call:
    """One request.

    Attributes:
        attempted: its purpose as a verb phrase: `read payments`.
        path: relative to the base URL, quoted.
        headers: if names differ by case only, the last one is sent.
        connected: called with a connection, before each write. Its exception stops the request and
            reaches the caller.
    """

    attempted: str
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)
    connected: Callable[[], None] | None = None
    work: RequestKind = RequestKind.READ


class Http:
    """An HTTP client for one service, with its rate limit, metrics and redactor.

    Raises:
        ValueError: the base URL is not allowed.
        OSError, KeyIsLocked: a file of the TLS policy cannot be used; with a transport, none is.
    """

    def __init__(
        self,
        base_url: str,
        service_time: ServiceTime,
        transport: Transport | None,
        timeouts: Timeouts,
        tls_policy: TlsPolicy = DIRECT,
    ) -> None:
        self.tls_policy = tls_policy
        self.redactor = Redactor()
        self.metrics = RequestMetrics()
        self._base_url = checked_base_url(base_url)
        self._time = service_time
        self._transport = transport
        self._timeouts = timeouts
        self._extensions = {"timeout": asdict(timeouts)}
        self.limiter = RateLimiter(timeouts.reads, service_time.clock)
        is_secured = transport is None and self._base_url.startswith("https:")
        # The other context trusts no authority.
        self._context = ssl_context(tls_policy) if is_secured else SSLContext(PROTOCOL_TLS_CLIENT)
        self._pool = transport or self._connections(creates=False)
        self._creating = transport or self._connections(creates=True)
        self._url = lru_cache(URLS)(partial(_url, self._base_url))

    def _connections(self, *, creates: bool) -> Transport:
        """Return a pool; one that `creates` something opens a connection for each request.

        On a used connection the server's close could hit the request, and bytes left over from an
        earlier response could be mistaken for its own.
        """
        rules = connections.ConnectionRules(
            self.tls_policy,
            self._base_url.startswith("https:"),
            self._timeouts.read if creates else None,
            self._time_suspended,
        )
        return _Connections(
            httpcore.AsyncConnectionPool(
                ssl_context=self._context,
                proxy=_proxy(self.tls_policy),
                max_connections=CONNECTIONS,
                max_keepalive_connections=0 if creates else CONNECTIONS,
                keepalive_expiry=IDLE,
                network_backend=connections.GuardedBackend(rules),
            )
        )

    def _time_suspended(self) -> float:
        return self._time.clock.boot() - self._time.clock.monotonic()

    async def exchange(self, call: Call) -> Answer:
        """Send a request and read the whole response, whatever its status.

        Raises:
            ServiceUnreachable: no whole response; `written` tells if the request may have left.
            HostRefused: the host's certificate was rejected; nothing has left.
            Unreadable: the body of a 2xx, 404 or 405 is too long, or in another coding than was
                asked for. Any other status counts without such a body.
        """
        began = self._time.clock.boot()
        guarded = connections.GuardedRequest(call.attempted, call.connected)
        pool = self._creating if call.work is RequestKind.SEND else self._pool
        try:
            with connections.guarding(guarded):
                async with asyncio.timeout(self._timeouts.overall):
                    return await self._exchange(call, pool, guarded)
        except httpx.TimeoutException as error:
            unsent = isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout)
            failure = _timed_out(call, written=not (unsent or guarded.in_tunnel))
        except TimeoutError:
            failure = _timed_out(call, written=not guarded.in_tunnel)
        except (
            httpx.HTTPError,
            httpx.InvalidURL,
            httpx.StreamError,
            OSError,
            CorruptBody,
        ) as error:
            failure = _unreachable(call, error, self.redactor, unsent=guarded.in_tunnel)
        except ServiceUnreachable as error:
            failure = error
        took = self._time.clock.boot() - began
        self.metrics.note(Exchange(call.work, began + took, took, sent=0, received=0, status=None))
        # Raised outside the `except`: httpx's error holds the request with its secret, and must
        # not become the context.
        raise failure

    async def _exchange(
        self, call: Call, transport: Transport, guarded: connections.GuardedRequest
    ) -> Answer:
        clock = self._time.clock
        request = self._request(call)
        sent = clock.boot()
        response = await transport.handle_async_request(request)
        try:
            if guarded.is_unsolicited:
                await guarded.close()
                problem = Problem(call.attempted, _UNASKED, remedy=_REMEDY)
                raise ServiceUnreachable(problem, written=True)
            answered = dict(response.headers.items())  # in lower case, repeated ones joined
            self._observe(call, answered, sent, clock.boot())
            age = stored_for(answered, self._time.earliest() if self._time.known else None)
            body = await _read(call, response, answered.get("content-encoding", ""))
        finally:
            await response.aclose()
        self._count(call, request, response, sent)
        return Answer(response.status_code, answered, body, sent, self.redactor, age)

    def _request(self, call: Call) -> httpx.Request:
        headers = _each_once(_HEADERS, call.headers, {} if call.body is None else _JSON)
        url = self._url(call.path, tuple(call.query.items()))
        return httpx.Request(
            call.method,
            url,
            headers=headers,
            content=call.body,
            extensions=self._extensions,
        )

    def _count(
        self, call: Call, request: httpx.Request, response: httpx.Response, began: float
    ) -> None:
        now = self._time.clock.boot()
        self.metrics.note(
            Exchange(
                call.work,
                now,
                now - began,
                sent=len(request.url.raw_path) + _size(request.headers) + len(call.body or b""),
                received=_size(response.headers) + response.num_bytes_downloaded,
                status=response.status_code,
            )
        )

    def _observe(
        self, call: Call, headers: Mapping[str, str], sent: float, received: float
    ) -> None:
        date = http_date(headers.get("date", ""))
        # Some caches add an Age to every response, even to a POST, which no cache stores.
        has_passed = call.body is not None and headers.get("age", "").strip() == "0"
        # The date of a cached response is in the past.
        if date is not None and (has_passed or not is_stored(headers)):
            self._time.observe(date, sent, received)

    async def stay_connected(self, connected: Callable[[], object]) -> None:
        """Hold a connection that carries nothing, until the service or the proxy closes it.

        The kernels at both ends keep it: it costs neither requests nor work. `connected` is called
        once it is there. A transport that was given has no such connection: this never returns.

        Raises:
            ServiceUnreachable: there is no connection, or it has died.
        """
        if self._transport is not None:
            await asyncio.get_running_loop().create_future()
        url = httpx.URL(self.tls_policy.proxy or self._base_url)
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            stream = await httpcore.AnyIOBackend().connect_tcp(
                url.host, port, CONNECT_WITHIN, socket_options=connections.keepalive()
            )
            try:
                connected()
                await stream.read(1)
            finally:
                await stream.aclose()
        except (*_CORE_ERRORS, OSError, UnicodeError) as error:  # the last: of a host's name
            problem = Problem("reach the service", "no connection", clean(str(error)), _REMEDY)
            raise ServiceUnreachable(problem, written=False) from None

    async def aclose(self) -> None:
        await self._pool.aclose()
        await self._creating.aclose()


class _Connections(httpx.AsyncBaseTransport):
    """An httpx transport over an httpcore pool: httpx's own takes no network backend.

    httpx's client would look for cookies, redirects and credentials with each request. There are
    none here, and the search is a third of an idle dashboard's cost.
    """

    def __init__(self, pool: httpcore.AsyncConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.AsyncByteStream)
        url = request.url
        asked = httpcore.Request(
            request.method,
            httpcore.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            answer = await self._pool.handle_async_request(asked)
        return httpx.Response(answer.status, headers=answer.headers, stream=_Body(answer))

    async def aclose(self) -> None:
        await self._pool.aclose()


class _Body(httpx.AsyncByteStream):
    """The body of an httpcore response."""

    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx():
            async for chunk in self._answer.aiter_stream():
                yield chunk
        connections.is_answered()  # httpx closes it next

    async def aclose(self) -> None:
        await self._answer.aclose()


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Turn httpcore's errors into the httpx errors of the same name."""
    try:
        yield
    except _CORE_ERRORS as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


_CORE_ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    httpcore.ProtocolError,
)


def _url(base: str, path: str, query: tuple[tuple[str, str], ...]) -> httpx.URL:
    asked = f"?{urlencode(query, quote_via=quote)}" if query else ""
    return httpx.URL(f"{base}{path}{asked}")


def _each_once(*given: Mapping[str, str]) -> dict[str, str]:
    """Merge headers; if names differ by case only, the last one counts.

    The dialect's headers come first, so that none is sent beside a payment's idempotency key.
    """
    last = {name.lower(): (name, value) for each in given for name, value in each.items()}
    return dict(last.values())


def _proxy(tls_policy: TlsPolicy) -> httpcore.Proxy | None:
    if tls_policy.proxy is None:
        return None
    # By default httpcore trusts the authorities that the environment names.
    is_secured = tls_policy.proxy.startswith("https:")
    return httpcore.Proxy(tls_policy.proxy, ssl_context=ssl_context(DIRECT) if is_secured else None)


def _size(headers: httpx.Headers) -> int:
    """Return the bytes of headers, with colon, space and line end."""
    return sum(len(name) + len(value) + 4 for name, value in headers.raw)


async def _read(call: Call, response: httpx.Response, told: str) -> bytes:
    codings = codings_of(told)
    # A response that was created whole has no raw stream.
    chunks = response.aiter_raw() if codings else response.aiter_bytes()
    try:
        return await decompressed(chunks, codings)
    except UnreadableBody as unfit:
        if _counts_by_its_body(response):
            what = f"HTTP {response.status_code} with {unfit.what}"
            problem = Problem(call.attempted, what, remedy=unfit.remedy)
            raise Unreadable(problem, status=response.status_code) from None
    except CorruptBody:
        if _counts_by_its_body(response):
            raise
    return b""


def _counts_by_its_body(response: httpx.Response) -> bool:
    """Return True if a response means nothing without its body.

    Only the body of a 404 or 405 tells a missing object from a missing path. For other failures
    status and headers suffice.
    """
    if response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
        return True
    return response.is_success and response.status_code != HTTPStatus.NO_CONTENT


def _timed_out(call: Call, *, written: bool) -> ServiceUnreachable:
    what = "no answer in time" if written else "no connection in time"
    return TimedOut(Problem(call.attempted, what, remedy=_REMEDY), written=written)


def _unreachable(
    call: Call, error: Exception, redactor: Redactor, *, unsent: bool
) -> ServiceUnreachable:
    unsent = unsent or isinstance(
        error,
        httpx.ConnectError
        | httpx.ProxyError
        | httpx.UnsupportedProtocol
        | httpx.LocalProtocolError
        | httpx.InvalidURL,
    )
    what = "no connection" if unsent else "the connection was cut"
    problem = Problem(call.attempted, what, said=clean(redactor(str(error)), 200), remedy=_REMEDY)
    return ServiceUnreachable(problem, written=not unsent)


_HEADERS = {  # unless a dialect says otherwise
    "accept": "application/json",
    "accept-encoding": "gzip, deflate",
    "connection": "keep-alive",
    "user-agent": f"paytui/{__version__}",
}
_JSON = {"Content-Type": "application/json"}

_UNASKED = "the response came before the request"  # so it answers another
_REMEDY = "Check the network and the base URL."
