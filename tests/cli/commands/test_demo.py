"""`paytui demo` as a process: no secret in argv, and an error if the sandbox fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from paytui.cli.commands.demo import SandboxProcess, demo
from paytui.cli.common import CommandError
from paytui.config.settings import Settings
from paytui.config.templates import folder_of
from tests.support.deadline import eventually
from tests.support.processes import children, command_line, is_running


@pytest.fixture
def child_pids() -> set[int]:
    return own_children()


def own_children() -> set[int]:
    return set(children(os.getpid()))


def test_the_secret_is_fresh_and_in_no_argv(child_pids: set[int]) -> None:
    secrets = []
    for _ in range(2):
        with SandboxProcess(seed=1, scale=0, speed=0) as sandbox:
            secrets.append(sandbox.secret.reveal())
            [pid] = own_children() - child_pids
            assert "--until-stdin-closes" in command_line(pid)
            assert not [word for word in command_line(pid) if secrets[-1] in word]
        eventually(lambda pid=pid: not is_running(pid))  # type: ignore[misc] # bound for the loop
    assert secrets[0] != secrets[1]
    assert all(len(secret) >= 32 for secret in secrets)


def test_it_is_not_told_the_secret_of_another_service(
    child_pids: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAYTUI_CLIENT_SECRET", "sentinel-general")
    monkeypatch.setenv("PAYTUI_ACME_CLIENT_SECRET", "sentinel-acme")
    with SandboxProcess(seed=1, scale=0, speed=0):
        [pid] = own_children() - child_pids
        assert b"sentinel" not in Path(f"/proc/{pid}/environ").read_bytes()


def test_it_has_a_session_of_its_own_so_that_ctrl_c_passes_it_by(child_pids: set[int]) -> None:
    with SandboxProcess(seed=1, scale=0, speed=0):
        [pid] = own_children() - child_pids
        assert os.getsid(pid) == pid != os.getsid(0)


def test_it_ends_when_what_is_done_with_it_fails(child_pids: set[int]) -> None:
    sandbox = SandboxProcess(seed=1, scale=0, speed=0)
    with pytest.raises(ZeroDivisionError), sandbox:
        fail(sandbox)
    assert own_children() <= child_pids


def fail(sandbox: SandboxProcess) -> None:
    assert sandbox.base_url
    raise ZeroDivisionError


def test_one_that_does_not_start_is_told_with_its_last_words() -> None:
    with (
        pytest.raises(CommandError, match=r"(?s)did not start.*--scale.*not in the range"),
        SandboxProcess(seed=1, scale=-1, speed=0),
    ):
        pytest.fail("it started")


def test_templates_last_as_long_as_the_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []

    def run(settings: Settings, _: object) -> int:
        folder = folder_of(settings)
        assert folder is not None
        assert folder.parent.is_dir()
        kept.append(folder)
        return 0

    monkeypatch.setattr("paytui.cli.commands.demo.missing_terminal", lambda: "")
    monkeypatch.setattr("paytui.cli.commands.demo.interpreter.pause_gc", lambda: None)
    monkeypatch.setattr("paytui.cli.wiring.dashboard.run_dashboard", run)
    done = CliRunner().invoke(demo, ["--seed", "1", "--scale", "0", "--speed", "0"])
    assert done.exit_code == 0, done.output
    [folder] = kept
    assert not folder.parent.exists()
