"""`paytui run` before the dashboard: errors are explained, with exit code 2."""

from __future__ import annotations

import pytest

from tests.support.commands import SECRET, Paytui, SandboxConfig
from tests.support.deadline import eventually
from tests.support.terminal import PAYTUI, Terminal

PROFILE = "[profiles.acme]\nbase_url = 'https://api.acme.example'\nclient_id = 'acme'\n"


def test_a_named_configuration_that_is_not_there_is_told_with_how_to_start(
    paytui: Paytui,
) -> None:
    environ = {**paytui.environ, "PAYTUI_CONFIG": f"{paytui.home}/mine.toml"}
    with Terminal((*PAYTUI, "run"), size=(200, 24), env=environ) as terminal:
        assert terminal.wait_for_exit() == 2
        said = terminal.text
    assert f"{paytui.home}/mine.toml: does not exist" in said
    assert "paytui config init" in said
    assert "paytui demo" in said


def test_without_a_terminal_and_a_configuration_the_terminal_is_enough_to_say(
    paytui: Paytui,
) -> None:
    done = paytui("run")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "there is none on stdin, stdout, stderr." in done.stderr


@pytest.mark.parametrize(
    ("redirected", "named"),
    [("2>err.txt", "stderr"), (">out.txt", "stdout"), ("</dev/null", "stdin"), ("0<&-", "stdin")],
)
def test_each_stream_that_is_no_terminal_is_named(
    paytui: Paytui, redirected: str, named: str
) -> None:
    """Textual paints on stderr: where that leads into a file, the screen would stay blank."""
    err = paytui.home / "err.txt"
    shell = ("sh", "-c", f'"$@" {redirected}; echo "ended: $?"', "sh", *PAYTUI, "demo")
    with Terminal(shell, size=(200, 24), env=paytui.environ, cwd=paytui.home) as terminal:
        said = terminal.wait_for("ended: 2")
    said += err.read_text() if err.exists() else ""
    assert f"there is none on {named}." in said


def test_on_a_dumb_terminal_it_says_so(paytui: Paytui) -> None:
    with Terminal((*PAYTUI, "demo"), env={**paytui.environ, "TERM": "dumb"}) as terminal:
        terminal.wait_for("TERM=dumb")
        assert terminal.wait_for_exit() == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{PROFILE}client_secret = '{SECRET}'\n", "profiles.acme.client_secret"),
        (f"{PROFILE} = '{SECRET}'\n", "is not valid TOML"),
    ],
)
def test_a_bad_configuration_is_told_with_its_file_and_without_the_value(
    paytui: Paytui, text: str, said: str
) -> None:
    config = paytui.home / "bad.toml"
    config.write_text(text)
    done = paytui("status", "--config", config)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{config}:" in done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert SECRET not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dialect", "said"),
    [
        (None, "cannot be read: No such file or directory. Create it"),
        ("prefx = '/v2'", "Did you mean prefix"),
    ],
)
def test_a_bad_dialect_is_told_with_its_file(
    paytui: Paytui, sandbox_config: SandboxConfig, dialect: str | None, said: str
) -> None:
    sandbox_config.write("dialect = 'own.toml'\n")
    own = paytui.home / "own.toml"
    if dialect is not None:
        own.write_text(dialect)
    done = paytui("status", "--config", sandbox_config.path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{sandbox_config.path}: profiles.test.dialect: {own}: " in done.stderr
    assert said in done.stderr


def test_a_missing_secret_is_told_with_the_ways_to_give_one(paytui: Paytui) -> None:
    config = paytui.home / "config.toml"
    config.write_text(PROFILE)
    done = paytui("status", "--config", config)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{config}: profiles.acme.secret_command: is missing" in done.stderr
    assert "PAYTUI_ACME_CLIENT_SECRET" in done.stderr


@pytest.mark.slow
def test_at_a_terminal_a_missing_secret_is_asked_for_without_echo(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    text = sandbox_config.path.read_text()
    sandbox_config.path.write_text(text.replace("secret_file", "description"))
    argv = (*PAYTUI, "status", "--config", str(sandbox_config.path))
    with Terminal(argv, env=paytui.environ) as terminal:
        terminal.wait_for("Client secret of test:")
        terminal.send(f"{SECRET}\r")
        assert terminal.wait_for_exit() == 0
        # It scrolls off the screen as soon as the figures come.
        eventually(lambda: b"client secret from prompt" in terminal.painted)
        assert SECRET.encode() not in terminal.painted
