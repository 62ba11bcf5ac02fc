"""A request on its way to its first byte, as httpcore tells of it (its "trace" extension)."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from typing import Protocol, cast

from paytui.api.errors import HostRefused
from paytui.api.models import Problem
from paytui.api.way import Way, certificate_of

FIRST_BYTE = "http11.send_request_headers.started"
"""A connection stands, and the first byte of a request is next."""

SECURED = "connection.start_tls.complete"
"""Whoever was connected to has proved itself: the service, or, where there is one, the proxy."""

SECURED_BEHIND_PROXY = "proxy.start_tls.complete"


class _Stream(Protocol):
    """A connection of httpcore's."""

    def get_extra_info(self, info: str) -> object: ...

    async def aclose(self) -> None: ...


class Watched:
    """Has a say before anything of a request leaves; what it raises keeps it from leaving.

    Args:
        attempted: what the request is for.
        way: judges who is there.
        connected: called when the first byte of the request is next.

    Attributes:
        in_tunnel: whether all that has left was for a proxy, to be led through.
    """

    def __init__(self, attempted: str, way: Way, connected: Callable[[], None] | None) -> None:
        self.in_tunnel = False
        self._attempted = attempted
        self._way = way
        self._connected = connected
        self._secured = SECURED if way.proxy is None else SECURED_BEHIND_PROXY

    async def __call__(self, event: str, details: Mapping[str, object]) -> None:
        """Something happens to the request."""
        if event == self._secured:
            await self._judge(cast("_Stream", details["return_value"]))
        elif event == FIRST_BYTE:
            self.in_tunnel = getattr(details.get("request"), "method", b"") == b"CONNECT"
            if self._connected is not None and not self.in_tunnel:
                self._connected()

    async def _judge(self, stream: _Stream) -> None:
        secured = cast("ssl.SSLObject", stream.get_extra_info("ssl_object"))
        objection = self._way.objection(certificate_of(secured))
        if objection is None:
            return
        await stream.aclose()  # nobody else will: it is no connection of the pool's yet
        problem = Problem(self._attempted, objection.what, remedy=objection.remedy)
        raise HostRefused(problem, written=False)
