"""Identifiers that are added or removed while the worker runs."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from paytui.domain.models import Kind, Problem
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import Desk

LOOK = 6
"""Seconds within which other identifiers are noticed, and a read's own time."""


def trade(number: str) -> Reply:
    return Reply({"item": {"tradeTransactionId": number, "sellCurrency": "AUD"}})


TRADES = {f"/v2/trades/t{number}": trade(f"t{number}") for number in (1, 2, 3)}


def desk_without_lists(clock: ManualClock, *trades: str) -> Desk:
    return Desk(ScriptedService(TRADES), clock, tracked={Kind.TRADES: trades})


def test_the_first_identifier_of_a_kind_is_taken_up(run: Run, clock: ManualClock) -> None:
    desk = desk_without_lists(clock)

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: not desk.store.feed(Kind.TRADES).offered)
            await asyncio.sleep(60)
            desk.tracked[Kind.TRADES] = ["t1"]
            await desk.until(lambda: desk.store.trades.keys() == {"t1"}, within=LOOK)
            assert desk.store.feed(Kind.TRADES).tracked == 1

    run(work())


def test_what_is_read_seldom_does_not_wait_for_its_turn(run: Run, clock: ManualClock) -> None:
    """Recipients are read every 60 s; one that becomes known is read at once."""
    replies = {f"/v2/recipients/r{n}": Reply({"item": {"recipientId": f"r{n}"}}) for n in (1, 2)}
    desk = Desk(ScriptedService(replies), clock, tracked={Kind.RECIPIENTS: ["r1"]})

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.recipients.keys() == {"r1"})
            desk.tracked[Kind.RECIPIENTS] = ["r1", "r2"]
            await desk.until(lambda: desk.store.recipients.keys() == {"r1", "r2"}, within=LOOK)

    run(work())


def test_a_refresh_takes_them_up_at_once(run: Run, clock: ManualClock) -> None:
    desk = desk_without_lists(clock, "t1")

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.trades.keys() == {"t1"})
            desk.tracked[Kind.TRADES] = ["t1", "t3"]
            desk.inbox.refresh()
            await desk.until(lambda: desk.store.trades.keys() == {"t1", "t3"}, within=1)

    run(work())


def test_what_is_forgotten_goes(run: Run, clock: ManualClock) -> None:
    desk = desk_without_lists(clock, "t1", "t2")

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.count(Kind.TRADES) == 2)
            desk.tracked[Kind.TRADES] = ["t2"]
            await desk.until(lambda: desk.store.trades.keys() == {"t2"}, within=LOOK)
            del desk.tracked[Kind.TRADES]
            await desk.until(lambda: not desk.count(Kind.TRADES), within=LOOK)
            feed = desk.store.feed(Kind.TRADES)
            assert (feed.offered, feed.tracked, feed.problem) == (False, 0, None)

    run(work())


def test_what_is_forgotten_and_listed_stays(all_read: Run, desk: Desk) -> None:
    async def work() -> None:
        version = desk.store.trades.version
        desk.tracked[Kind.TRADES] = sorted(desk.store.trades.keys())[:1]
        await asyncio.sleep(LOOK)
        del desk.tracked[Kind.TRADES]
        await asyncio.sleep(LOOK)
        assert desk.store.trades.version == version

    all_read(work())


BROKEN = Problem("read tracked objects", "a file is broken", remedy="Mend it.")


@pytest.mark.parametrize("trades", [(), ("t1", "t2")], ids=["none yet", "some"])
def test_that_nobody_can_tell_what_is_tracked_is_told_until_somebody_can(
    run: Run, clock: ManualClock, trades: tuple[str, ...]
) -> None:
    desk = desk_without_lists(clock, *trades)
    feed = partial(desk.store.feed, Kind.TRADES)

    async def work() -> None:
        async with desk.at_work():
            await desk.until(lambda: not feed().offered and desk.count(Kind.TRADES) == len(trades))
            desk.tracking_problem = BROKEN
            await desk.until(lambda: feed().problem == BROKEN, within=LOOK)
            assert feed().failing_since is not None
            await asyncio.sleep(60)
            assert feed().problem == BROKEN
            assert desk.store.trades.keys() == set(trades), "what was known is read all the same"
            desk.tracking_problem = None
            await desk.until(lambda: feed().problem is None, within=LOOK)
            assert feed().failing_since is None

    run(work())


def test_where_all_is_listed_it_hides_nothing_and_alarms_nobody(run: Run, desk: Desk) -> None:
    async def work() -> None:
        async with desk.at_work():
            desk.tracking_problem = BROKEN
            await desk.until(desk.all_ok)
            await asyncio.sleep(60)
            assert desk.all_ok()

    run(work())


def test_while_all_is_listed_one_look_is_for_all_kinds(all_read: Run, desk: Desk) -> None:
    """Every look wakes a host that has nothing else to do: one in 5 s, however many kinds."""

    async def work() -> None:
        await asyncio.sleep(30)
        before = desk.asked_what_is_tracked
        await asyncio.sleep(60)
        assert desk.asked_what_is_tracked - before == 12

    all_read(work())
