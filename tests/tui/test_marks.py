"""Marked rows of lists: what shows them, what keeps them, and what acts on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.domain.intent import SendPermission
from tests.tui.book import payment
from tests.tui.dashboard import Dashboard, lines, settings_of, shows, text, until
from tests.tui.test_filtering import type_in


def marked(pilot: Pilot[None]) -> list[str]:
    """Return the lines of marked rows, from their time of creation on."""
    return [line[2:].strip(" ▐") for line in lines(pilot) if line[1:2] == "*"]


def amounts(pilot: Pilot[None]) -> list[str]:
    return [line.split("AUD")[0].split()[-1] for line in marked(pilot)]


@pytest.mark.parametrize("theme", ["dark", "monochrome"])
def test_space_marks_a_row_and_goes_to_the_next(ui: Dashboard, theme: str) -> None:
    ui.settings = settings_of(theme=theme)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "space", "space")
        await shows(pilot, "3 payments, 2 marked, by Created")
        assert amounts(pilot) == ["12,000.00", "2,500.50"]
        await pilot.press("g", "space")  # again
        await shows(pilot, "1 marked")
        assert amounts(pilot) == ["2,500.50"]
        await pilot.press("G", "space")  # the last one has no next
        assert amounts(pilot) == ["2,500.50", "100.00"]
        assert next(line for line in lines(pilot) if line.startswith("▌*"))

    ui.play(scenario)


def test_marks_stay_on_their_rows(ui: Dashboard) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "j", "space", "S")
        ui.store.payments.put([payment(9, "77.77"), payment(8, "8")])
        ui.store.notify()
        await shows(pilot, "5 payments")
        assert amounts(pilot) == ["2,500.50"]
        await type_in(pilot, "ref 9")
        await shows(pilot, "filtered, 1 marked (1 hidden)")
        await pilot.press("enter", "space")
        await shows(pilot, "2 marked (1 hidden)")
        await pilot.press("/", "escape")  # which leaves the filter, but no mark
        await shows(pilot, "5 payments, 2 marked, by")
        ui.store.payments.remove([payment(2, "1").payment_transaction_id])
        ui.store.notify()
        await shows(pilot, "4 payments, 1 marked")
        assert amounts(pilot) == ["77.77"]

    ui.play(scenario)


def test_esc_unmarks_before_it_shows_all_rows(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        await pilot.press("enter", "space")
        await shows(pilot, "1 marked")
        await pilot.press("escape")
        await until(pilot, lambda: "marked" not in text(pilot))
        assert "2 payments, filtered" in text(pilot)
        await pilot.press("escape")
        await shows(pilot, "3 payments, by")

    ui.play(scenario)


def test_a_space_in_a_filter_is_text(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "ref 2")
        await shows(pilot, "1 payment, filtered, by")

    ui.play(scenario)


def test_the_identifiers_of_marked_rows_are_copied_in_the_order_of_the_list(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "G", "space", "g", "space", "y")
        await shows(pilot, "copied 2 identifiers")
        assert pilot.app.clipboard == "pay-3\npay-1"
        await pilot.press("D")
        await shows(pilot, "copied 2 deal tickets")
        tickets = pilot.app.clipboard
        assert 0 < tickets.index("pay-3") < tickets.index("pay-1")

    ui.play(scenario)


def test_marked_rows_are_exported(
    ui: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "G", "space", "g", "space", "e")
        await shows(pilot, "Export 2 marked payments")
        await pilot.press("enter")
        await shows(pilot, "written to")

    ui.play(scenario)
    (file,) = tmp_path.iterdir()
    found = [line.split(",")[0] for line in file.read_text().splitlines()[1:]]
    assert found == ["pay-3", "pay-1"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (("j", "space"), "2,500.50"),  # not the row under the cursor
        (("space", "space"), "2 rows are marked, and money moves one at a time"),
    ],
)
def test_only_one_marked_payment_is_repeated(
    ui: Dashboard, keys: Sequence[str], expected: str
) -> None:
    ui.store.set_sending(SendPermission(allowed=True, why=""))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", *keys, "P")
        await shows(pilot, expected)
        assert ("Payout" in text(pilot)) == ("2,500.50" in expected)

    ui.play(scenario)
