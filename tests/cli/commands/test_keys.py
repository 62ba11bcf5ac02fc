"""`paytui keys`: the table of all keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Paytui

THEIRS = """\
[profiles.acme]
base_url = "https://api.acme.example"
client_id = "desk"
[display]
key_scheme = "vim"
[keys]
list.sort = "f6"
"""


def config_in(folder: Path) -> Path:
    path = folder / "config.toml"
    path.write_text(THEIRS)
    return path


def test_without_a_configuration_the_card_is_that_of_the_default_scheme(paytui: Paytui) -> None:
    done = paytui("keys")
    assert (done.returncode, done.stderr) == (0, "")
    shown = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert shown[0] == "Keys of paytui, scheme default"
    assert "? f1 Help app.help" in shown
    assert "none Suspend app.suspend" in shown
    assert shown.index("Everywhere") < shown.index("/ Filter list.filter")
    assert shown.index("Wallets") < shown.index("n New wallet wallets.new")


def test_it_fits_into_80_columns_and_tells_the_keys_that_hold(paytui: Paytui) -> None:
    done = paytui("keys", "--config", config_in(paytui.home))
    assert max(map(len, done.stdout.splitlines())) <= 80
    shown = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert shown[0] == "Keys of paytui, scheme vim"
    assert "f6 Sort list.sort" in shown
    assert "↓ j n Down list.down" in shown


def test_as_json_each_key_has_its_id_and_each_place_its_groups(paytui: Paytui) -> None:
    card = json.loads(paytui("keys", "--json", "--config", config_in(paytui.home)).stdout)
    assert card["scheme"] == "vim"
    assert {"id": "list.sort", "keys": ["f6"], "does": "Sort"} in card["groups"]["Rows of a list"]
    assert {"id": "app.suspend", "keys": [], "does": "Suspend"} in card["groups"]["Everywhere"]
    assert "Lists" in card["places"]["Recipients"]


@pytest.mark.slow
def test_a_clash_ends_any_start_with_both_names_and_the_line(paytui: Paytui) -> None:
    path = paytui.home / "config.toml"
    path.write_text(f"{THEIRS}list.export = 'f6'\n")
    for command in ("keys", "status"):
        done = paytui(command, "--config", path)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{path}:8: keys.list.export: gives f6 to list.export (Export)" in done.stderr
        assert "list.sort (Sort) has it too" in done.stderr


def test_the_card_loads_no_screens(paytui: Paytui) -> None:
    assert "textual" not in paytui.modules_after("keys")


def test_where_signs_cannot_be_written_the_card_is_in_ascii(paytui: Paytui) -> None:
    done = paytui("keys", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "  v j               Down " in done.stdout
