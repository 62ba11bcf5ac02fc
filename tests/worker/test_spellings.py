"""Where nothing is behind one spelling of a path, an intent goes to the next, and stays with it."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.intent import Intent, Standing, Verdict
from paytui.outbox.entry import Event, EventKind
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

AS_PUBLISHED, OTHER = "/v2/tradess", "/v2/trades"
"""api.md §4, and contract.md, "The dialect"."""


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
            assert [(turn.what, turn.words) for turn in row.turns][:3] == [
                ("sending", f"POST {AS_PUBLISHED}"),
                ("goes to another path", f"POST {OTHER}"),
                ("sending", f"POST {OTHER}"),
            ]
            assert [row.object_id] == await desk.in_ledger(intent)

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
