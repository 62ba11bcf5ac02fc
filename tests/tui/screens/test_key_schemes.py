"""Keys follow the scheme and the configuration, and so does the help."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.binding import Binding
from textual.dom import DOMNode
from textual.pilot import Pilot

from paytui import tui
from paytui.config.key_bindings import CATALOGUE, GROUPS, KEY_CONTEXTS, keymap
from paytui.config.load import load_settings
from paytui.config.settings import Display
from paytui.domain.intent import SendPermission
from paytui.tui.screens.settings import ChangeDialog
from paytui.tui.widgets.ordered_keys import EDITS
from tests.config.loader import MINIMAL
from tests.tui.dashboard import Dashboard, lines, shows, text, until
from tests.tui.test_settings import go_to

WHERE = {
    "Overview": ("1",),
    "Accounts": ("2",),
    "Wallets": ("3",),
    "Trades, Payments, Pay-ins": ("6",),
    "Recipients": ("7",),
    "Activity": ("8",),
    "Pay-in addresses": ("3", "d"),
    "the line of a filter": ("6", "slash"),
    "the details of an object": ("3", "enter"),
    "Settings": ("comma",),
    "Rates": ("4",),
    "tickets": ("t",),
    "the order of a list": ("6", "o"),
    "the views of a list": ("6", "v"),
    "texts in a dialog": ("3", "enter", "v"),
}


@pytest.fixture(autouse=True)
def _sends(ui: Dashboard) -> None:
    """From here things are sent, so that what makes them is there."""
    ui.store.set_sending(SendPermission(allowed=True, why=""))


def declared() -> Iterator[Binding]:
    """All keys of our screens and widgets; those of Textual's inputs edit."""
    for module in pkgutil.walk_packages(tui.__path__, "paytui.tui."):
        for value in vars(importlib.import_module(module.name)).values():
            if isinstance(value, type) and issubclass(value, DOMNode):
                own = vars(value) if value.__module__ == module.name else {}
                yield from (one for one in own.get("BINDINGS", ()) if one not in EDITS)


def with_keys(ui: Dashboard, scheme: str = "default", **own: tuple[str, ...]) -> Dashboard:
    chosen = {name.replace("__", "."): pressed for name, pressed in own.items()}
    return replace(ui, settings=replace(ui.settings, keys=keymap(scheme, chosen)))


async def choose_vim(pilot: Pilot[None]) -> None:
    await pilot.press("comma")
    await shows(pilot, "Keys ")
    await go_to(pilot, "Keys")
    await pilot.press("enter")
    await shows(pilot, "enter: choose")
    await pilot.press("end", "enter")


def footer(pilot: Pilot[None]) -> str:
    return " ".join(lines(pilot)[-1].split())


def test_every_key_has_an_id_of_the_catalogue_and_every_id_is_a_key() -> None:
    for binding in declared():
        key = CATALOGUE.get(binding.id or "")
        assert key is not None, binding
        assert binding.key == key.keys
    assert {binding.id for binding in declared()} == set(CATALOGUE)


