"""A sender can still cancel after the connection is established, before the first byte."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from paytui.api.errors import Effect, NotSent
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock
from tests.support.tcp import server

POST = Call("book trade", "POST", "/v2/tradess", body=b"{}")
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


class Listener:
    """A service that keeps its connections, and all that it is sent.

    Attributes:
        connections: how many were made.
        heard: every byte.
    """

    def __init__(self) -> None:
        self.connections = 0
        self.heard = b""

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await reader.read(10_000):
            self.heard += head
            if self.heard.endswith(b"{}"):
                writer.write(ANSWER)


def no() -> None:
    raise NotSent(Problem("book trade", "its rate has expired"), written=False)


def test_a_no_reaches_the_caller_and_not_a_byte_the_service() -> None:
    async def scene() -> None:
        async with server(listener := Listener()) as url:
            http = Http(url, ServiceTime(ManualClock()), None, Timeouts())
            with pytest.raises(NotSent) as caught:
                await http.exchange(replace(POST, connected=no))
            await http.aclose()
        assert caught.value.effect is Effect.NONE
        assert (listener.connections, listener.heard) == (1, b"")

    asyncio.run(scene())


def test_it_is_asked_on_a_connection_that_is_used_again_too() -> None:
    async def scene() -> None:
        async with server(listener := Listener()) as url:
            http = Http(url, ServiceTime(ManualClock()), None, Timeouts())
            await http.exchange(POST)
            heard = listener.heard
            with pytest.raises(NotSent):
                await http.exchange(replace(POST, connected=no))
            await http.aclose()
        assert (listener.connections, listener.heard) == (1, heard)

    asyncio.run(scene())
