"""The listener for webhooks. A webhook is verified, logged, and causes at most a read."""

from __future__ import annotations

import asyncio
import hmac
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus

import h11

from paytui.api.http.transport import RateLimiter
from paytui.api.wire.codec import EventReader
from paytui.config.settings import WebhookSettings
from paytui.domain.models import Kind, Problem
from paytui.platform.secret import Secret, SecretError
from paytui.store.health import LinkState
from paytui.store.screen_rows import ListenerStatus, Trust
from paytui.worker import webhook_intake
from paytui.worker.sync.shared import Jobs, Shared

MAX_BODY_BYTES = 1_000_000

MAX_HEAD_BYTES = 16_384  # Bytes of the request line and headers

MAX_CONNECTIONS = 16
REQUEST_TIMEOUT = 10.0

DRAIN_TIMEOUT = 2.0
"""Seconds for which the rest of a rejected request is read, so that the response arrives."""

CHUNK = 65_536


class RequestRejected(Exception):
    """A request that is answered with an error status."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class WebhookServer:
    """An HTTP/1.1 server for POST requests to one path, with bounds on everything.

    It uses h11, which httpx loads anyway. uvicorn takes twenty times the memory, wakes ten times a
    second and waits without end for a request that does not come.
    """

    def __init__(
        self,
        path: str,
        take: Callable[[webhook_intake.Message], HTTPStatus],
        *,
        timeout: float = REQUEST_TIMEOUT,
    ) -> None:
        self._path = path.encode()
        self._take = take
        self._timeout = timeout
        self._jobs = Jobs()
        self._open_connections = 0

    async def serve(self, listener: socket.socket) -> None:
        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._jobs.begin(self._handle(reader, writer))

        async with await asyncio.start_server(accept, sock=listener, limit=CHUNK):
            await self._jobs.run()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open_connections += 1
        try:
            # A bad request, or a bug, must not stop other requests.
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
    """A request and its response, on one connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: bytes
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._path = path
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    async def message(self) -> webhook_intake.Message:
        """Receive the message.

        Raises RequestRejected (path, method, size), h11.RemoteProtocolError or ConnectionError.
        """
        head = await self._event()
        if not isinstance(head, h11.Request):
            raise ConnectionResetError
        if not hmac.compare_digest(bytes(head.target), self._path):
            raise RequestRejected(HTTPStatus.NOT_FOUND)
        if head.method != b"POST":
            raise RequestRejected(HTTPStatus.METHOD_NOT_ALLOWED)
        headers = {bytes(name): bytes(value).decode("latin-1") for name, value in head.headers}
        return webhook_intake.Message(
            body=await self._body(),
            message_id=headers.get(b"webhook-id", ""),
            timestamp=headers.get(b"webhook-timestamp", ""),
            signatures=headers.get(b"webhook-signature", ""),
        )

    async def answer(self, status: HTTPStatus) -> None:
        """Send the status, and read on until the sender has finished."""
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
        """Receive the next event; never `NEED_DATA`."""
        while (event := self._http.next_event()) is h11.NEED_DATA:
            if self._http.they_are_waiting_for_100_continue:
                go_on = h11.InformationalResponse(status_code=100, headers=[])
                self._writer.write(self._http.send(go_on) or b"")
            self._http.receive_data(await self._reader.read(CHUNK))
        return event


TRY_AGAIN = 30.0  # Seconds until a failed attempt to listen is repeated
RENEW_EVERY = 60.0  # Minimum seconds between two reads of the secret that forgeries cause

BURST, PER_MINUTE = 100, 1_200
"""Messages accepted in a burst, and a minute; others get 503, and are sent again later."""

_ANSWERS = {
    Trust.FORGED: HTTPStatus.UNAUTHORIZED,
    Trust.TOO_OLD: HTTPStatus.UNAUTHORIZED,
    Trust.UNREADABLE: HTTPStatus.BAD_REQUEST,
}
"""Responses for rejected messages. Others get 204, so that the service does not send them again."""


