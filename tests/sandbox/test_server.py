from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx
import pytest

PROGRAM = """
import sys
from paytui.platform.clock import SystemClock
from paytui.sandbox.context import SandboxOptions
from paytui.sandbox.server import serve
options = SandboxOptions(client_secret="only-for-this-test", scale=20)
serve(options, SystemClock(), sys.argv[1], 0, lambda url, _: print(url, flush=True))
print("returned", flush=True)
"""

RIGHT = {"clientId": "demo", "clientSecret": "only-for-this-test"}
LONG = 20.0


@contextmanager
def serving(host: str = "127.0.0.1") -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """A service in a process of its own, and a signed-in client with an open connection to it."""
    command = [sys.executable, "-c", PROGRAM, host]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as it:
        assert it.stdout is not None
        try:
            with httpx.Client(base_url=it.stdout.readline().strip(), timeout=LONG) as client:
                token = client.post("/v2/auth", json=RIGHT).json()["item"]["accessToken"]
                client.headers["authorization"] = f"Bearer {token}"
                yield it, client
        finally:
            it.kill()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_service_answers_where_it_says_it_does(host: str) -> None:
    with serving(host) as (_, client):
        assert client.base_url.host == host
        assert client.get("/v2/payments").json()["total"] == 20


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_returns_when_told_to_stop_in_spite_of_open_connections(stop: signal.Signals) -> None:
    with serving() as (process, client):
        assert client.get("/v2/wallets").status_code == 200
        process.send_signal(stop)
        out, errors = process.communicate(timeout=LONG)
    assert (process.returncode, out, errors) == (0, "returned\n", "")


def test_it_does_not_wait_for_an_answer_that_takes_long() -> None:
    with serving() as (process, client):
        fault = {"operation": "list_wallets", "kind": "delay", "seconds": 3600}
        client.post("/_sandbox/faults", json=fault)
        with pytest.raises(httpx.ReadTimeout):
            client.get("/v2/wallets", timeout=0.2)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=LONG)
    assert (process.returncode, errors) == (0, "")


def test_whoever_waits_at_the_end_is_cut_off_and_not_answered() -> None:
    with serving() as (process, client):
        fault = {"operation": "list_wallets", "kind": "delay", "seconds": 3600}
        client.post("/_sandbox/faults", json=fault)
        address = (client.base_url.host, client.base_url.port)
        with socket.create_connection(address, timeout=LONG) as waiting:
            waiting.sendall(b"GET /v2/wallets HTTP/1.1\r\nhost: localhost\r\n\r\n")
            client.get("/v2/payments")  # once this is answered, the other is waiting
            process.send_signal(signal.SIGTERM)
            with suppress(ConnectionResetError):
                assert waiting.recv(1000) == b""
        process.communicate(timeout=LONG)


@pytest.mark.parametrize("kind", ["cut", "commit-then-cut"])
def test_a_cut_connection_ends_without_an_answer(kind: str) -> None:
    with serving() as (_, client):
        client.post("/_sandbox/faults", json={"operation": "list_wallets", "kind": kind})
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            client.get("/v2/wallets")
        assert client.get("/v2/wallets").status_code == 200


def test_answers_carry_one_date_and_no_server() -> None:
    with serving() as (_, client):
        response = client.get("/v2/wallets")
        assert len(response.headers.get_list("date")) == 1
        assert "server" not in response.headers
