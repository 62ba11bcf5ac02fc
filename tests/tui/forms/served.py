"""A dashboard with its worker and an empty sandbox, all on one event loop."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal

import httpx
from textual.pilot import Pilot

from paytui.cli.wiring.compose import vocabulary_of
from paytui.domain.intent import IntentMaker
from paytui.domain.models import Kind
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from paytui.tui.app import PaytuiApp
from paytui.tui.ui_context import UiContext
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.documented import documented
from tests.tui.dashboard import AnsweringApp, settings_of, shows, until
from tests.worker.dealing import Dealing

Item = dict[str, Any]
Scenario = Callable[["Served", Pilot[None]], Awaitable[None]]


class Served:
    """A service that carries out confirmed intents, once, in the sandbox.

    Args:
        path: of the outbox.
        accounts: whether the sandbox checks whoever opens an account.
        documented_only: whether it serves no more than the operations of service.md §4.
    """

    def __init__(
        self,
        path: Path,
        accounts: Literal["trusted", "kyc"] = "trusted",
        *,
        documented_only: bool = False,
    ) -> None:
        self.clock = ManualClock()
        options = SandboxOptions(
            client_secret=SECRET, scale=0, accounts=accounts, documented_only=documented_only
        )
        self._sandbox = create_app(options, self.clock)
        self._worker = Dealing(self._sandbox, self.clock, path)
        self.store = self._worker.store

    def play(self, scenario: Scenario, size: tuple[int, int] = (80, 24)) -> None:
        """Run the app, the worker and the scenario beside them."""

        async def run() -> None:
            async with self._worker.at_work(), self._app().run_test(size=size) as pilot:
                await until(pilot, self._has_asked_for_accounts)
                await scenario(self, pilot)

        asyncio.run(run())

    def _has_asked_for_accounts(self) -> bool:
        feed = self.store.feed(Kind.ACCOUNTS)
        return feed.ok or not feed.offered

    async def confirmed(self, pilot: Pilot[None]) -> None:
        """Confirm the visible step, and wait until the service accepts it."""
        await self.sent(pilot)
        await shows(pilot, "accepted")

    async def sent(self, pilot: Pilot[None]) -> None:
        """Scroll the visible step to its end, and confirm it."""
        await shows(pilot, "enter: send")
        await pilot.press(*("pagedown",) * 5)
        self.clock.advance(1)
        await pilot.press("enter")

    async def wait(self, pilot: Pilot[None], seconds: float) -> None:
        """So much time passes, and then everything is read again."""
        self.clock.advance(seconds)
        await pilot.press("r")

    async def get(self, path: str) -> Item:
        """An object, as the service answers whoever asks for it by plain HTTP."""
        return await self._plain("GET", path)

    async def create(self, path: str, **body: object) -> Item:
        """An object that another program creates; the token of the worker is void after."""
        item: Item = (await self._plain("POST", path, body))["item"]
        return item

    async def pay_in(self, wallet_id: str, amount: str) -> None:
        """Money that arrives from outside."""
        await self._worker.control("payins", walletId=wallet_id, amount=amount)

    async def _plain(self, method: str, path: str, body: Item | None = None) -> Item:
        transport = httpx.ASGITransport(self._sandbox)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost/v2") as client:
            known = {"clientId": "demo", "clientSecret": SECRET}
            token = (await client.post("/auth", json=known)).json()["item"]["accessToken"]
            headers = {"Authorization": f"Bearer {token}"}
            answer = await client.request(method, path, json=body, headers=headers)
        assert answer.is_success, answer.text
        answered: Item = answer.json()
        return answered

    def _app(self) -> PaytuiApp:
        maker = IntentMaker(random.Random(5))  # noqa: S311 - a test repeats itself
        ui = UiContext(
            store=self.store,
            port=self._worker.inbox,
            time=self._worker.service_time,
            settings=settings_of(),
            maker=maker,
            vocabulary=vocabulary_of(documented()),
        )
        return AnsweringApp(ui)


async def fill(pilot: Pilot[None], *texts: str) -> None:
    """Type into the fields of a page, one after the other; the last one is not left."""
    for text in texts[:-1]:
        await pilot.press(*text, "tab")
    await pilot.press(*texts[-1])
