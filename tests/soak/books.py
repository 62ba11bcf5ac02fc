"""The service of a soak: demo traffic on a file; its lists hold the last hours."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import httpx

from paytui.sandbox.app import app_of, open_bank
from paytui.sandbox.context import SandboxOptions, iso, transaction
from tests.simulation.asgi import called
from tests.support.client import SECRET
from tests.support.clock import ManualClock

SCALE = 40
SPEED = 0.1
"""Some 1,400 payments, trades and pay-ins a day."""

LISTED = timedelta(hours=1)
"""After which what is over is listed no more: so the dashboard's book is as long all week, from the
second hour on, and whatever grows beside it shows."""

_OVER = (
    ("payments", "paymentTransactionId"),
    ("trades", "tradeTransactionId"),
    ("payins", "payInTransactionId"),
)


class Books:
    """The real sandbox in this process."""

    def __init__(self, path: Path, clock: ManualClock) -> None:
        options = SandboxOptions(client_secret=SECRET, scale=SCALE, speed=SPEED, database=str(path))
        self._bank = open_bank(options, clock)
        self._app = app_of(self._bank)

    def now(self) -> datetime:
        """The service's true time."""
        return self._bank.clock.now()

    async def answer(self, request: httpx.Request) -> httpx.Response:
        """A request arrives and is executed; its whole answer."""
        return await called(self._app, request)

    async def rival_signs_in(self) -> None:
        """Another program asks for a token, which kills the one before (service.md §5)."""
        body = json.dumps({"clientId": "demo", "clientSecret": SECRET})
        await self.answer(httpx.Request("POST", "http://localhost/v2/auth", content=body))

    def put_away(self) -> None:
        """List no more what is over for so long."""
        until = iso(self.now() - LISTED)
        with transaction(self._bank.db):
            for table, key in _OVER:
                over = f"DELETE FROM {table} WHERE createdAt < ?"  # noqa: S608 - our own names
                done = f"{key} NOT IN (SELECT subject FROM due)"  # noqa: S608 - our own names
                self._bank.db.execute(f"{over} AND {done}", (until,))
