"""Invalid configurations and their error messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from paytui.config.load import load_settings
from paytui.config.validation import ConfigError
from tests.config.loader import MINIMAL, SENTINEL, Loader

THEMES = (
    "16-colour, dark, daylight, deuteranopia, high-contrast, light, monochrome, slate, tritanopia"
)


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
                f"{MINIMAL}[display]\nxyzzy = 3\n",
                (
                    "display.xyzzy",
                    5,
                    "is not a key that paytui knows",
                    ("Known: theme, colours, characters, time_zone, heartbeat, key_scheme, mouse."),
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
                f"{MINIMAL}[polling]\nwallets = {'9' * 400}\n",
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
                    'Write the sold currency, a slash and the bought one: "AUD/USD".',
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
                ("display.theme", 5, "names no theme", f"Themes are: {THEMES}."),
            ),
            (
                MINIMAL.replace("acme]", '"a b"]'),
                (
                    "profiles.a b",
                    1,
                    "is not a name for a profile",
                    "Use at most 40 letters, digits, - and _.",
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

    @pytest.mark.parametrize("key", ["client_secret", "password"])
    def test_a_secret_in_the_file_is_sent_to_where_it_belongs(self, load: Loader, key: str) -> None:
        error = load.refusal(f'{MINIMAL}{key} = "{SENTINEL}"\n')
        assert "Do not put a secret into this file" in error.remedy

    @pytest.mark.parametrize(
        ("url", "message"),
        [
            ("api.acme.example", "is not a URL with https:// and a host"),
            ("https://", "is not a URL with https:// and a host"),
            ("https://host:99999", "is not a URL"),
            ("https://[::1", "is not a URL"),
            ("https://a b.example", "is not a URL with https:// and a host"),
            ("https://a.example/?x=1", "must hold no user name, password, query or fragment"),
            (f"https://u:{SENTINEL}@a.example", "must hold no user name, password"),
            ("http://api.acme.example", "is plain http to another machine"),
            ("http://127.0.0.1.acme.example", "is plain http to another machine"),
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

    def test_a_number_without_end_is_refused(self, load: Loader) -> None:
        error = load.refusal(f"a = {'7' * 5_000}\n")
        assert error.message.startswith("is not valid TOML")

    def test_towers_of_brackets_are_refused(self, load: Loader) -> None:
        error = load.refusal(f"a = {'[' * 100_000}\n")
        assert "nested too deeply" in error.message or "not valid TOML" in error.message
