"""The door that webhooks come in by: HTTP/1.1 on one path, and bounds on everything.

h11 is what httpx speaks HTTP with, so it is loaded anyway; a whole server would take twenty times
the memory for this one path.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

import h11

from paytui.worker.jobs import Jobs
from paytui.worker.webhook_judge import Message

MOST_BYTES = 1_000_000
"""Of a body."""

MOST_HEAD = 16_384
"""Bytes of a request's line and headers."""

MOST_AT_ONCE = 16
PATIENCE = 10.0

PARTING = 2.0
"""Seconds that the rest of what was refused is read, so that the answer is not lost with it."""

CHUNK = 65_536


class Turned(Exception):
    """A request that is not taken."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class Door:
    """Takes what is posted to one path.

    Args:
        path: any other is answered as if nothing were there.
        take: what to answer to a message.
        patience: seconds that a whole exchange may take.
    """

    def __init__(
        self, path: str, take: Callable[[Message], HTTPStatus], *, patience: float = PATIENCE
    ) -> None:
        self._path = path.encode()
        self._take = take
        self._patience = patience
        self._jobs = Jobs()
        self._inside = 0

    async def serve(self, listener: socket.socket) -> None:
        """Answer on a socket, until cancelled."""

        def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._jobs.begin(self._meet(reader, writer))

        async with await asyncio.start_server(meet, sock=listener, limit=CHUNK):
            await self._jobs.run()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, answered, on a connection that ends with it."""
        self._inside += 1
        try:
            # Whatever one sender does, or we do wrong with it, others are heard.
            with suppress(Exception):
                await self._exchange(reader, writer)
        finally:
            self._inside -= 1
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = Request(reader, writer, self._path)
        try:
            if self._inside > MOST_AT_ONCE:
                raise Turned(HTTPStatus.SERVICE_UNAVAILABLE)
            async with asyncio.timeout(self._patience):
                status = self._take(await request.message())
        except Turned as turned:
            status = turned.status
        except TimeoutError:
            status = HTTPStatus.REQUEST_TIMEOUT
        except h11.RemoteProtocolError as error:
            status = HTTPStatus(error.error_status_hint)
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING):
                await request.answer(status)


class Request:
    """One request on a connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._path = path
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)

    async def message(self) -> Message:
        """What is posted.

        Raises:
            Turned: it is not for us, or too much.
            h11.RemoteProtocolError: it is not HTTP.
            ConnectionError: the sender went away.
        """
        head = await self._event()
        if not isinstance(head, h11.Request):
            raise ConnectionResetError
        self._check(head)
        headers = {bytes(name): bytes(value).decode("latin-1") for name, value in head.headers}
        return Message(
            body=await self._body(),
            message_id=headers.get(b"webhook-id", ""),
            timestamp=headers.get(b"webhook-timestamp", ""),
            signatures=headers.get(b"webhook-signature", ""),
        )

    async def answer(self, status: HTTPStatus) -> None:
        """Say how it went, and let the sender finish speaking."""
        if self._http.our_state not in (h11.IDLE, h11.SEND_RESPONSE):
            return
        headers = [("content-length", "0"), ("connection", "close")]
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            headers.append(("allow", "POST"))
        head = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
        for event in (head, h11.EndOfMessage()):
            self._writer.write(self._http.send(event) or b"")
        await self._writer.drain()
        self._writer.write_eof()
        while await self._reader.read(CHUNK):
            pass

    def _check(self, head: h11.Request) -> None:
        if not hmac.compare_digest(bytes(head.target), self._path):
            raise Turned(HTTPStatus.NOT_FOUND)
        if head.method != b"POST":
            raise Turned(HTTPStatus.METHOD_NOT_ALLOWED)

    async def _body(self) -> bytes:
        body = bytearray()
        while True:
            match await self._event():
                case h11.Data(data=data):
                    body += data
                case h11.EndOfMessage():
                    return bytes(body)
                case _:
                    raise ConnectionResetError
            if len(body) > MOST_BYTES:
                raise Turned(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next one; what stands for none yet is never returned."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(go_on) or b"")
            self._http.receive_data(await self._reader.read(CHUNK))
        return event
