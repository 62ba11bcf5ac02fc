"""Responses are compressed as requested and decompressed within limits."""

from __future__ import annotations

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from paytui.api.errors import ApiError, Effect, ServiceUnreachable, Unreadable
from paytui.api.http import response
from paytui.api.http.response import Answer
from paytui.api.http.transport import Call, Http, Timeouts
from paytui.domain.exact_json import NotJson, parse
from paytui.platform.clock import ServiceTime
from tests.support.clock import ManualClock

POST = Call("create payout", "POST", "/v2/payments/payout", body=b"{}")


def gzipped(plain: bytes) -> bytes:
    """The same bytes whenever it is made."""
    return gzip.compress(plain, mtime=0)


BODY = b'{"wallets": [' + b'{"walletId": "w-1", "currency": "EUR"}, ' * 300 + b"{}]}"
GZIP, DEFLATE = gzipped(BODY), zlib.compress(BODY)
BARE = DEFLATE[2:-4]
"""Without the two bytes before and the four behind it (RFC 1950 §2.2)."""

MIB = 1024 * 1024


def answering(
    codings: list[str], sent: bytes, length: int, status: int = 201
) -> httpx.MockTransport:
    """Return an app that responds with these bytes, in chunks of the given length."""

    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(sent), length):
            yield sent[start : start + length]

    headers = [("content-encoding", coding) for coding in codings] + [("retry-after", "120")]
    return httpx.MockTransport(lambda _: httpx.Response(status, headers=headers, content=chunks()))


def http(codings: list[str], sent: bytes, length: int = 65_536, status: int = 201) -> Http:
    service, time = answering(codings, sent, length, status), ServiceTime(ManualClock())
    return Http("https://api.example.com", time, service, Timeouts())


def answer(codings: list[str], sent: bytes, length: int = 65_536, status: int = 201) -> Answer:
    return asyncio.run(http(codings, sent, length, status).exchange(POST))


def failure(codings: list[str], sent: bytes, status: int = 201) -> ApiError:
    with pytest.raises(ApiError) as caught:
        answer(codings, sent, status=status)
    return caught.value


@pytest.mark.parametrize(
    ("codings", "sent"),
    [
        ([], BODY),
        ([""], BODY),
        (["identity"], BODY),
        (["gzip"], GZIP),
        ([" GZip "], GZIP),
        (["x-gzip"], GZIP),
        (["identity, gzip"], GZIP),
        (["gzip", "identity"], GZIP),
        (["deflate"], DEFLATE),
        (["deflate"], BARE),
        (["gzip"], b""),
        (["deflate"], b""),
    ],
    ids=lambda it: ", ".join(it) or "plain" if isinstance(it, list) else f"{len(it)} bytes",
)
def test_what_is_packed_as_was_asked_for_is_read(codings: list[str], sent: bytes) -> None:
    """It comes in pieces, or at once."""
    bodies = {answer(codings, sent, length).body for length in (5, 65_536)}
    assert bodies == {BODY if sent else b""}


@pytest.mark.parametrize(
    ("coding", "sent"),
    [
        ("gzip", GZIP[:-1]),
        ("gzip", GZIP[:60]),
        ("deflate", BARE[:60]),
        ("gzip", GZIP + b"\0" * 40),
        ("gzip", GZIP + gzipped(b"more")),
        ("deflate", DEFLATE + b"more"),
    ],
    ids=["less 1", "cut", "bare, cut", "blanks", "two", "more"],
)
def test_what_ends_too_early_or_too_late_is_read_as_httpx_does(coding: str, sent: bytes) -> None:
    theirs = httpx.Response(200, headers={"content-encoding": coding}, content=sent).content
    assert {answer([coding], sent, length).body for length in (5, 65_536)} == {theirs}


def test_what_is_cut_in_the_middle_is_cut_json() -> None:
    cut = answer(["gzip"], GZIP[:60]).body
    assert BODY.startswith(cut)
    with pytest.raises(NotJson):
        parse(cut)


