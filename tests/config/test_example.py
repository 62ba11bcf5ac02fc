"""The example of a configuration."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.settings import (
    AmountLimits,
    ApprovalSettings,
    ConfigFile,
    DaySettings,
    DeskSettings,
    ProfileTable,
)
from paytui.config.user_files import example
from paytui.config.validation import Table
from paytui.platform.files import shipped_path
from tests.config.loader import MINIMAL, Loader, uncommented

EXAMPLE = Path(__file__).parents[2] / "config.example.toml"


class TestExample:
    def test_it_is_what_the_settings_declare(self) -> None:
        """Once a setting has changed, run `paytui config example > config.example.toml`."""
        assert EXAMPLE.read_text(encoding="utf-8") == example()

    def test_with_every_entry_in_use_it_loads_and_leaves_none_out(self, load: Loader) -> None:
        text = uncommented(EXAMPLE.read_text(encoding="utf-8"))
        assert load(text).profile.name == "acme"
        tree = tomllib.loads(text)
        acme = tree["profiles"]["acme"]
        sections = [each for each in ConfigFile().entries().items() if isinstance(each[1], Table)]
        tables: dict[type[Table], Mapping[str, object]] = {
            ConfigFile: tree,
            ProfileTable: acme,
            AmountLimits: acme["recipients"]["RECIPIENT-ID"],
            DeskSettings: acme["desk"],
            ApprovalSettings: acme["desk"]["approval"],
            DaySettings: acme["desk"]["day"],
            **{type(at): tree[name] for name, at in sections},
        }
        for table, written in tables.items():
            assert set(table.names()) == set(written), table
            assert set(table.explanations()) == {"", *written}, table

    def test_as_it_is_it_changes_no_default(self, load: Loader) -> None:
        shown, default = load_settings(EXAMPLE, {}), load(MINIMAL)
        profile = replace(shown.profile, base_url=default.profile.base_url, file=load.path)
        assert replace(shown, profile=profile, origins=default.origins) == default

    def test_it_is_found_with_the_themes(self) -> None:
        assert shipped_path("config.example.toml").read_text() == EXAMPLE.read_text()
        assert {"dark.toml", "light.toml"} <= {
            file.name for file in shipped_path("themes").iterdir()
        }
        with pytest.raises(FileNotFoundError, match="not installed completely"):
            shipped_path("no-such-asset")
