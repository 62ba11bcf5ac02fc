"""Guarded connections: no byte before a final check, no late delivery after a timeout.

httpcore opens its connections through a network backend, and ours wraps each one. A write is
refused unless the request of the current task passed its check on that very connection. The guard
does not depend on httpcore's events: no byte leaves without `write`.
"""

from __future__ import annotations

import select
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
from paytui.api.http.tls import TlsPolicy, certificate_of
from paytui.domain.models import Problem

_ABORT = struct.pack("ii", 1, 0)
"""SO_LINGER on, 0 s: closing the socket, also by the end of the process, drops unsent data."""

_CLOSE = struct.pack("ii", 0, 0)

_DARWIN_TCP_RXT_CONNDROPTIME = 0x80

SUSPENDED = 1.0  # Seconds of a suspend after which no idle connection is trusted

_Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class GuardedRequest:
    """One request and the check before its first byte.

    Args:
        attempted: the purpose of the request, as a verb phrase.
        connected: the check, called before each write to the connection; its exception stops the
            request.

    Attributes:
        in_tunnel: True if only a CONNECT to a proxy has left so far.
        has_left: True if a connection carries the request.
        is_unsolicited: True if there is a response although nothing was read since the request.
    """

    def __init__(self, attempted: str, connected: Callable[[], None] | None) -> None:
        self.attempted = attempted
        self.in_tunnel = False
        self._connected = connected
        self._carrier: GuardedStream | None = None
        self._has_read = False

    def check(self) -> None:
        """Run the final check; raise ApiError if the request, or its rest, must not leave."""
        self.in_tunnel = False
        if self._connected is not None:
            self._connected()

    @property
    def has_left(self) -> bool:
        return self._carrier is not None

    @property
    def is_unsolicited(self) -> bool:
        return self.has_left and not self._has_read

    def leave_on(self, stream: GuardedStream) -> None:
        """Run the final check, and bind the request to the connection that carries it."""
        self.check()
        self._carrier = stream

    def note_read(self, stream: GuardedStream) -> None:
        self._has_read = self._has_read or stream is self._carrier

    async def close(self) -> None:
        """Close the connection: its further data cannot be the response."""
        if self._carrier is not None:
            await self._carrier.aclose()

    def is_answered(self) -> None:
        """Note that the whole response was read: its connection need not be aborted."""
        if self._carrier is not None:
            self._carrier.allow_delivery()

    def unsent(self, what: str) -> ServiceUnreachable:
        """Return the error of a request that a check keeps from being sent, or sent again."""
        problem = Problem(self.attempted, what, remedy=_REPORT)
        return ServiceUnreachable(problem, written=self.has_left)


_CURRENT: ContextVar[GuardedRequest | None] = ContextVar("guarded_request", default=None)


@contextmanager
def guarding(request: GuardedRequest) -> Iterator[None]:
    """Make a request the current task's, for the connections that it uses."""
    token = _CURRENT.set(request)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def is_answered() -> None:
    """Note that the whole response to the current task's request was read."""
    if (request := _CURRENT.get()) is not None:
        request.is_answered()


@dataclass(frozen=True, slots=True)
class ConnectionRules:
    """The requirements for a connection.

    Attributes:
        abort_after: for requests that create something: seconds after which the kernel drops
            unacknowledged data. Such a connection carries one request and is aborted unless that
            was answered. None for other requests.
        time_suspended: returns the seconds that the host has been suspended.
    """

    tls_policy: TlsPolicy
    is_secured: bool
    abort_after: float | None = None
    time_suspended: Callable[[], float] = lambda: 0.0


