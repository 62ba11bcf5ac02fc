"""Values read from a configuration, and defaults for the rest."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from paytui.config.load import config_path
from paytui.config.validation import key_lines
from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from tests.config.loader import MINIMAL, Loader


class TestWhatIsRead:
    def test_two_lines_are_enough_and_count_as_live_until_they_say_otherwise(
        self, load: Loader
    ) -> None:
        settings = load(MINIMAL)
        assert settings.profile.name == "acme"
        assert settings.profile.base_url == "https://api.acme.example"
        assert settings.profile.client_id == "acme-desk"
        assert settings.profile.live
        assert not settings.profile.read_only
        assert settings.display.time_zone == "UTC"
        assert settings.polling.intervals[Kind.WALLETS] == timedelta(seconds=5)

    def test_the_host_is_shown_with_its_port(self, load: Loader) -> None:
        settings = load(MINIMAL.replace("acme.example", "acme.example:8443/base/"))
        assert settings.profile.host == "api.acme.example:8443"
        assert settings.profile.base_url == "https://api.acme.example:8443/base"

    @pytest.mark.parametrize(
        ("written", "seconds"),
        [("7", 7.0), ("2.5", 2.5), ('"30s"', 30.0), ('"1.5 h"', 5400.0)],
    )
    def test_durations_are_seconds_or_have_a_unit(
        self, load: Loader, written: str, seconds: float
    ) -> None:
        settings = load(f"{MINIMAL}[polling]\npayments = {written}\n")
        assert settings.polling.intervals[Kind.PAYMENTS].total_seconds() == seconds

    def test_nothing_is_polled_faster_than_the_floor(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}[polling]\nfloor = "8s"\ntrades = 2\nrecipients = "20s"\n')
        seconds = {kind: at.total_seconds() for kind, at in settings.polling.intervals.items()}
        assert min(seconds.values()) == 8
        assert seconds[Kind.RECIPIENTS] == 20
        assert settings.origins["polling.trades"] == "config.toml:6, raised to the floor"
        assert settings.origins["polling.wallets"] == "default, raised to the floor"

    def test_a_quarter_of_a_second_becomes_a_whole_one(self, load: Loader) -> None:
        settings = load(f"{MINIMAL}[polling]\nwallets = 0.25\n")
        assert settings.polling.intervals[Kind.WALLETS] == timedelta(seconds=1)

    def test_pairs_are_in_the_services_direction_and_named_once(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}[rates]\nwatch = ["aud/usd", "USD/AUD", "AUD/USD"]\n')
        aud, usd = CurrencyCode("AUD"), CurrencyCode("USD")
        assert settings.rates.watch == (Pair(sell=aud, buy=usd), Pair(sell=usd, buy=aud))

    def test_files_are_named_relative_to_the_configuration(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}secret_file = "a.secret"\ndialect = "/etc/acme.toml"\n')
        assert settings.profile.secret_file == load.path.parent / "a.secret"
        assert settings.profile.dialect == Path("/etc/acme.toml")

    def test_the_home_folder_may_be_written_short(
        self, load: Loader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("HOME", "/home/trader")
        settings = load(f'{MINIMAL}secret_file = "~/a.secret"\n')
        assert settings.profile.secret_file == Path("/home/trader/a.secret")

    def test_what_is_shown_is_cleaned(self, load: Loader) -> None:
        settings = load(f'{MINIMAL}description = "desk \\u202eevil"\n')
        assert settings.profile.description == "desk evil"


class TestWhereItIs:
    def test_the_command_line_goes_before_the_environment(self) -> None:
        environ = {"PAYTUI_CONFIG": "/env.toml"}
        assert config_path(Path("/option.toml"), environ) == Path("/option.toml")
        assert config_path(None, environ) == Path("/env.toml")

    def test_else_it_is_in_the_users_own_folder(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", "/home/trader/.config")
        assert config_path(None, {}) == Path("/home/trader/.config/paytui/config.toml")


TWO = MINIMAL + MINIMAL.replace("acme", "beta")


class TestWhichProfile:
    def test_the_only_one_needs_no_choice(self, load: Loader) -> None:
        assert load(MINIMAL).origins["profile"] == "the only one"

    def test_command_line_then_environment_then_default(self, load: Loader) -> None:
        text = f'default_profile = "acme"\n{TWO}'
        environ = {"PAYTUI_PROFILE": "beta"}
        assert load(text).profile.name == "acme"
        assert load(text).origins["profile"] == "config.toml:1"
        assert load(text, environ=environ).profile.name == "beta"
        assert load(text, environ=environ).origins["profile"] == "environment PAYTUI_PROFILE"
        assert load(text, environ=environ, profile="acme").profile.name == "acme"
        assert load(text, profile="beta").origins["profile"] == "command line"

    def test_one_that_is_not_there_is_told_with_those_that_are(self, load: Loader) -> None:
        error = load.refusal(TWO, profile="gamma")
        assert error.message == 'there is no profile "gamma" (command line)'
        assert error.remedy == "Profiles in this file: acme, beta."

    def test_a_default_that_is_not_there_is_told_with_its_line(self, load: Loader) -> None:
        error = load.refusal(f'default_profile = "gamma"\n{TWO}')
        assert (error.key, error.line) == ("default_profile", 1)

    def test_several_without_a_choice_are_listed(self, load: Loader) -> None:
        assert load.refusal(TWO).remedy.endswith("acme, beta.")

    def test_a_file_without_profiles_says_so(self, load: Loader) -> None:
        assert load.refusal("").message == "holds no profile"


@pytest.mark.parametrize(
    ("written", "beats"), [("true", True), ("false", False), ('"on"', True), ('"off"', False)]
)
def test_the_heartbeat_is_written_as_a_switch_or_as_a_word(
    load: Loader, written: str, *, beats: bool
) -> None:
    settings = load(f"{MINIMAL}\n[display]\nheartbeat = {written}\n")
    assert settings.display.heartbeat is beats


class TestOrigins:
    def test_each_value_tells_its_line(self, load: Loader) -> None:
        origins = load(f"# first\n\n{MINIMAL}\n[display]\nheartbeat = false # no\n").origins
        assert origins["profiles.acme.base_url"] == "config.toml:4"
        assert origins["display.heartbeat"] == "config.toml:8"
        assert origins["display.theme"] == "default"

    def test_a_value_in_an_inline_table_tells_the_file(self, load: Loader) -> None:
        text = '[profiles]\nacme = {base_url = "https://x.example", client_id = "a"}\n'
        assert load(text).origins["profiles.acme.client_id"] == "config.toml"

    def test_read_only_on_the_command_line_is_said(self, load: Loader) -> None:
        settings = load(MINIMAL, read_only=True)
        assert settings.profile.read_only
        assert settings.origins["profiles.acme.read_only"] == "command line"

    def test_the_command_line_cannot_make_a_read_only_profile_writable(self, load: Loader) -> None:
        assert load(f"{MINIMAL}read_only = true\n", read_only=False).profile.read_only

    def test_lines_are_found_under_every_spelling_of_a_key(self) -> None:
        text = '[ a . "b c" ] # x\nd.e = 1\n"f" = 2\n[[g]]\nh=3\n'
        assert key_lines(text) == {
            ("a", "b c"): 1,
            ("a", "b c", "d", "e"): 2,
            ("a", "b c", "f"): 3,
            ("g",): 4,
            ("g", "h"): 5,
        }
