"""A TLS server, with certificates of a test authority."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from pathlib import Path
from threading import Thread

import trustme

from tests.support.tcp import server

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


class Authority:
    """Vouches for hosts, and for clients.

    Args:
        above: vouches for it; None: it is a root.

    Attributes:
        file: its own certificate.
    """

    def __init__(self, folder: Path, organisation: str, above: Authority | None = None) -> None:
        parent = None if above is None else above._ca
        self._ca: trustme.CA = trustme.CA(parent, organization_name=organisation)
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self.file = folder / f"{organisation}.pem"
        self._ca.cert_pem.write_to_path(self.file)

    def server(self, *names: str) -> ssl.SSLContext:
        """Return the TLS context of a server with these names, with a new certificate each time."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ca.issue_cert(*names or ("localhost", "127.0.0.1")).configure_cert(context)
        return context

    def asking_for_clients(self) -> ssl.SSLContext:
        """Return the TLS context of a server that admits clients of this authority only."""
        context = self.server()
        context.verify_mode = ssl.CERT_REQUIRED
        self._ca.configure_trust(context)
        return context

    def client(self, name: str) -> tuple[Path, Path]:
        """A certificate of a client, and its key."""
        issued = self._ca.issue_cert(f"{name}@desk.example")
        cert, key = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        cert.write_bytes(issued.cert_chain_pems[0].bytes())
        key.touch(mode=0o600)
        key.write_bytes(issued.private_key_pem.bytes())
        return cert, key


def shaken(server: ssl.SSLContext, believed: Path) -> ssl.SSLObject:
    """Return a client's end after a handshake in memory."""
    context = ssl.create_default_context(cafile=believed)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    theirs = server.wrap_bio(outgoing, incoming, server_side=True)
    for end in (ours, theirs, ours):
        with suppress(ssl.SSLWantReadError):
            end.do_handshake()
    return ours


class Heard:
    """Answers every request; keeps all that it was sent, once it was decrypted.

    Attributes:
        connections: how many were made.
        ended: how many of them the client has closed, so that nothing more can come.
    """

    def __init__(self) -> None:
        self.bytes = b""
        self.connections = 0
        self.ended = 0

    @asynccontextmanager
    async def listening(self, context: ssl.SSLContext, port: int = 0) -> AsyncIterator[str]:
        """Listen behind TLS; gives the base URL."""

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            try:
                while said := await reader.read(10_000):
                    self.bytes += said
                    writer.write(ANSWER)
            finally:
                self.ended += 1

        async with server(serve, context, port) as url:
            yield url.replace("http://127.0.0.1", "https://localhost")


class Relay:
    """A proxy that leads through to whatever it is asked for, or says no.

    Attributes:
        asked: the heads of all requests.
        answer: what it says to one.
    """

    def __init__(self, answer: bytes = b"HTTP/1.1 200 Connected\r\n\r\n") -> None:
        self.asked = b""
        self.answer = answer

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        head = await reader.readuntil(b"\r\n\r\n")
        self.asked += head
        writer.write(self.answer)
        if b" 200 " not in self.answer:
            await reader.read()
            return
        host, _, port = head.split()[1].decode().rpartition(":")
        back, on = await asyncio.open_connection(host, int(port))
        await asyncio.gather(_carry(reader, on), _carry(back, writer))


class Front:
    """Ends TLS in front of a service that speaks none.

    Args:
        port: of the service, on this machine.
    """

    def __init__(self, port: int) -> None:
        self._port = port

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        back, on = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(_carry(reader, on), _carry(back, writer))


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while said := await reader.read(10_000):
            writer.write(said)
    except ConnectionError:
        pass  # an end hung up
    finally:
        writer.close()


@contextmanager
def aside(listening: AbstractAsyncContextManager[str]) -> Iterator[str]:
    """For whoever has no event loop, or one of its own: listen in another thread."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(listening.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(listening.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
