"""An intent is carried out at most once, and its outcome is on disk."""

from __future__ import annotations

import socket
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.api.dialect import load_dialect
from paytui.domain.intent import Intent, Standing, Verdict
from paytui.domain.models import TradeId
from paytui.outbox.syslog import Syslog
from tests.support.clock import ManualClock
from tests.worker.conftest import Run
from tests.worker.dealing import Dealing


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Dealing:
    return Dealing(service, clock, path)


@pytest.mark.parametrize("what", ["payout", "transfer", "trade"])
def test_what_is_confirmed_is_done_once(desk: Dealing, run: Run, what: str) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent: Intent = getattr(desk, what)()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert [row.object_id] == await desk.in_ledger(intent)
            assert (row.attempts, row.alerts, row.problem) == (1, (), None)

    run(scenario())


def test_pressing_twice_is_pressing_once(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            for _ in range(3):
                desk.submit(intent)
            await desk.stands(intent, Standing.ACCEPTED)
            desk.submit(intent)
            await desk.wait(30)
            assert len(await desk.in_ledger(intent)) == 1
            assert desk.posts(intent) == 1

    run(scenario())


def test_a_trade_is_booked_at_the_rate_that_was_confirmed(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade(await desk.quote())
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED)
            [trade] = [
                trade
                for trade in desk.store.trades.rows()
                if trade.trade_transaction_id == row.object_id
            ]
            assert trade.rate == intent.terms.rate

    run(scenario())


@pytest.mark.parametrize(
    ("passed", "connecting"),
    [(147.5, 0.0), (139.5, 4.0)],
    ids=["now", "once a connection is made"],
)
def test_nothing_is_sent_in_the_last_three_seconds_of_a_rate(
    desk: Dealing, run: Run, passed: float, connecting: float
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        intent = desk.trade(await desk.quote())
        desk.hands.advance(passed)
        desk.network.connecting = connecting
        async with desk.at_work():
            desk.submit(intent)
            row = await desk.stands(intent, Standing.NOT_EXECUTED)
            assert row.problem is not None
            assert "expired" in row.problem.what
            assert await desk.in_ledger(intent) == []
            assert desk.posts(intent) == 0

    run(scenario())


@pytest.mark.parametrize("what", ["payout", "trade"])
def test_what_a_suspended_host_held_back_is_not_sent_afterwards(
    desk: Dealing, run: Run, what: str
) -> None:
    async def scenario() -> None:
        await desk.worker.sync_once()
        await desk.fault("auth", "delay", seconds=10)
        desk.hands.advance(
            290
        )  # the token is over (service.md §5), so that a new one is waited for
        async with desk.at_work():
            intent: Intent = getattr(desk, what)()
            desk.submit(intent)
            await desk.stands(intent, Standing.RECORDED)
            desk.hands.suspend(8 * 3600)
            row = await desk.stands(intent, Standing.NOT_EXECUTED)
            assert row.problem is not None
            assert "more than a minute" in row.problem.what
            assert await desk.in_ledger(intent) == []
            assert desk.posts(intent) == 0

    run(scenario())


@pytest.mark.parametrize(
    ("fault", "done"), [("500", 0), ("html", 0), ("cut", 0), ("commit-then-cut", 1)]
)
def test_what_may_have_been_done_is_in_doubt_and_not_sent_again(
    desk: Dealing, run: Run, fault: str, done: int
) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            await desk.leave_in_doubt(intent, fault)
            await desk.wait(60)
            assert desk.posts(intent) == 1
            assert len(await desk.in_ledger(intent)) == done

    run(scenario())


def test_a_refusal_of_a_first_attempt_is_a_refusal(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout(amount="99999999999.00")
            desk.submit(intent)
            row = await desk.stands(intent, Standing.REFUSED)
            assert row.problem is not None
            assert row.problem.what == "HTTP 422"

    run(scenario())


def test_what_the_service_did_not_do_is_not_executed(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            await desk.fault("create_payout", "429")
            intent = desk.payout()
            desk.submit(intent)
            await desk.stands(intent, Standing.NOT_EXECUTED)
            assert await desk.in_ledger(intent) == []

    run(scenario())


def test_without_a_service_nothing_is_executed_and_it_is_said(desk: Dealing, run: Run) -> None:
    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            desk.network.app = None
            desk.submit(intent)
            await desk.stands(intent, Standing.NOT_EXECUTED)

    run(scenario())


def test_an_amount_that_was_booked_otherwise_is_an_alert_that_stays(
    desk: Dealing, run: Run
) -> None:

    async def scenario() -> None:
        async with desk.open():
            intent = desk.payout()
            other = replace(intent, terms=replace(intent.terms, amount=Decimal("11.00")))
            desk.submit(other)
            row = await desk.stands(intent, Standing.IN_DOUBT)
            assert row.alerts == ("The amount that was booked is 10.00; 11.00 was confirmed.",)

    run(scenario())


def test_what_was_recorded_and_never_sent_waits_for_a_word(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    first = Dealing(service, clock, path)

    async def scenario() -> None:
        await first.worker.sync_once()
        intent = first.payout()
        first.recorded_only(intent)
        await first.worker.aclose()
        second = Dealing(service, clock, path)
        async with second.at_work():
            row = await second.stands(intent, Standing.RECORDED)
            await second.wait(60)
            assert second.posts(intent) == 0
            second.decide(intent, Verdict.SEND)
            row = await second.stands(intent, Standing.ACCEPTED)
            assert [row.object_id] == await second.in_ledger(intent)

    run(scenario())


def test_the_hosts_log_has_a_line_of_each_thing_that_happened(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.bind(str(path.parent / "log"))
        desk = Dealing(service, clock, path, log=Syslog(path.parent / "log"))

        async def scenario() -> None:
            async with desk.open():
                intent = desk.payout()
                desk.submit(intent)
                await desk.stands(intent, Standing.ACCEPTED)
            await desk.worker.aclose()
            lines = [log.recv(4096).decode() for _ in range(3)]
            for line, standing in zip(lines, ("recorded", "sending", "accepted"), strict=True):
                assert f"intent={intent.intent_id}" in line
                assert f"standing={standing}" in line
                assert intent.key not in line

        run(scenario())


def test_a_trade_is_followed_where_the_service_has_no_list_of_trades(
    service: Starlette, clock: ManualClock, path: Path, run: Run
) -> None:
    dialect = load_dialect()
    unlisted = replace(dialect, paths={**dialect.paths, "list_trades": ()})
    desk = Dealing(service, clock, path, dialect=unlisted)

    async def scenario() -> None:
        async with desk.open():
            intent = desk.trade()
            desk.submit(intent)
            row = await desk.stands(intent, Standing.ACCEPTED)
            assert row.object_id is not None
            await desk.control(
                "states", kind="trade", id=row.object_id, status="rejected", force=True
            )
            await desk.until(lambda: shown(desk, row.object_id) == "rejected", within=30)

    run(scenario())


def shown(desk: Dealing, trade_id: str | None) -> str | None:
    """The state of a trade as screens see it."""
    trade = desk.store.trades.get(TradeId(trade_id or ""))
    return trade.status.name if trade and trade.status else None
