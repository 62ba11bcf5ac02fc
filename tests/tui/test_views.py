"""Named views: saved arrangements of a list, opened by a key and a name."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.api.dialect import load_dialect
from paytui.cli.wiring.compose import vocabulary_of
from paytui.config.load import load_settings
from paytui.domain.models import Kind
from paytui.tui.list_dialogs import built_in_views
from tests.tui.dashboard import Dashboard, lines, shows, text, until

THEIRS = """\
[profiles.acme]
base_url = "https://api.acme.example"
client_id = "desk"
live = false
[views.payments.held]
filter = "rejected"
sort = ["amount", "-created"]
columns = ["amount", "ccy", "state"]
[views.payments.wrong]
filter = "amount>many"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(THEIRS)
    return path


def title(pilot: Pilot[None]) -> str:
    return " ".join(lines(pilot)[2].split())


@pytest.mark.slow
def test_a_view_brings_its_filter_its_order_and_its_columns(configured: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v")
        await shows(pilot, "default")
        await pilot.press("j", "enter")
        await shows(pilot, "1 payment, view held, filtered, by Amount per currency, then Created ▼")
        assert lines(pilot)[4].split() == ["▲1", "Amount", "Ccy", "Status"]
        assert "2,500.50" not in text(pilot)

    configured.play(scenario)


@pytest.mark.slow
def test_the_list_as_it_comes_is_a_view_too(configured: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "3 payments, by Created ▼")
        before = lines(pilot)
        await pilot.press("v", "j", "enter")
        await shows(pilot, "view held")
        await pilot.press("v", "home", "enter")
        await until(pilot, lambda: lines(pilot) == before)

    configured.play(scenario)


def test_what_is_on_view_is_saved_under_a_name_and_the_file_stays_as_it_is(
    configured: Dashboard, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "slash", *"payout", "enter", "s")
        await pilot.press("v", "n", *"my own", "enter")
        await shows(pilot, "▌ my own")
        await pilot.press("escape")
        await until(pilot, lambda: "view my own" in title(pilot))

    configured.play(scenario)
    assert config.read_text() == THEIRS
    view = load_settings(config, {}).views["payments"]["my own"]
    assert view.filter == "payout"
    assert view.sort == (("type", False),)


def test_a_view_that_was_saved_here_is_forgotten_and_one_of_the_file_is_not(
    configured: Dashboard, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v", "n", *"aside", "enter")
        await shows(pilot, "▌ aside")
        await pilot.press("d")
        await until(pilot, lambda: "aside" not in text(pilot))
        await pilot.press("home", "down", "d")
        await shows(pilot, "held is in your configuration")

    configured.play(scenario)
    assert set(load_settings(config, {}).views["payments"]) == {"held", "wrong"}


def test_a_view_whose_filter_cannot_be_understood_says_so_and_hides_nothing(
    configured: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v", "down", "down", "enter")
        await until(pilot, lambda: "needs a number" in title(pilot))
        assert "2,500.50" in text(pilot)

    configured.play(scenario)


@pytest.mark.slow
def test_the_name_goes_once_it_is_no_longer_looked_at_so(configured: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v", "j", "enter")
        await shows(pilot, "view held")
        await pilot.press("S")
        await until(pilot, lambda: "view held" not in title(pilot))

    configured.play(scenario)


def test_built_in_views_stand_below_those_that_were_saved(configured: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v")
        await shows(pilot, "Over 100k")
        names = [line[4:24].strip(" │▌") for line in lines(pilot)]
        assert [name for name in names if name in VIEWS] == VIEWS
        await pilot.press("down", "down", "down", "d")
        await shows(pilot, "Open is built in and cannot be deleted.")
        await pilot.press("enter")
        await shows(pilot, "1 payment, view Open, filtered")
        assert "processing" in text(pilot)

    configured.play(scenario)


VIEWS = ["default", "held", "wrong", "Open", "Failed today", "In review", "Over 100k"]


@pytest.mark.parametrize(
    ("kind", "is_updated", "expected"),
    [
        # service.md, the states of each; a released payment needs no more from us
        (
            Kind.PAYMENTS,
            True,
            {
                "Open": "-status=released,completed,rejected,cancelled,failed,returned",
                "Failed today": "status=failed,rejected,returned updated:today",
                "In review": "status=compliance_review",
                "Over 100k": "amount>100k",
            },
        ),
        (
            Kind.TRADES,
            False,
            {
                "Open": "-status=exchanged,rejected,failed",
                "Failed today": "status=failed,rejected created:today",
                "In review": "status=compliance_review",
                "Over 100k": "amount>100k",
            },
        ),
        (Kind.ACCOUNTS, False, {}),
    ],
)
def test_built_in_views_name_the_states_of_the_dialect(
    kind: Kind, is_updated: bool, expected: dict[str, str]
) -> None:
    views = built_in_views(kind, vocabulary_of(load_dialect()), is_updated=is_updated)
    assert {name: view.filter for name, view in views.items()} == expected