class GuardedStream(httpcore.AsyncNetworkStream):
    """A connection on which every request was checked.

    It `is_verified` if the service's certificate was accepted.
    """

    def __init__(
        self,
        inner: httpcore.AsyncNetworkStream,
        rules: ConnectionRules,
        *,
        is_verified: bool = False,
    ) -> None:
        self._inner = inner
        self._socket = _socket_of(inner)
        self._rules = rules
        self._is_tunnelled = False  # a proxy was asked for a tunnel to the service
        self._is_verified = is_verified
        self._carries: GuardedRequest | None = None
        self._suspended = rules.time_suspended()

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        received = await self._inner.read(max_bytes, timeout)
        if received and self._carries is not None:
            self._carries.note_read(self)
        return received

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        if buffer:
            self._check(buffer)
        await self._inner.write(buffer, timeout)

    def _check(self, buffer: bytes) -> None:
        """Refuse a write of a request that was not checked.

        Raise ApiError if nothing may be written.
        """
        request = _CURRENT.get()
        if request is None:
            raise _NO_REQUEST.unsent(_UNCHECKED)
        if request is self._carries:
            request.check()
            return
        if self._rules.abort_after is not None and request.has_left:
            raise request.unsent(_SENT)
        if self._rules.is_secured and not self._is_verified:
            if self._rules.tls_policy.proxy is None or not buffer.startswith(b"CONNECT "):
                raise request.unsent(_UNVERIFIED)
            self._is_tunnelled = request.in_tunnel = True
            return
        if self._rules.abort_after is not None and self._carries is not None:
            raise request.unsent(_USED)
        request.leave_on(self)
        self._carries = request

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """Secure the connection; if its other end is the service, judge the certificate."""
        inner = await self._inner.start_tls(ssl_context, server_hostname, timeout)
        is_service = self._rules.tls_policy.proxy is None or self._is_tunnelled
        if is_service and (refusal := self._rejection(inner)) is not None:
            await inner.aclose()  # the pool does not own it yet
            raise refusal
        return GuardedStream(inner, self._rules, is_verified=is_service)

    def _rejection(self, secured: httpcore.AsyncNetworkStream) -> ServiceUnreachable | None:
        request = _CURRENT.get() or _NO_REQUEST
        shown = secured.get_extra_info("ssl_object")
        if not isinstance(shown, ssl.SSLObject | ssl.SSLSocket):
            return request.unsent(_UNVERIFIED)
        rejection = self._rules.tls_policy.rejection(certificate_of(shown))
        if rejection is None:
            return None
        problem = Problem(request.attempted, rejection.what, remedy=rejection.remedy)
        return HostRefused(problem, written=False)

    def allow_delivery(self) -> None:
        """Let the kernel deliver what was sent although the connection is closed."""
        if self._rules.abort_after is not None and self._socket is not None:
            with suppress(OSError):  # it may be closed already
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _CLOSE)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def get_extra_info(self, info: str) -> object:
        """Return a fact about the connection.

        Twice a request, httpcore asks if an idle one can be read, and then closes it. So it does
        after a suspend, in which it may have died.
        """
        suspended = self._rules.time_suspended() - self._suspended
        if info == "is_readable" and suspended >= SUSPENDED:
            return True
        if info == "is_readable" and self._socket is not None and self._socket.fileno() >= 0:
            link = select.poll()
            link.register(self._socket, select.POLLIN)
            return bool(link.poll(0))
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """A backend whose connections are guarded from their first byte."""

    def __init__(self, rules: ConnectionRules) -> None:
        self._rules = rules
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[_Option] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect, and send nothing else."""
        stream = await self._inner.connect_tcp(host, port, timeout, local_address, socket_options)
        if self._rules.abort_after is not None and not _abort_on_close(
            stream, self._rules.abort_after
        ):
            await stream.aclose()
            raise (_CURRENT.get() or _NO_REQUEST).unsent(_UNABORTED)
        return GuardedStream(stream, self._rules)


def keepalive() -> list[_Option]:
    """Return options with which the kernel probes an idle connection, and drops it after 4 s."""
    idle = "TCP_KEEPALIVE" if sys.platform == "darwin" else "TCP_KEEPIDLE"
    wanted = {idle: 2, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 2}
    found = ((getattr(socket, name, None), value) for name, value in wanted.items())
    probes = [(socket.IPPROTO_TCP, name, value) for name, value in found if name is not None]
    return [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1), *probes]


def _abort_on_close(stream: httpcore.AsyncNetworkStream, abort_after: float) -> bool:
    """Set a connection to be aborted when it is closed. Return True on success."""
    if (raw := _socket_of(stream)) is None:
        return False
    try:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _ABORT)
    except OSError:
        return False
    with suppress(OSError):  # a second guard, in case this process is stopped
        _limit_delivery(raw, abort_after)
    return True


def _limit_delivery(raw: socket.socket, seconds: float) -> None:
    """Set the seconds after which the kernel drops a connection with unacknowledged data."""
    if sys.platform == "darwin":
        option = getattr(socket, "TCP_RXT_CONNDROPTIME", _DARWIN_TCP_RXT_CONNDROPTIME)
        raw.setsockopt(socket.IPPROTO_TCP, option, max(1, int(seconds)))
    elif hasattr(socket, "TCP_USER_TIMEOUT"):
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))


def _socket_of(stream: httpcore.AsyncNetworkStream) -> socket.socket | None:
    found: socket.socket | None = stream.get_extra_info("socket")
    return found if hasattr(found, "setsockopt") else None


_NO_REQUEST = GuardedRequest("send a request", None)
_UNCHECKED = "its final check could not run, so nothing was sent"
_UNVERIFIED = "the service's certificate could not be checked, so nothing was sent"
_USED = "its connection had carried another request, so nothing was sent"
_SENT = "it had left on another connection, so it was not sent again"
_UNABORTED = "its connection could not be set to be aborted, so nothing was sent"
_REPORT = "Install the version of httpcore that paytui was released with, and report this."
