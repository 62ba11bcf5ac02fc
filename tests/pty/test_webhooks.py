"""A dashboard that receives webhooks at a real terminal, faster than any poll."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.forks import Forks
from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.service import PlainReader
from tests.support.tcp import own_port
from tests.support.terminal import PAYTUI, Terminal

PATH = "/hooks/0123456789abcdef"
SIGNED_WITH = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
CONFIG = f"""
[webhooks]
enabled = true
port = {{port}}
path = "{PATH}"

[polling]
floor = "1h"
"""


@pytest.fixture
def port() -> Iterator[int]:
    with own_port() as port:
        yield port


@pytest.fixture
def service(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch, forks: Forks
) -> Iterator[SandboxProcess]:
    """A service that posts its events to a port, and a configuration that has them heard there."""
    monkeypatch.setenv("PAYTUI_SANDBOX_WEBHOOK_SECRET", SIGNED_WITH)
    url = f"http://127.0.0.1:{port}{PATH}"
    options = ("--scale", "20", "--speed", "0", "--webhook-url", url)
    with SandboxProcess(tmp_path, *options, forks=forks) as service:
        with service.config.open("a") as config:
            config.write(CONFIG.format(port=port))
        yield service


@pytest.fixture
def payment(service: SandboxProcess) -> str:
    """Return a payment that can still be released."""
    reader = PlainReader(service.base_url, SECRET)
    found = next(row for row in reader.all("/payments") if row["status"] == "processing")
    reader.close()
    return str(found["paymentTransactionId"])


@pytest.mark.slow
@pytest.mark.covers("webhook-payment")
def test_what_happens_is_on_screen_at_once_and_a_forgery_is_called_one(
    service: SandboxProcess, payment: str, port: int, tmp_path: Path
) -> None:
    command = (*PAYTUI, "run", "--config", str(service.config))
    env = {"XDG_STATE_HOME": str(tmp_path / "state"), "PAYTUI_WEBHOOK_SECRET": SIGNED_WITH}
    with Terminal(command, env=env) as terminal:
        terminal.wait_for(r"✓ all lists current")
        terminal.send("8")
        terminal.wait_for(f"listening on 127.0.0.1:{port}")
        service.control("states", {"kind": "payment", "id": payment, "status": "released"})
        terminal.wait_for(r"✓ verified +payment\.released +processing → released")
        url = f"http://127.0.0.1:{port}{PATH}"
        assert httpx.post(url, json={}, trust_env=False, timeout=60).status_code == 401
        terminal.wait_for("✗ forged")
