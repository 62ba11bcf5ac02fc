"""The typical flow of api.md §1 by keys alone at 80x24: from an empty service to a released payout.

The pay-in is the one step that is made outside the API (api.md §4, rule 5): the test sends it.
"""

from __future__ import annotations

import re

import pytest

from tests.pty.confirming import confirm
from tests.pty.conftest import RunDesk, RunService
from tests.support.sandbox_process import SandboxProcess
from tests.support.terminal import Terminal

ENTER, ESC, TAB, REVIEW = "\r", "\x1b", "\t", "\x1bOQ"
WALLET_ID = r"Wallet id +([0-9a-f-]{36})"


@pytest.fixture
def service(run_service: RunService) -> SandboxProcess:
    return run_service("--scale", "0", "--speed", "50")


@pytest.fixture
def desk(service: SandboxProcess, run_desk: RunDesk) -> Terminal:
    terminal = run_desk(service)
    terminal.wait_for("No wallets yet")
    return terminal


@pytest.mark.slow
@pytest.mark.covers("typical-flow")
def test_from_an_empty_service_to_a_released_payout(
    service: SandboxProcess, desk: Terminal
) -> None:
    open_account(desk)
    open_wallet(desk, "AUD", "AUD desk")
    open_wallet(desk, "USD", "USD desk")
    deposit(desk, service)
    trade(desk)
    add_recipient(desk)
    pay_out(desk)


def back(desk: Terminal, to: str) -> None:
    """Esc, and nothing behind it until it was heard: together they would be another key."""
    desk.send(ESC)
    desk.wait_for(to)


def open_account(desk: Terminal) -> None:
    desk.send("2n")
    desk.wait_for("▌ First name")
    desk.send("Ada" + TAB + TAB + "Example" + REVIEW)
    desk.wait_for("enter sends it(.|\n)*Last name +Example")
    confirm(desk, "State +✓ registered")
    back(desk, r"1 account, by")


def open_wallet(desk: Terminal, currency: str, name: str) -> None:
    desk.send("3")
    desk.wait_for(r"\d wallets?, by")
    desk.send("n")
    desk.wait_for("Account +Ada Example(.|\n)*▌ Currency")
    # All at once, as a slow link delivers what was typed: each field gets its own.
    desk.send(currency + ENTER + name + REVIEW)
    desk.wait_for(f"enter sends it(.|\n)*Name +{name}")
    confirm(desk, "State +✓ active")
    back(desk, r"\d wallets?, by")


def deposit(desk: Terminal, service: SandboxProcess) -> None:
    desk.wait_for("2 wallets(.|\n)*▌ AUD desk|▌ USD desk")
    desk.send("g")
    desk.wait_for("▌ AUD desk")
    desk.send("d")
    desk.wait_for("0 pay-in addresses")
    desk.send("n")
    desk.wait_for("▌ Type")
    desk.send("local" + ENTER + REVIEW)
    desk.wait_for("enter sends it(.|\n)*AUD desk")
    confirm(desk, "Stands +accepted")
    back(desk, "1 pay-in address")
    back(desk, "2 wallets, by")
    desk.send(ENTER)
    detail = desk.wait_for(WALLET_ID)
    [wallet_id] = re.findall(WALLET_ID, detail)
    service.control("payins", {"walletId": wallet_id, "amount": "1000.00"})
    back(desk, "2 wallets, by")
    desk.wait_for("AUD desk .+ 1,000.00")


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
    desk.wait_for("enter books it")
    confirm(desk, "✓ exchanged")
    back(desk, "2 wallets, by")


def add_recipient(desk: Terminal) -> None:
    desk.send("7")
    desk.wait_for("0 recipients")
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
    confirm(desk, "State +✓ active")
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
    desk.wait_for("enter sends it(.|\n)*INV 7")
    confirm(desk, "End-to-end +E2E")
    assert "Globex Inc" in desk.wait_for("✓ (released|completed)")
