"""The example of a configuration."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from paytui.config.load import load_settings, read_document, sections_of
from paytui.config.settings import AmountLimits, ConfigFile, ProfileTable
from paytui.config.validation import Table
from paytui.platform.files import shipped_path
from tests.config.loader import MINIMAL

ROOT = Path(__file__).parents[2]


class TestExample:
    def test_it_loads_as_it_is(self) -> None:
        settings = load_settings(ROOT / "config.example.toml", {})
        assert settings.profile.name == "acme"

    def test_it_shows_every_key_that_there_is(self) -> None:
        text = (ROOT / "config.example.toml").read_text()
        left_out = (
            "# dialect =",
            "# tint =",
            "# reporting_currency =",
            "# folder =",
            "# path =",
            "# secret_command =",
            "# secret_file =",
            "# secret_keyring =",
            "# ca_file =",
            "# certificate_sha256 =",
            "# client_cert_file =",
            "# client_key_file =",
            "# proxy =",
            "# token_file =",
        )
        uncommented = "\n".join(
            line.removeprefix("# ") if line.startswith(left_out) else line
            for line in text.splitlines()
        )
        tree = tomllib.loads(uncommented)
        assert set(tree) == set(ConfigFile.names())
        assert set(tree["profiles"]["acme"]) == set(ProfileTable.names())
        [recipient] = tree["profiles"]["acme"]["recipients"].values()
        assert set(recipient) == set(AmountLimits.names())
        sections = {
            name: at for name, at in ConfigFile().entries().items() if isinstance(at, Table)
        }
        assert sections.keys() >= {"polling", "outbox", "columns", "track"}
        del sections["views"]  # an example of some lists is enough
        for name, section in sections.items():
            assert (name, set(tree[name])) == (name, set(section.names()))

    def test_what_it_shows_as_defaults_are_the_defaults(self, tmp_path: Path) -> None:
        minimal = tmp_path / "config.toml"
        minimal.write_text(MINIMAL, encoding="utf-8")
        shown = sections_of(read_document(ROOT / "config.example.toml"))
        default = sections_of(read_document(minimal))
        del shown["lock"], default["lock"]  # has none to show
        assert shown == default
        assert (
            load_settings(ROOT / "config.example.toml", {}).keys == load_settings(minimal, {}).keys
        )

    def test_it_is_found_with_the_themes(self) -> None:
        assert (
            shipped_path("config.example.toml").read_text()
            == (ROOT / "config.example.toml").read_text()
        )
        assert {"dark.toml", "light.toml"} <= {
            file.name for file in shipped_path("themes").iterdir()
        }
        with pytest.raises(FileNotFoundError, match="not installed completely"):
            shipped_path("no-such-asset")
