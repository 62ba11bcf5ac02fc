from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import Desk

AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
EUR_AUD = Pair(CurrencyCode("EUR"), CurrencyCode("AUD"))
SHEETS = "/v2/rate-sheets"


def test_no_sheet_is_asked_for_while_nobody_watches(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        async with desk.at_work():
            await asyncio.sleep(200)

    run(watch())
    assert desk.network.counts[SHEETS] == 0


def test_watching_brings_a_sheet_of_the_pairs(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD, EUR_AUD))
        async with desk.at_work():
            await desk.until(lambda: desk.count(Kind.RATE_SHEETS) == 1, within=2)

    run(watch())
    (sheet,) = desk.store.rate_sheets.rows()
    assert [rate.pair for rate in sheet.rates] == [AUD_USD, EUR_AUD]
    assert desk.store.feed(Kind.RATE_SHEETS).ok


@pytest.mark.slow
def test_the_next_sheet_is_asked_for_before_one_ends(run: Run, desk: Desk) -> None:
    """A sheet lives 150 s (service.md §8): 590 s hold four of them, the first at the start.

    Each is followed 2 s before it ends. By the service's clock, which is known to a second, it may
    seem to end that much earlier.
    """

    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await asyncio.sleep(590)

    run(watch())
    asked = sorted(sheet.sent_at for sheet in desk.store.rate_sheets.rows())
    assert len(asked) == 4
    for one, following in pairwise(asked):
        assert 146.5 <= following - one <= 148.5


def test_whoever_watches_again_finds_the_live_sheet(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        async with desk.at_work():
            desk.inbox.watch_rates((AUD_USD, EUR_AUD))
            await asyncio.sleep(10)
            desk.inbox.watch_rates(())
            await asyncio.sleep(10)
            desk.inbox.watch_rates((AUD_USD, EUR_AUD))
            await asyncio.sleep(10)
            desk.inbox.watch_rates((EUR_AUD,))
            await asyncio.sleep(10)

    run(watch())
    assert desk.network.counts[SHEETS] == 1


def test_a_pair_that_the_sheet_lacks_is_asked_for_at_once(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        async with desk.at_work():
            desk.inbox.watch_rates((AUD_USD,))
            await desk.until(lambda: desk.count(Kind.RATE_SHEETS) == 1, within=2)
            desk.inbox.watch_rates((AUD_USD, EUR_AUD))
            await desk.until(lambda: desk.count(Kind.RATE_SHEETS) == 2, within=2)

    run(watch())


def test_nothing_is_asked_for_any_more_once_nobody_watches(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        async with desk.at_work():
            desk.inbox.watch_rates((AUD_USD,))
            await asyncio.sleep(10)
            desk.inbox.watch_rates(())
            await asyncio.sleep(400)

    run(watch())
    assert desk.network.counts[SHEETS] == 1


def test_a_failure_is_told_and_mended(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await desk.fault("create_rate_sheet", "503", times=2)
        desk.inbox.watch_rates((AUD_USD,))
        await desk.until(lambda: desk.store.feed(Kind.RATE_SHEETS).problem is not None)
        assert desk.store.feed(Kind.RATE_SHEETS).failing_since is not None
        assert desk.all_ok()
        await desk.until(lambda: desk.store.feed(Kind.RATE_SHEETS).ok, within=5)

    all_read(watch())
    assert desk.count(Kind.RATE_SHEETS) == 1


def test_a_mistake_of_ours_is_told_and_does_not_stop_the_feeds(run: Run, desk: Desk) -> None:
    async def watch() -> None:
        async with desk.at_work():
            desk.network.mistakes[SHEETS] = ZeroDivisionError()
            desk.inbox.watch_rates((AUD_USD,))
            await desk.until(lambda: desk.store.feed(Kind.RATE_SHEETS).problem is not None)
            await desk.until(desk.all_ok)
            del desk.network.mistakes[SHEETS]
            await desk.until(lambda: desk.store.feed(Kind.RATE_SHEETS).ok, within=40)

    run(watch())


def test_a_service_without_rate_sheets_is_asked_again_after_ten_minutes(
    run: Run, clock: ManualClock
) -> None:
    desk = Desk(ScriptedService({}), clock)

    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await asyncio.sleep(590)
            assert desk.network.counts[SHEETS] == 1
            await asyncio.sleep(20)
            assert desk.network.counts[SHEETS] == 2

    run(watch())
    assert not desk.store.feed(Kind.RATE_SHEETS).offered


def test_the_last_fifty_sheets_are_kept(run: Run, clock: ManualClock) -> None:
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0, sheet_lifetime=4)
    desk = Desk(create_app(options, clock), clock)
    came: list[float] = []

    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            for _ in range(300):
                await asyncio.sleep(1)
                came.extend(sheet.sent_at for sheet in desk.store.rate_sheets.rows())

    run(watch())
    assert len(set(came)) > 60
    held = [sheet.sent_at for sheet in desk.store.rate_sheets.rows()]
    assert sorted(held) == sorted(set(came))[-50:]


def test_sheets_that_have_ended_when_they_come_are_asked_for_ever_less_often_and_told_of(
    run: Run, clock: ManualClock
) -> None:
    """As by a service whose answer names another time: within two minutes it is asked 8 times."""
    dead = {"rateSheetId": "s1", "expiresAt": "1947-08-15T13:10:37Z", "rates": []}
    desk = Desk(ScriptedService({SHEETS: Reply({"item": dead}, 201)}), clock)

    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await asyncio.sleep(120)

    run(watch())
    assert 3 <= desk.network.counts[SHEETS] <= 10
    problem = desk.store.feed(Kind.RATE_SHEETS).problem
    assert problem is not None
    assert problem.what == (
        "the rate sheet had expired before it arrived, at 1947-08-15 13:10:37 UTC"
    )


def test_the_feed_counts_the_rates_that_cannot_be(run: Run, clock: ManualClock) -> None:
    rate = {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "-0.65"}
    sheet = {"rateSheetId": "s1", "expiresAt": "2026-03-02T12:02:30Z", "rates": [rate]}
    desk = Desk(ScriptedService({SHEETS: Reply(sheet, 201)}), clock)

    async def watch() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await desk.until(lambda: desk.count(Kind.RATE_SHEETS) == 1, within=2)

    run(watch())
    assert desk.store.feed(Kind.RATE_SHEETS).skipped == 1
