"""A filter over a list too long to search between two keys."""

from __future__ import annotations

import asyncio
import csv
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.domain.models import Payment, PaymentId
from paytui.store.table import Changes
from paytui.tui.screens.listing import ListPage
from paytui.tui.table.data_list import DataList
from paytui.tui.table.order import FILTER_SLICE
from tests.tui.book import account, payment
from tests.tui.dashboard import Dashboard, lines, shows, text, until
from tests.tui.test_filtering import type_in
from tests.tui.test_lists import cursor_line

MANY = 7 * FILTER_SLICE + 3


@pytest.fixture
def long(ui: Dashboard) -> Dashboard:
    """Beside the three payments many more, the oldest last; one in seven is rejected."""
    rows = [
        payment(n, str(n), "completed" if n % 7 else "rejected", minutes_ago=n)
        for n in range(100, 100 + MANY)
    ]
    for start in range(0, MANY, FILTER_SLICE):
        ui.store.payments.put(rows[start : start + FILTER_SLICE])
    return ui


REJECTED = [n for n in range(100, 100 + MANY) if n % 7 == 0]


@pytest.mark.slow
def test_each_row_that_is_meant_is_found_and_no_other(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "rejected")
        await shows(pilot, f"{len(REJECTED) + 1} payments, filtered")
        await pilot.press("enter", "end")
        await shows(pilot, f"{REJECTED[-1]:,}.00  AUD")
        await pilot.press("escape")
        await shows(pilot, f"{MANY + 3:,} payments")
        assert "filter" not in lines(pilot)[2]

    long.play(scenario)


@pytest.mark.slow
def test_the_cursor_stays_on_its_row_however_deep_it_stands(long: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "rejected")
        await shows(pilot, f"{len(REJECTED) + 1} payments, filtered")
        await pilot.press("enter", "end", "k", "k")
        await shows(pilot, f"{REJECTED[-3]:,}.00  AUD")
        before = cursor_line(pilot)
        await pilot.press("escape")
        await shows(pilot, f"{MANY + 3:,} payments")
        assert cursor_line(pilot).split("AUD")[0] == before.split("AUD")[0]

    long.play(scenario)


@pytest.mark.slow
def test_an_export_holds_all_of_them_also_where_it_comes_before_the_last_is_found(
    long: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "rejected")
        await pilot.press("enter", "e", "enter")
        await shows(pilot, "Written to")

    long.play(scenario)
    (file,) = tmp_path.glob("*.csv")
    with file.open(newline="") as opened:
        written = [row["payment_transaction_id"] for row in csv.DictReader(opened)]
    assert written == ["pay-3", *(f"pay-{n}" for n in REJECTED)]


@pytest.mark.slow
def test_a_new_name_has_the_rows_that_name_it_looked_at_again(long: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "acme")
        await shows(pilot, f"{MANY + 3:,} payments, filtered")
        ui.store.accounts.put([account(1, "Zephyr")])
        ui.store.notify()
        await shows(pilot, "No payments match the filter")
        ui.store.accounts.put([account(1, "Acme")])
        ui.store.notify()
        await shows(pilot, f"{MANY + 3:,} payments, filtered")
        assert "filtering" not in text(pilot)

    long.play(scenario)


@pytest.mark.slow
def test_a_filter_that_is_taken_back_letter_by_letter_shows_what_it_did_before(
    long: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "re")
        await shows(pilot, " payments, filtered")
        found = lines(pilot)[2]
        await pilot.press(*"jected")
        await shows(pilot, f"{len(REJECTED) + 1} payments, filtered")
        await pilot.press(*["backspace"] * 6)
        await until(pilot, lambda: lines(pilot)[2] == found)

    long.play(scenario)


@pytest.mark.slow
def test_a_longer_word_finds_what_came_while_the_shorter_was_looked_for(long: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "rej")
        ui.store.payments.put([payment(1, "100", "rejected")])
        ui.store.notify()
        await shows(pilot, f"{len(REJECTED) + 2} payments, filtered")
        await pilot.press(*"ected")
        await shows(pilot, f"{len(REJECTED) + 2} payments, filtered")

    long.play(scenario)


@pytest.mark.slow
def test_what_words_are_looked_for_in_is_made_before_the_first_is_typed_and_goes_with_the_line(
    long: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, f"{MANY + 3:,} payments")
        page = pilot.app.screen
        assert isinstance(page, ListPage)
        made = page._texts._texts
        assert not made
        await pilot.press("slash")
        await until(pilot, lambda: len(made) == MANY + 3)
        await pilot.press("enter")
        assert not made

    long.play(scenario)


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, MANY // FILTER_SLICE, MANY // FILTER_SLICE + 1])
def test_a_filter_that_replaces_another_finds_all_however_far_that_one_had_come(
    long: Dashboard, turns: int
) -> None:
    """Each turn of the loop is one slice of the filter before; a row leaves in the same turn."""

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, f"{MANY + 3:,} payments")
        ledger: DataList[PaymentId, Payment] = pilot.app.screen.query_one(DataList)
        ledger.keep(lambda rows: [row for row in rows if row.reference == "none"])
        for _turn in range(turns):
            await asyncio.sleep(0)
        ledger.keep(lambda rows: [row for row in rows if _is_rejected(row)])
        oldest = PaymentId(f"pay-{REJECTED[-1]}")
        ledger.apply(Changes((), (oldest,), version=0, more=False))
        await until(pilot, lambda: not ledger.is_filtering)
        assert {row.payment_transaction_id for row in ledger.rows()} == {
            "pay-3",
            *(f"pay-{n}" for n in REJECTED[:-1]),
        }

    long.play(scenario)


def _is_rejected(row: Payment) -> bool:
    return row.status is not None and row.status.name == "rejected"
