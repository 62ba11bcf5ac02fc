"""A service that cannot prove its identity gets no secret, token or request."""

from __future__ import annotations

import asyncio
import contextlib
import random
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import certifi
import pytest

from paytui.api.client import Credentials
from paytui.api.dialect import load_dialect
from paytui.api.errors import Effect, ServiceUnreachable
from paytui.platform.clock import ServiceTime
from tests.support.client import SECRET, known_secret
from tests.support.clock import ManualClock
from tests.support.typed_client import TypedClient

OTHER_EXAMPLE = Path(__file__).with_name("other_example.pem")


class Impostor:
    """A server with the certificate of other.example; keeps what it was sent."""

    def __init__(self) -> None:
        self.received = b""

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(OTHER_EXAMPLE)
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context)
        try:
            yield f"https://localhost:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):  # the client hangs up
            self.received += await reader.read()
        writer.close()


def refusal_of(impostor: Impostor) -> ServiceUnreachable:
    async def scene() -> ServiceUnreachable:
        async with impostor.listening() as url:
            rng = random.Random(1)  # noqa: S311 - a test repeats itself
            time = ServiceTime(ManualClock())
            client = TypedClient(url, Credentials("demo", known_secret), load_dialect(), time, rng)
            try:
                with pytest.raises(ServiceUnreachable) as caught:
                    await client.list_wallets()
            finally:
                await client.aclose()
            return caught.value

    return asyncio.run(scene())


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent() -> None:
    impostor = Impostor()
    error = refusal_of(impostor)
    assert error.effect is Effect.NONE
    assert "certificate" in str(error)
    assert "self-signed" in str(error).replace("self signed", "self-signed")
    assert impostor.received == b""


def test_the_certificate_of_another_host_is_refused_before_anything_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(certifi, "where", lambda: str(OTHER_EXAMPLE))
    impostor = Impostor()
    error = refusal_of(impostor)
    assert error.effect is Effect.NONE
    assert "not valid for 'localhost'" in str(error)
    assert SECRET not in str(error)
    assert impostor.received == b""


def test_the_certificate_is_good_for_the_host_that_it_names() -> None:
    """Otherwise the other tests would show nothing."""

    async def scene() -> None:
        impostor = Impostor()
        async with impostor.listening() as url:
            port = int(url.rpartition(":")[2])
            context = ssl.create_default_context(cafile=str(OTHER_EXAMPLE))
            _, writer = await asyncio.open_connection(
                "127.0.0.1", port, ssl=context, server_hostname="other.example"
            )
            writer.close()

    asyncio.run(scene())
