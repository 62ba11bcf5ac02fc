"""HTTP: one request out, one whole answer in, within bounds. The only file that imports httpx.

Requests leave on the guarded connections of `connections.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from http import HTTPStatus
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import TypeAlias
from urllib.parse import quote, urlencode, urlsplit

import httpcore
import httpx

from paytui import __version__
from paytui.api.errors import ServiceUnreachable, TimedOut, Unreadable
from paytui.api.http.connections import (
    ConnectionRules,
    GuardedBackend,
    GuardedRequest,
    guarding,
    is_answered,
)
from paytui.api.http.limits import Exchange, RateLimiter, RequestKind, RequestMetrics
from paytui.api.http.response import (
    Answer,
    CorruptBody,
    UnreadableBody,
    codings_of,
    decompressed,
    http_date,
    is_stored,
    stored_for,
)
from paytui.api.http.tls import TlsPolicy, ssl_context
from paytui.api.redaction import Redactor
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime
from paytui.platform.host import is_loopback
from paytui.platform.text import clean

Transport: TypeAlias = httpx.AsyncBaseTransport

CONNECTIONS = 8

IDLE = 4.0
"""Seconds that an idle connection of reads is kept. Servers close theirs after 5 s or more."""

URLS = 200
"""Addresses that are kept as they leave: a poll asks for the same few."""

DIRECT = TlsPolicy()
SUSPENDED = 1.0
"""Seconds of a suspend after which no idle connection is trusted."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """In seconds; `overall` bounds a whole exchange, whatever trickles in meanwhile.

    Attributes:
        reads: how many may be sent in a minute; others wait for their turn.
    """

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
        attempted: what it is for, as a verb phrase: `read payments`.
        path: from the base URL on, quoted.
        headers: of those that differ by case alone, the last one goes out.
        connected: called when a connection stands and the first byte is next; what it raises keeps
            the request from leaving, and reaches the caller.
        work: what it counts as.
    """

    attempted: str
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)
    connected: Callable[[], None] | None = None
    work: RequestKind = RequestKind.READ


