"""One request and one complete response, within limits."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from paytui.api.dialect import load_dialect
from paytui.api.errors import ApiError, Effect, ServiceUnreachable, TimedOut, Unreadable
from paytui.api.http import response
from paytui.api.http.response import Answer
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.platform.clock import ServiceTime
from paytui.platform.host import checked_base_url
from tests.support.clock import NOON, ManualClock
from tests.support.tcp import Handler, server

CALL = Call("read wallets", "GET", "/v2/wallets")
POST = Call("create payout", "POST", "/v2/payments/payout", body=b"{}")
SHORT = Timeouts(read=0.05)


def exchange(
    handler: httpx.MockTransport, time: ServiceTime | None = None, call: Call = CALL
) -> Answer:
    http = Http("https://api.example.com/", time or ServiceTime(ManualClock()), handler, Timeouts())
    return asyncio.run(http.exchange(call))


def answering(**headers: str) -> httpx.MockTransport:
    return httpx.MockTransport(lambda _: httpx.Response(200, headers=headers, content=b"{}"))


@pytest.mark.parametrize(
    "url",
    [
        "https://api.example.com",
        "https://api.example.com/base/",
        "http://127.0.0.1:8000",
        "http://127.9.9.9",
        "http://[::1]:8000",
        "http://localhost:1",
        "http://LOCALHOST",
    ],
)
def test_https_anywhere_and_http_on_this_host_are_fine(url: str) -> None:
    assert checked_base_url(url) == url.rstrip("/")


@pytest.mark.parametrize(
    "url",
    [
        "http://api.example.com",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://10.0.0.1",
        "http://0.0.0.0:8000",
        "http://[::2]",
        "ftp://localhost",
        "api.example.com",
        "",
        "https://",
        "https://user:pass@api.example.com",
        "https://api.example.com?x=1",
        "https://api.example.com#x",
        "https://api.example.com:port",
        "https://api.example.com:0",
    ],
)
def test_any_other_base_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"http|must hold no"):
        checked_base_url(url)


def test_a_redirect_is_an_answer_and_not_followed() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return httpx.Response(302, headers={"location": "https://evil.example.com/"})

    assert exchange(httpx.MockTransport(answer)).status == 302
    assert seen == ["https://api.example.com/v2/wallets"]


def test_a_cookie_is_not_brought_back() -> None:
    """Who we are is the token's to say, and nothing else tells one request from another."""
    brought: list[str | None] = []

    def answer(request: httpx.Request) -> httpx.Response:
        brought.append(request.headers.get("cookie"))
        return httpx.Response(200, headers={"set-cookie": "who=jo; Path=/"})

    async def scene() -> None:
        time, given = ServiceTime(ManualClock()), httpx.MockTransport(answer)
        http = Http("https://api.example.com", time, given, Timeouts())
        for _ in range(2):
            await http.exchange(CALL)

    asyncio.run(scene())
    assert brought == [None, None]


def test_a_header_that_comes_twice_is_one_list() -> None:
    """RFC 9110 §5.3."""
    twice = [("Link", '</b>; rel="next"'), ("LINK", '</a>; rel="prev"')]
    answer = exchange(httpx.MockTransport(lambda _: httpx.Response(200, headers=twice)))
    assert answer.headers["link"] == '</b>; rel="next", </a>; rel="prev"'


def test_a_request_says_who_asks_and_for_what() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["user-agent"].startswith("paytui/")
        assert request.headers["accept"] == "application/json"
        assert request.headers["content-type"] == "application/json"
        assert request.content == b"{}"
        return httpx.Response(201)

    assert exchange(httpx.MockTransport(answer), call=POST).status == 201


@pytest.mark.parametrize(
    ("header", "ours"),
    [("accept", "application/json"), ("Accept", "application/json"), ("USER-AGENT", "paytui/")],
)
def test_a_header_of_the_dialect_goes_out_instead_of_ours(
    tmp_path: Path, header: str, ours: str
) -> None:
    sent: list[list[str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append([value for name, value in request.headers.multi_items() if name == lower])
        return httpx.Response(200)

    lower, profile = header.lower(), tmp_path / "acme.toml"
    profile.write_text(f'[headers]\n{header} = "theirs"\n', encoding="utf-8")
    for dialect in (load_dialect(), load_dialect(profile)):
        call = replace(CALL, headers=dialect.headers)
        exchange(httpx.MockTransport(answer), call=call)
    [[before], after] = sent
    assert before.startswith(ours)
    assert after == ["theirs"]


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ({"x-key": "fixed", "X-Key": "of the intent"}, "x-key", "of the intent"),
        ({"X-Key": "fixed", "x-key": "of the intent"}, "x-key", "of the intent"),
        ({"authorization": "Basic x", "Authorization": "Bearer t"}, "authorization", "Bearer t"),
        ({"content-type": "text/plain"}, "content-type", "application/json"),
        ({"CONTENT-TYPE": "text/plain"}, "content-type", "application/json"),
        ({"User-Agent": "desk"}, "user-agent", "desk"),
    ],
)
def test_of_headers_that_differ_by_case_alone_the_last_goes_out(
    given: dict[str, str], name: str, value: str
) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers.get_list(name) == [value]
        return httpx.Response(201)

    call = replace(POST, headers=given)
    assert exchange(httpx.MockTransport(answer), call=call).status == 201


