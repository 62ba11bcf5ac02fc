"""A service that fails and recovers under an unattended dashboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.pty import wallet
from tests.pty.conftest import RunService
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal


@pytest.mark.slow
def test_a_killed_service_is_survived_without_a_key_pressed(
    run_service: RunService, run_dashboard: Callable[[SandboxProcess], Terminal]
) -> None:
    service = run_service("--speed", "20")
    terminal = run_dashboard(service)
    before = wallet.open_first(terminal)

    service.kill()
    terminal.wait_for("unreachable")
    service.start()
    service.control("payins", {"walletId": before.wallet_id, "amount": wallet.PAY_IN})

    terminal.wait_for(wallet.raised_by_pay_in(before))
    terminal.wait_for(lambda screen: "unreachable" not in screen)
