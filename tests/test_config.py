"""The configuration: what is read, what stands in for what is left out, what is refused and how."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.api.models import Kind
from paytui.assets import asset
from paytui.config.errors import ConfigError
from paytui.config.lines import key_lines
from paytui.config.load import config_path, load_settings
from paytui.config.schema import (
    ConfigFile,
    DisplayTable,
    PollingTable,
    ProfileTable,
    RatesTable,
    TrackTable,
)
from paytui.config.settings import Settings
from paytui.config.write import write_config, write_new
from paytui.money import CurrencyCode, Pair

SENTINEL = "s3nt1nel-hunter2"
ROOT = Path(__file__).parents[1]

MINIMAL = """\
[profiles.acme]
base_url = "https://api.acme.example"
client_id = "acme-desk"
"""


class Loader:
    """Writes a configuration and loads it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "config.toml"

    def __call__(
        self,
        text: str,
        *,
        profile: str | None = None,
        read_only: bool = False,
        environ: dict[str, str] | None = None,
    ) -> Settings:
        self.path.write_text(text, encoding="utf-8")
        return load_settings(self.path, environ or {}, profile=profile, read_only=read_only)

    def refusal(self, text: str, *, profile: str | None = None) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            self(text, profile=profile)
        assert SENTINEL not in str(caught.value)
        return caught.value


@pytest.fixture
def load(tmp_path: Path) -> Loader:
    return Loader(tmp_path)


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
        [("7", 7.0), ("2.5", 2.5), ('"30s"', 30.0), ('"5m"', 300.0), ('"1.5 h"', 5400.0)],
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


class TestWhatIsRefused:
    """Each complaint names file, line, key and remedy, and never the value."""

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            (
                f"{MINIMAL}read_onl = true\n",
                (
                    "profiles.acme.read_onl",
                    4,
                    "is not a key that paytui knows",
                    "Did you mean read_only?",
                ),
            ),
            (
                f"{MINIMAL}[poling]\nwallets = 3\n",
                ("poling", 4, "is not a key that paytui knows", "Did you mean polling?"),
            ),
            (
                f"{MINIMAL}[display]\nxyzzy = 3\n",
                (
                    "display.xyzzy",
                    5,
                    "is not a key that paytui knows",
                    "Known here are: theme, time_zone, heartbeat.",
                ),
            ),
            (
                f'{MINIMAL}live = "{SENTINEL}"\n',
                (
                    "profiles.acme.live",
                    4,
                    "must be true or false",
                    "Write it like this: live = true",
                ),
            ),
            (
                f'{MINIMAL}secret_command = "echo {SENTINEL}"\n',
                (
                    "profiles.acme.secret_command",
                    4,
                    "must be a list",
                    'Write it like this: secret_command = ["pass", "show", "paytui/acme"]',
                ),
            ),
            (
                f"{MINIMAL}[polling]\nwallets = true\n",
                (
                    "polling.wallets",
                    5,
                    "must be a duration of more than 0 s and at most 24 h",
                    'Write seconds, as 30, or a number with its unit, as "30s" or "5m".',
                ),
            ),
            (
                f"{MINIMAL}[polling]\nfloor = 0.5\n",
                ("polling.floor", 5, "must be at least 1 s", 'Write it like this: floor = "1s"'),
            ),
            (
                f'{MINIMAL}[rates]\nwatch = ["AUD/USD", "AUD/AUD"]\n',
                (
                    "rates.watch.1",
                    5,
                    "must hold pairs of two different currencies",
                    'Write what is sold, a slash, what is bought, as in "AUD/USD".',
                ),
            ),
            (
                f'{MINIMAL}[display]\ntime_zone = "Mars"\n',
                (
                    "display.time_zone",
                    5,
                    "must be 'UTC' or 'local'",
                    'Write it like this: time_zone = "UTC"',
                ),
            ),
            (
                f'{MINIMAL}[display]\ntheme = "no-such-theme"\n',
                ("display.theme", 5, "names no theme", "Themes are: dark, light."),
            ),
            (
                MINIMAL.replace("acme]", '"a b"]'),
                (
                    "profiles.a b",
                    1,
                    "is not a name for a profile",
                    "Use letters, digits, - and _, 40 at the most.",
                ),
            ),
        ],
    )
    def test_with_file_key_and_remedy(
        self, load: Loader, text: str, told: tuple[str, int, str, str]
    ) -> None:
        error = load.refusal(text)
        key, line, message, remedy = told
        assert error.file == load.path
        assert (error.key, error.line, error.message) == (key, line, message)
        assert error.remedy == remedy
        assert str(error) == f"{load.path}:{line}: {key}: {message}. {remedy}"

    def test_a_misspelt_key_is_told_before_the_one_that_is_missing_for_it(
        self, load: Loader
    ) -> None:
        error = load.refusal(MINIMAL.replace("base_url", "base_ur"))
        assert error.key == "profiles.acme.base_ur"
        assert error.remedy.startswith("Did you mean base_url?")

    def test_a_missing_key_is_told_with_the_line_of_its_table(self, load: Loader) -> None:
        error = load.refusal('\n[profiles.acme]\nclient_id = "x"\n')
        assert (error.key, error.line) == ("profiles.acme.base_url", 2)
        assert error.message == "is missing"

    @pytest.mark.parametrize("key", ["client_secret", "secret", "password"])
    def test_a_secret_in_the_file_is_sent_to_where_it_belongs(self, load: Loader, key: str) -> None:
        error = load.refusal(f'{MINIMAL}{key} = "{SENTINEL}"\n')
        assert "does not belong in this file" in error.remedy

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("api.acme.example", "is not a URL with https:// and a host"),
            ("ftp://api.acme.example", "is not a URL with https:// and a host"),
            ("https://", "is not a URL with https:// and a host"),
            ("https://host:99999", "is not a URL"),
            ("https://[::1", "is not a URL"),
            ("https://a b.example", "is not a URL with https:// and a host"),
            ("https://a.example/?x=1", "must hold no user name, password, query or fragment"),
            (f"https://u:{SENTINEL}@a.example", "must hold no user name, password"),
            ("http://api.acme.example", "is plain http to another machine"),
            ("http://127.0.0.1.acme.example", "is plain http to another machine"),
            ("http://localhost.acme.example", "is plain http to another machine"),
            ("http://0.0.0.0:80", "is plain http to another machine"),
        ],
    )
    def test_a_url_that_is_none_or_tells_secrets(
        self, load: Loader, url: str, message: str
    ) -> None:
        error = load.refusal(MINIMAL.replace("https://api.acme.example", url))
        assert error.key == "profiles.acme.base_url"
        assert error.message.startswith(message)

    @pytest.mark.parametrize("host", ["127.0.0.1:8080", "127.9.9.9", "[::1]:80", "localhost:1"])
    def test_plain_http_is_for_this_machine(self, load: Loader, host: str) -> None:
        settings = load(MINIMAL.replace("https://api.acme.example", f"http://{host}"))
        assert settings.profile.host == host

    def test_what_is_not_toml_is_told_with_its_line(self, load: Loader) -> None:
        error = load.refusal("[profiles.acme]\nbase_url = https://x\n")
        assert "is not valid TOML" in error.message
        assert "line 2" in error.message

    def test_what_is_not_text_is_refused(self, load: Loader) -> None:
        load.path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(ConfigError, match="is not UTF-8 text"):
            load_settings(load.path, {})

    def test_a_folder_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
            load_settings(tmp_path, {})

    def test_a_file_that_is_not_there_leads_to_the_first_steps(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError) as caught:
            load_settings(tmp_path / "none.toml", {})
        assert caught.value.message == "does not exist"
        assert "paytui demo" in caught.value.remedy
        assert "paytui config init" in caught.value.remedy

    def test_towers_of_brackets_are_refused(self, load: Loader) -> None:
        error = load.refusal(f"a = {'[' * 100_000}\n")
        assert "nested too deeply" in error.message or "not valid TOML" in error.message


