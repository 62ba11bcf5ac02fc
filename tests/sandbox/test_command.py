"""Options of `paytui sandbox` reach the service, and webhooks are sent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread

import httpx
import pytest

from tests.sandbox.listener import SECRET
from tests.support.forks import Forks
from tests.support.sandbox_process import SECRET as CLIENT_SECRET
from tests.support.sandbox_process import SandboxProcess

VARIABLE = "PAYTUI_SANDBOX_WEBHOOK_SECRET"
PERSON = {"firstName": "Ada", "lastName": "Marlow"}
KEY = {"idempotency": "3f0e9d56-0000-4000-8000-000000000004"}
LONG = 60.0

Told = tuple[bytes, dict[str, str]]


@contextmanager
def signed_in(process: SandboxProcess) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=process.base_url, trust_env=False, timeout=LONG) as client:
        body = {"clientId": "demo", "clientSecret": CLIENT_SECRET}
        token = client.post("/v2/auth", json=body).json()["item"]["accessToken"]
        client.headers["authorization"] = f"Bearer {token}"
        yield client


def test_strict_checked_and_documented_only_are_options(tmp_path: Path, forks: Forks) -> None:
    options = ("--scale=0", "--strict", "--accounts=kyc", "--documented-only")
    with SandboxProcess(tmp_path, *options, forks=forks) as process, signed_in(process) as client:
        path = "/v2/account/individual"
        assert client.post(path, json=PERSON).status_code == 400
        account = client.post(path, json=PERSON, headers=KEY).json()["item"]
        assert account["status"] == "pending_checks"
        assert client.get("/v2/wallets").status_code == 405


def test_keys_are_ignored_on_demand(tmp_path: Path, forks: Forks) -> None:
    options = ("--scale=0", "--ignore-idempotency")
    with SandboxProcess(tmp_path, *options, forks=forks) as process, signed_in(process) as client:
        for _ in range(2):
            client.post("/v2/account/individual", json=PERSON, headers=KEY)
        assert client.get("/v2/accounts").json()["total"] == 2


@pytest.fixture
def told() -> Iterator[tuple[str, Queue[Told]]]:
    """A listener on a port of its own: its address, and what it hears."""
    heard: Queue[Told] = Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard.put((body, dict(self.headers.items())))
            self.send_response(204)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base has it
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hooks", heard
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_webhooks_leave_over_the_network_and_again_after_a_restart(
    tmp_path: Path,
    forks: Forks,
    told: tuple[str, Queue[Told]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, heard = told
    monkeypatch.setenv(VARIABLE, SECRET)
    options = ("--scale=20", f"--webhook-url={address}")
    with SandboxProcess(tmp_path, *options, forks=forks) as process:
        process.control("clock", {"seconds": 120})
        body, _ = heard.get(timeout=LONG)
        assert b'"eventId"' in body
        process.kill()
        while not heard.empty():
            heard.get()
        process.start()
        process.control("clock", {"seconds": 120})
        assert heard.get(timeout=LONG)[1]["webhook-signature"]


@pytest.mark.parametrize(
    ("address", "secret", "named"),
    [
        ("http://127.0.0.1:9/hooks", "", VARIABLE),
        ("http://127.0.0.1:9/hooks", "not-a-webhook-secret", VARIABLE),
        ("http://127.0.0.1:9/hooks", "whsec_", VARIABLE),
        ("http://hooks.example/", SECRET, "--allow-remote"),
        ("ftp://127.0.0.1/", SECRET, "http"),
        ("http://[::1/", SECRET, "address"),
    ],
)
def test_webhooks_that_cannot_be_sent_or_signed_are_refused_before_the_start(
    tmp_path: Path, forks: Forks, address: str, secret: str, named: str
) -> None:
    command = ("sandbox", "--scale=0", f"--webhook-url={address}")
    process = forks.start(command, {**os.environ, VARIABLE: secret}, tmp_path)
    _, told = process.communicate(timeout=LONG)
    assert process.returncode == 2
    assert named in told
    assert SECRET not in told
