"""A terminal that nothing reads: the worker continues, and the screen catches up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.pty import wallet
from tests.pty.conftest import RunService
from tests.pty.frozen import jam
from tests.support.deadline import Deadline, eventually
from tests.support.processes import resident_bytes
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

MEGABYTE = 1024 * 1024


@pytest.mark.slow
def test_half_a_minute_unread_stops_neither_tokens_nor_polls(
    run_service: RunService, run_dashboard: Callable[[SandboxProcess], Terminal]
) -> None:
    service = run_service("--token-lifetime", "10", "--speed", "20")
    terminal = run_dashboard(service)
    before = wallet.open_first(terminal)
    memory = resident_bytes(terminal.process.pid)
    asked = service.requests()

    jam(terminal)
    half_a_minute = Deadline(30)
    service.control("payins", {"walletId": before.wallet_id, "amount": wallet.PAY_IN})
    eventually(lambda: half_a_minute.over, seconds=60)

    asked_since = {name: count - asked[name] for name, count in service.requests().items()}
    assert asked_since["auth"] >= 2  # a token lives for 10 s
    # Every 5 s where somebody looks at them, every 20 s where the keys have led elsewhere.
    assert asked_since["list_wallets"] >= 1
    assert asked_since["list_payments"] >= 3
    assert resident_bytes(terminal.process.pid) - memory < 20 * MEGABYTE

    terminal.thaw()
    terminal.wait_for(r"\d+ payments")  # where the keys typed meanwhile lead to
    wallet.open_first(terminal)
    terminal.wait_for(wallet.raised_by_pay_in(before))