class TestExample:
    def test_it_loads_as_it_is(self) -> None:
        settings = load_settings(ROOT / "config.example.toml", {})
        assert settings.profile.name == "acme"

    def test_it_shows_every_key_that_there_is(self) -> None:
        text = (ROOT / "config.example.toml").read_text()
        left_out = ("# dialect =", "# secret_file =", "# token_file =")
        uncommented = "\n".join(
            line.removeprefix("# ") if line.startswith(left_out) else line
            for line in text.splitlines()
        )
        tree = tomllib.loads(uncommented)
        assert set(tree) == set(ConfigFile.model_fields)
        assert set(tree["profiles"]["acme"]) == set(ProfileTable.model_fields)
        assert set(tree["polling"]) == set(PollingTable.model_fields)
        assert set(tree["rates"]) == set(RatesTable.model_fields)
        assert set(tree["display"]) == set(DisplayTable.model_fields)
        assert set(tree["track"]) == set(TrackTable.model_fields)

    def test_what_it_shows_as_defaults_are_the_defaults(self, load: Loader) -> None:
        shown = load_settings(ROOT / "config.example.toml", {})
        default = load(MINIMAL)
        assert shown.polling == default.polling
        assert shown.rates == default.rates
        assert shown.display == default.display

    def test_it_is_found_with_the_themes(self) -> None:
        assert (
            asset("config.example.toml").read_text() == (ROOT / "config.example.toml").read_text()
        )
        assert {"dark.toml", "light.toml"} <= {file.name for file in asset("themes").iterdir()}
        with pytest.raises(FileNotFoundError, match="not installed completely"):
            asset("no-such-asset")


class TestWriting:
    def test_what_is_written_is_private_and_loads(self, tmp_path: Path) -> None:
        path = tmp_path / "new" / "config.toml"
        profile = {"base_url": "https://x.example", "client_id": "a", "live": False}
        write_config(path, {"profiles": {"first": profile}})
        assert path.stat().st_mode & 0o777 == 0o600
        assert not load_settings(path, {}).profile.live

    def test_an_existing_file_is_never_touched(self, tmp_path: Path) -> None:
        path = tmp_path / "config.toml"
        path.write_text("mine")
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            write_new(path, "theirs")
        assert path.read_text() == "mine"

    def test_a_dangling_link_is_not_written_through(self, tmp_path: Path) -> None:
        link = tmp_path / "config.toml"
        link.symlink_to(tmp_path / "elsewhere")
        with pytest.raises(ConfigError, match="exists and is not overwritten"):
            write_new(link, "text")
        assert not (tmp_path / "elsewhere").exists()

    def test_a_folder_that_cannot_be_made_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(ConfigError, match="cannot be written"):
            write_new(tmp_path / "file" / "config.toml", "text")
