"""The worker in virtual time: intervals, the host, the token, the end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import timedelta

import pytest
from starlette.applications import Starlette

from paytui.domain.models import Kind
from paytui.platform.secret import Secret
from paytui.store.health import LinkState
from tests.support.client import SECRET
from tests.support.clock import NOON, ManualClock, WrongClock
from tests.worker.conftest import Run
from tests.worker.desk import LISTED, Desk

PATHS = {
    Kind.ACCOUNTS: "/v2/accounts",
    Kind.WALLETS: "/v2/wallets",
    Kind.PAYMENTS: "/v2/payments",
    Kind.TRADES: "/v2/trades",
    Kind.RECIPIENTS: "/v2/recipients",
}


# Intervals


def test_each_kind_is_read_at_its_own_interval(all_read: Run, desk: Desk) -> None:
    """In 120 s after the first read: 24 reads at 5 s and 2 at 60 s, a tenth more or less."""

    async def watch() -> None:
        desk.network.requests.clear()
        await asyncio.sleep(120)

    all_read(watch())
    counts = desk.network.counts
    for kind in (Kind.WALLETS, Kind.PAYMENTS, Kind.TRADES):
        assert 21 <= counts[PATHS[kind]] <= 27, kind
    for kind in (Kind.ACCOUNTS, Kind.RECIPIENTS):
        assert 1 <= counts[PATHS[kind]] <= 3, kind


def test_an_interval_that_is_changed_holds_at_once(all_read: Run, desk: Desk) -> None:
    """In 120 s: about 3 reads at 40 s where there were 24 at 5 s, and one now."""

    async def watch() -> None:
        desk.network.requests.clear()
        desk.inbox.read_every(dict.fromkeys(Kind, timedelta(seconds=40)))
        await asyncio.sleep(120)

    all_read(watch())
    assert 2 <= desk.network.counts[PATHS[Kind.WALLETS]] <= 5


def test_a_quiet_service_wakes_nobody(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        versions = desk.versions()
        desk.wakes.clear()
        await asyncio.sleep(200)
        assert desk.versions() == versions

    all_read(watch())
    assert not desk.wakes


@pytest.mark.slow
def test_a_pay_in_is_seen_within_its_interval_and_the_wallets(all_read: Run, desk: Desk) -> None:
    """The wallet's balance shows it first (5 s), which has its list read (10 s), each + 10 %."""

    async def watch() -> None:
        await asyncio.sleep(30)
        before = desk.count(Kind.PAYINS)
        wallet = next(row for row in desk.store.wallets.rows() if row.currency == "AUD")
        await desk.control("payins", walletId=wallet.wallet_id, amount="12.34")
        await desk.until(lambda: desk.count(Kind.PAYINS) > before, within=17)

    all_read(watch())


def test_lists_of_wallets_that_did_not_change_are_read_seldom(all_read: Run, desk: Desk) -> None:
    """Pay-ins of a wallet at rest: every 60 to 75 s. Addresses: every 300 to 315 s."""

    async def watch() -> None:
        desk.network.requests.clear()
        await asyncio.sleep(280)

    all_read(watch())
    wallets = desk.count(Kind.WALLETS)
    assert 3 * wallets <= desk.network.counts["/v2/payins"] <= 5 * wallets
    assert desk.network.counts["/v2/payin-addresses"] == 0


def test_asking_for_a_refresh_reads_everything_at_once(all_read: Run, desk: Desk) -> None:
    async def watch() -> None:
        await asyncio.sleep(1)
        desk.network.requests.clear()
        desk.inbox.refresh()
        await asyncio.sleep(1)

    all_read(watch())
    wallets = desk.count(Kind.WALLETS)
    assert all(desk.network.counts[path] >= 1 for path in PATHS.values())
    assert desk.network.counts["/v2/payins"] == wallets
    assert desk.network.counts["/v2/payin-addresses"] == wallets


def test_a_refresh_forgets_how_often_a_feed_failed(all_read: Run, desk: Desk) -> None:
    """After minutes of failures the next waits are 1 and 2 s again, not 30."""

    async def watch() -> None:
        await desk.fault("list_payments", "500", times=1000)
        await asyncio.sleep(240)
        desk.network.requests.clear()
        desk.inbox.refresh()
        await asyncio.sleep(4)

    all_read(watch())
    assert desk.network.counts["/v2/payments"] >= 3


@pytest.mark.slow
def test_tokens_are_renewed_for_as_long_as_it_runs(run: Run, desk: Desk) -> None:
    """A token lives 300 s (service.md §8): 20 minutes need at least 4, and not twice as many."""

    async def watch() -> None:
        async with desk.at_work():
            for _ in range(20):
                await asyncio.sleep(60)
                assert desk.all_ok()

    run(watch())
    assert 4 <= desk.network.counts["/v2/auth"] < 8


# The host


