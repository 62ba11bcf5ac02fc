"""Listening for the service's webhooks: each is judged, written down, and at most causes a read."""

from __future__ import annotations

import asyncio
import hmac
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus

import h11

from paytui.api.events import EventReader
from paytui.domain.models import Kind, Problem
from paytui.platform.clock import Clock
from paytui.platform.secret import Secret, SecretError
from paytui.store.health import LinkState
from paytui.store.reports import ListenerStatus, Trust
from paytui.worker.sync.poller import Shared
from paytui.worker.tasks import Jobs
from paytui.worker.webhook_intake import (
    WAITS,
    EventLog,
    EventReads,
    InvalidSecret,
    Message,
    SignatureVerifier,
    WebhookClassifier,
)

# The server that webhooks come in by: HTTP/1.1 on one path, and bounds on everything.
#
# h11 is what httpx speaks HTTP with, so it is loaded anyway; a whole server would take twenty times
# the memory for this one path.

MAX_BODY_BYTES = 1_000_000
"""Of a body."""

MAX_HEAD_BYTES = 16_384
"""Bytes of a request's line and headers."""

MAX_CONNECTIONS = 16
REQUEST_TIMEOUT = 10.0

DRAIN_TIMEOUT = 2.0
"""Seconds that the rest of what was refused is read, so that the answer is not lost with it."""

CHUNK = 65_536


class RequestRejected(Exception):
    """A request that is not taken."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class WebhookServer:
    """Takes what is posted to one path.

    Args:
        path: any other is answered as if nothing were there.
        take: what to answer to a message.
        timeout: seconds that a whole exchange may take.
    """

    def __init__(
        self, path: str, take: Callable[[Message], HTTPStatus], *, timeout: float = REQUEST_TIMEOUT
    ) -> None:
        self._path = path.encode()
        self._take = take
        self._timeout = timeout
        self._jobs = Jobs()
        self._open_connections = 0

    async def serve(self, listener: socket.socket) -> None:
        """Answer on a socket, until cancelled."""

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._jobs.begin(self._handle(reader, writer))

        async with await asyncio.start_server(accept, sock=listener, limit=CHUNK):
            await self._jobs.run()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, answered, on a connection that ends with it."""
        self._open_connections += 1
        try:
            # Whatever one sender does, or we do wrong with it, others are heard.
            with suppress(Exception):
                await self._exchange(reader, writer)
        finally:
            self._open_connections -= 1
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = Request(reader, writer, self._path)
        try:
            if self._open_connections > MAX_CONNECTIONS:
                raise RequestRejected(HTTPStatus.SERVICE_UNAVAILABLE)
            async with asyncio.timeout(self._timeout):
                status = self._take(await request.message())
        except RequestRejected as rejection:
            status = rejection.status
        except TimeoutError:
            status = HTTPStatus.REQUEST_TIMEOUT
        except h11.RemoteProtocolError as error:
            status = HTTPStatus(error.error_status_hint)
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_TIMEOUT):
                await request.answer(status)