def test_a_header_is_spelt_as_it_was_given() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert (b"X-Key", b"of the intent") in request.headers.raw
        return httpx.Response(201)

    call = replace(POST, headers={"x-key": "fixed", "X-Key": "of the intent"})
    assert exchange(httpx.MockTransport(answer), call=call).status == 201


def test_a_proxy_in_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "http://proxy.invalid:1")
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.invalid:1")

    async def scene() -> Answer:
        no_content = answer_with(b"HTTP/1.1 204 No Content\r\n\r\n")
        async with server(no_content) as url, http_to(url) as http:
            return await http.exchange(CALL)

    assert asyncio.run(scene()).status == 204


def test_the_services_clock_is_learnt_from_its_date() -> None:
    time = ServiceTime(ManualClock())
    exchange(answering(date="Mon, 02 Mar 2026 12:10:00 GMT"), time)
    assert time.known
    assert timedelta(0) <= time.latest() - (NOON + timedelta(minutes=10)) <= timedelta(seconds=1)


@pytest.mark.parametrize(
    ("call", "age", "known"),
    [(POST, "0", True), (POST, "600", False), (CALL, "0", False)],
)
def test_a_date_that_a_cache_lets_pass_is_the_services_own(
    call: Call, age: str, *, known: bool
) -> None:
    """Some caches write `Age: 0` into each answer, also to requests that they never store."""
    time = ServiceTime(ManualClock())
    exchange(answering(date="Mon, 02 Mar 2026 12:10:00 GMT", age=age), time, call)
    assert time.known is known


@pytest.mark.parametrize(
    "headers",
    [
        {"date": "Mon, 02 Mar 2026 12:10:00 GMT", "age": "600"},
        {"date": "Mon, 02 Mar 2026 12:10:00 GMT", "warning": '110 - "Response is Stale"'},
        {"date": "yesterday"},
        {"date": ""},
        {"date": "Fri, 31 Dec 9999 23:59:59 GMT"},
        {"date": "Mon, 02 Mar 2026 12:10:00 +99999999999999999999"},
        {},
    ],
)
def test_a_date_from_a_cache_or_without_sense_teaches_nothing(headers: dict[str, str]) -> None:
    time = ServiceTime(ManualClock())
    exchange(answering(**headers), time)
    assert not time.known


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"date": "Mon, 02 Mar 2026 11:00:00 GMT"}, 0),
        ({"age": "0"}, 0),
        ({"age": "600"}, 600),
        ({"age": "600", "date": "Mon, 02 Mar 2026 11:55:00 GMT"}, 600),
        ({"age": "3", "date": "Mon, 02 Mar 2026 11:00:00 GMT"}, 3_600),
        ({"warning": '110 - "Response is Stale"', "date": "Mon, 02 Mar 2026 11:00:00 GMT"}, 3_600),
        ({"warning": '299 - "Deprecated"'}, 0),
        ({"age": "-5"}, 0),
        ({"age": "soon"}, 0),
        ({"age": "9" * 400}, 366 * 86_400),
    ],
)
def test_an_answer_of_a_cache_is_as_old_as_its_age_and_date_say(
    headers: dict[str, str], seconds: float
) -> None:
    """RFC 9111 §4.2.3; without either, and at a service whose clock was set, it is new."""
    time = ServiceTime(ManualClock())
    time.observe(NOON, time.clock.boot(), time.clock.boot())
    assert exchange(answering(**headers), time).age == pytest.approx(seconds, abs=1)


def test_an_answer_remembers_when_it_was_asked_for() -> None:
    clock = ManualClock()

    def slow(_: httpx.Request) -> httpx.Response:
        clock.advance(7)
        return httpx.Response(200)

    before = clock.boot()
    assert exchange(httpx.MockTransport(slow), ServiceTime(clock)).sent == before


