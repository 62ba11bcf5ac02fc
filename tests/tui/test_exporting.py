"""`e` writes exactly the rows of a list."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from paytui.domain.models import Kind
from paytui.store.health import Feed
from tests.tui.book import failed, payment
from tests.tui.dashboard import Dashboard, shows, text, until
from tests.tui.test_filtering import type_in


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which the dashboard was started."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def name(pilot: Pilot[None], file: str) -> None:
    """Put another name into the dialog."""
    pilot.app.screen.query_one(Input).value = file


def test_what_is_filtered_and_sorted_is_written(ui: Dashboard, folder: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>1k")
        await pilot.press("enter", "S", "e")  # the oldest first
        await shows(pilot, "Export 2 payments")
        await pilot.press("enter")
        await shows(pilot, "2 rows written to")
        assert "enter: close" in text(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "written to" not in text(pilot))

    ui.play(scenario)
    (file,) = folder.iterdir()
    assert file.name == "payments-20260302-120000.csv"
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert [(row["payment_transaction_id"], row["amount"]) for row in rows] == [
        ("pay-2", "2500.5"),
        ("pay-3", "12000"),
    ]


def test_a_filter_that_is_not_understood_exports_nothing(ui: Dashboard, folder: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await type_in(pilot, "amount>lots")
        await pilot.press("enter", "e")
        await shows(pilot, "Invalid filter, nothing exported")
        assert "Export 3 payments" not in text(pilot)

    ui.play(scenario)
    assert not list(folder.iterdir())


def test_rows_are_those_that_were_shown_when_the_key_was_pressed(
    ui: Dashboard, folder: Path
) -> None:
    async def scenario(ui: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "e")
        ui.store.payments.put([payment(9, "9")])
        ui.store.notify()
        await shows(pilot, "Export 3 payments")
        name(pilot, "mine.jsonl")
        await pilot.press("enter")
        await shows(pilot, "written to")

    ui.play(scenario)
    lines = (folder / "mine.jsonl").read_text().splitlines()
    assert [json.loads(line)["payment_transaction_id"] for line in lines] == [
        "pay-3",
        "pay-2",
        "pay-1",
    ]


def test_rows_that_are_missing_are_told_before_and_after(ui: Dashboard, folder: Path) -> None:
    ui.store.set_feed(Feed(Kind.PAYMENTS))
    failed(ui.store, Kind.PAYMENTS, "503")
    missing = "The list is incomplete: payments read in part: 503, since 14:02"

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "e")
        await shows(pilot, "Export 3+ payments")
        assert missing in text(pilot)
        name(pilot, "mine.csv")
        await pilot.press("enter")
        await shows(pilot, "3+ rows written to")
        assert missing in text(pilot)
        await pilot.press("enter", "space", "e")  # one that is marked is all of what is marked
        await shows(pilot, "Export 1 marked payment")
        assert missing not in text(pilot)

    ui.play(scenario, size=(200, 24))


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("there.csv", "exists and is not overwritten"),
        ("mine.xls", "must end in .csv"),
    ],
)
def test_a_name_that_cannot_be_used_is_asked_for_again(
    ui: Dashboard, folder: Path, file: str, words: str
) -> None:
    (folder / "there.csv").write_text("precious")

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "e")
        name(pilot, file)
        await pilot.press("enter")
        await shows(pilot, words)
        name(pilot, "other.json")
        await pilot.press("enter")
        await shows(pilot, "written to")

    ui.play(scenario, size=(200, 24))
    assert (folder / "there.csv").read_text() == "precious"
    assert len(json.loads((folder / "other.json").read_text())) == 3


@pytest.mark.slow
def test_esc_writes_nothing(ui: Dashboard, folder: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "e", "escape")
        assert "Export" not in text(pilot).replace("e Export", "")

    ui.play(scenario)
    assert list(folder.iterdir()) == []