@pytest.mark.slow
def test_a_place_has_the_keys_that_the_catalogue_gives_it(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        for place, keys_to_it in WHERE.items():
            await pilot.press("escape", "escape", "escape", "1", *keys_to_it)
            await pilot.pause()
            known = {name for group in KEY_CONTEXTS[place] for name in GROUPS[group]}
            active = {one.binding.id for one in pilot.app.screen.active_bindings.values()}
            assert (place, active - {None} - known) == (place, set())
            assert len(active) > 3

    ui.play(scenario)


@pytest.mark.slow
def test_a_key_of_ones_own_does_it_and_the_old_one_does_not(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "e")
        await pilot.pause()
        assert "The extension decides" not in text(pilot)
        await pilot.press("f6")
        await shows(pilot, "The extension decides")

    with_keys(ui, list__export=("f6",)).play(scenario)


@pytest.mark.slow
def test_what_no_key_does_is_not_told_and_no_key_suspends(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        assert "ctrl+z" not in pilot.app.screen.active_bindings
        await pilot.press("question_mark")
        await shows(pilot, "Everywhere")
        assert "Suspend" not in text(pilot)

    ui.play(scenario, size=(100, 120))


def test_what_suspends_on_request_is_told(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        bound = pilot.app.screen.active_bindings["ctrl+z"].binding
        assert bound.action == "suspend_process"
        await pilot.press("question_mark")
        await shows(pilot, "Suspend")

    with_keys(ui, app__suspend=("ctrl+z",)).play(scenario, size=(100, 120))


@pytest.mark.slow
def test_footer_help_and_palette_tell_the_key_that_holds(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6")
        await shows(pilot, "f6 Sort")
        await pilot.press("question_mark")
        await shows(pilot, "Everywhere")
        assert any("f6" in line and "Sort" in line for line in lines(pilot))
        await pilot.press("escape", "ctrl+p", *"sort")
        await shows(pilot, "Sort (f6)")

    with_keys(ui, list__sort=("f6",)).play(scenario, size=(100, 60))


def test_a_footer_keeps_its_order_whatever_key_is_another(ui: Dashboard) -> None:
    told: list[str] = []

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3")
        await shows(pilot, "New wallet")
        told.append(footer(pilot))

    ui.play(scenario, size=(100, 24))
    with_keys(ui, wallets__new=("f6",)).play(scenario, size=(100, 24))
    assert told[1] == told[0].replace("n New", "f6 New")


@pytest.mark.slow
def test_vim_keys_go_on_open_leave_and_make(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "g", "g")
        await shows(pilot, "▌")
        first = next(line for line in lines(pilot) if "▌" in line)
        await pilot.press("n")
        await until(pilot, lambda: first not in lines(pilot))
        await pilot.press("N")
        await shows(pilot, first)
        await pilot.press("l")
        await shows(pilot, "Wallet id")
        await pilot.press("escape", "slash", *"aud", "enter", "h")
        await shows(pilot, " 4 wallets, by")
        await pilot.press("O")
        await shows(pilot, "New wallet")
        await pilot.press("escape", "colon")
        await shows(pilot, "Search for commands")

    with_keys(ui, "vim").play(scenario)


@pytest.mark.slow
def test_letters_of_a_scheme_are_text_where_one_types(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("3", "slash", *"hlnNO")
        await shows(pilot, "hlnNO")

    with_keys(ui, "vim").play(scenario)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(MINIMAL)
    return path


@pytest.mark.slow
def test_a_scheme_that_is_chosen_holds_at_once_and_at_the_next_start(
    configured: Dashboard, config: Path
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await choose_vim(pilot)
        await until(pilot, lambda: not isinstance(pilot.app.screen, ChangeDialog))
        await pilot.press("escape", "3")
        await shows(pilot, "O New wallet")

    configured.play(scenario)
    assert load_settings(config, {}).display == Display(key_scheme="vim")


@pytest.mark.slow
def test_a_scheme_holds_although_one_leaves_while_it_is_being_kept(
    configured: Dashboard,
) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await choose_vim(pilot)
        await pilot.press("escape", "escape", "3")
        await shows(pilot, "O New wallet")

    configured.play(scenario)


@pytest.mark.slow
def test_a_scheme_that_clashes_with_keys_of_ones_own_is_told_and_not_taken(
    ui: Dashboard, tmp_path: Path
) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'{MINIMAL}[keys]\nlist.export = "O"\n')

    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await choose_vim(pilot)
        await shows(pilot, "list.export (Export)")
        await pilot.press("escape", "escape", "3")
        await shows(pilot, "n New wallet")

    replace(ui, settings=load_settings(config, {})).play(scenario, size=(100, 30))


def test_words_name_the_keys_that_hold(ui: Dashboard) -> None:
    async def scenario(_: Dashboard, pilot: Pilot[None]) -> None:
        await pilot.press("6", "v")
        await shows(pilot, "f6: save the view · f7: delete")
        await pilot.press("escape", "2", "enter", "G")
        await shows(pilot, "Shown by f8")
        await pilot.press("escape", "comma")
        await shows(pilot, "Times")
        await go_to(pilot, "Times")
        await pilot.press("enter")
        await shows(pilot, "`f9` switches")

    own = {
        "views__save": ("f6",),
        "views__forget": ("f7",),
        "detail__raw": ("f8",),
        "app__zone": ("f9",),
    }
    with_keys(ui, "default", **own).play(scenario)
