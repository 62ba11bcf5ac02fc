"""Key bindings in a configuration: a scheme, and bindings of the user's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paytui.config.key_bindings import key_conflicts, keymap
from tests.config.loader import MINIMAL, Loader

ROOT = Path(__file__).parents[2]


def test_without_a_word_of_keys_they_are_those_of_the_default_scheme(load: Loader) -> None:
    keys = load(MINIMAL).keys
    assert (keys["list.sort"], keys["list.down"], keys["ticket.confirm"]) == (
        "s",
        "down,j",
        "enter",
    )
    assert load(MINIMAL).origins["display.key_scheme"] == "default"


def test_the_vim_scheme_goes_on_with_n_leaves_with_h_and_makes_with_capital_o(load: Loader) -> None:
    keys = load(f'{MINIMAL}[display]\nkey_scheme = "vim"\n').keys
    assert keys["list.down"] == "down,j,n"
    assert keys["list.unfilter"] == "escape,h"
    assert keys["wallets.new"] == "O"
    assert keys["list.first"] == "home,g"  # so that gg goes there
    assert keys["list.filter"] == "slash"


@pytest.mark.parametrize("scheme", ["default", "vim"])
def test_no_scheme_has_one_key_for_two_things_in_one_place(scheme: str) -> None:
    assert list(key_conflicts(keymap(scheme))) == []


@pytest.mark.parametrize("scheme", ["default", "vim"])
def test_no_scheme_takes_a_key_that_terminals_and_tmux_keep_for_themselves(scheme: str) -> None:
    pressed = {key for keys in keymap(scheme).values() for key in keys.split(",")}
    assert not pressed & {"ctrl+a", "ctrl+b", "ctrl+s", "ctrl+q", "ctrl+z"}


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ('list.sort = "f6"', "f6"),
        ('list.sort = ["F6", "#"]', "f6,number_sign"),
        ('list.sort = "-"', "minus"),
        ('list.sort = "Ctrl+T"', "ctrl+t"),
    ],
)
def test_a_key_is_written_as_people_write_it(load: Loader, written: str, keys: str) -> None:
    settings = load(f"{MINIMAL}[keys]\n{written}\n")
    assert settings.keys["list.sort"] == keys
    assert settings.keys["list.export"] == "e"


def test_own_keys_go_before_a_scheme_and_replace_its_letters(load: Loader) -> None:
    text = f'{MINIMAL}[keys]\nlist.down = "J"\n[display]\nkey_scheme = "vim"\n'
    assert load(text).keys["list.down"] == "J,down"


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("ticket.leave", "escape"),
        ("screen.trades", "5"),
        ("app.quit", "ctrl+c"),
    ],
)
def test_keys_that_words_name_and_the_way_out_stay_beside_ones_own(
    load: Loader, name: str, stays: str
) -> None:
    assert load(f'{MINIMAL}[keys]\n{name} = "f12"\n').keys[name] == f"f12,{stays}"


def test_an_id_that_there_is_not_is_told_with_the_nearest_and_its_line(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.sort = "f6"\nlist.exprot = "f7"\n')
    assert (error.file, error.key, error.line) == (load.path, "keys.list.exprot", 6)
    assert error.message == "is not the id of a key"
    assert error.remedy == "Did you mean list.export? `paytui keys` lists them all."


@pytest.mark.parametrize("name", ["xyzzy", "token"])
def test_an_id_that_is_like_none_leads_to_the_list_of_all(load: Loader, name: str) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\n{name} = "f6"\n')
    assert error.remedy == "`paytui keys` lists them all."


def test_a_key_that_there_is_not_is_told_with_the_nearest(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.sort = "pagdown"\n')
    assert (error.key, error.line, error.message) == ("keys.list.sort", 5, "names no key")
    assert error.remedy.startswith("Did you mean pagedown?")


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("ctrl+b", "terminals, tmux and screen reserve it"),
        ("ctrl+m", "terminals send the same for backspace, tab or enter"),
        ("ctrl+c", "it always quits"),
    ],
)
def test_a_key_that_nobody_could_press_is_refused_with_the_reason(
    load: Loader, key: str, why: str
) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.sort = "{key}"\n')
    assert error.message == f"cannot be {key}: {why}"
    assert "ctrl+d" in error.remedy


def test_nothing_suspends_unless_it_is_asked_for(load: Loader) -> None:
    assert load(MINIMAL).keys["app.suspend"] == "none"
    for written in ("ctrl+z", "Ctrl+Z"):
        assert load(f'{MINIMAL}[keys]\napp.suspend = "{written}"\n').keys["app.suspend"] == "ctrl+z"


def test_ctrl_z_does_nothing_else(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.sort = "ctrl+z"\n')
    assert error.message.startswith("cannot be ctrl+z: terminals, tmux and screen reserve it")


def test_what_has_no_key_is_not_given_one_by_that_name(load: Loader) -> None:
    assert load.refusal(f'{MINIMAL}[keys]\nlist.sort = "none"\n').message == "names no key"


@pytest.mark.parametrize("name", ["ticket.add", "ticket.requote"])
def test_a_character_is_no_key_where_one_types(load: Loader, name: str) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\n{name} = "k"\n')
    assert error.message == "cannot be a character: it is typed there"


@pytest.mark.parametrize("value", ["3", "[]", '""', '["f6", ""]'])
def test_what_names_no_key_is_refused_at_its_line(load: Loader, value: str) -> None:
    error = load.refusal(f"{MINIMAL}[keys]\nlist.sort = {value}\n")
    assert (error.key, error.line) == ("keys.list.sort", 5)


def test_two_things_on_one_key_in_one_place_are_told_with_both_names_and_the_line(
    load: Loader,
) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.sort = "e"\n')
    assert (error.key, error.line) == ("keys.list.sort", 5)
    assert error.message.startswith("gives e to list.sort (Sort), and list.export (Export) has it")


def test_of_two_of_ones_own_that_clash_the_one_below_is_told(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nwallets.new = "f6"\nlist.copy = "f6"\n')
    assert (error.key, error.line) == ("keys.list.copy", 6)
    assert "list.copy (Copy identifier), and wallets.new (New wallet)" in error.message


def test_one_key_may_do_two_things_in_two_places(load: Loader) -> None:
    load(f'{MINIMAL}[keys]\nwallets.new = "f6"\nrecipients.new = "f6"\n')


def test_a_key_that_moved_away_is_free(load: Loader) -> None:
    keys = load(f'{MINIMAL}[keys]\nlist.sort = "e"\nlist.export = "s"\n').keys
    assert (keys["list.sort"], keys["list.export"]) == ("e", "s")


def test_a_scheme_that_takes_what_a_key_of_ones_own_has_is_refused(load: Loader) -> None:
    error = load.refusal(f'{MINIMAL}[keys]\nlist.export = "O"\n[display]\nkey_scheme = "vim"\n')
    assert error.key == "keys.list.export"
    assert "accounts.new_individual" in error.message


def test_the_keys_of_the_example_can_be_had(load: Loader) -> None:
    text = (ROOT / "config.example.toml").read_text(encoding="utf-8")
    table = re.search(r"\n\[keys\]\n((?:#.*\n)+)", text)
    assert table
    wanted = "".join(line.removeprefix("#") for line in table[1].splitlines(keepends=True))
    assert load(f"{MINIMAL}[keys]\n{wanted}").keys["list.sort"] == "O"