def test_an_endless_body_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response, "LONGEST_BODY", 1_000)
    handler = httpx.MockTransport(lambda _: httpx.Response(200, content=b"x" * 5_000))
    with pytest.raises(Unreadable, match="16 MB"):
        exchange(handler)


FAILURES: list[tuple[Exception, type[ApiError], Effect]] = [
    (httpx.ConnectError("refused"), ServiceUnreachable, Effect.NONE),
    (httpx.ConnectTimeout("slow"), TimedOut, Effect.NONE),
    (httpx.PoolTimeout("busy"), TimedOut, Effect.NONE),
    (httpx.WriteTimeout("slow"), TimedOut, Effect.UNKNOWN),
    (httpx.ReadTimeout("slow"), TimedOut, Effect.UNKNOWN),
    (httpx.WriteError("cut"), ServiceUnreachable, Effect.UNKNOWN),
    (httpx.ReadError("cut"), ServiceUnreachable, Effect.UNKNOWN),
    (httpx.RemoteProtocolError("cut"), ServiceUnreachable, Effect.UNKNOWN),
    (ConnectionResetError("cut"), ServiceUnreachable, Effect.UNKNOWN),
    (TimeoutError(), TimedOut, Effect.UNKNOWN),
]


@pytest.mark.parametrize(("raised", "kind", "effect"), FAILURES, ids=lambda value: repr(value)[:24])
def test_a_failure_tells_whether_anything_may_have_left(
    raised: Exception, kind: type[ApiError], effect: Effect
) -> None:
    def fail(_: httpx.Request) -> httpx.Response:
        raise raised

    with pytest.raises(ApiError) as caught:
        exchange(httpx.MockTransport(fail), call=POST)
    assert type(caught.value) is kind
    assert caught.value.effect is effect
    assert caught.value.problem.attempted == "create payout"
    assert caught.value.problem.remedy


def test_what_was_sent_does_not_hang_on_the_error() -> None:
    """httpx's own error holds the request, and with it the secret or the token."""

    def fail(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("cut")

    with pytest.raises(ServiceUnreachable) as caught:
        exchange(httpx.MockTransport(fail))
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


# Against real sockets


def answer_with(answer: bytes, *, close: bool = False) -> Handler:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        if close:
            writer.close()

    return handle


@asynccontextmanager
async def http_to(url: str, timeouts: Timeouts | None = None) -> AsyncIterator[Http]:
    http = Http(url, ServiceTime(ManualClock()), None, timeouts or Timeouts())
    try:
        yield http
    finally:
        await http.aclose()


def failure_of(handler: Handler, timeouts: Timeouts = SHORT) -> ApiError:
    async def scene() -> ApiError:
        async with server(handler) as url, http_to(url, timeouts) as http:
            with pytest.raises(ApiError) as caught:
                await http.exchange(POST)
            return caught.value

    return asyncio.run(scene())


def test_a_port_where_nobody_listens_means_that_nothing_was_sent() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]

    async def scene() -> None:
        async with http_to(f"http://127.0.0.1:{port}") as http:
            await http.exchange(POST)

    with pytest.raises(ServiceUnreachable) as caught:
        asyncio.run(scene())
    assert caught.value.effect is Effect.NONE


def test_a_service_that_never_answers_is_given_up() -> None:
    error = failure_of(answer_with(b""))
    assert isinstance(error, TimedOut)
    assert error.effect is Effect.UNKNOWN


def test_a_service_that_trickles_is_given_up_all_the_same() -> None:
    async def trickle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    error = failure_of(trickle, Timeouts(overall=0.2))
    assert isinstance(error, TimedOut)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc",
    ],
    ids=["closed", "cut", "cut in a chunk", "no http", "no gzip"],
)
def test_an_answer_that_is_cut_or_garbled_may_have_been_executed(answer: bytes) -> None:
    error = failure_of(answer_with(answer, close=True), Timeouts())
    assert type(error) is ServiceUnreachable
    assert error.effect is Effect.UNKNOWN


def test_plain_http_behind_https_is_a_failure_before_anything_is_sent() -> None:
    async def no_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async def scene() -> None:
        async with server(no_tls) as url, http_to(url.replace("http:", "https:")) as http:
            await http.exchange(POST)

    with pytest.raises(ServiceUnreachable) as caught:
        asyncio.run(scene())
    assert caught.value.effect is Effect.NONE
