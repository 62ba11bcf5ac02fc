"""A client id changed during doubt: idempotency keys are not reused under it."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Standing, Verdict
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

STANDS = {"demo": (Standing.ACCEPTED, 1), "another": (Standing.IN_DOUBT, 0)}
"""The status in the end, and the number of repeats, after a trader decided to send it again."""


@pytest.mark.parametrize("client_id", STANDS)
def test_only_the_client_that_sent_it_can_send_it_again(
    service: Starlette, clock: ManualClock, tmp_path: Path, run: Run, client_id: str
) -> None:
    path = tmp_path / "demo.outbox.sqlite"
    first = Dealing(service, clock, path, replay_safe=True, tagged=False, client_id="demo")

    async def scenario() -> None:
        await first.worker.sync_once()
        intent = first.payout()
        async with first.at_work():
            await first.fault("create_payout", "cut")
            first.submit(intent)
            await first.stands(intent, Standing.IN_DOUBT)
        await first.worker.aclose()
        second = Dealing(service, clock, path, replay_safe=True, tagged=False, client_id=client_id)
        async with second.at_work():
            await second.arrives_no_more(intent)
            assert second.posts(intent) == 0
            second.decide(intent, Verdict.REPEAT)
            await second.wait(120)
            standing, repeats = STANDS[client_id]
            await second.stands(intent, standing)
            assert second.posts(intent) == repeats

    run(scenario())