def test_after_a_suspend_everything_is_read_at_once(
    all_read: Run, desk: Desk, clock: ManualClock
) -> None:
    """Noticed within 2 s, and the lists of wallets and recipients 11 s after those at the latest.

    A pause of 60 or 300 s would else go on where it was, beside data that is an hour old.
    """

    async def watch() -> None:
        await asyncio.sleep(10)
        held = {kind: desk.store.table(kind).keys() for kind in LISTED}
        clock.suspend(3600)
        resumed = clock.boot()
        desk.network.requests.clear()

        def read(kinds: Iterable[Kind]) -> bool:
            return all((desk.store.feed(kind).read_at or 0) >= resumed for kind in kinds)

        assert await desk.until(lambda: read(PATHS), within=60) <= 3
        assert await desk.until(lambda: read(LISTED), within=60) <= 11
        assert desk.all_ok()
        assert all(desk.store.table(kind).keys() >= held[kind] for kind in LISTED)
        assert desk.store.link.state is LinkState.UP

    all_read(watch())
    assert desk.network.counts["/v2/auth"] == 1


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_host_clock_that_is_wrong_and_jumps_loses_no_read_and_no_token(
    run: Run, service: Starlette, clock: ManualClock, minutes: int
) -> None:
    """A token lives 300 s and is renewed 45 s before at the earliest: two or three in 400 s."""
    host = WrongClock(clock)
    desk = Desk(service, host)

    async def watch() -> None:
        host.ahead = timedelta(minutes=minutes)
        async with desk.at_work():
            await desk.until(desk.all_ok)
            held = {kind: desk.store.table(kind).keys() for kind in LISTED}
            for ahead in (0, -minutes, minutes, 2 * minutes):
                host.ahead = timedelta(minutes=ahead)
                for _ in range(100):
                    await asyncio.sleep(1)
                    assert desk.all_ok()
                    assert all(desk.store.table(kind).keys() >= held[kind] for kind in LISTED)
            age = clock.now() - (desk.store.feed(Kind.PAYMENTS).as_of or NOON)
            assert timedelta(0) <= age < timedelta(seconds=8)

    run(watch())
    assert 2 <= desk.network.counts["/v2/auth"] <= 3


# The token


def test_a_refused_secret_is_asked_about_again_only_on_refresh(
    run: Run, service: Starlette, clock: ManualClock
) -> None:
    desk = Desk(service, clock, secret=lambda: Secret("wrong"))

    async def watch() -> None:
        async with desk.at_work():
            await asyncio.sleep(900)
            assert desk.store.link.state is LinkState.REFUSED
            assert desk.network.requests == ["/v2/auth"]
            desk.inbox.refresh()
            await asyncio.sleep(60)
            assert desk.network.requests == ["/v2/auth", "/v2/auth"]

    run(watch())


def test_a_secret_that_was_changed_is_tried_by_itself(
    run: Run, service: Starlette, clock: ManualClock
) -> None:
    secrets = ["wrong"]
    desk = Desk(service, clock, secret=lambda: Secret(secrets[-1]))

    async def watch() -> None:
        async with desk.at_work():
            await asyncio.sleep(120)
            secrets.append(SECRET)
            await desk.until(desk.all_ok, within=90)
            assert desk.store.link.state is LinkState.UP

    run(watch())


def test_another_program_with_our_client_id_is_named(
    all_read: Run, desk: Desk, service: Starlette, clock: ManualClock
) -> None:
    rival = Desk(service, clock)

    async def watch() -> None:
        assert not desk.store.link.superseded
        async with rival.at_work():
            await desk.until(lambda: desk.store.link.superseded, within=600)

    all_read(watch())


# The end


def test_it_can_be_stopped_in_the_middle_of_its_first_read(run: Run, desk: Desk) -> None:
    async def stop_early() -> None:
        async with desk.at_work():
            await asyncio.sleep(0.015)

    run(stop_early())
    assert desk.network.requests


# The beginning


def test_balances_are_there_before_anything_else_is_read(run: Run, desk: Desk) -> None:
    """One list, for which a trader waits, has connection and processor for itself."""

    async def watch() -> None:
        await desk.fault("list_wallets", "delay", seconds=0.8)
        async with desk.at_work():
            await desk.wait(0.7)
            assert set(desk.network.counts) == {"/v2/auth", PATHS[Kind.WALLETS]}
            await desk.until(desk.all_ok, within=30)

    run(watch())


def test_balances_that_hang_hold_back_nothing_else_for_longer_than_a_second(
    run: Run, desk: Desk
) -> None:
    async def watch() -> None:
        await desk.fault("list_wallets", "delay", times=1000, seconds=25)
        async with desk.at_work():
            assert await desk.until(lambda: desk.count(Kind.PAYMENTS) > 0, within=30) < 2
            assert desk.count(Kind.WALLETS) == 0

    run(watch())
