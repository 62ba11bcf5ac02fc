"""`paytui sandbox`: one line once it is ready, a hidden secret, a quick exit."""

from __future__ import annotations

import signal
import socket
import tomllib
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest

from tests.support.commands import PATIENCE, SECRET, Paytui, RunningSandbox
from tests.support.deadline import eventually
from tests.support.processes import command_line, is_running


@pytest.fixture
def unforked(tmp_path: Path) -> Paytui:
    """Runs commands in processes whose command lines are their own."""
    return Paytui(tmp_path / "home")


def sign_in(base_url: str, secret: str) -> int:
    body = {"clientId": "demo", "clientSecret": secret}
    return httpx.post(f"{base_url}/v2/auth", json=body, trust_env=False, timeout=60).status_code


def test_its_line_tells_where_it_answers_and_who_it_is(sandbox: RunningSandbox) -> None:
    assert sandbox.base_url.startswith("http://127.0.0.1:")
    assert sandbox.client_id == "demo"
    assert sandbox.pid == sandbox.process.pid
    assert sign_in(sandbox.base_url, SECRET) == 201
    assert sign_in(sandbox.base_url, "wrong") == 401


def test_nothing_else_is_printed_and_the_secret_is_nowhere(unforked: Paytui) -> None:
    with unforked.sandbox("--scale", "40") as sandbox:
        sign_in(sandbox.base_url, SECRET)
        assert not [word for word in command_line(sandbox.pid) if SECRET in word]
        sandbox.process.send_signal(signal.SIGTERM)
        out, err = sandbox.process.communicate(timeout=PATIENCE)
        assert (out, err, sandbox.process.returncode) == ("", "", 0)


def test_ctrl_c_ends_it_with_130(sandbox: RunningSandbox) -> None:
    assert sandbox.interrupt() == 130
    _, err = sandbox.process.communicate(timeout=PATIENCE)
    assert err == ""


def test_the_life_of_a_token_is_an_option(paytui: Paytui) -> None:
    with paytui.sandbox("--scale", "0", "--token-lifetime", "7") as sandbox:
        body = {"clientId": "demo", "clientSecret": SECRET}
        answer = httpx.post(f"{sandbox.base_url}/v2/auth", json=body, trust_env=False, timeout=60)
        expires_at = datetime.fromisoformat(answer.json()["item"]["expiresAt"])
        now = parsedate_to_datetime(answer.headers["date"])
        # The header has whole seconds: the token was issued at most one later.
        assert 7 <= (expires_at - now).total_seconds() < 8


def test_the_database_survives_a_restart(paytui: Paytui) -> None:
    database = paytui.home / "bank.sqlite"
    counts = []
    for seed in ("1", "2"):
        with paytui.sandbox("--scale", "20", "--seed", seed, "--database", database) as sandbox:
            counts.append(wallet_ids(sandbox))
    assert counts[0] == counts[1] != []


def wallet_ids(sandbox: RunningSandbox) -> list[str]:
    with httpx.Client(base_url=sandbox.base_url, trust_env=False) as client:
        body = {"clientId": "demo", "clientSecret": SECRET}
        token = client.post("/v2/auth", json=body).json()["item"]["accessToken"]
        headers = {"Authorization": f"Bearer {token}"}
        items = client.get("/v2/wallets", headers=headers).json()["items"]
    return sorted(item["walletId"] for item in items)


