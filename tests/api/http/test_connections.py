"""Nothing is sent before the final check or delivered after its request was given up."""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import replace

import httpcore
import pytest

from paytui.api.errors import Effect, NotSent, ServiceUnreachable, TimedOut
from paytui.api.http.connections import (
    ConnectionRules,
    GuardedBackend,
    GuardedRequest,
    GuardedStream,
    guarding,
)
from paytui.api.http.tls import TlsPolicy
from paytui.api.http.transport import Call, Http, RequestKind, Timeouts
from paytui.domain.models import Problem
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock
from tests.support.secured import Authority, Heard
from tests.support.tcp import server

LETTER = Call("create payout", "POST", "/v2/payments/payout", body=b"{}", work=RequestKind.SEND)
READ = Call("read payments", "GET", "/v2/payments")
ANSWER = b"HTTP/1.1 %d Fine\r\ncontent-length: %d\r\n\r\n%s"


def answer(body: bytes, status: int = 200) -> bytes:
    return ANSWER % (status, len(body), body)


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("acme"), "Acme Trust")


@asynccontextmanager
async def http_to(url: str, way: TlsPolicy | None = None, read: float = 5.0) -> AsyncIterator[Http]:
    http = Http(url, ServiceTime(ManualClock()), None, Timeouts(read=read), way or TlsPolicy())
    try:
        yield http
    finally:
        await http.aclose()


class Silent:
    """Takes a request and answers nothing.

    Attributes:
        taken: set once it has a whole request.
        ended: set once the connection ended: with an abort, if `was_aborted`.
    """

    def __init__(self) -> None:
        self.taken = asyncio.Event()
        self.ended = asyncio.Event()
        self.was_aborted = False

    async def __call__(self, reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"{}")
            self.taken.set()
            await reader.read()
        except ConnectionError:
            self.was_aborted = True
        finally:
            self.ended.set()


async def time_out(http: Http, _: Silent) -> None:
    with pytest.raises(TimedOut):
        await http.exchange(LETTER)


async def cancel(http: Http, silent: Silent) -> None:
    sending = asyncio.create_task(http.exchange(LETTER))
    await silent.taken.wait()
    sending.cancel()
    await asyncio.wait([sending])


async def shut_down(http: Http, silent: Silent) -> None:
    sending = asyncio.create_task(http.exchange(LETTER))
    await silent.taken.wait()
    await http.aclose()
    await asyncio.wait([sending])
    with pytest.raises(ServiceUnreachable):
        sending.result()


