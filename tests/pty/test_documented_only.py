"""The typical flow of api.md §1 at a service with its fourteen documented operations and no other.

Of what is created nothing can be read but payments and payment addresses: it stays as created.
"""

from __future__ import annotations

import re

import pytest

from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService
from tests.pty.test_typical_flow import ENTER, REVIEW, TAB, back
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

CREATED = r"State +\? \w+, as created"
WALLET_ID = r"Wallet id +([0-9a-f-]{36})"


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
    open_account(desk)
    open_wallet(desk, "AUD", "AUD desk")
    open_wallet(desk, "USD", "USD desk")
    deposit(desk, service)
    trade(desk)
    add_recipient(desk)
    pay_out(desk)
    desk.send("q")
    again = run_desk(service)
    again.send("3")
    again.wait_for("no list; 2 as created, cannot be read(.|\\n)*AUD desk(.|\\n)*USD desk")


def open_account(desk: Terminal) -> None:
    desk.send("2n")
    desk.wait_for("▌ First name")
    desk.send("Ada" + TAB + TAB + "Example" + REVIEW)
    desk.wait_for("enter sends it(.|\n)*Last name +Example")
    confirm(desk, CREATED)
    back(desk, r"1 account, by(.|\n)*1 as created, cannot be read")


def open_wallet(desk: Terminal, currency: str, name: str) -> None:
    desk.send("3")
    desk.wait_for("list of wallets|wallets?, by")
    desk.send("n")
    desk.wait_for("Account +Ada Example(.|\n)*▌ Currency")
    desk.send(currency + ENTER + name + REVIEW)
    desk.wait_for(f"enter sends it(.|\n)*Name +{name}")
    confirm(desk, CREATED)
    back(desk, r"\d wallets?, by")


def deposit(desk: Terminal, service: SandboxProcess) -> None:
    desk.wait_for("2 wallets(.|\n)*▌ AUD desk|▌ USD desk")
    desk.send("g")
    desk.wait_for("▌ AUD desk")
    desk.send("d")
    desk.wait_for("list of pay-in addresses|0 pay-in addresses")
    desk.send("n")
    desk.wait_for("▌ Type")
    desk.send("local" + ENTER + REVIEW)
    desk.wait_for("enter sends it(.|\n)*AUD desk")
    confirm(desk, "Stands +accepted(.|\n)*opy it now")
    back(desk, "1 pay-in address")
    back(desk, "2 wallets, by")
    desk.send(ENTER)
    detail = desk.wait_for(WALLET_ID)
    [wallet_id] = re.findall(WALLET_ID, detail)
    service.control("payins", {"walletId": wallet_id, "amount": "1000.00"})
    back(desk, "2 wallets, by")


def trade(desk: Terminal) -> None:
    desk.send("t")
    desk.wait_for("Sell from +AUD desk(.|\n)*▌ USD desk")
    desk.send(ENTER)
    desk.wait_for("Buy into +USD desk(.|\n)*Sell AUD")
    desk.send("900")
    desk.wait_for("= 900.00 AUD")
    desk.send(ENTER)
    desk.wait_for(r"5 of \d · reference")
    desk.send(ENTER)
    desk.wait_for("▌ Locked rate")
    desk.send(ENTER)
    desk.wait_for("Not known to be active: wallet AUD desk, wallet USD desk(.|\n)*enter books it")
    confirm(desk, "as created")
    back(desk, "2 wallets, by")


def add_recipient(desk: Terminal) -> None:
    desk.send("7")
    desk.wait_for("list of recipients")
    desk.send("n")
    desk.wait_for("Account +Ada Example(.|\n)*▌ Type")
    desk.send("business" + ENTER + "Globex Inc" + ENTER)
    desk.wait_for("Company name +Globex Inc")
    desk.send("\x1b[6~")
    desk.wait_for("section 2 of 2")
    desk.send("usd" + ENTER + "US" + ENTER + "cacc" + ENTER + "Globex Inc" + ENTER)
    desk.wait_for("▌ Account number")
    desk.send("1234 5678" + REVIEW)
    desk.wait_for("enter sends it(.|\n)*Account number +12345678")
    confirm(desk, CREATED)
    desk.send("o")
    desk.wait_for(r"Payment address, USD\s+State +✓ active")
    back(desk, "New recipient · confirmed")
    back(desk, "1 recipient, by")


def pay_out(desk: Terminal) -> None:
    desk.send("p")
    desk.wait_for("To +Globex Inc(.|\n)*USD desk")
    desk.send("G")
    desk.wait_for("▌ USD desk")
    desk.send(ENTER)
    desk.wait_for("to whom(.|\n)*▌ Globex Inc")
    desk.send(ENTER)
    desk.wait_for("Amount in USD")
    desk.send("500")
    desk.wait_for("= 500.00 USD")
    desk.send(ENTER)
    desk.wait_for("reference")
    desk.send("INV 7" + ENTER)
    desk.wait_for("Last 4 of its account number")
    desk.send("5678" + ENTER)
    desk.wait_for("Not known to be active: wallet USD desk, recipient Globex Inc")
    confirm(desk, "End-to-end +E2E")
    assert "Globex Inc" in desk.wait_for("✓ (released|completed)")
