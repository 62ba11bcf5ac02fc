"""A rival for the token, and a changed secret: losses, and their duration."""

from __future__ import annotations

import asyncio
import json

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from paytui.domain.models import Kind
from paytui.platform.secret import Secret
from paytui.store.health import LinkState
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.desk import LISTED, Desk


@pytest.mark.slow
def test_two_hosts_with_one_client_id_take_turns_and_lose_nothing(
    run: Run, desk: Desk, service: Starlette, clock: ManualClock
) -> None:
    """Whoever loses the token waits 30 to 60 s: two a minute each at the most.

    The polls come back after that wait, a tenth longer at the most, and one interval.
    """
    rival = Desk(service, clock)
    oldest = 0.0

    async def watch() -> None:
        nonlocal oldest
        async with desk.at_work():
            await desk.until(desk.all_ok)
            held = {kind: desk.count(kind) for kind in LISTED}
            async with rival.at_work():
                await rival.until(rival.all_ok)
                desk.network.requests.clear()
                rival.network.requests.clear()
                for _ in range(900):
                    await asyncio.sleep(1)
                    for one in (desk, rival):
                        read_at = one.store.feed(Kind.PAYMENTS).read_at
                        assert read_at is not None
                        oldest = max(oldest, clock.boot() - read_at)
                assert desk.store.link.superseded
                assert {kind: desk.count(kind) for kind in LISTED} == held
            await desk.until(desk.all_ok, within=75)
            await asyncio.sleep(300)
            assert desk.all_ok()
            assert not desk.store.link.superseded

    run(watch())
    for one in (desk, rival):
        assert one.network.counts["/v2/auth"] <= 30 + 10
    assert oldest <= 75


class Rotating:
    """A service that accepts one secret at a time, of which old tokens outlive a change.

    Attributes:
        accepted: the secret that it accepts.
        refused: how often it was sent another.
    """

    def __init__(self, service: Starlette) -> None:
        self._service = service
        self.accepted = "first"
        self.refused = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] != "/v2/auth":
            await self._service(scope, receive, send)
            return
        sent = await Request(scope, receive).json()
        if sent["clientSecret"] != self.accepted:
            self.refused += 1
            await Response(b"{}", 401)(scope, receive, send)
            return
        body = json.dumps({**sent, "clientSecret": SECRET}).encode()

        async def rewritten() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        await self._service(scope, rewritten, send)


@pytest.fixture
def rotating(service: Starlette) -> Rotating:
    return Rotating(service)


def test_a_source_that_tells_the_new_secret_late_costs_that_time_and_a_minute(
    run: Run, rotating: Rotating, clock: ManualClock
) -> None:
    """Its source is asked every 30 s, and a feed that failed waits for 30 s more at the most."""
    told = ["first"]
    desk = Desk(rotating, clock, secret=lambda: Secret(told[-1]))

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(desk.all_ok)
            held = {kind: desk.count(kind) for kind in LISTED}
            rotating.accepted = "second"
            await desk.until(lambda: desk.store.link.state is LinkState.REFUSED, within=310)
            await asyncio.sleep(300)
            assert {kind: desk.count(kind) for kind in LISTED} == held
            told.append("second")
            await desk.until(lambda: desk.store.link.state is LinkState.UP, within=61)
            await desk.until(desk.all_ok, within=5)

    run(watch())
    assert rotating.refused == 1
