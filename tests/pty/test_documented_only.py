"""The typical flow of service.md §1 on a service with the documented operations alone.

Of what is created nothing can be read but payments and payment addresses: it stays as created.
"""

from __future__ import annotations

import pytest

from tests.pty import flow
from tests.pty.conftest import RunDesk, RunService
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

CREATED = r"[Ss]tatus +\? \w+, as created"
UNKNOWN = "Not known to be active:"


@pytest.fixture
def service(run_service: RunService) -> SandboxProcess:
    return run_service("--scale", "0", "--speed", "50", "--documented-only")


@pytest.fixture
def desk(service: SandboxProcess, run_desk: RunDesk) -> Terminal:
    terminal = run_desk(service)
    terminal.send("3")
    terminal.wait_for("This service offers no list of wallets")
    return terminal


@pytest.mark.slow
@pytest.mark.covers(
    "typical-flow",
    "any-order",
    "auth",
    "book-trade",
    "create-individual-account",
    "create-payin-address",
    "create-payout",
    "create-rate-sheet",
    "create-recipient",
    "create-wallet",
    "list-payment-addresses",
    "list-payments",
    alone=True,
)
def test_from_an_empty_service_to_an_accepted_payout(
    service: SandboxProcess, desk: Terminal, run_desk: RunDesk
) -> None:
    flow.open_account(desk, CREATED)
    desk.wait_for("1 account, by(.|\n)*1 as created, cannot be read")
    flow.open_wallet(desk, "AUD", "AUD desk", CREATED)
    flow.open_wallet(desk, "USD", "USD desk", CREATED)
    flow.deposit(desk, service.control, r"opy it now(.|\n)*Status +\S+ accepted")
    flow.trade(desk, f"{UNKNOWN} wallet AUD desk, wallet USD desk(.|\n)*enter: book", "as created")
    flow.add_recipient(desk, CREATED)
    flow.pay_out(desk, f"{UNKNOWN} wallet USD desk, recipient Globex Inc")
    assert "Globex Inc" in desk.wait_for("✓ (released|completed)")
    desk.send("q")
    again = run_desk(service)
    again.send("3")
    again.wait_for("no list; 2 as created, cannot be read(.|\\n)*AUD desk(.|\\n)*USD desk")
