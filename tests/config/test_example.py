"""The example of a configuration."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.schema import (
    AlertsTable,
    CacheTable,
    ConfigFile,
    DisplayTable,
    LockTable,
    OverviewTable,
    PollingTable,
    ProfileTable,
    RatesTable,
    RecipientTable,
    TrackTable,
    WebhooksTable,
)
from paytui.platform.files import shipped_path
from tests.config.loader import MINIMAL, Loader

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
        assert set(tree["polling"]) == set(PollingTable.names())
        assert set(tree["rates"]) == set(RatesTable.names())
        assert set(tree["overview"]) == set(OverviewTable.names())
        assert set(tree["alerts"]) == set(AlertsTable.names())
        assert set(tree["display"]) == set(DisplayTable.names())
        [recipient] = tree["profiles"]["acme"]["recipients"].values()
        assert set(recipient) == set(RecipientTable.names())
        assert set(tree["lock"]) == set(LockTable.names())
        assert set(tree["cache"]) == set(CacheTable.names())
        assert set(tree["webhooks"]) == set(WebhooksTable.names())
        assert set(tree["track"]) == set(TrackTable.names())

    def test_what_it_shows_as_defaults_are_the_defaults(self, load: Loader) -> None:
        shown = load_settings(ROOT / "config.example.toml", {})
        default = load(MINIMAL)
        assert shown.polling == default.polling
        assert shown.rates == default.rates
        assert shown.overview == default.overview
        assert shown.floors == default.floors
        assert shown.alerts == default.alerts
        assert shown.display == default.display
        assert shown.keys == default.keys
        assert shown.webhooks == default.webhooks

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
