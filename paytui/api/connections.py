"""Connections that let nothing out before a last look, and deliver nothing after they are given up.

httpcore asks a network backend for its connections; ours wraps each one. A write is refused unless
the request of the current task was let through on that very connection, so the guard does not
depend on httpcore telling us of anything: without `write` no byte leaves.
"""

from __future__ import annotations

import socket
import ssl
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass

import httpcore

from paytui.api.errors import HostRefused, ServiceUnreachable
from paytui.api.models import Problem
from paytui.api.way import Way, certificate_of

_ABORT = struct.pack("ii", 1, 0)
"""SO_LINGER on, 0 s: whoever closes the socket, also by dying, drops what is unsent and resets."""

_CLOSE = struct.pack("ii", 0, 0)

_DARWIN_TCP_RXT_CONNDROPTIME = 0x80

_Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class Departure:
    """One request on its way to its first byte; what `connected` raises keeps it from leaving.

    Args:
        attempted: what the request is for.
        connected: called when a connection stands and the first byte of the request is next.

    Attributes:
        in_tunnel: whether all that has left was for a proxy, to be led through.
        is_answered_unasked: whether an answer came without a byte read since the request left.
    """

    def __init__(self, attempted: str, connected: Callable[[], None] | None) -> None:
        self.attempted = attempted
        self.in_tunnel = False
        self._connected = connected
        self._carrier: GuardedStream | None = None
        self._has_heard = False

    def first_byte(self) -> None:
        """Take the last look.

        Raises:
            ApiError: the request must not leave.
        """
        self.in_tunnel = False
        if self._connected is not None:
            self._connected()

    @property
    def is_answered_unasked(self) -> bool:
        return self._carrier is not None and not self._has_heard

    def leaves_by(self, stream: GuardedStream) -> None:
        """Take the last look, on the connection that carries the request from then on."""
        self.first_byte()
        self._carrier = stream

    def hears(self, stream: GuardedStream) -> None:
        """Note that something was read from a connection."""
        self._has_heard = self._has_heard or stream is self._carrier

    async def hang_up(self) -> None:
        """Leave the connection: what else comes by it is nobody's answer."""
        if self._carrier is not None:
            await self._carrier.aclose()

    def is_answered(self) -> None:
        """Note that the whole answer was read: its connection need not be aborted."""
        if self._carrier is not None:
            self._carrier.close_in_peace()

    def unguarded(self, what: str) -> ServiceUnreachable:
        """Return the error of a request that is not sent, since a guard is not where it was."""
        return ServiceUnreachable(Problem(self.attempted, what, remedy=_REPORT), written=False)


_DEPARTING: ContextVar[Departure | None] = ContextVar("departing", default=None)


@contextmanager
def departing(departure: Departure) -> Iterator[None]:
    """Inside, connections know which request of the current task wants to leave."""
    token = _DEPARTING.set(departure)
    try:
        yield
    finally:
        _DEPARTING.reset(token)


def first_byte() -> None:
    """Take the last look of the current task's request, as a connection does before it writes.

    For transports without sockets, which stand in for a network.
    """
    if (departure := _DEPARTING.get()) is not None:
        departure.first_byte()


def is_answered() -> None:
    """Note that the whole answer to the current task's request was read."""
    if (departure := _DEPARTING.get()) is not None:
        departure.is_answered()


@dataclass(frozen=True, slots=True)
class Rules:
    """What a connection is for.

    Attributes:
        way: judges who is there.
        is_secured: whether the service is spoken to by TLS.
        gives_up: for requests that create something: seconds after which the kernel no longer
            tries to deliver what nobody has confirmed. Such a connection carries one request, and
            is aborted unless that was answered. None for all other requests.
    """

    way: Way
    is_secured: bool
    gives_up: float | None = None