class WebhookListener:
    """A listener whose address, or problem, is in the store.

    Args:
        secret: returns the signing secret; raises SecretError. None if events are not signed.
        read_now: reads a list.
    """

    def __init__(
        self,
        settings: WebhookSettings,
        reader: EventReader,
        secret: Callable[[], Awaitable[Secret]] | None,
        shared: Shared,
        read_now: Callable[[Kind], None],
    ) -> None:
        self._settings = settings
        self._reader = reader
        self._secret = secret
        self._store = shared.store
        self._time = shared.service_time
        self._log = webhook_intake.EventLog(shared.store)
        self._reads = webhook_intake.EventReads(shared, self._log, read_now)
        self._rate_limit = RateLimiter(PER_MINUTE, shared.service_time.clock, BURST)
        self._secret_suspect = asyncio.Event()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(self._reads.run())
            group.create_task(self._listen_again())

    async def _listen_again(self) -> None:
        while True:
            try:
                await self._listen()
            except (SecretError, webhook_intake.InvalidSecret, OSError) as error:
                host, port = self._settings.host, self._settings.port
                attempted = f"listen for webhooks on {host} port {port}"
                remedy = f"paytui retries in {TRY_AGAIN:g} s; lists are still polled."
                self._say(problem=Problem(attempted, _reason(error), remedy=remedy))
            await asyncio.sleep(TRY_AGAIN)

    async def _listen(self) -> None:
        settings = self._settings
        assert settings.path is not None, "it is required where webhooks are enabled"
        secret = None if self._secret is None else await self._secret()
        verifier = None if secret is None else webhook_intake.SignatureVerifier(secret)
        classifier = webhook_intake.WebhookClassifier(verifier, self._reader.read, self._time)
        server = WebhookServer(settings.path, lambda message: self._take(classifier, message))
        family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        with socket.create_server((settings.host, settings.port), family=family) as listener:
            host, port = listener.getsockname()[:2]
            address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            self._say(address, signed=verifier is not None)
            renewing = asyncio.create_task(self._renew(classifier))
            try:
                await server.serve(listener)
            finally:
                renewing.cancel()
                self._say()

    async def _renew(self, classifier: webhook_intake.WebhookClassifier) -> None:
        """Read the secret again after an invalid signature: it may have been rotated."""
        while self._secret is not None:
            await self._secret_suspect.wait()
            with suppress(SecretError, webhook_intake.InvalidSecret):  # keep the previous one
                secret = await self._secret()
                classifier.verifier = webhook_intake.SignatureVerifier(secret)
            await asyncio.sleep(RENEW_EVERY)
            self._secret_suspect.clear()

    def _take(
        self, classifier: webhook_intake.WebhookClassifier, message: webhook_intake.Message
    ) -> HTTPStatus:
        """Classify and log a message, and queue the read of its object."""
        # A service that is up and does not tell its time is judged by the host's.
        knows_time = self._time.known or self._store.link.state is LinkState.UP
        if not knows_time or not self._rate_limit.try_take():
            return HTTPStatus.SERVICE_UNAVAILABLE
        classification = classifier.classify(message)
        heeded = classification.trust.heeded
        row = self._log.add(
            classification, self._time.latest(), webhook_intake.WAITS if heeded else ""
        )
        if heeded:
            self._reads.ask(row)
        if classification.trust is Trust.FORGED:
            self._secret_suspect.set()
        return _ANSWERS.get(classification.trust, HTTPStatus.NO_CONTENT)

    def _say(
        self, address: str = "", *, signed: bool = False, problem: Problem | None = None
    ) -> None:
        self._store.listening = ListenerStatus(address, signed, problem)
        self._store.notify()


def _reason(error: SecretError | webhook_intake.InvalidSecret | OSError) -> str:
    if isinstance(error, OSError):
        return os.strerror(error.errno) if error.errno else "unknown reason"
    if isinstance(error, webhook_intake.InvalidSecret):
        return f"the webhook secret {error}"
    return str(error).rstrip(".")
