"""The typical flow of service.md §1 by keys alone at 80x24, from an empty service on.

The outcome of a step is a pattern for the screen, since services word it differently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from tests.pty.confirming import confirm
from tests.support.terminal import Terminal

ENTER, ESC, TAB, REVIEW = "\r", "\x1b", "\t", "\x1bOQ"
WALLET_ID = r"Wallet id +([0-9a-f-]{36})"

Control: TypeAlias = Callable[[str, Mapping[str, str]], object]
"""Does something to the books behind a service."""


def back(desk: Terminal, to: str) -> None:
    """Press esc, and nothing behind it until it was heard: together they would be another key."""
    desk.send(ESC)
    desk.wait_for(to)


def open_account(desk: Terminal, becomes: str) -> None:
    """Open one for Ada Example."""
    desk.send("2n")
    desk.wait_for("▌ First name")
    desk.send("Ada" + TAB + TAB + "Example" + REVIEW)
    desk.wait_for("enter: send(.|\n)*Last name +Example")
    confirm(desk, becomes)
    back(desk, r"1 account, by")


def open_wallet(desk: Terminal, currency: str, name: str, becomes: str) -> None:
    """Open one in the account."""
    desk.send("3")
    desk.wait_for(r"list of wallets|\d wallets?, by")
    desk.send("n")
    desk.wait_for("Account +Ada Example(.|\n)*▌ Currency")
    # All at once, as a slow link delivers what was typed: each field gets its own.
    desk.send(currency + ENTER + name + REVIEW)
    desk.wait_for(f"enter: send(.|\n)*Name +{name}")
    confirm(desk, becomes)
    back(desk, r"\d wallets?, by")


def deposit(desk: Terminal, control: Control, becomes: str) -> None:
    """Make an address of the first wallet; what is sent there comes from outside (§4)."""
    desk.send("g")
    desk.wait_for("▌ AUD desk")
    desk.send("d")
    desk.wait_for("list of pay-in addresses|0 pay-in addresses")
    desk.send("n")
    desk.wait_for("▌ Type")
    desk.send("local" + ENTER)
    desk.wait_for("enter: send(.|\n)*AUD desk")
    confirm(desk, becomes)
    back(desk, "1 pay-in address|list of pay-in addresses")
    back(desk, r"\d wallets, by")
    desk.send(ENTER)
    [wallet_id] = re.findall(WALLET_ID, desk.wait_for(WALLET_ID))
    control("payins", {"walletId": wallet_id, "amount": "1000.00"})
    back(desk, r"\d wallets, by")


def trade(desk: Terminal, asks: str, becomes: str) -> None:
    """Sell 900 AUD for USD."""
    desk.send("t")
    desk.wait_for("Sell +AUD(.|\n)*Buy +USD(.|\n)*▌ Sell amount(.|\n)*From +AUD desk")
    desk.send("900")
    desk.wait_for("= 900.00 AUD")
    desk.send(ENTER)
    if "▌ Into" in desk.wait_for(f"▌ Into|{asks}"):
        desk.wait_for("› USD desk")
        desk.send(ENTER)
    desk.wait_for(asks)
    confirm(desk, becomes)
    back(desk, r"\d wallets, by")


def add_recipient(desk: Terminal, becomes: str) -> None:
    """Add a company with an address in USD."""
    desk.send("7")
    desk.wait_for("list of recipients|0 recipients")
    desk.send("n")
    desk.wait_for("Account +Ada Example(.|\n)*▌ Type")
    desk.send("business" + ENTER + "Globex Inc" + ENTER)
    desk.wait_for("Company name +Globex Inc")
    desk.send("\x1b[6~")
    desk.wait_for("Payment address 1(.|\n)*▌ Currency")
    desk.send("usd" + ENTER + "US" + ENTER + "cacc" + ENTER + ENTER + ENTER)
    desk.wait_for("Account name +Globex Inc(.|\n)*▌ Account number")
    desk.send("1234 5678" + REVIEW)
    desk.wait_for("enter: send(.|\n)*Account number +12345678")
    confirm(desk, becomes)
    desk.send("o")
    desk.wait_for(r"Payment address, USD[\s─]+[Ss]tatus +✓ active")
    back(desk, "New recipient · outcome")
    back(desk, "1 recipient, by")


def pay_out(desk: Terminal, asks: str, purpose: str = "") -> None:
    """Pay the company 300 USD; some services want to know what for."""
    desk.send("p")
    if "▌ From" in desk.wait_for("To +Globex Inc(.|\n)*(▌ From|From +USD desk(.|\n)*▌ Amount)"):
        desk.wait_for("› USD desk")
        desk.send(ENTER)
        desk.wait_for("From +USD desk(.|\n)*▌ Amount")
    desk.send("300")
    desk.wait_for("= 300.00 USD")
    desk.send(TAB)
    desk.wait_for("▌ Reference")
    desk.send("INV 7")
    if purpose:
        desk.send(TAB)
        desk.wait_for("▌ Purpose of payment")
        desk.send(purpose)
    desk.send(ENTER)
    desk.wait_for("▌ Verify payee +last 4 of its account number")
    desk.send("5678" + ENTER)
    desk.wait_for(asks)
    confirm(desk, "End-to-end +E2E")


def to_usd(desk: Terminal) -> None:
    """Go to the second wallet of a list."""
    desk.send("g")
    desk.wait_for("▌ AUD desk")
    desk.send("j")
    desk.wait_for("▌ USD desk")