class GuardedStream(httpcore.AsyncNetworkStream):
    """A connection whose every byte was let through.

    Args:
        inner: the connection itself.
        rules: what it is for.
        is_led_through: whether a proxy was asked to lead it through to the service.
        is_judged: whether the service has proved itself on it.
    """

    def __init__(
        self,
        inner: httpcore.AsyncNetworkStream,
        rules: Rules,
        *,
        is_led_through: bool = False,
        is_judged: bool = False,
    ) -> None:
        self._inner = inner
        self._rules = rules
        self._is_led_through = is_led_through
        self._is_judged = is_judged
        self._carries: Departure | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        received = await self._inner.read(max_bytes, timeout)
        if received and self._carries is not None:
            self._carries.hears(self)
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if buffer:
            self._let_through(buffer)
        await self._inner.write(buffer, timeout)

    def _let_through(self, buffer: bytes) -> None:
        """Refuse what nobody has looked at.

        Raises:
            ApiError: nothing may be written.
        """
        departure = _DEPARTING.get()
        if departure is None:
            raise _NOBODY.unguarded(_UNSEEN)
        if departure is self._carries:
            return
        if self._rules.is_secured and not self._is_judged:
            if self._rules.way.proxy is None or not buffer.startswith(b"CONNECT "):
                raise departure.unguarded(_UNJUDGED)
            self._is_led_through = departure.in_tunnel = True
            return
        if self._rules.gives_up is not None and self._carries is not None:
            raise departure.unguarded(_USED)
        departure.leaves_by(self)
        self._carries = departure

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """Secure the connection; where the service is at its end, judge its certificate."""
        inner = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        is_service = self._rules.way.proxy is None or self._is_led_through
        if is_service and (refusal := self._objection(inner)) is not None:
            await inner.aclose()  # nobody else will: it is no connection of the pool's yet
            raise refusal
        return GuardedStream(inner, self._rules, is_judged=is_service)

    def _objection(self, secured: httpcore.AsyncNetworkStream) -> ServiceUnreachable | None:
        departure = _DEPARTING.get() or _NOBODY
        shown = secured.get_extra_info("ssl_object")
        if not isinstance(shown, ssl.SSLObject | ssl.SSLSocket):
            return departure.unguarded(_UNJUDGED)
        objection = self._rules.way.objection(certificate_of(shown))
        if objection is None:
            return None
        problem = Problem(departure.attempted, objection.what, remedy=objection.remedy)
        return HostRefused(problem, written=False)

    def close_in_peace(self) -> None:
        """Let what was sent be delivered although the connection is closed."""
        if self._rules.gives_up is not None and (raw := _socket_of(self._inner)) is not None:
            with suppress(OSError):  # it may be closed already
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _CLOSE)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def get_extra_info(self, info: str) -> object:
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections that are guarded from their first byte.

    Args:
        rules: what they are for.
        inner: opens them.
    """

    def __init__(self, rules: Rules, inner: httpcore.AsyncNetworkBackend | None = None) -> None:
        self._rules = rules
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[_Option] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect; nothing but that has been sent when this returns."""
        stream = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        if self._rules.gives_up is not None and not _aborts(stream, self._rules.gives_up):
            await stream.aclose()
            raise (_DEPARTING.get() or _NOBODY).unguarded(_UNABORTED)
        return GuardedStream(stream, self._rules)


def _aborts(stream: httpcore.AsyncNetworkStream, gives_up: float) -> bool:
    """Have a connection aborted by whatever ends it. Returns whether that is so."""
    if (raw := _socket_of(stream)) is None:
        return False
    try:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
    except OSError:
        return False
    with suppress(OSError):  # a second guard, for a process that stands still
        _limit_delivery(raw, gives_up)
    return True


def _limit_delivery(raw: socket.socket, seconds: float) -> None:
    """Have the kernel drop a connection on which nothing is confirmed for so long."""
    if sys.platform == "darwin":
        option = getattr(socket, "TCP_RXT_CONNDROPTIME", _DARWIN_TCP_RXT_CONNDROPTIME)
        raw.setsockopt(socket.IPPROTO_TCP, option, max(1, int(seconds)))
    elif hasattr(socket, "TCP_USER_TIMEOUT"):
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))


def _socket_of(stream: httpcore.AsyncNetworkStream) -> socket.socket | None:
    found: socket.socket | None = stream.get_extra_info("socket")
    return found if hasattr(found, "setsockopt") else None


_NOBODY = Departure("send a request", None)
_UNSEEN = "its last look could not be taken, so nothing was sent"
_UNJUDGED = "the service's certificate could not be looked at, so nothing was sent"
_USED = "its connection had carried another request, so nothing was sent"
_UNABORTED = "its connection could not be set to be aborted, so nothing was sent"
_REPORT = "Install the version of httpcore that paytui was released with, and report this."
