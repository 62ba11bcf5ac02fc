"""A list too long to sort between two keys."""

from __future__ import annotations

from collections.abc import Coroutine

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Payment, PaymentId
from paytui.store.table import Changes
from paytui.tui.table.columns import Sort
from paytui.tui.table.data_list import DataList
from paytui.tui.table.incremental_sort import SORT_SLICE
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, lines, shows, until
from tests.tui.test_lists import cursor_line

MANY = 2 * SORT_SLICE + 3


@pytest.fixture
def long() -> Dashboard:
    """Payments of 1 to MANY dollars; the least is the newest."""
    ui = Dashboard()
    for start in range(0, MANY, 500):
        numbers = range(start, min(start + 500, MANY))
        ui.store.payments.put([payment(n, str(n + 1), minutes_ago=n) for n in numbers])
    return ui


def test_the_cursor_stays_on_its_row_while_all_others_move(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, f"{MANY:,} payments")
        await pilot.press("j", "s", "s")
        await until(pilot, lambda: "▲ Amount" in lines(pilot)[3])
        await pilot.press("S")
        await until(pilot, lambda: " 3.00 " in lines(pilot)[-3])
        assert " 2.00 " in cursor_line(pilot)

    long.play(scenario)


def sort_by_amount(pilot: Pilot[None]) -> DataList[PaymentId, Payment]:
    """The list, as it is just being sorted, the greatest first."""
    ledger: DataList[PaymentId, Payment] = pilot.app.screen.query_one(DataList)
    (amount,) = (column for column in ledger.sortable if column.title == "Amount")
    ledger.sort_by([Sort(amount, descending=True)])
    return ledger


async def payments_being_sorted(pilot: Pilot[None]) -> DataList[PaymentId, Payment]:
    """The list of all of them, just opened, as it is being sorted."""
    await pilot.press("6")
    await shows(pilot, f"{MANY:,} payments")
    return sort_by_amount(pilot)


@pytest.mark.slow
def test_what_changes_while_it_is_sorted_stands_where_it_then_belongs(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        ledger = await payments_being_sorted(pilot)
        fresh = payment(7, "9000000", minutes_ago=7)
        ledger.apply(Changes((fresh,), (PaymentId("pay-8"),), version=0, more=False))
        ledger.settle()
        ledger.action_first()
        await until(pilot, lambda: "9,000,000.00" in lines(pilot)[4])
        assert len(ledger) == MANY - 1

    long.play(scenario)


def test_keys_that_come_while_it_is_sorted_are_carried_out_in_the_new_order(
    long: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        ledger = await payments_being_sorted(pilot)
        ledger.action_last()
        ledger.action_move(-2)
        await until(pilot, lambda: " 3.00 " in cursor_line(pilot))
        ledger = sort_by_amount(pilot)
        ledger.action_first()
        ledger.action_move(1)
        await until(pilot, lambda: f"{MANY - 1:,}.00" in cursor_line(pilot))

    long.play(scenario)


@pytest.mark.slow
def test_a_filter_that_comes_while_it_is_sorted_keeps_what_it_describes(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        ledger = await payments_being_sorted(pilot)
        ledger.keep(lambda rows: [row for row in rows if row.payment_transaction_id == "pay-9"])
        await until(pilot, lambda: len(ledger) == 1)
        assert " 10.00 " in cursor_line(pilot)

    long.play(scenario)


def test_a_filter_that_is_opened_while_it_is_sorted_does_not_wait_for_that(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        ledger = await payments_being_sorted(pilot)
        ledger.on_resize()
        assert ledger._sorting is not None
        ledger.action_last()
        await until(pilot, lambda: " 1.00 " in cursor_line(pilot))

    long.play(scenario)


@pytest.mark.slow
def test_a_window_that_becomes_far_higher_before_anything_is_in_order_shows_what_is_right(
    long: Dashboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that has no time for the sort until then."""
    held: list[Coroutine[object, object, None]] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, f"{MANY:,} payments")
        await pilot.resize_terminal(80, 12)
        ledger: DataList[PaymentId, Payment] = pilot.app.screen.query_one(DataList)
        ledger.move(MANY // 2)
        monkeypatch.setattr(ledger, "run_worker", lambda work, **_: held.append(work))
        sort_by_amount(pilot)
        await pilot.resize_terminal(80, 150)
        await held[0]
        await until(pilot, lambda: f" {MANY // 2 + 1:,}.00 " in cursor_line(pilot))
        shown = [line.split("AUD")[0].split()[-1] for line in lines(pilot) if "AUD" in line]
        greatest = int(shown[0].removesuffix(".00").replace(",", ""))
        assert len(shown) > 100
        assert shown == [f"{greatest - at:,}.00" for at in range(len(shown))]

    long.play(scenario)


@pytest.mark.slow
def test_what_is_read_or_replaced_while_it_is_sorted_is_what_came_last(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        ledger = await payments_being_sorted(pilot)
        fresh = payment(7, "9000000", minutes_ago=7)
        ledger.apply(Changes((fresh,), (), version=0, more=False))
        assert fresh in ledger.every_row()
        ledger = sort_by_amount(pilot)
        ledger.apply(Changes((payment(MANY, "1"),), (), version=0, more=False))
        ledger.replace([fresh])
        assert ledger.rows() == [fresh]

    long.play(scenario)
