"""Reads from a slow, faulty or malicious service: losses, and their duration."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from paytui.api import paging
from paytui.domain.models import Kind
from paytui.store.health import LinkState
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import LISTED, Desk

Answer = Callable[[Request], Response]


class Hijacked:
    """A service of which one path is answered by somebody else once `instead` is set."""

    def __init__(self, service: ASGIApp, path: str) -> None:
        self._service = service
        self._path = path
        self.instead: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hijacked = scope["path"] == self._path and self.instead
        await (hijacked or self._service)(scope, receive, send)


def answering(answer: Callable[[Request], object]) -> ASGIApp:
    """An app that answers by what a function makes of a request; no bytes go out as JSON."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body = answer(Request(scope))
        whole = body if isinstance(body, bytes) else json.dumps(body).encode()
        await Response(whole, media_type="application/json")(scope, receive, send)

    return app


async def trickling(scope: Scope, receive: Receive, send: Send) -> None:
    """Send one byte a second, for ever."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b" ", "more_body": True})
        await asyncio.sleep(1)


@pytest.fixture
def wallets(service: Starlette) -> Hijacked:
    return Hijacked(service, "/v2/wallets")


@pytest.fixture
def desk(wallets: Hijacked, clock: ManualClock) -> Desk:
    return Desk(wallets, clock)


TEN_MB = 10 * 1024 * 1024
BAD: dict[str, ASGIApp] = {
    "a body of 17 MB": answering(lambda _: b" " * 17 * 1024 * 1024),
    "10 MB of brackets": answering(lambda _: b"[" * TEN_MB),
    "a byte a second": trickling,
}


@pytest.mark.parametrize("attack", BAD)
def test_a_bad_answer_costs_its_own_feed_alone_and_no_row(
    all_read: Run, desk: Desk, wallets: Hijacked, attack: str
) -> None:
    """Right again within the longest back-off and the time that an answer is given, 30 s each."""

    async def watch() -> None:
        held = {kind: desk.count(kind) for kind in LISTED}
        wallets.instead = BAD[attack]
        await desk.until(lambda: not desk.store.feed(Kind.WALLETS).ok, within=45)
        desk.network.requests.clear()
        for _ in range(60):
            await asyncio.sleep(1)
            assert desk.store.feed(Kind.PAYMENTS).ok
            assert desk.store.link.state is LinkState.UP
        assert desk.network.counts["/v2/payments"] >= 8
        assert {kind: desk.count(kind) for kind in LISTED} == held
        wallets.instead = None
        await desk.until(desk.all_ok, within=61)

    all_read(watch())


@pytest.mark.slow
def test_ten_megabytes_of_records_are_read_whole(run: Run, desk: Desk, wallets: Hijacked) -> None:
    records = [{"walletId": f"w{number}", "walletName": "x" * 10_000} for number in range(1_000)]
    wallets.instead = answering(lambda _: {"items": records, "total": 1_000})
    assert len(json.dumps(records)) > 10_000_000
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {f"w{number}" for number in range(1_000)}
    assert desk.store.feed(Kind.WALLETS).ok
    names = {row.wallet_name for row in desk.store.wallets.rows()}
    assert names == {"x" * 1_999 + "…"}


def test_a_page_that_never_ends_is_bounded_and_says_of_how_many(
    all_read: Run, desk: Desk, wallets: Hijacked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound of 5,000 requests is made 50 here; one request takes 0.01 s."""
    monkeypatch.setattr(paging, "MOST_REQUESTS", 50)

    def one_more(request: Request) -> object:
        number = request.query_params["page"]
        return {"items": [{"walletId": f"endless-{number}"}], "total": 10**9}

    async def watch() -> None:
        held = desk.count(Kind.WALLETS)
        wallets.instead = answering(one_more)
        desk.network.requests.clear()
        await asyncio.sleep(60)
        assert desk.count(Kind.WALLETS) == held + 50
        assert desk.store.feed(Kind.WALLETS).total == 10**9
        assert desk.store.feed(Kind.PAYMENTS).ok
        # A read of half a second every five: ten or eleven of them, and the others go on.
        assert desk.network.counts["/v2/wallets"] <= 12 * 50
        assert desk.network.counts["/v2/payments"] >= 10
        wallets.instead = None
        await desk.until(lambda: desk.count(Kind.WALLETS) == held, within=10)

    all_read(watch())


