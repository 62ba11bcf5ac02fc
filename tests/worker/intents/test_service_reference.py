"""A service with a reference of its own that the dialect does not read."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.domain.intent import Standing
from tests.support.clock import ManualClock
from tests.support.respelled.app import DIALECT, OtherService
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing

READ, NOT_READ = 'reference = ["memo"]', "reference = []"
SENT = "/bank/api/7/movements/internal"


class OwnReferences(Dealing):
    """A desk at the respelled service, which numbers its movements and does not date them."""

    def __init__(self, service: Starlette, clock: ManualClock, folder: Path, line: str) -> None:
        before, section, payment = DIALECT.read_text().partition("[fields.payment]\n")
        assert payment.count(READ) == 1
        (folder / "other.toml").write_text(before + section + payment.replace(READ, line))
        dialect = load_dialect(folder / "other.toml")
        other = OtherService(service).app()
        super().__init__(other, clock, folder / "demo.outbox.sqlite", dialect=dialect)
        self._honest = self.network._carry
        self.network._carry = self._carried  # type: ignore[method-assign]  # such a service
        self.sent: list[str] = []

    async def _carried(self, request: httpx.Request) -> httpx.Response:
        response = await self._honest(request)
        if "/movements" not in request.url.path:
            return response
        if request.url.path == SENT:
            self.sent.append(json.loads(request.content)["memo"])
        body = await response.aread()
        if response.is_error or not body:
            return response
        return httpx.Response(response.status_code, json=_numbered(json.loads(body)))


def _numbered(told: object) -> object:
    """All movements of an answer with a reference of the service's own, and without a date."""
    if isinstance(told, list):
        return [_numbered(one) for one in told]
    if not isinstance(told, dict):
        return told
    if "no" not in told:
        return {name: _numbered(one) for name, one in told.items()}
    kept = {name: one for name, one in told.items() if name not in ("since", "touched")}
    return {**kept, "memo": f"TRX-{told['no']}"}


@pytest.mark.slow
@pytest.mark.parametrize("line", [READ, NOT_READ])
def test_a_reference_that_is_not_read_is_held_against_no_payment(
    service: Starlette, clock: ManualClock, tmp_path: Path, run: Run, line: str
) -> None:
    desk = OwnReferences(service, clock, tmp_path, line)
    standing = Standing.IN_DOUBT if line == READ else Standing.ACCEPTED

    async def scenario() -> None:
        async with desk.open():
            desk.submit(intent := desk.transfer())
            await desk.stands(intent, standing)
            await desk.wait(60)
            row = await desk.stands(intent, standing, within=1)
            words = f"does not carry {intent.intent_id} in its reference."
            assert [one.endswith(words) for one in row.alerts] == [True] * (line == READ)
            [memo] = desk.sent
            assert intent.intent_id in memo, "the tag goes out all the same"

    run(scenario())
