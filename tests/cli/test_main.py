"""The command line as a whole: imports, messages and exit codes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from paytui.cli.main import cli
from tests.support.commands import Paytui
from tests.support.deadline import eventually

HEAVY = {"textual", "httpx", "pydantic", "starlette", "uvicorn", "rich", "babel"}


@pytest.mark.parametrize("arguments", [("--help",), ("export", "--help")])
def test_help_and_version_load_nothing_heavy(paytui: Paytui, arguments: tuple[str, ...]) -> None:
    loaded = paytui.modules_after(*arguments)
    assert "paytui.cli.main" in loaded
    assert not loaded & HEAVY


def test_the_client_of_a_service_loads_no_command_line_of_httpx() -> None:
    code = "import sys, paytui.api.http.transport; print(*sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "httpx" in loaded
    assert not loaded & {"pygments", "rich", "click", "html.entities"}


def test_version_is_printed_to_stdout(paytui: Paytui) -> None:
    done = paytui("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, "paytui, version 0.1.0\n", "")


def test_help_names_every_command_and_exit_code() -> None:
    shown = CliRunner().invoke(cli, ["--help"]).stdout
    for command in ("run", "demo", "sandbox", "status", "export", "config"):
        assert f"\n  {command} " in shown
    for code in ("0  done", "2  wrong", "3  ", "4  ", "5  done in part", "130  interrupted"):
        assert code in shown


def test_without_a_command_the_dashboard_runs(paytui: Paytui) -> None:
    """The dashboard's own options are taken, and its own complaint comes."""
    done = paytui("--read-only", "--profile", "acme", "--config", "none.toml")
    assert done.returncode == 2
    assert "The dashboard needs a terminal" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--config", "there.toml", "config", "validate"),
        ("--config=there.toml", "config", "validate"),
        ("--profile", "acme", "--config", "there.toml", "config", "validate"),
    ],
)
def test_options_of_all_may_stand_before_the_command(
    paytui: Paytui, arguments: tuple[str, ...]
) -> None:
    there = paytui.home / "there.toml"
    there.write_text("[profiles.acme]\nbase_url = 'https://a.example'\nclient_id = 'a'\n")
    done = paytui(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "there.toml: OK."


def test_a_profile_before_the_command_is_the_one_that_is_asked_for(paytui: Paytui) -> None:
    done = paytui("--profile", "nobody", "--config", "none.toml", "status", "--json")
    assert done.returncode == 2
    assert "none.toml: does not exist" in done.stderr


def test_an_option_that_a_command_has_not_is_refused_before_it_too(paytui: Paytui) -> None:
    done = paytui("--config", "none.toml", "demo")
    assert done.returncode == 2
    assert "No such option '--config'" in done.stderr


@pytest.mark.parametrize("arguments", [("frobnicate",), ("--frobnicate",), ("status", "extra")])
def test_wrong_usage_ends_with_2(paytui: Paytui, arguments: tuple[str, ...]) -> None:
    done = paytui(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Usage:" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_ends_with_130_and_without_a_traceback(paytui: Paytui) -> None:
    """ctrl+c while a secret command hangs."""
    started = paytui.home / "started"
    config = paytui.home / "config.toml"
    command = [sys.executable, "-c", f"open({str(started)!r}, 'w'); import time; time.sleep(600)"]
    config.write_text(
        f"[profiles.a]\nbase_url = 'http://127.0.0.1:9'\nclient_id = 'a'\n"
        f"secret_command = {command!r}\n"
    )
    process = paytui.start("status", "--config", config)
    eventually(started.exists)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("arguments", [("--help",), ("config", "show")])
def test_a_full_disk_under_stdout_is_told_in_one_line(
    paytui: Paytui, arguments: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            paytui.argv(*arguments),
            env=paytui.environ,
            cwd=paytui.home,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "stdout cannot be written: No space left on device."
    assert "Traceback" not in done.stderr
