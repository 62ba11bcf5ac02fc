"""Only the service's own refusal proves that money did not move; nothing is sent twice."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.domain.intent import Standing
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

PAYOUT, TRADE, OTHER_TRADE = "/v2/payments/payout", "/v2/tradess", "/v2/trades"
HTML = b"<html><title>Not here</title></html>"


@pytest.fixture
def desk(clock: ManualClock, path: Path) -> Dealing:
    """Deals with a service that executes each request, whatever its key."""
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0, ignore_idempotency=True)
    return Dealing(create_app(options, clock), clock, path)


def error(code: str, message: str = "no") -> bytes:
    """An error in the service's shape (service.md §7."""
    return json.dumps({"error": {"code": code, "message": message}}).encode()


UNPROVEN: dict[str, tuple[int, bytes, dict[str, str]]] = {
    "key in flight, with a date": (
        409,
        error("busy"),
        {"retry-after": "Mon, 02 Mar 2026 12:00:30 GMT"},
    ),
    "key reused": (422, error("idempotency_key_reused"), {}),
    "422 of a gateway": (422, b'{"message": "Unprocessable"}', {}),
    "404 html": (404, HTML, {}),
    "405 empty": (405, b"", {}),
    "408": (408, error("timeout"), {}),
    "429": (429, HTML, {}),
    "401 html": (401, HTML, {}),
    "401 with an unknown code": (401, error("who_knows"), {}),
}
"""One of each kind; all others are told in `tests/api/http/test_failed_responses.py`."""


@pytest.mark.slow
@pytest.mark.parametrize("answer", UNPROVEN)
def test_an_answer_that_proves_nothing_leaves_a_payout_in_doubt_until_it_is_found(
    desk: Dealing, run: Run, answer: str
) -> None:
    status, body, headers = UNPROVEN[answer]

    async def scenario() -> None:
        async with desk.open():
            desk.network.instead[PAYOUT] = httpx.Response(status, content=body, headers=headers)
            desk.submit(intent := desk.payout())
            # After a 401 reads leave the token to another program for up to a minute (service.md).
            row = await desk.stands(intent, Standing.ACCEPTED, within=90 if status == 401 else 20)
            assert "in doubt" in [turn.what for turn in row.turns]
            assert [row.object_id] == await desk.in_ledger(intent)
            assert (desk.posts(intent), row.attempts, row.alerts) == (1, 1, ())

    run(scenario())


@pytest.mark.parametrize(
    ("status", "code", "standing"),
    [
        (404, "not_found", Standing.REFUSED),
        (422, "insufficient_funds", Standing.REFUSED),
        (429, "too_many_requests", Standing.NOT_EXECUTED),
    ],
)
def test_a_refusal_in_the_words_of_the_service_is_believed(
    desk: Dealing, run: Run, status: int, code: str, standing: Standing
) -> None:
    async def scenario() -> None:
        async with desk.open():
            refusal = httpx.Response(status, content=error(code))
            desk.network.instead[PAYOUT] = refusal
            desk.submit(intent := desk.payout())
            await desk.stands(intent, standing, within=2)

    run(scenario())


@pytest.mark.parametrize("status", [404, 405])
def test_a_trade_goes_to_no_second_path_after_an_answer_that_may_follow_its_execution(
    desk: Dealing, run: Run, status: int
) -> None:
    async def scenario() -> None:
        async with desk.open():
            desk.network.instead[TRADE] = httpx.Response(status, content=HTML)
            # The first answer at that path is to a read, which tells that it is there.
            carry = desk.network._carry

            async def carried(request: httpx.Request) -> httpx.Response:
                if request.method == "GET" and request.url.path == TRADE:
                    return httpx.Response(405, headers={"allow": "POST"})
                return await carry(request)

            desk.network._carry = carried  # type: ignore[method-assign]  # spares the answer
            desk.submit(intent := desk.trade())
            row = await desk.stands(intent, Standing.ACCEPTED, within=20)
            assert [row.object_id] == await desk.in_ledger(intent)
            assert row.attempts == 1

    run(scenario())


def test_a_token_that_the_service_itself_refuses_is_renewed_and_the_payout_sent_once_more(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    desk = Dealing(service, clock, path)

    async def scenario() -> None:
        async with desk.open():
            await desk.in_ledger(desk.payout())  # another program signs in
            desk.submit(intent := desk.payout())
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert (row.attempts, desk.posts(intent)) == (2, 2)
            assert [row.object_id] == await desk.in_ledger(intent)

    run(scenario())
