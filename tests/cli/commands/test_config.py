"""`paytui config`: files, values and their origin, mistakes, and a first file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tests.support.commands import ROOT, SECRET, Paytui
from tests.support.terminal import PAYTUI, Terminal

PROFILE = "[profiles.acme]\nbase_url = 'https://api.acme.example'\nclient_id = 'acme'\n"


@pytest.fixture
def config(paytui: Paytui) -> Path:
    path = paytui.home / "config.toml"
    path.write_text(PROFILE)
    return path


class TestPath:
    def test_tells_the_users_own_file_and_that_it_is_not_there(self, paytui: Paytui) -> None:
        done = paytui("config", "path")
        assert done.returncode == 0
        assert f"config   {paytui.home}/.config/paytui/config.toml\n" in done.stdout
        assert f"example  {ROOT}/config.example.toml\n" in done.stdout
        assert f"themes   {ROOT}/themes\n" in done.stdout
        assert "paytui config init" in done.stderr

    def test_follows_the_environment(self, paytui: Paytui, config: Path) -> None:
        done = paytui("config", "path", PAYTUI_CONFIG=str(config))
        assert f"config   {config}\n" in done.stdout
        assert done.stderr == ""


def test_the_example_is_printed_as_it_is_shipped(paytui: Paytui) -> None:
    assert paytui("config", "example").stdout == (ROOT / "config.example.toml").read_text()


class TestShow:
    def test_without_a_file_it_shows_the_defaults(self, paytui: Paytui) -> None:
        done = paytui("config", "show")
        assert done.returncode == 0
        assert 'wallets = "5s"' in done.stdout
        assert "are the defaults" in done.stderr

    def test_a_file_that_was_named_must_be_there(self, paytui: Paytui) -> None:
        done = paytui("config", "show", "--config", "none.toml")
        assert (done.returncode, done.stdout) == (2, "")

    def test_each_value_has_its_origin(self, paytui: Paytui, config: Path) -> None:
        config.write_text(f"{PROFILE}[polling]\nwallets = 9\n")
        done = paytui("config", "show", "--config", config, PAYTUI_PROFILE="acme")
        lines = dict(line.split("  # ") for line in done.stdout.splitlines() if "  # " in line)
        origins = {key.rstrip(): origin for key, origin in lines.items()}
        assert origins['profile = "acme"'] == "environment PAYTUI_PROFILE"
        assert origins['base_url = "https://api.acme.example"'] == "config.toml:2"
        assert origins['wallets = "9s"'] == "config.toml:5"
        assert origins['trades = "5s"'] == "default"
        assert origins["live = true"] == "default"

    def test_the_tables_of_a_desk_are_shown(self, paytui: Paytui, config: Path) -> None:
        desk = "[profiles.acme.desk]\ndsn = 'dbname=desk'\n"
        config.write_text(f"{PROFILE}{desk}approval = {{ above = {{ AUD = '5.50' }} }}\n")
        done = paytui("config", "show", "--config", config)
        assert done.returncode == 0
        approval = '{ above = { AUD = "5.50" }, needs = 1, within = "3600s" }'
        assert f'desk = {{ dsn = "dbname=desk", approval = {approval} }}' in done.stdout

    def test_it_tells_where_the_secret_comes_from_without_reading_it(
        self, paytui: Paytui, config: Path
    ) -> None:
        asked = paytui.home / "asked"
        config.write_text(f"{PROFILE}secret_command = ['touch', '{asked}', '{SECRET}']\n")
        done = paytui("config", "show", "--config", config)
        assert "client secret = ••••" in done.stdout
        assert "# from secret_command (touch)" in done.stdout
        assert SECRET not in done.stdout + done.stderr
        assert not asked.exists()

    def test_a_secret_of_the_environment_is_masked(self, paytui: Paytui, config: Path) -> None:
        done = paytui("config", "show", "--config", config, PAYTUI_CLIENT_SECRET=SECRET)
        assert "# from environment PAYTUI_CLIENT_SECRET" in done.stdout
        assert SECRET not in done.stdout + done.stderr

    def test_an_unknown_profile_is_refused(self, paytui: Paytui, config: Path) -> None:
        done = paytui("config", "show", "--config", config, "--profile", "beta")
        assert done.returncode == 2
        assert "Profiles in this file: acme." in done.stderr


class TestValidate:
    def test_all_that_is_wrong_is_told_in_the_order_of_the_file(
        self, paytui: Paytui, config: Path
    ) -> None:
        config.write_text(
            "[profiles.acme]\nbase_urll = 'https://a.example'\nclient_id = 7\n"
            "[columns]\ntrades = ['foo']\n[polling]\nwallets = 'often'\n"
        )
        done = paytui("config", "validate", "--config", config)
        *told, last = done.stderr.splitlines()
        assert [line.removeprefix(f"{config}:").split(": ")[:2] for line in told] == [
            ["1", "profiles.acme.base_url"],
            ["2", "profiles.acme.base_urll"],
            ["3", "profiles.acme.client_id"],
            ["5", "columns.trades"],
            ["7", "polling.wallets"],
        ]
        assert last == f"Error: {config}: 5 mistakes."
        assert done.returncode == 2

    def test_the_example_is_as_it_should_be(self, paytui: Paytui) -> None:
        done = paytui("config", "validate", "--config", ROOT / "config.example.toml")
        assert done.returncode == 0
        assert "profile acme: dialect as shipped; no client secret yet" in done.stdout

    def test_a_file_that_connections_need_and_that_cannot_be_used_is_told(
        self, paytui: Paytui, config: Path
    ) -> None:
        config.write_text(f"{PROFILE}ca_file = 'none.pem'\n")
        done = paytui("config", "validate", "--config", config)
        assert done.returncode == 2
        assert (
            f"profiles.acme.ca_file ({config.parent / 'none.pem'}): cannot be read" in done.stderr
        )

    def test_a_view_whose_filter_cannot_be_understood_is_told(
        self, paytui: Paytui, config: Path
    ) -> None:
        config.write_text(f"{PROFILE}[views.payments.big]\nfilter = 'amount>many'\n")
        done = paytui("config", "validate", "--config", config)
        assert done.returncode == 2
        assert "profile acme: views.payments.big.filter: " in done.stderr

    @pytest.mark.slow
    def test_a_theme_of_ones_own_that_cannot_be_shown_is_told(
        self, paytui: Paytui, config: Path
    ) -> None:
        theme = config.parent / "themes" / "mine.toml"
        theme.parent.mkdir()
        whole = (ROOT / "themes" / "dark.toml").read_text()
        config.write_text(f"{PROFILE}[display]\ntheme = 'mine'\n")
        theme.write_text(whole)
        assert paytui("config", "validate", "--config", config).returncode == 0
        theme.write_text(whole.replace("doubt =", "doubts ="))
        done = paytui("config", "validate", "--config", config)
        assert done.returncode == 2
        assert f"{theme}:22: meanings.doubts: is not known. Did you mean doubt?" in done.stderr

    def test_every_profile_is_checked_and_told(self, paytui: Paytui, config: Path) -> None:
        open_file = paytui.home / "open.secret"
        open_file.write_text(SECRET)
        open_file.chmod(0o644)
        config.write_text(
            f"{PROFILE}secret_file = 'open.secret'\n"
            + PROFILE.replace("acme", "beta")
            + "dialect = 'none.toml'\n"
            + PROFILE.replace("acme", "good")
        )
        done = paytui("config", "validate", "--config", config)
        assert done.returncode == 2
        assert f"profile acme: {config}: profiles.acme.secret_file (" in done.stderr
        assert "chmod 600" in done.stderr
        assert f"profiles.beta.dialect: {paytui.home}/none.toml: cannot be read" in done.stderr
        assert "2 of 3 profiles are invalid" in done.stderr
        assert "profile good: " in done.stdout
        assert SECRET not in done.stdout + done.stderr

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (PROFILE + PROFILE.replace("acme", "beta"), "holds several profiles"),
            ("", "holds no profile"),
        ],
    )
    def test_a_choice_that_no_other_command_could_make_is_refused(
        self, paytui: Paytui, config: Path, more: str, said: str
    ) -> None:
        config.write_text(more)
        done = paytui("config", "validate", "--config", config)
        assert done.returncode == 2
        assert f"{config}" in done.stderr
        assert said in done.stderr
        assert ": OK." not in done.stdout

    def test_a_choice_can_be_made_as_for_any_other_command(
        self, paytui: Paytui, config: Path
    ) -> None:
        config.write_text(PROFILE + PROFILE.replace("acme", "beta"))
        done = paytui("config", "validate", "--config", config, "--profile", "beta")
        assert done.returncode == 0
        assert "profile acme: " in done.stdout

    def test_a_secret_command_is_not_run(self, paytui: Paytui, config: Path) -> None:
        asked = paytui.home / "asked"
        config.write_text(f"{PROFILE}secret_command = ['touch', '{asked}']\n")
        assert paytui("config", "validate", "--config", config).returncode == 0
        assert not asked.exists()


class TestInit:
    @pytest.mark.slow
    def test_what_options_tell_is_written_and_loads(self, paytui: Paytui) -> None:
        done = paytui(
            "config",
            "init",
            "--profile=acme",
            "--base-url=https://api.acme.example",
            "--client-id=desk",
            "--live",
            "--secret-command=pass show 'paytui acme'",
        )
        path = paytui.home / ".config/paytui/config.toml"
        assert (done.returncode, done.stdout) == (0, f"{path}\n")
        assert path.stat().st_mode & 0o777 == 0o600
        assert tomllib.loads(path.read_text()) == {
            "default_profile": "acme",
            "profiles": {
                "acme": {
                    "base_url": "https://api.acme.example",
                    "client_id": "desk",
                    "live": True,
                    "secret_command": ["pass", "show", "paytui acme"],
                }
            },
        }
        assert paytui("config", "validate").returncode == 0

    def test_an_existing_file_is_left_as_it_is(self, paytui: Paytui, config: Path) -> None:
        options = ("--profile=x", "--base-url=https://x.example", "--client-id=x", "--live")
        done = paytui("config", "init", "--config", config, *options)
        assert (done.returncode, done.stdout) == (2, "")
        assert "exists and is not overwritten" in done.stderr
        assert config.read_text() == PROFILE

    def test_what_could_not_be_loaded_is_not_written(self, paytui: Paytui) -> None:
        options = ("--profile=x", "--base-url=http://x.example", "--client-id=x", "--live")
        done = paytui("config", "init", "--config", "new.toml", *options)
        assert done.returncode == 2
        assert "plain http" in done.stderr
        assert not (paytui.home / "new.toml").exists()

    def test_without_a_terminal_what_is_missing_is_named(self, paytui: Paytui) -> None:
        done = paytui("config", "init", "--profile=x")
        assert done.returncode == 2
        assert "--base-url is missing" in done.stderr

    def test_at_a_terminal_what_is_missing_is_asked(self, paytui: Paytui) -> None:
        path = paytui.home / "new.toml"
        argv = (*PAYTUI, "config", "init", "--config", str(path))
        with Terminal(argv, env=paytui.environ) as terminal:
            for question, answer in (
                ("Name of the profile", "acme"),
                ("URL of the service", "https://api.acme.example"),
                ("Client id", "desk"),
                ("real money", "n"),
            ):
                terminal.wait_for(question)
                terminal.send(f"{answer}\r")
            assert terminal.wait_for_exit() == 0
        profile = tomllib.loads(path.read_text())["profiles"]["acme"]
        assert profile == {
            "base_url": "https://api.acme.example",
            "client_id": "desk",
            "live": False,
        }

    def test_a_question_that_is_left_by_ctrl_d_writes_nothing(self, paytui: Paytui) -> None:
        path = paytui.home / "new.toml"
        argv = (*PAYTUI, "config", "init", "--config", str(path))
        with Terminal(argv, env=paytui.environ) as terminal:
            terminal.wait_for("Name of the profile")
            terminal.send("\x04")
            assert terminal.wait_for_exit() == 130
            assert "Traceback" not in terminal.text
        assert not path.exists()
