"""Several processes share one token; none of them ends another's session."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import httpx
import pytest

from tests.support.commands import PATIENCE, Paytui, RunningSandbox, SandboxConfig

ROUNDS = 2
AT_ONCE = 3


def sign_ins(sandbox: RunningSandbox) -> int:
    """Return the number of requests for a token."""
    answer = httpx.get(f"{sandbox.base_url}/_sandbox/requests", trust_env=False, timeout=60)
    counts = answer.json()["item"]
    found: int = counts["auth"]
    return found


@pytest.mark.slow
def test_processes_side_by_side_and_one_after_another_need_one_token(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    """Each token would end the one before (service.md §5), and the reads of who held that."""
    command = ("status", "--json", "--config", sandbox_config.path)
    for _ in range(ROUNDS):
        running = [paytui.start(*command) for _ in range(AT_ONCE)]
        for process in running:
            output, errors = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, errors
            assert all(feed["ok"] for feed in json.loads(output)["feeds"].values())
    assert sign_ins(sandbox) == 1


def token_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("token-*") if path.suffix != ".lock"]


@pytest.mark.slow
def test_the_token_lies_in_the_runtime_folder_for_its_user_alone(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    assert paytui("status", "--config", sandbox_config.path).returncode == 0
    [file] = token_files(paytui.home / "run")
    for path in (file, file.with_name(f"{file.name}.lock")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert sandbox_config.secret_file.read_text().strip() not in file.read_text()


@pytest.mark.slow
def test_a_token_file_that_the_profile_names_is_used(
    paytui: Paytui, sandbox: RunningSandbox, sandbox_config: SandboxConfig
) -> None:
    folder = paytui.home / "desk"
    folder.mkdir(mode=0o700)
    sandbox_config.write("token_file = 'desk/token'\n")
    for home in ("one", "other"):
        done = paytui(
            "status", "--config", sandbox_config.path, XDG_RUNTIME_DIR=str(paytui.home / home)
        )
        assert done.returncode == 0, done.stderr
    assert (folder / "token").is_file()
    assert sign_ins(sandbox) == 1


@pytest.mark.slow
def test_a_file_that_cannot_be_trusted_does_not_stop_anything(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    assert paytui("status", "--config", sandbox_config.path).returncode == 0
    [file] = token_files(paytui.home / "run")
    file.write_text("nonsense")
    assert paytui("status", "--config", sandbox_config.path).returncode == 0
    assert "accessToken" in file.read_text()


@pytest.mark.slow
def test_a_token_that_cannot_be_shared_is_told_and_used_all_the_same(
    paytui: Paytui, sandbox_config: SandboxConfig
) -> None:
    folder = paytui.home / "open"
    folder.mkdir()
    folder.chmod(0o777)
    sandbox_config.write("token_file = 'open/token'\n")
    done = paytui("status", "--config", sandbox_config.path)
    assert done.returncode == 0
    assert f"not shared with other processes: the token file {folder / 'token'}" in done.stderr
    assert "anyone can write to" in done.stderr
    assert not list(folder.iterdir())
