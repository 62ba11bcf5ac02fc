"""Failures of one feed, and of the whole service, in virtual time."""

from __future__ import annotations

import asyncio

import pytest
from starlette.applications import Starlette

from paytui.domain.models import Kind
from paytui.store.health import LinkState
from tests.support.clock import ManualClock
from tests.worker.conftest import Run, still_service
from tests.worker.desk import LISTED, Desk


@pytest.fixture
def other_service(clock: ManualClock) -> Starlette:
    """The same service after a restart: it knows no token of before."""
    return still_service(clock)


# Trouble with one feed


def test_one_failing_feed_never_stops_another(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await desk.fault("list_payments", "500", times=1000)
        desk.network.requests.clear()
        await asyncio.sleep(120)
        assert {kind for kind in LISTED if not desk.store.feed(kind).ok} == {Kind.PAYMENTS}
        assert desk.store.link.state is LinkState.UP

    all_read(watch())
    assert desk.network.counts["/v2/wallets"] >= 21
    # 1, 2, 4, 8, 16, 30, 30 s: about eight attempts, each wait up to a quarter shorter
    assert 6 <= desk.network.counts["/v2/payments"] <= 11


def test_a_feed_recovers_by_itself(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await desk.fault("list_payments", "500", times=3)
        await desk.until(lambda: not desk.store.feed(Kind.PAYMENTS).ok)
        await desk.until(desk.all_ok, within=8)  # after 1, 2 and 4 s

    all_read(watch())


def test_retry_after_is_not_undercut(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await desk.fault("list_payments", "429", seconds=20)
        await desk.until(lambda: not desk.store.feed(Kind.PAYMENTS).ok)
        desk.network.requests.clear()
        assert 19.9 <= await desk.until(desk.all_ok) <= 22.1

    all_read(watch())
    assert desk.network.counts["/v2/payments"] == 1


def test_a_mistake_of_ours_fails_one_feed_which_goes_on_trying(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        desk.network.mistakes["/v2/trades"] = ZeroDivisionError()
        await desk.until(lambda: not desk.store.feed(Kind.TRADES).ok)
        await asyncio.sleep(60)
        del desk.network.mistakes["/v2/trades"]
        await desk.until(desk.all_ok, within=40)

    all_read(watch())


def test_a_slow_list_does_not_hold_up_the_others(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await desk.fault("list_trades", "delay", seconds=25)
        desk.network.requests.clear()
        await asyncio.sleep(24)

    all_read(watch())
    assert desk.network.counts["/v2/payments"] >= 4


# Trouble with the whole service


def test_a_restarted_service_is_seen_again_without_a_key(
    all_read: Run, desk: Desk, other_service: Starlette
) -> None:
    async def watch() -> None:
        desk.network.app = None
        await desk.until(lambda: desk.store.link.state is LinkState.UNREACHABLE, within=10)
        desk.network.app = other_service
        await desk.until(lambda: desk.store.link.state is LinkState.UP, within=5)
        await desk.until(desk.all_ok, within=5)
        assert desk.store.link.problem is None

    all_read(watch())


@pytest.mark.slow
def test_after_a_long_outage_all_feeds_return_together(
    all_read: Run, desk: Desk, other_service: Starlette
) -> None:
    async def watch() -> None:
        desk.network.app = None
        await asyncio.sleep(1800)
        desk.network.app = other_service
        await desk.until(lambda: desk.store.link.state is LinkState.UP, within=30)
        await desk.until(desk.all_ok, within=5)

    all_read(watch())


def test_a_service_that_is_away_is_not_hammered(all_read: Run, desk: Desk) -> None:
    """Eight feeds, each at most every 22.5 s once it backed off: 27 a minute and no more."""

    async def watch() -> None:
        desk.network.app = None
        await asyncio.sleep(120)
        desk.network.requests.clear()
        await asyncio.sleep(600)

    all_read(watch())
    assert len(desk.network.requests) <= 270


def test_a_service_that_comes_up_later_is_found(
    run: Run, clock: ManualClock, service: Starlette
) -> None:
    desk = Desk(None, clock)

    async def watch() -> None:
        async with desk.at_work():
            await asyncio.sleep(10)
            assert desk.store.link.state is LinkState.UNREACHABLE
            desk.network.app = service
            await desk.until(desk.all_ok, within=20)

    run(watch())


def test_what_is_shown_as_unreachable_was_up_since_another_moment(
    all_read: Run, desk: Desk
) -> None:
    async def watch() -> None:
        up_since = desk.store.link.since
        desk.network.app = None
        await asyncio.sleep(60)
        assert up_since is not None
        assert desk.store.link.since is not None
        assert 0 < (desk.store.link.since - up_since).total_seconds() < 15

    all_read(watch())


def test_a_service_restarted_without_its_data_between_two_polls_is_read_on_at_once(
    all_read: Run, desk: Desk, other_service: Starlette
) -> None:
    """It knows no token of before, and nobody saw it away: no rival, and no read is lost."""

    async def watch() -> None:
        desk.network.app = other_service
        desk.network.requests.clear()
        for _ in range(120):
            await asyncio.sleep(1)
            assert desk.all_ok()
        assert not desk.store.link.superseded

    all_read(watch())
    assert desk.network.counts["/v2/auth"] == 1
