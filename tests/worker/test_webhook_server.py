"""The HTTP server for webhooks, bounded in every direction."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from http import HTTPStatus

import httpx
import pytest

from paytui.worker.webhook_intake import Message
from paytui.worker.webhook_listener import WebhookServer

PATH = "/hooks/0123456789abcdef"
MEGABYTE = 1_000_000


class Porch:
    """A door on a free port, and what came in by it."""

    def __init__(self, patience: float = 60) -> None:
        self.taken: list[Message] = []
        self.answer = HTTPStatus.NO_CONTENT
        self._door = WebhookServer(PATH, self._take, timeout=patience)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def _take(self, message: Message) -> HTTPStatus:
        self.taken.append(message)
        return self.answer

    def meet(self, visit: Callable[[Porch], Awaitable[None]]) -> None:
        """Serve for as long as a visit takes."""
        asyncio.run(self._meet(visit))

    async def _meet(self, visit: Callable[[Porch], Awaitable[None]]) -> None:
        with self._listener:
            serving = asyncio.create_task(self._door.serve(self._listener))
            try:
                await visit(self)
            finally:
                serving.cancel()
                await asyncio.wait([serving])
                assert asyncio.all_tasks() == {asyncio.current_task()}

    async def request(
        self, method: str, path: str = PATH, body: bytes = b"{}", **headers: str
    ) -> httpx.Response:
        url = f"http://127.0.0.1:{self.port}{path}"
        async with httpx.AsyncClient(trust_env=False) as client:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            return await client.request(method, url, content=body, headers=sent)

    async def speak(self, words: bytes) -> bytes:
        """The whole answer to some bytes, from someone who says no more."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(words)
        answer = await reader.read()
        writer.close()
        return answer


def test_what_is_posted_is_taken_with_its_signature() -> None:
    async def visit(porch: Porch) -> None:
        answer = await porch.request(
            "POST",
            body=b'{"a": 1}',
            webhook_id="evt-1",
            webhook_timestamp="1772452800",
            webhook_signature="v1,abc v1,def",
        )
        assert (answer.status_code, answer.content) == (204, b"")
        assert porch.taken == [
            Message(b'{"a": 1}', "evt-1", "1772452800", "v1,abc v1,def"),
        ]

    Porch().meet(visit)


def test_the_sender_is_told_what_was_thought_of_it() -> None:
    async def visit(porch: Porch) -> None:
        porch.answer = HTTPStatus.UNAUTHORIZED
        assert (await porch.request("POST")).status_code == 401

    Porch().meet(visit)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", PATH, 405),
        ("PUT", PATH, 405),
        ("POST", "/hooks/0123456789abcdeg", 404),
        ("POST", "/", 404),
        ("POST", f"{PATH}?a=b", 404),
        ("GET", "/hooks/", 404),
    ],
)
def test_nothing_else_is_taken(method: str, path: str, status: int) -> None:
    async def visit(porch: Porch) -> None:
        assert (await porch.request(method, path)).status_code == status
        assert porch.taken == []

    Porch().meet(visit)


def test_a_body_may_have_a_megabyte_and_no_byte_more() -> None:
    async def visit(porch: Porch) -> None:
        assert (await porch.request("POST", body=b" " * MEGABYTE)).status_code == 204
        assert (await porch.request("POST", body=b" " * (MEGABYTE + 1))).status_code == 413
        assert (await porch.request("POST", body=b" " * 9 * MEGABYTE)).status_code == 413
        assert [len(message.body) for message in porch.taken] == [MEGABYTE]

    Porch().meet(visit)


def test_a_body_without_a_length_is_bounded_too() -> None:
    async def visit(porch: Porch) -> None:
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        assert b" 413 " in await porch.speak(head + chunk * 16 + b"0\r\n\r\n")
        assert b" 204 " in await porch.speak(head + chunk + b"0\r\n\r\n")

    Porch().meet(visit)


@pytest.mark.parametrize(
    "words",
    [
        b"hello\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\r\n" * 9,
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\n" + b"X-Long: " + b"y" * 20_000,
    ],
)
def test_what_is_not_http_is_refused(words: bytes) -> None:
    async def visit(porch: Porch) -> None:
        answer = await porch.speak(words)
        assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 431 "))
        assert (await porch.request("POST")).status_code == 204, "and others are heard"

    Porch().meet(visit)


def test_who_does_not_come_to_an_end_is_not_waited_for() -> None:
    async def visit(porch: Porch) -> None:
        begun = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nbegun".encode()
        assert b" 408 " in await porch.speak(begun)
        assert b" 408 " in await porch.speak(b"")
        assert porch.taken == []

    Porch(patience=0.05).meet(visit)


def test_only_so_many_speak_at_once() -> None:
    async def visit(porch: Porch) -> None:
        idle = [await asyncio.open_connection("127.0.0.1", porch.port) for _ in range(16)]
        assert (await porch.request("POST")).status_code == 503
        for _, writer in idle:
            writer.close()
        while (await porch.request("POST")).status_code == 503:
            pass
        assert len(porch.taken) == 1

    Porch().meet(visit)


def test_who_asks_first_whether_to_send_the_body_is_told_to() -> None:
    async def visit(porch: Porch) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", porch.port)
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n"
        writer.write(f"{head}\r\n".encode())
        assert b" 100 " in await reader.readuntil(b"\r\n\r\n")
        writer.write(b"{}")
        assert b" 204 " in await reader.read()
        writer.close()
        assert [message.body for message in porch.taken] == [b"{}"]

    Porch().meet(visit)


def test_a_mistake_of_ours_costs_one_sender_an_answer_and_nobody_else() -> None:
    async def visit(porch: Porch) -> None:
        porch.answer = HTTPStatus(204)
        taking, porch.taken = porch.taken, None  # type: ignore[assignment]  # makes taking fail
        with pytest.raises(httpx.RemoteProtocolError):
            await porch.request("POST")
        porch.taken = taking
        assert (await porch.request("POST")).status_code == 204

    Porch().meet(visit)