def test_an_object_on_two_pages_is_one_row_and_soon_the_newest(
    run: Run, desk: Desk, wallets: Hijacked
) -> None:
    """It slipped on while the list was read; its newer state is read with the next list."""
    pages = {"1": [("a", 1), ("b", 1)], "2": [("b", 2), ("c", 2)], "3": [("c", 3), ("d", 3)]}

    def page(request: Request) -> object:
        rows = pages[request.query_params["page"]]
        return {"items": [{"walletId": a, "walletName": f"{a}{n}"} for a, n in rows], "total": 4}

    def settled(_: Request) -> object:
        return {"items": [{"walletId": a, "walletName": f"{a}9"} for a in "abcd"], "total": 4}

    def names() -> list[str]:
        return sorted(row.wallet_name or "" for row in desk.store.wallets.rows())

    async def watch() -> None:
        wallets.instead = answering(page)
        async with desk.at_work():
            await desk.until(desk.all_ok)
            assert desk.store.wallets.keys() == set("abcd"), "4 of 4"
            wallets.instead = answering(settled)
            await desk.until(lambda: names() == ["a9", "b9", "c9", "d9"], within=6)
            assert desk.all_ok()

    run(watch())


@pytest.mark.parametrize(
    ("around", "words"),
    [
        ({"next": "abc"}, "more seems to follow: next is not read; set [paging]"),
        ({"total": 2, "hasMore": True}, "more seems to follow: hasMore is not read; set [paging]"),
        ({"count": 900}, "count reports 900, only 2 were read; set [paging]"),
    ],
)
def test_a_list_that_goes_on_where_nobody_reads_is_not_right_and_says_why(
    all_read: Run, desk: Desk, wallets: Hijacked, around: dict[str, object], words: str
) -> None:
    """Nothing of what was there before is taken for gone."""

    async def watch() -> None:
        before = desk.store.wallets.keys()
        first = {"items": [{"walletId": "a"}, {"walletId": "b"}], **around}
        wallets.instead = answering(lambda _: first)
        await desk.until(lambda: not desk.store.feed(Kind.WALLETS).ok, within=6)
        problem = desk.store.feed(Kind.WALLETS).problem
        assert problem is not None
        assert problem.what == f"the list was cut short: {words}"
        assert desk.store.wallets.keys() == before | {"a", "b"}
        wallets.instead = None
        await desk.until(lambda: desk.store.feed(Kind.WALLETS).ok, within=6)

    all_read(watch())


def test_records_without_an_identifier_are_counted_and_take_no_others_with_them(
    all_read: Run, desk: Desk, wallets: Hijacked
) -> None:
    """Of what was there before nothing is lost, and all is right with the next list."""
    nameless: list[object] = [{"currency": "AUD"}, {"walletId": ""}, {"walletId": None}, 7, None]
    good = [{"walletId": f"w{number}"} for number in range(100)]

    async def watch() -> None:
        before = desk.store.wallets.keys()
        wallets.instead = answering(lambda _: {"items": [*nameless, *good], "total": 105})
        await desk.until(lambda: desk.store.feed(Kind.WALLETS).skipped == 5, within=6)
        expected = before | {f"w{number}" for number in range(100)}
        assert desk.store.wallets.keys() == expected, "100 of 100 beside those of before"
        wallets.instead = None
        await desk.until(lambda: desk.store.wallets.keys() == before, within=12)
        assert desk.store.feed(Kind.WALLETS).skipped == 0

    all_read(watch())


@pytest.mark.slow
def test_a_certificate_of_another_host_costs_no_row_and_is_over_when_it_is_right(
    all_read: Run, desk: Desk
) -> None:
    """Tried again every 30 s at the most; `test_untrusted_server.py` holds what it refuses."""
    wrong = httpx.ConnectError("certificate is not valid for 'localhost'")

    async def watch() -> None:
        held = {kind: desk.count(kind) for kind in LISTED}
        desk.network.mistakes = dict.fromkeys(desk.network.counts, wrong)
        await desk.until(lambda: desk.store.link.state is LinkState.UNREACHABLE, within=10)
        await asyncio.sleep(600)
        assert {kind: desk.count(kind) for kind in LISTED} == held
        desk.network.mistakes = {}
        await desk.until(lambda: desk.store.link.state is LinkState.UP, within=31)
        await desk.until(desk.all_ok, within=5)
        assert {kind: desk.count(kind) for kind in LISTED} == held

    all_read(watch())
