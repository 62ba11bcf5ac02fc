"""Groups of a list: counts and totals of each value, and a filter by one of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from paytui.domain.money import CurrencyCode
from paytui.store.store import Store
from paytui.tui.list_totals import GroupLine, GroupsDialog, sum_words
from paytui.tui.table.data_list import DataList
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, choose, lines, shows, text, until
from tests.tui.long_lists import a_book, cached, dashboard

JPY = CurrencyCode("JPY")


def groups(pilot: Pilot[None]) -> list[list[str]]:
    """Return the words of the lines of the table."""
    rows = [line.split("│")[1] for line in lines(pilot) if line.count("│") == 2]
    return [row.replace("▌", "").replace("▐", "").split() for row in rows if row.strip()][1:]


@pytest.fixture
def ui(ui: Dashboard) -> Dashboard:
    """Four completed payments of 14,600.50 AUD and 700 JPY, a failed one, and two old ones."""
    ui.store.payments.put(
        [
            replace(payment(4, "700"), currency=JPY),
            replace(payment(5, "9.9", "failed", minutes_ago=12 * 60 + 1), amount=None),
            *(payment(n, "1", minutes_ago=36 * 60 + 1) for n in range(6, 8)),
        ]
    )
    return ui


def group_lines(pilot: Pilot[None]) -> list[GroupLine]:
    """Return the lines of the dialog in their order."""
    rows = pilot.app.screen.query_one(DataList).rows()
    return [row for row in rows if isinstance(row, GroupLine)]


async def group_by(pilot: Pilot[None], column: str) -> None:
    await pilot.press("b")
    await shows(pilot, "Group by")
    await choose(pilot, column)
    await until(pilot, lambda: isinstance(pilot.app.screen, GroupsDialog))
    await pilot.pause()


def test_a_group_has_its_count_and_its_total_of_each_currency(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await group_by(pilot, "Day")
        assert "Payments by Day" in text(pilot)
        assert groups(pilot) == [
            ["2026-03-02", "4", *["AUD", "14,600.50", "·", "JPY", "700"]],
            ["2026-03-01", "1", *["1", "without", "value"]],
            ["2026-02-28", "2", *["AUD", "2.00"]],
        ]

    ui.play(scenario)


def test_enter_filters_by_a_group(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "/", *"ref", "enter")
        await group_by(pilot, "Currency")
        await pilot.press("G", "enter")
        await shows(pilot, "ref currency=JPY")
        await shows(pilot, "1 payment · JPY 700")

    ui.play(scenario)


def test_of_rows_without_a_value_the_dialog_says_that_no_filter_finds_them(ui: Dashboard) -> None:
    ui.store.payments.put([replace(payment(9, "1"), payment_type=None)])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await group_by(pilot, "Type")
        await shows(pilot, "enter: filter by it")
        await pilot.press("G")
        await shows(pilot, "a filter cannot find rows without a value · s: sort")
        assert "enter: filter" not in text(pilot)
        await pilot.press("enter", "g")
        await shows(pilot, "enter: filter by it")

    ui.play(scenario)


def test_a_value_with_a_quote_is_filtered_by(ui: Dashboard) -> None:
    ui.store.payments.put([replace(payment(9, "1"), payment_type='a "b" c')])

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await group_by(pilot, "Type")
        await pilot.press("G", "enter")
        await shows(pilot, 'payment_type="a ""b"" c"')
        await shows(pilot, "1 payment · ")

    ui.play(scenario)


def test_only_marked_rows_are_grouped_if_there_are_any(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "space")
        await group_by(pilot, "Type")
        assert "1 marked payments by Type" in text(pilot)
        assert len(groups(pilot)) == 1

    ui.play(scenario)


@pytest.mark.parametrize("column", ["Day", "Recipient", "Type"])
def test_groups_of_a_query_are_those_of_memory_and_filter_alike(
    tmp_path: Path, column: str
) -> None:
    rows = a_book(Random(column), 300)  # noqa: S311 - a test repeats itself
    told: list[tuple[list[list[str]], list[str]]] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "300 payments · ")
        await group_by(pilot, column)
        found = groups(pilot)
        filtered = []
        for place, line in enumerate(group_lines(pilot)):
            if not line.term:
                continue
            await pilot.press(*["j"] * place, "enter")
            await shows(pilot, sum_words(f" {line.sums.rows} payments", "", line.sums, 79))
            filtered.append(lines(pilot)[3])
            await pilot.press("escape")
            await shows(pilot, "300 payments · ")
            await group_by(pilot, column)
        told.append((found, filtered))

    dashboard(rows).play(scenario)
    with cached(tmp_path, rows) as both:
        both.ui.play(scenario)
    assert told[0] == told[1]
    assert told[0][1]


def test_a_list_without_money_has_no_groups() -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("7", "b")
        await shows(pilot, "Recipients have no amounts")

    Dashboard(store=Store()).play(scenario)
