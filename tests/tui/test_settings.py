"""The Settings screen: changes apply at once, are kept, and are valid in a file."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from paytui.config.load import load_settings
from paytui.domain.models import Kind
from tests.support.operator import OperatorsFile
from tests.tui.dashboard import Dashboard, lines, shows, text, until

THEIRS = """\
# mine
[profiles.acme]
base_url = "https://api.acme.example"
client_id = "desk"
confirm_above = { AUD = "1000" }
[display]
theme = "light"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(THEIRS)
    return path


async def go_to(pilot: Pilot[None], name: str) -> None:
    """Put the cursor on a setting that is on view."""
    names = [line.replace("▌", " ").strip() for line in lines(pilot)[3:]]
    place = next(place for place, line in enumerate(names) if line.startswith(name))
    await pilot.press("home", *["down"] * place)
    await shows(pilot, f"▌ {name}")


def line_of(pilot: Pilot[None], name: str) -> str:
    [line] = [line for line in lines(pilot) if name in line]
    return " ".join(line.replace("▌", "").split())


def test_each_setting_says_what_it_is_and_who_said_so(configured: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "Theme")
        assert line_of(pilot, "Theme") == "Theme light config.toml:7"
        assert (
            line_of(pilot, "AUD amounts above") == "Retype AUD amounts above 1,000.00 config.toml"
        )
        assert line_of(pilot, "Read wallets every") == "Read wallets every 5s default"
        assert "are saved beside your configuration" in text(pilot)

    configured.play(scenario, size=(80, 40))


def test_a_theme_is_chosen_and_seen_at_once(configured: Dashboard, config: Path) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "Theme")
        await pilot.press("enter")
        await shows(pilot, "enter: choose")
        await pilot.press("home", "enter")
        await until(pilot, lambda: pilot.app.theme == "16-colour")
        await shows(pilot, "16-colour  ")
        assert line_of(pilot, "Theme") == "Theme 16-colour config.saved.toml"
        await pilot.press("u")
        await until(pilot, lambda: pilot.app.theme == "light")

    configured.play(scenario)
    assert config.read_text() == THEIRS


def test_what_is_typed_is_judged_and_can_be_mended(configured: Dashboard) -> None:
    async def scenario(configured: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "Read wallets every")
        await go_to(pilot, "Read wallets every")
        await pilot.press("enter", *"often", "enter")
        await shows(pilot, "must be a duration")
        await pilot.press(*["backspace"] * 5, *"20s", "enter")
        await until(pilot, lambda: bool(configured.port.intervals))
        assert configured.port.intervals[-1][Kind.WALLETS] == timedelta(seconds=20)

    configured.play(scenario, size=(80, 40))


@pytest.mark.slow
def test_a_limit_holds_for_the_next_confirmation_and_the_next_run(
    configured: Dashboard, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "AUD amounts above")
        await go_to(pilot, "Retype AUD amounts above")
        await pilot.press("enter", *"2,500", "enter")
        await shows(pilot, "2,500.00")

    configured.play(scenario, size=(80, 40))
    assert load_settings(config, {}).profile.confirm_above == {"AUD": Decimal(2500)}


def test_without_a_file_it_is_said_that_it_lasts_for_this_run(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "last until you quit")

    ui.play(scenario)


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_said_and_nothing_changes(
    configured: Dashboard, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "Theme")
        config.with_name("config.saved.toml").mkdir()
        await pilot.press("enter")
        await shows(pilot, "enter: choose")
        await pilot.press("home", "enter")
        await shows(pilot, "cannot be read")
        assert pilot.app.theme == "light"

    configured.play(scenario)


@pytest.mark.slow
def test_what_the_operator_of_the_machine_set_is_said_to_be_theirs_and_stays(
    ui: Dashboard, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators_file = OperatorsFile(tmp_path / "operator", monkeypatch)
    operators_file.says('[limits]\nconfirm_above = { AUD = "500" }\n')
    held = replace(ui, settings=load_settings(config, {}))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "AUD amounts above")
        assert "500.00 set by the operator" in line_of(pilot, "AUD amounts above")
        await go_to(pilot, "Retype AUD amounts above")
        before = pilot.app.screen
        await pilot.press("enter")
        await shows(pilot, str(operators_file.path)[-20:])
        assert pilot.app.screen is before

    held.play(scenario, size=(160, 40))
    assert load_settings(config, {}).profile.confirm_above == {"AUD": Decimal(500)}


def test_what_the_operator_has_typed_on_a_profile_that_is_not_live_is_its_limit(
    ui: Dashboard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OperatorsFile(tmp_path / "operator", monkeypatch).says(
        '[limits]\nconfirm_above = { AUD = "500" }\n'
    )
    config = tmp_path / "config.toml"
    config.write_text(THEIRS.replace('confirm_above = { AUD = "1000" }', "live = false"))
    bound = replace(ui, settings=load_settings(config, {}))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("comma")
        await shows(pilot, "AUD amounts above")
        assert "Retype AUD amounts above 500.00" in line_of(pilot, "AUD amounts above")
        await go_to(pilot, "Retype AUD amounts above")
        await pilot.press("enter")
        await shows(pilot, "the operator's limit")

    bound.play(scenario)


@pytest.mark.slow
def test_that_the_operator_has_made_it_read_only_is_said_with_where(
    ui: Dashboard, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators_file = OperatorsFile(tmp_path / "operator", monkeypatch)
    operators_file.says("read_only = true\n")
    held = replace(ui, settings=load_settings(config, {}))

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("t")
        await until(pilot, lambda: bool(pilot.app._notifications))
        [toast] = pilot.app._notifications
        by = f"set by the operator, {operators_file.path}:1"
        assert toast.message == f"This profile is read-only, {by}: nothing is sent from here."

    held.play(scenario)
