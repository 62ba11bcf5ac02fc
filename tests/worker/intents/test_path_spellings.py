"""An intent goes to the path spelling that the service has, as reads show."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Intent, Standing, Verdict
from paytui.outbox.entry import Event, EventKind
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

AS_PUBLISHED, OTHER = "/v2/tradess", "/v2/trades"
"""service.md §4, and service.md, "The dialect"."""


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    desk = Dealing(service, clock, path)
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == AS_PUBLISHED:
            return httpx.Response(404, content=b"<h1>Not Found</h1>")
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # a service without that path
    return desk


def left_between_two_paths(desk: Dealing, intent: Intent) -> None:
    """The process that sent it ended when nothing was behind the first."""
    desk.recorded_only(intent)
    for kind, path in ((EventKind.SENDING, AS_PUBLISHED), (EventKind.ELSEWHERE, OTHER)):
        event = Event(kind=kind, at=intent.confirmed_at, method="POST", path=path)
        desk.outbox.add(intent.intent_id, event)


def test_the_next_path_is_written_down_before_it_is_gone_to(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := desk.trade())
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert [(turn.what, turn.words) for turn in row.turns][:2] == [
                ("goes to another path", f"POST {OTHER}"),
                ("sending", f"POST {OTHER}"),
            ]
            assert [row.object_id] == await desk.in_ledger(intent)
            assert AS_PUBLISHED not in desk.network.posts
            reads = desk.network.counts[AS_PUBLISHED]
            desk.submit(following := desk.trade())
            await desk.stands(following, Standing.ACCEPTED)
            assert desk.network.counts[AS_PUBLISHED] == reads, "it is known by now"

    run(scenario())


def test_what_was_left_between_two_paths_waits_for_a_word_and_goes_to_the_second(
    desk: Dealing, run: Run
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        left_between_two_paths(desk, intent := desk.trade())
        async with desk.at_work():
            await desk.stands(intent, Standing.RECORDED)
            await desk.wait(60)
            desk.decide(intent, Verdict.SEND)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert [row.object_id] == await desk.in_ledger(intent)
            assert AS_PUBLISHED not in desk.network.requests

    run(scenario())


def test_what_is_settled_while_reads_look_for_its_path_is_not_sent(desk: Dealing, run: Run) -> None:
    carry = desk.network._carry
    is_settled = asyncio.Event()

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == AS_PUBLISHED:
            await is_settled.wait()
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # a slow service

    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := desk.trade())
            await desk.stands(intent, Standing.RECORDED)
            desk.decide(intent, Verdict.NOT_DONE)
            await desk.stands(intent, Standing.NOT_DONE)
            is_settled.set()
            await desk.wait(60)
            row = await desk.stands(intent, Standing.NOT_DONE)
            assert [turn.what for turn in row.turns] == [Standing.NOT_DONE]
            assert (desk.posts(intent), await desk.in_ledger(intent)) == (0, [])
            assert OTHER not in desk.network.posts

    run(scenario())


def test_where_no_read_tells_which_path_is_there_the_next_intent_goes_to_the_other(
    desk: Dealing, run: Run
) -> None:
    carry = desk.network._carry

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and request.url.path == OTHER:
            return httpx.Response(404, content=b"<h1>Not Found</h1>")
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # it has no list of trades

    async def scenario() -> None:
        async with desk.open():
            desk.submit(first := desk.trade())
            row = await desk.stands(first, Standing.IN_DOUBT)
            assert row.problem is not None
            assert row.problem.what == f"404: the service may not have POST {AS_PUBLISHED}"
            await desk.wait(60)
            assert desk.network.posts.count(AS_PUBLISHED) == 1
            assert OTHER not in desk.network.posts
            desk.decide(first, Verdict.NOT_DONE)
            desk.submit(second := desk.trade())
            row = await desk.stands(second, Standing.ACCEPTED)
            assert (await desk.in_ledger(first), row.attempts) == ([], 1)

    run(scenario())


@pytest.mark.parametrize("has_a_list", [True, False])
def test_a_path_that_was_gone_for_a_moment_is_gone_to_again(
    desk: Dealing, run: Run, *, has_a_list: bool
) -> None:
    carry = desk.network._carry
    is_away = False

    async def carried(request: httpx.Request) -> httpx.Response:
        if request.url.path == OTHER and (
            is_away or (request.method, has_a_list) == ("GET", False)
        ):
            return httpx.Response(404, content=b"<h1>Not Found</h1>")
        return await carry(request)

    desk.network._carry = carried  # type: ignore[method-assign]  # a gateway while it is deployed

    async def scenario() -> None:
        nonlocal is_away
        async with desk.open():
            while OTHER not in desk.network.posts:
                desk.submit(intent := desk.trade())
                await desk.wait(5)
            await desk.stands(intent, Standing.ACCEPTED)
            is_away = True
            desk.submit(lost := desk.trade())
            await desk.stands(lost, Standing.IN_DOUBT)
            is_away = False
            if not has_a_list:  # nothing tells which of both it is
                desk.submit(astray := desk.trade())
                await desk.stands(astray, Standing.IN_DOUBT)
            for _ in range(2):
                desk.submit(intent := desk.trade())
                await desk.stands(intent, Standing.ACCEPTED)

    run(scenario())