class TestWriteConfig:
    @pytest.mark.slow
    def test_it_reaches_the_sandbox_and_keeps_the_secret_private(self, paytui: Paytui) -> None:
        path = paytui.home / "sandbox.toml"
        options = ("--scale", "10", "--speed", "0", "--write-config", path)
        with paytui.sandbox(*options) as sandbox:
            profile = tomllib.loads(path.read_text())["profiles"]["sandbox"]
            assert profile["base_url"] == sandbox.base_url
            assert profile["live"] is False
            assert SECRET not in path.read_text()
            assert mode(path) == mode(paytui.home / "sandbox.secret") == 0o600
            assert paytui("status", "--config", path).returncode == 0

    def test_without_a_secret_of_ours_it_makes_one_that_works(self, unforked: Paytui) -> None:
        path = unforked.home / "sandbox.toml"
        with unforked.sandbox("--scale", "0", "--write-config", path, secret="") as sandbox:
            secret = (unforked.home / "sandbox.secret").read_text().strip()
            assert len(secret) >= 32
            assert sign_in(sandbox.base_url, secret) == 201
            assert not [word for word in command_line(sandbox.pid) if secret in word]

    @pytest.mark.parametrize("existing", ["sandbox.toml", "sandbox.secret"])
    def test_nothing_is_written_over_either_file(self, paytui: Paytui, existing: str) -> None:
        (paytui.home / existing).write_text("mine")
        done = paytui("sandbox", "--scale", "0", "--write-config", "sandbox.toml")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"{existing}: exists and is not overwritten" in done.stderr
        assert [path.name for path in paytui.home.glob("sandbox.*")] == [existing]
        assert (paytui.home / existing).read_text() == "mine"


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


class TestRefusals:
    @pytest.mark.parametrize("host", ["0.0.0.0", "::", "sandbox.example"])  # noqa: S104
    def test_an_address_that_others_reach_needs_a_word(self, paytui: Paytui, host: str) -> None:
        done = paytui("sandbox", "--host", host, "--scale", "0")
        assert (done.returncode, done.stdout) == (2, "")
        assert "--allow-remote" in done.stderr

    def test_with_the_word_it_is_served(self, paytui: Paytui) -> None:
        options = ("--host", "0.0.0.0", "--allow-remote", "--scale", "0")  # noqa: S104
        with paytui.sandbox(*options) as sandbox:
            assert sign_in(sandbox.base_url.replace("0.0.0.0", "127.0.0.1"), SECRET) == 201  # noqa: S104

    def test_no_configuration_is_written_that_paytui_would_refuse(self, paytui: Paytui) -> None:
        options = ("--host=0.0.0.0", "--allow-remote", "--write-config=x.toml")
        done = paytui("sandbox", *options)
        assert done.returncode == 2
        assert "needs a loopback address" in done.stderr

    def test_a_port_that_is_taken_is_told(self, paytui: Paytui) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = str(taken.getsockname()[1])
            done = paytui("sandbox", "--port", port, "--scale", "0")
        assert (done.returncode, done.stdout) == (2, "")
        assert f"Cannot listen on 127.0.0.1 port {port}: Address already in use" in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_database_that_is_none_is_told(self, paytui: Paytui) -> None:
        (paytui.home / "text").write_text("this is no database" * 100)
        done = paytui("sandbox", "--database", "text")
        assert (done.returncode, done.stdout) == (2, "")
        assert "Cannot use the database text" in done.stderr
        assert "Traceback" not in done.stderr


def test_it_ends_with_its_stdin_where_that_is_wanted(paytui: Paytui) -> None:
    with paytui.sandbox("--scale", "0", "--until-stdin-closes") as sandbox:
        assert is_running(sandbox.pid)
        assert sandbox.process.stdin is not None
        sandbox.process.stdin.close()
        eventually(lambda: sandbox.process.poll() is not None)
        assert sandbox.process.returncode == 0
        sandbox.process.stdin = None


def test_otherwise_it_goes_on_without_a_stdin(paytui: Paytui) -> None:
    """As under a service manager."""
    with paytui.sandbox("--scale", "0") as sandbox:
        assert sandbox.process.stdin is not None
        sandbox.process.stdin.close()
        sandbox.process.stdin = None
        assert sign_in(sandbox.base_url, SECRET) == 201


def test_a_random_secret_that_nobody_can_know_is_told(paytui: Paytui) -> None:
    with paytui.sandbox("--scale", "0", secret="") as sandbox:
        sandbox.process.send_signal(signal.SIGTERM)
        out, err = sandbox.process.communicate(timeout=PATIENCE)
    assert out == ""
    assert "set PAYTUI_SANDBOX_SECRET, or add --write-config FILE" in err


@pytest.mark.parametrize("speed", ["nan", "inf"])
def test_a_speed_that_is_no_number_is_refused(paytui: Paytui, speed: str) -> None:
    done = paytui("sandbox", "--speed", speed)
    assert done.returncode == 2
    assert "--speed" in done.stderr