@pytest.mark.parametrize(
    ("coding", "sent"),
    [("gzip", BODY), ("gzip", DEFLATE), ("gzip", GZIP[:-8] + b"\0" * 8), ("deflate", GZIP)],
    ids=["not at all", "otherwise", "to another sum", "by gzip for deflate"],
)
def test_what_is_not_packed_as_it_says_is_garbled(coding: str, sent: bytes) -> None:
    error = failure([coding], sent)
    assert type(error) is ServiceUnreachable
    assert error.effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    "codings",
    [["gzip, x-gzip"], ["gzip", "gzip"], ["br"], ["x, identity"]],
    ids=", then ".join,
)
def test_what_is_packed_twice_or_otherwise_than_was_asked_for_is_not_read(
    codings: list[str],
) -> None:
    error = failure(codings, gzipped(GZIP))
    assert type(error) is Unreadable
    assert error.status == 201
    assert error.effect is Effect.UNKNOWN
    assert "201 with a response compressed otherwise" in error.problem.what
    assert "once, by gzip or deflate" in error.problem.remedy


@pytest.mark.parametrize("coding", ["br", "gzip, br", "gzip", "deflate"])
def test_where_nothing_came_there_is_nothing_to_unpack(coding: str) -> None:
    came = answer([coding], b"")
    assert (came.status, came.body) == (201, b"")


@pytest.mark.parametrize(
    ("coding", "sent", "status"),
    [
        *(("br", BODY, status) for status in (204, 302, 304, 400, 401, 429, 503)),
        ("gzip", BODY, 409),
        ("gzip", GZIP[:-8] + b"\0" * 8, 422),
    ],
)
def test_a_refusal_is_told_by_status_and_headers_if_its_words_cannot_be_unpacked(
    coding: str, sent: bytes, status: int
) -> None:
    came = answer([coding], sent, status=status)
    assert (came.status, came.headers["retry-after"], came.body) == (status, "120", b"")


@pytest.mark.parametrize("codings", [[], ["gzip"]], ids=["plain", "packed"])
def test_a_refusal_in_too_many_words_is_one_without_any(
    monkeypatch: pytest.MonkeyPatch, codings: list[str]
) -> None:
    monkeypatch.setattr(response, "LONGEST_BODY", 5_000)
    came = answer(codings, gzipped(BODY) if codings else BODY, 7, 429)
    assert (came.status, came.headers["retry-after"], came.body) == (429, "120", b"")


def test_the_words_of_a_refusal_are_unpacked_as_any() -> None:
    assert answer(["gzip"], GZIP, status=422).body == BODY


@pytest.mark.parametrize(
    ("coding", "sent", "status"),
    [*(("br", BODY, status) for status in (200, 201, 299, 404, 405)), ("gzip", BODY, 201)],
)
def test_what_may_have_been_done_and_cannot_be_unpacked_is_in_doubt(
    coding: str, sent: bytes, status: int
) -> None:
    assert failure([coding], sent, status).effect is Effect.UNKNOWN


def test_an_answer_of_all_that_may_come_is_read_and_a_byte_more_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(response, "LONGEST_BODY", 5_000)
    assert len(answer(["gzip"], gzipped(bytes(5_000)), 7).body) == 5_000
    assert "more than 16 MB" in failure(["gzip"], gzipped(bytes(5_001))).problem.what


def allocated(work: Callable[[], object]) -> int:
    """The most bytes that stood at once while this was done."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("codings", "sent"),
    [
        (["gzip"], gzipped(bytes(32 * MIB))),
        (["deflate"], zlib.compress(bytes(32 * MIB))),
        (["gzip, gzip"], gzipped(gzipped(bytes(32 * MIB)))),
    ],
    ids=["gzip", "deflate", "twice"],
)
def test_a_small_answer_does_not_become_a_large_one(
    monkeypatch: pytest.MonkeyPatch, codings: list[str], sent: bytes
) -> None:
    monkeypatch.setattr(response, "LONGEST_BODY", 100_000)
    assert allocated(lambda: failure(codings, sent)) < 2 * MIB


def test_what_comes_behind_the_end_is_not_kept() -> None:
    sent = GZIP + bytes(16 * MIB)
    assert allocated(lambda: answer(["gzip"], sent)) < 2 * MIB


def test_what_came_is_counted_as_it_came() -> None:
    def received(sent: bytes) -> int:
        asked = http(["gzip"], sent)
        asyncio.run(asked.exchange(POST))
        return asked.metrics.received

    assert received(GZIP) - received(b"") == len(GZIP)
