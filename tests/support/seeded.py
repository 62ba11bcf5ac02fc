"""A store filled from a seeded sandbox, with a stopped clock."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

import httpx

from paytui.api.client import Credentials
from paytui.config.settings import Polling, Rates
from paytui.domain.intent import SendPermission
from paytui.domain.money import Pair
from paytui.domain.requests import RateSheetRequest
from paytui.platform.clock import ServiceTime
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from paytui.store.rate_board import pairs_to_price
from paytui.store.store import Store
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import Worker
from tests.support.client import SECRET, known_secret
from tests.support.clock import ManualClock
from tests.support.documented import documented
from tests.support.typed_client import TypedClient
from tests.support.virtual import VirtualLoop

PAIRS = pairs_to_price(Rates().watch, (), None)

SHEET_ENDS = 150.0
SINCE_THE_SHEET = 43.0
"""Seconds; what is left of the newest sheet is the difference."""


@dataclass(frozen=True, slots=True)
class SeededBook:
    """A dashboard's data with a history."""

    store: Store
    time: ServiceTime
    clock: ManualClock


def seeded_book(scale: int = 60, pairs: tuple[Pair, ...] = PAIRS) -> SeededBook:
    """The same book each time: two sheets of these pairs, then one whole read of everything."""
    clock = ManualClock()
    store, time = Store(), ServiceTime(clock)
    loop = VirtualLoop(clock)
    loop.run_until_complete(_fill(store, time, clock, scale, pairs))
    loop.close()
    return SeededBook(store, time, clock)


async def _fill(
    store: Store, time: ServiceTime, clock: ManualClock, scale: int, pairs: tuple[Pair, ...]
) -> None:
    rng = random.Random(3)  # noqa: S311 - a test repeats itself
    app = create_app(SandboxOptions(client_secret=SECRET, scale=scale), clock)
    client = TypedClient(
        "http://localhost",
        Credentials("demo", known_secret),
        documented(),
        time,
        rng,
        transport=httpx.ASGITransport(app),
    )
    worker = Worker(client, store, time, rng, PollSchedule(Polling().intervals))
    for wait in (SHEET_ENDS, SINCE_THE_SHEET):
        sheet = await client.create_rate_sheet(RateSheetRequest(currency_pairs=pairs))
        store.rate_sheets.put([sheet])
        await asyncio.sleep(wait)
    await worker.sync_once()
    store.set_sending(SendPermission(allowed=True, why=""))  # as where a dashboard's outbox is open
    await worker.aclose()
