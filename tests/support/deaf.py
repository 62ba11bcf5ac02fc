"""A service whose connections can die silently, as during a suspend of the host."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta


class DeafService:
    """Answers `POST /v2/auth` with a token and all else with an empty list.

    Attributes:
        requests: how many each connection has brought, in the order of connections.
        anew: set when a connection that was opened after the others died brought a request.
        ended: set when a connection was closed by the other side.
        held: while it is clear, nothing but `/v2/auth` is answered.
    """

    def __init__(self) -> None:
        self.requests: list[int] = []
        self.arrived = asyncio.Event()
        self.anew = asyncio.Event()
        self.ended = asyncio.Event()
        self.held = asyncio.Event()
        self.held.set()
        self._dead = 0
        self._writers: list[asyncio.StreamWriter] = []

    def close_all(self) -> None:
        """Close every connection, as an idle service does."""
        for writer in self._writers:
            writer.close()

    def let_die(self) -> None:
        """Every connection that there is answers no more, and is not closed."""
        self._dead = len(self.requests)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(self.requests)
        self.requests.append(0)
        self._writers.append(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                await reader.readexactly(_length(head))
                self.requests[number] += 1
                self._note(number)
                await self._answer(head, writer, number)
        except asyncio.IncompleteReadError:
            self.ended.set()
            writer.close()

    def _note(self, number: int) -> None:
        self.arrived.set()
        if 0 < self._dead <= number:
            self.anew.set()

    async def _answer(self, head: str, writer: asyncio.StreamWriter, number: int) -> None:
        signs_in = head.startswith("post /v2/auth ")
        if not signs_in:
            await self.held.wait()
        if number < self._dead:
            return
        body = json.dumps(_token() if signs_in else {"items": [], "total": 0})
        writer.write(
            f"HTTP/1.1 {201 if signs_in else 200} Fine\r\n"
            f"content-length: {len(body)}\r\n\r\n{body}".encode()
        )
        await writer.drain()


def _length(head: str) -> int:
    _, found, rest = head.partition("content-length:")
    return int(rest.partition("\r\n")[0]) if found else 0


def _token() -> dict[str, object]:
    end = datetime.now(UTC) + timedelta(minutes=5)
    return {"item": {"accessToken": "t", "expiresAt": end.isoformat()}}
