"""The client secret in the system's keyring, from its entry to its use."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from tests.support.commands import SECRET, Paytui, RunningSandbox
from tests.support.terminal import PAYTUI, Terminal


@pytest.fixture
def ring(paytui: Paytui) -> Path:
    """The file behind a keyring that is empty."""
    file = paytui.home / "ring.json"
    paytui.environ["PYTHON_KEYRING_BACKEND"] = "tests.support.keyrings.FileKeyring"
    paytui.environ["TEST_KEYRING"] = str(file)
    return file


@pytest.fixture
def config(paytui: Paytui, sandbox: RunningSandbox) -> Path:
    file = paytui.home / "acme.toml"
    file.write_text(
        f'[profiles.acme]\nbase_url = "{sandbox.base_url}"\nclient_id = "demo"\nlive = false\n'
        'secret_keyring = "paytui/acme"\n'
    )
    return file


@pytest.mark.slow
def test_it_is_put_there_once_and_found_from_then_on(
    paytui: Paytui, ring: Path, config: Path
) -> None:
    before = paytui("status", "--config", config)
    assert before.returncode == 2
    assert "secret_keyring (paytui/acme): holds no secret. Put it there" in before.stderr

    argv = (*PAYTUI, "config", "keyring", "--config", str(config))
    with Terminal(argv, env=paytui.environ) as terminal:
        terminal.wait_for("not shown")
        terminal.send(f"{SECRET}\r")
        assert terminal.wait_for_exit() == 0
        assert SECRET.encode() not in terminal.painted
    assert json.loads(ring.read_text()) == {"paytui/acme": SECRET}

    done = paytui("status", "--config", config)
    assert done.returncode == 0, done.stderr
    assert "client secret from secret_keyring (paytui/acme)" in done.stderr
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.slow
def test_the_first_start_can_keep_it_there(
    paytui: Paytui, ring: Path, sandbox: RunningSandbox
) -> None:
    exchanges = (
        ("What would you like to do", "s"),
        ("URL of the service", sandbox.base_url),
        ("Client id", "demo"),
        ("real money", "n"),
        ("Name of the profile", "desk"),
        ("secret come from", "5"),
        ("not shown", SECRET),
        ("Open the dashboard now", "n"),
    )
    with Terminal((*PAYTUI,), env=paytui.environ) as terminal:
        for question, text in exchanges:
            terminal.wait_for(question)
            terminal.send(f"{text}\r")
        assert terminal.wait_for_exit() == 0
    assert json.loads(ring.read_text()) == {"paytui/desk": SECRET}
    written = (paytui.home / ".config/paytui/config.toml").read_text()
    assert tomllib.loads(written)["profiles"]["desk"]["secret_keyring"] == "paytui/desk"
    assert SECRET not in written


def test_a_command_that_only_repeats_the_secret_is_warned_of(paytui: Paytui) -> None:
    file = paytui.home / "acme.toml"
    profile = '[profiles.acme]\nbase_url = "https://localhost:1"\nclient_id = "desk"\n'
    file.write_text(f'{profile}secret_command = ["echo", "{SECRET}"]\n')
    done = paytui("config", "validate", "--config", file)
    assert done.returncode == 0
    assert "it is in clear text in the configuration" in done.stdout
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.slow
def test_a_command_that_holds_the_secret_is_warned_of_at_the_start_whatever_it_is(
    paytui: Paytui, sandbox: RunningSandbox
) -> None:
    file = paytui.home / "acme.toml"
    profile = (
        f'[profiles.acme]\nbase_url = "{sandbox.base_url}"\nclient_id = "demo"\nlive = false\n'
    )
    file.write_text(f'{profile}secret_command = ["sh", "-c", "echo {SECRET}"]\n')
    with Terminal((*PAYTUI, "run", "--config", str(file)), env=paytui.environ) as terminal:
        terminal.wait_for("1 Overview")
        terminal.send("q")
        assert terminal.wait_for_exit() == 0
    assert b"it is in clear text in the configuration" in terminal.painted
    assert SECRET.encode() not in terminal.painted