class TestWhatIsGivenUp:
    @pytest.mark.parametrize("secured", [False, True], ids=["plain", "tls"])
    @pytest.mark.parametrize("give_up", [time_out, cancel, shut_down])
    def test_is_aborted(
        self, acme: Authority, give_up: Callable[[Http, Silent], Awaitable[None]], secured: bool
    ) -> None:
        """A close would leave the kernel to deliver what is unsent, minutes later."""

        async def scene() -> None:
            silent, context = Silent(), acme.server() if secured else None
            async with server(silent, context) as plain:
                url = plain.replace("http:", "https:") if secured else plain
                async with http_to(url, TlsPolicy(acme.file), read=0.1) as http:
                    await give_up(http, silent)
                    await silent.ended.wait()
            assert silent.was_aborted

        asyncio.run(scene())

    def test_is_not_completed_after_its_time(self) -> None:
        """The program was stopped between its first byte and the rest."""
        checks: list[None] = []

        def check() -> None:
            checks.append(None)
            if len(checks) > 1:
                raise NotSent(Problem("create payout", "it is late"), written=True)

        async def scene() -> None:
            async with server(silent := Silent()) as url, http_to(url) as http:
                with pytest.raises(NotSent):
                    await http.exchange(replace(LETTER, connected=check))
                await silent.ended.wait()
            assert not silent.taken.is_set()

        asyncio.run(scene())

    def test_is_aborted_on_the_way_to_a_proxy_too(self, acme: Authority) -> None:
        async def scene() -> None:
            silent = Silent()

            async def led(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                """Lead the handshake through, and look at how the connection ends."""
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
                back, on = await asyncio.open_connection("127.0.0.1", port)
                answers = asyncio.create_task(carry(back, writer))
                try:
                    while said := await reader.read(10_000):
                        on.write(said)
                except ConnectionError:
                    silent.was_aborted = True
                finally:
                    on.transport.abort()
                    answers.cancel()
                    silent.ended.set()

            async def deaf(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
                await reader.read()

            async with server(deaf, acme.server()) as url, server(led) as proxy:
                port = int(url.rpartition(":")[2])
                way = TlsPolicy(acme.file, proxy=proxy)
                async with http_to(url.replace("http:", "https:"), way, read=0.1) as http:
                    with pytest.raises(TimedOut):
                        await http.exchange(LETTER)
                    await silent.ended.wait()
            assert silent.was_aborted

        asyncio.run(scene())

    def test_a_letter_that_was_answered_closes_in_peace(self) -> None:
        async def scene() -> None:
            ends: list[bytes] = []
            ended = asyncio.Event()

            async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.readuntil(b"{}")
                writer.write(answer(b"{}", 201))
                ends.append(await reader.read())
                ended.set()

            async with server(serve) as url, http_to(url) as http:
                assert (await http.exchange(LETTER)).status == 201
                await ended.wait()
            assert ends == [b""]

        asyncio.run(scene())

    @pytest.mark.skipif(sys.platform != "linux", reason="TCP_USER_TIMEOUT is Linux's")
    def test_the_kernel_stops_when_we_do(self) -> None:
        """For a process that is stopped meanwhile, and gives nothing up itself."""

        async def scene() -> None:
            async with server(Silent()) as url:
                rules = ConnectionRules(TlsPolicy(), is_secured=False, abort_after=15.0)
                stream = await GuardedBackend(rules).connect_tcp("127.0.0.1", int(url[17:]))
                raw = stream.get_extra_info("socket")
                assert raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000
                await stream.aclose()

        asyncio.run(scene())


async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while said := await reader.read(10_000):
        writer.write(said)


class TestTheFinalCheck:
    def test_does_not_hang_on_what_httpcore_calls_its_steps(
        self, monkeypatch: pytest.MonkeyPatch, acme: Authority
    ) -> None:
        def renamed(name: str, *more: object) -> object:
            return httpcore._trace.Trace(f"another_{name}", *more)  # type: ignore[arg-type]

        monkeypatch.setattr("httpcore._async.http11.Trace", renamed)
        monkeypatch.setattr("httpcore._async.connection.Trace", renamed)

        def no() -> None:
            raise NotSent(Problem("create payout", "its rate has expired"), written=False)

        async def scene() -> None:
            heard = Heard()
            async with (
                heard.listening(acme.server()) as url,
                http_to(url, TlsPolicy(acme.file)) as http,
            ):
                with pytest.raises(NotSent):
                    await http.exchange(replace(LETTER, connected=no))
            assert heard.bytes == b""
            pinned = TlsPolicy(acme.file, pins=frozenset({"0" * 64}))
            async with heard.listening(acme.server()) as url, http_to(url, pinned) as http:
                with pytest.raises(ServiceUnreachable, match="certificate_sha256"):
                    await http.exchange(LETTER)
            assert heard.bytes == b""

        asyncio.run(scene())

    @pytest.mark.parametrize(
        ("guard", "words"),
        [
            (nullcontext(), "its final check could not run"),
            (guarding(GuardedRequest("create payout", None)), "certificate could not be checked"),
        ],
        ids=["no look", "no certificate"],
    )
    def test_that_was_not_taken_lets_nothing_out(
        self, guard: AbstractContextManager[None], words: str
    ) -> None:
        """As if a later httpcore came to its first byte by another way."""

        async def scene() -> None:
            written = Written()
            stream = GuardedStream(written, ConnectionRules(TlsPolicy(), is_secured=True))
            with guard, pytest.raises(ServiceUnreachable, match=words) as caught:
                await stream.write(b"POST / HTTP/1.1\r\n")
            assert caught.value.effect is Effect.NONE
            assert "nothing was sent" in str(caught.value)
            assert "Install the version of httpcore" in str(caught.value)
            assert written.bytes == b""

        asyncio.run(scene())

    def test_a_certificate_that_cannot_be_seen_is_not_believed(self) -> None:
        async def scene() -> None:
            written = Written()
            stream = GuardedStream(written, ConnectionRules(TlsPolicy(), is_secured=True))
            with (
                guarding(GuardedRequest("create payout", None)),
                pytest.raises(ServiceUnreachable, match="certificate could not be checked"),
            ):
                await stream.start_tls(ssl.create_default_context())
            assert written.is_closed

        asyncio.run(scene())

    def test_a_connection_that_cannot_be_aborted_carries_no_letter(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(httpcore, "AnyIOBackend", lambda: httpcore.AsyncMockBackend([]))

        async def scene() -> None:
            rules = ConnectionRules(TlsPolicy(), is_secured=False, abort_after=15.0)
            backend = GuardedBackend(rules)
            with pytest.raises(ServiceUnreachable, match="could not be set to be aborted"):
                await backend.connect_tcp("localhost", 1)

        asyncio.run(scene())

    def test_a_letter_does_not_go_where_another_request_went(self) -> None:
        async def scene() -> None:
            written = Written()
            stream = GuardedStream(
                written, ConnectionRules(TlsPolicy(), is_secured=False, abort_after=15.0)
            )
            with guarding(GuardedRequest("create payout", None)):
                await stream.write(b"1")
            with (
                guarding(GuardedRequest("create payout", None)),
                pytest.raises(ServiceUnreachable, match="had carried another request"),
            ):
                await stream.write(b"2")
            assert written.bytes == b"1"

        asyncio.run(scene())

    @pytest.mark.parametrize("secured", [False, True])
    def test_a_letter_does_not_go_by_a_second_connection(self, *, secured: bool) -> None:
        """As if a later httpcore tried again by itself: it would be a second payment."""

        async def scene() -> None:
            first, second = Written(), Written()
            rules = ConnectionRules(
                TlsPolicy(proxy="http://proxy"), is_secured=secured, abort_after=15.0
            )
            with guarding(GuardedRequest("create payout", None)):
                await GuardedStream(first, rules, is_verified=secured).write(b"1")
                again = GuardedStream(second, rules)
                with pytest.raises(ServiceUnreachable, match="not sent again") as caught:
                    await again.write(b"CONNECT " if secured else b"1")
            assert caught.value.effect is Effect.UNKNOWN
            assert (first.bytes, second.bytes) == (b"1", b"")

        asyncio.run(scene())


class Written(httpcore.AsyncMockStream):
    """A connection that keeps what is written, and shows no certificate."""

    def __init__(self) -> None:
        super().__init__([])
        self.bytes = b""
        self.is_closed = False

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        self.bytes += buffer

    async def aclose(self) -> None:
        self.is_closed = True


class Generous:
    """Answers the first request of each connection twice, and every other one once."""

    def __init__(self) -> None:
        self.connections = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        first = True
        while head := await reader.readuntil(b"\r\n\r\n"):
            if b"POST" in head:
                await reader.readexactly(2)
            writer.write(answer(b'"its own"') + answer(b'"another\'s"', 201) * first)
            first = False


class TestWhatIsLeftOverOfAnAnswer:
    def test_is_not_the_answer_of_a_letter(self) -> None:
        async def scene() -> None:
            generous = Generous()
            async with server(generous) as url, http_to(url) as http:
                await http.exchange(READ)
                answered = await http.exchange(LETTER)
            assert (answered.status, answered.body) == (200, b'"its own"')
            assert generous.connections == 2

        asyncio.run(scene())

    def test_is_not_the_answer_of_a_read(self) -> None:
        async def scene() -> None:
            generous = Generous()
            async with server(generous) as url, http_to(url) as http:
                await http.exchange(READ)
                with pytest.raises(ServiceUnreachable, match="came before the request"):
                    await http.exchange(READ)
                assert (await http.exchange(READ)).body == b'"its own"'
            assert generous.connections == 2

        asyncio.run(scene())
