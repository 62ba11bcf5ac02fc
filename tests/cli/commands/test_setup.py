"""The first `paytui` without a configuration: set-up by questions, or the demo."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.commands import (
    SECRET,
    Paytui,
    RunningSandbox,
    SandboxConfig,
    interruptible,
)
from tests.support.terminal import PAYTUI, Terminal

FIRST = ("What would you like to do?", "s")
DASHBOARD = "1 Overview"


@pytest.fixture
def terminal(paytui: Paytui) -> Iterator[Terminal]:
    with interruptible():
        terminal = Terminal(PAYTUI, size=(100, 40), env=paytui.environ)
    with terminal:
        yield terminal


@pytest.fixture
def path(paytui: Paytui) -> Path:
    return paytui.home / ".config/paytui/config.toml"


def service_of(sandbox: RunningSandbox) -> tuple[tuple[str, str], ...]:
    """The set-up as far as to where the secret comes from."""
    return (
        FIRST,
        ("URL of the service", sandbox.base_url),
        ("Client id", "demo"),
        ("real money", "n"),
        ("Name of the profile", "desk"),
    )


def answer(terminal: Terminal, *exchanges: tuple[str, str]) -> None:
    for question, text in exchanges:
        terminal.wait_for(re.escape(question))
        terminal.send(f"{text}\r")


@pytest.mark.slow
def test_a_service_is_set_up_tried_and_shown(
    terminal: Terminal, path: Path, sandbox: RunningSandbox
) -> None:
    answer(
        terminal,
        *service_of(sandbox),
        ("secret come from", "3"),
        ("not shown", SECRET),
        ("Open the dashboard now", "y"),
    )
    terminal.wait_for(DASHBOARD)
    terminal.send("q")
    assert terminal.wait_for_exit() == 0
    assert b"Signed in: " in terminal.painted
    assert SECRET.encode() not in terminal.painted
    assert tomllib.loads(path.read_text()) == {
        "default_profile": "desk",
        "profiles": {
            "desk": {
                "base_url": sandbox.base_url,
                "client_id": "demo",
                "live": False,
                "secret_file": "desk.secret",
            }
        },
    }
    secret = path.with_name("desk.secret")
    assert secret.read_text() == f"{SECRET}\n"
    assert {file.stat().st_mode & 0o777 for file in (path, secret)} == {0o600}


@pytest.mark.slow
def test_what_does_not_work_is_said_and_can_be_changed_with_all_other_answers_kept(
    terminal: Terminal, path: Path, sandbox: RunningSandbox
) -> None:
    answer(
        terminal,
        *service_of(sandbox),
        ("secret come from", "1"),
        ("program and its arguments", "echo wrong"),
        ("Not working yet", "c"),
        (f"URL of the service [{sandbox.base_url}]", ""),
        ("Client id [demo]", ""),
        ("real money move there? [y/N]", ""),
        ("Name of the profile [desk]", ""),
        ("secret come from", "1"),
        ("arguments [echo wrong]", f"echo {SECRET}"),
        ("Open the dashboard now", "n"),
    )
    assert terminal.wait_for_exit() == 0
    [profile] = tomllib.loads(path.read_text())["profiles"].values()
    assert profile["secret_command"] == ["echo", SECRET]


@pytest.mark.slow
def test_of_a_service_that_is_away_nothing_is_promised_that_nobody_does(
    terminal: Terminal, path: Path
) -> None:
    answer(
        terminal,
        FIRST,
        ("URL of the service", "http://127.0.0.1:9"),
        ("Client id", "demo"),
        ("real money", "n"),
        ("Name of the profile", "desk"),
        ("secret come from", "1"),
        ("program and its arguments", "echo secret"),
        ("Not working yet", "q"),
    )
    assert terminal.wait_for_exit() == 0
    said = terminal.text.replace("\n", "")
    assert "Check the network and the base URL." in said
    assert "by itself" not in said
    assert not path.exists()


@pytest.mark.slow
def test_where_a_secret_comes_from_is_kept_when_other_answers_change(
    terminal: Terminal, path: Path, sandbox: RunningSandbox
) -> None:
    answer(
        terminal,
        FIRST,
        ("URL of the service", "http://127.0.0.1:9"),
        ("Client id", "demo"),
        ("real money", "n"),
        ("Name of the profile", "desk"),
        ("secret come from? [1]", "3"),
        ("not shown", SECRET),
        ("Not working yet", "c"),
        ("URL of the service [http://127.0.0.1:9]", sandbox.base_url),
        ("Client id [demo]", ""),
        ("real money move there? [y/N]", ""),
        ("Name of the profile [desk]", ""),
        ("secret come from? [3]", ""),
        ("enter keeps the one you typed", ""),
        ("Open the dashboard now", "n"),
    )
    assert terminal.wait_for_exit() == 0
    assert path.with_name("desk.secret").read_text() == f"{SECRET}\n"


def test_a_bad_answer_is_refused_at_once_with_the_reason(terminal: Terminal, path: Path) -> None:
    answer(terminal, FIRST, ("URL of the service", "api.acme.example"))
    terminal.wait_for("Write it like this: https://api.example.com *\n")
    answer(terminal, ("URL of the service", "http://api.acme.example"))
    terminal.wait_for("plain http to another machine")
    answer(terminal, ("URL of the service", "https://api.acme.example"), ("Client id", "demo"))
    answer(terminal, ("real money", "y"), ("Name of the profile", "no name!"))
    terminal.wait_for("is not a name for a profile")


@pytest.mark.slow
def test_a_token_that_another_process_holds_does_not_prove_a_secret(
    terminal: Terminal, path: Path, sandbox: RunningSandbox, paytui: Paytui
) -> None:
    config = SandboxConfig(paytui.home / "other.toml", sandbox)
    assert paytui("status", "--config", config.path).returncode == 0
    answer(
        terminal,
        *service_of(sandbox),
        ("secret come from", "3"),
        ("not shown", "wrong"),
        ("Not working yet", "q"),
    )
    assert terminal.wait_for_exit() == 0
    assert not path.exists()


def interrupt(terminal: Terminal, wanted: str) -> None:
    """Type ctrl+c until it counts: `input` misses one that comes just before it reads."""
    terminal.send("\x03")
    for _ in range(4):
        with suppress(AssertionError):
            terminal.wait_for(wanted, 3)
            return
        terminal.send("\x03")
    terminal.wait_for(wanted)


def test_questions_that_are_left_write_nothing(terminal: Terminal, path: Path) -> None:
    answer(terminal, FIRST)
    terminal.wait_for("URL of the service")
    interrupt(terminal, "nothing was written")
    assert terminal.wait_for_exit() == 130
    assert not path.exists()


@pytest.mark.slow
def test_the_demo_is_one_key_away_and_writes_nothing(terminal: Terminal, path: Path) -> None:
    answer(terminal, ("What would you like to do?", "d"))
    terminal.wait_for(DASHBOARD)
    terminal.send("q")
    assert terminal.wait_for_exit() == 0
    assert not path.exists()