class Request:
    """One request on a connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._path = path
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    async def message(self) -> Message:
        """What is posted.

        Raises:
            RequestRejected: it is not for us, or too much.
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
            raise RequestRejected(HTTPStatus.NOT_FOUND)
        if head.method != b"POST":
            raise RequestRejected(HTTPStatus.METHOD_NOT_ALLOWED)

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
            if len(body) > MAX_BODY_BYTES:
                raise RequestRejected(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next one; what stands for none yet is never returned."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(go_on) or b"")
            self._http.receive_data(await self._reader.read(CHUNK))
        return event


TRY_AGAIN = 30.0
"""Seconds until listening is tried again where it could not be."""

RENEW_EVERY = 60.0
"""Seconds between two times that forgeries have the secret read again."""

BURST, PER_SECOND = 100.0, 20.0
"""Messages that are judged in a burst, and for long; what comes beyond is told to come later."""

_ANSWERS = {
    Trust.FORGED: HTTPStatus.UNAUTHORIZED,
    Trust.TOO_OLD: HTTPStatus.UNAUTHORIZED,
    Trust.UNREADABLE: HTTPStatus.BAD_REQUEST,
}
"""What is not here is taken: who is told so sends it no more."""


@dataclass(frozen=True, slots=True)
class WebhookOptions:
    """What listening takes.

    Attributes:
        host: a literal address of this machine.
        path: where events are posted.
        reader: reads them.
        secret: gets what they are signed with, raising SecretError; None where nothing signs them.
    """

    host: str
    port: int
    path: str = field(repr=False)
    reader: EventReader
    secret: Callable[[], Awaitable[Secret]] | None = None


class WebhookListener:
    """Listens, and says in the store where it does or why it does not.

    Args:
        options: where to listen.
        shared: what pollers work with.
        read_now: has the list of a kind read now.
    """

    def __init__(
        self, options: WebhookOptions, shared: Shared, read_now: Callable[[Kind], None]
    ) -> None:
        self._options = options
        self._store = shared.store
        self._time = shared.service_time
        self._log = EventLog(shared.store)
        self._reads = EventReads(shared, self._log, read_now)
        self._rate_limit = RateLimit(shared.service_time.clock)
        self._suspect = asyncio.Event()

    async def run(self) -> None:
        """Listen, and read what is hinted at, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._reads.run())
            group.create_task(self._listen_again())

    async def _listen_again(self) -> None:
        """Listen; where that cannot be, try again later."""
        while True:
            try:
                await self._listen()
            except SecretError as error:
                self._say(problem=self._problem(str(error).rstrip(".")))
            except InvalidSecret as error:
                self._say(problem=self._problem(f"the webhook secret {error}"))
            except OSError as error:
                what = os.strerror(error.errno) if error.errno else "unknown reason"
                self._say(problem=self._problem(what))
            await asyncio.sleep(TRY_AGAIN)

    async def _listen(self) -> None:
        options = self._options
        verifier = None if options.secret is None else SignatureVerifier(await options.secret())
        classifier = WebhookClassifier(verifier, options.reader.read, self._time)
        server = WebhookServer(options.path, lambda message: self._take(classifier, message))
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        with socket.create_server((options.host, options.port), family=family) as listener:
            self._say(_address(listener), signed=verifier is not None)
            renewing = asyncio.create_task(self._renew(classifier))
            try:
                await server.serve(listener)
            finally:
                renewing.cancel()
                self._say()

    async def _renew(self, classifier: WebhookClassifier) -> None:
        """Read the secret again where a signature does not fit it: it may have been rotated."""
        while self._options.secret is not None:
            await self._suspect.wait()
            with suppress(SecretError, InvalidSecret):  # the one before stands in
                classifier.renew(SignatureVerifier(await self._options.secret()))
            await asyncio.sleep(RENEW_EVERY)
            self._suspect.clear()

    def _take(self, classifier: WebhookClassifier, message: Message) -> HTTPStatus:
        """Judge a message, and have what it names read."""
        if not self._knows_time() or not self._rate_limit.try_acquire():
            return HTTPStatus.SERVICE_UNAVAILABLE
        classification = classifier.classify(message)
        heeded = classification.trust.heeded
        row = self._log.add(classification, self._time.latest(), WAITS if heeded else "")
        if heeded:
            self._reads.ask(row)
        if classification.trust is Trust.FORGED:
            self._suspect.set()
        return _ANSWERS.get(classification.trust, HTTPStatus.NO_CONTENT)

    def _knows_time(self) -> bool:
        """Whether the service's time is known, or it answers without telling it."""
        return self._time.known or self._store.link.state is LinkState.UP

    def _problem(self, what: str) -> Problem:
        where = f"{self._options.host} port {self._options.port}"
        remedy = f"It is tried again in {TRY_AGAIN:g} s; lists are polled all the same."
        return Problem(f"listen for webhooks on {where}", what, remedy=remedy)

    def _say(
        self, address: str = "", *, signed: bool = False, problem: Problem | None = None
    ) -> None:
        self._store.set_listening(ListenerStatus(address, signed, problem))
        self._store.notify()


class RateLimit:
    """How many messages may still be judged now: a bucket that fills with time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._room = BURST
        self._at = clock.monotonic()

    def try_acquire(self) -> bool:
        """Whether there is room for one more, which is taken."""
        now = self._clock.monotonic()
        self._room = min(BURST, self._room + (now - self._at) * PER_SECOND)
        self._at = now
        if self._room < 1:
            return False
        self._room -= 1
        return True


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