class _Pool:
    """The connections of one time, closed when they are left and nothing is under way on them."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._under_way = 0
        self.is_left = False

    @asynccontextmanager
    async def transport(self) -> AsyncIterator[Transport]:
        """To exchange something with."""
        self._under_way += 1
        try:
            yield self._transport
        finally:
            self._under_way -= 1
            await self.close_if_done()

    async def close_if_done(self) -> None:
        """See to it that nothing is left open that nobody uses."""
        if self.is_left and not self._under_way:
            with suppress(OSError):  # it may be dead
                await self._transport.aclose()

    async def aclose(self) -> None:
        """Close them all the same."""
        await self._transport.aclose()


class Http:
    """A pool of connections to one service.

    Attributes:
        budget: what reads have to wait for.
        redactor: hides what we send and the service must not have shown; every answer carries it.
        meter: counts what is exchanged.
        tls_policy: how the service is reached; with a transport, nothing of it counts.

    Raises:
        ValueError: the base URL is not one that we talk to.
        OSError, KeyIsLocked: a file of the way cannot be used.
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
        self.limiter = RateLimiter(timeouts.reads, service_time.clock)
        self._context = self._new_context()
        self._pool = _Pool(self._connections())
        self._creating = _Pool(self._connections(creates=True))
        self._url = lru_cache(URLS)(partial(_url, self._base_url))
        self._suspended = self._time_suspended()

    def _new_context(self) -> SSLContext:
        if self._transport is None and self._base_url.startswith("https:"):
            return ssl_context(self.tls_policy)
        return SSLContext(PROTOCOL_TLS_CLIENT)  # believes nobody

    def _connections(self, *, creates: bool = False) -> Transport:
        """Return connections for reads; or for what creates something, one connection a request.

        On a used connection a request could meet the server's close, and bytes left over from an
        earlier answer could pass for its own.
        """
        if self._transport is not None:
            return self._transport
        is_secured = self._base_url.startswith("https:")
        rules = ConnectionRules(
            self.tls_policy, is_secured, self._timeouts.read if creates else None
        )
        return _Connections(
            httpcore.AsyncConnectionPool(
                ssl_context=self._context,
                proxy=_proxy(self.tls_policy),
                max_connections=CONNECTIONS,
                max_keepalive_connections=0 if creates else CONNECTIONS,
                keepalive_expiry=IDLE,
                network_backend=GuardedBackend(rules),
            )
        )

    def _time_suspended(self) -> float:
        return self._time.clock.boot() - self._time.clock.monotonic()

    async def _leave_what_a_suspend_killed(self) -> None:
        """After a suspend idle connections may be dead; what is under way goes on where it is."""
        before, self._suspended = self._suspended, self._time_suspended()
        # Whoever gave a transport keeps its connections.
        if self._suspended - before < SUSPENDED or self._transport is not None:
            return
        left, self._pool = self._pool, _Pool(self._connections())
        left.is_left = True
        await left.close_if_done()

    async def exchange(self, call: Call) -> Answer:
        """Send a request and read the whole answer, whatever its status.

        Raises:
            ServiceUnreachable: no whole answer; `written` says whether the request may have left.
            HostRefused: the host is not who it should be; nothing has left.
            Unreadable: a 2xx answer, or one that something is missing, is too long, or packed
                otherwise than was asked for. Any other counts without its body then.
        """
        await self._leave_what_a_suspend_killed()
        began = self._time.clock.boot()
        guarded = GuardedRequest(call.attempted, call.connected)
        pool = self._creating if call.work is RequestKind.SEND else self._pool
        try:
            with guarding(guarded):
                async with asyncio.timeout(self._timeouts.overall), pool.transport() as transport:
                    return await self._exchange(call, transport, guarded)
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
        # Raised out here: httpx's error holds request and secret, and must not be its context.
        raise failure

    async def _exchange(self, call: Call, transport: Transport, guarded: GuardedRequest) -> Answer:
        clock = self._time.clock
        request = self._request(call)
        sent = clock.boot()
        response = await transport.handle_async_request(request)
        try:
            if guarded.is_unsolicited:
                await guarded.close()
                raise _unasked(call)
            answered = _plain(response.headers)
            self._observe(call, answered, sent, clock.boot())
            age = stored_for(answered, self._time.earliest() if self._time.known else None)
            body = await _read(call, response, answered.get("content-encoding", ""))
        finally:
            await response.aclose()
        self._count(call, request, response, sent)
        return Answer(response.status_code, answered, body, sent, self.redactor, age)

    def _request(self, call: Call) -> httpx.Request:
        headers = _each_once(_HEADERS, call.headers, {} if call.body is None else _JSON)
        timeouts = self._timeouts
        extensions: dict[str, object] = {
            "timeout": {
                "connect": timeouts.connect,
                "read": timeouts.read,
                "write": timeouts.write,
                "pool": timeouts.pool,
            }
        }
        url = self._url(call.path, tuple(call.query.items()))
        return httpx.Request(
            call.method, url, headers=headers, content=call.body, extensions=extensions
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
        # Some caches write it into each answer, also to a POST, which none of them stores.
        has_passed = call.body is not None and headers.get("age", "").strip() == "0"
        # The date of a stored answer is from the past.
        if date is not None and (has_passed or not is_stored(headers)):
            self._time.observe(date, sent, received)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()
        await self._creating.aclose()


class _Connections(httpx.AsyncBaseTransport):
    """An httpx transport over an httpcore pool: that of httpx takes no network backend.

    httpx's client would look for cookies, redirects and credentials with each request. There are
    none here, and looking is a third of the cost of an idle dashboard.
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
        is_answered()  # httpx closes it next

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
    """Headers of which none differ by case alone: of such only the last one goes out.

    A dialect's own come first: whoever repeats a payment must not send its key beside another.
    """
    last = {name.lower(): (name, value) for each in given for name, value in each.items()}
    return dict(last.values())


def _plain(headers: httpx.Headers) -> dict[str, str]:
    """Headers by their names in lower case; what came twice is joined (RFC 9110 §5.3)."""
    plain: dict[str, str] = {}
    for raw_name, raw in headers.raw:
        name, value = raw_name.decode("latin-1").lower(), raw.decode("latin-1")
        plain[name] = f"{plain[name]}, {value}" if name in plain else value
    return plain


def _proxy(tls_policy: TlsPolicy) -> httpcore.Proxy | None:
    if tls_policy.proxy is None:
        return None
    # Of one that is spoken to by TLS, httpcore would believe whom the environment names.
    is_secured = tls_policy.proxy.startswith("https:")
    return httpcore.Proxy(tls_policy.proxy, ssl_context=ssl_context(DIRECT) if is_secured else None)


def _size(headers: httpx.Headers) -> int:
    """Bytes of headers: each has a colon, a space and the end of a line."""
    return sum(len(name) + len(value) + 4 for name, value in headers.raw)


async def _read(call: Call, response: httpx.Response, told: str) -> bytes:
    codings = codings_of(told)
    # What was given whole, aiter_raw does not give again.
    chunks = response.aiter_raw() if codings else response.aiter_bytes()
    try:
        return await decompressed(chunks, codings)
    except UnreadableBody as unfit:
        if _counts_by_its_body(response):
            raise _unreadable(call, response, unfit) from None
    except CorruptBody:
        if _counts_by_its_body(response):
            raise
    return b""


def _counts_by_its_body(response: httpx.Response) -> bool:
    """Of any other answer, status and headers say what was done and when to come back.

    What is missing, an object or a path that the service does not have, only words can tell.
    """
    if response.status_code in (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED):
        return True
    return response.is_success and response.status_code != HTTPStatus.NO_CONTENT


def _unreadable(call: Call, response: httpx.Response, unfit: UnreadableBody) -> Unreadable:
    status = response.status_code
    problem = Problem(call.attempted, f"{status} with {unfit.what}", remedy=unfit.remedy)
    return Unreadable(problem, status=status)


def checked_base_url(text: str) -> str:
    """A base URL without a trailing slash.

    Raises:
        ValueError: not http(s), plain http to anything but this host, or more than an address.
    """
    parts = urlsplit(text)
    try:
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        port_is_fine = False
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_fine:
        raise ValueError('the base URL must be like "https://api.example.com"')
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("the base URL must not hold a user, a query or a fragment")
    if parts.scheme == "http" and not is_loopback(parts.hostname):
        raise ValueError("plain http is for this host alone: use https")
    return text.rstrip("/")


def _timed_out(call: Call, *, written: bool) -> ServiceUnreachable:
    what = "no answer in time" if written else "no connection in time"
    return TimedOut(Problem(call.attempted, what, remedy=_REMEDY), written=written)


def _unasked(call: Call) -> ServiceUnreachable:
    """Return the error of a response that came before its request, so it answers another."""
    problem = Problem(call.attempted, "the response came before the request", remedy=_REMEDY)
    return ServiceUnreachable(problem, written=True)


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

_REMEDY = "Check the network and the base URL."
