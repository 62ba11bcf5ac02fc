"""A service with other names for everything: with a dialect file all figures are true."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from decimal import Decimal

import pytest

from paytui.api.dialect import load_dialect
from tests.pty import flow
from tests.pty.confirming import confirm
from tests.pty.flow import ENTER, REVIEW, back, to_usd
from tests.pty.other import NewDesk, OtherDesk
from tests.support.respelled.app import DIALECT
from tests.support.respelled.items import twenty_digits
from tests.support.service import Item
from tests.support.terminal import PAYTUI, ROOT, Terminal

ACTIVE = "[Ss]tatus +✓ active"


def grouped(amount: object) -> str:
    """An amount as the other service has it, with all its digits, for a person to read."""
    return f"{twenty_digits(Decimal(str(amount))):,}"


def row(*cells: str) -> str:
    """A pattern of these cells in one line."""
    return ".*".join(re.escape(cell) for cell in cells)


@pytest.mark.slow
def test_every_screen_shows_what_the_service_was_given(other_desk: OtherDesk) -> None:
    shows_totals_to_the_last_digit(other_desk)
    shows_each_wallet(other_desk)
    shows_the_locked_rate(other_desk)
    shows_each_payment(other_desk)
    shows_the_tracked_trades(other_desk)


def shows_totals_to_the_last_digit(desk: OtherDesk) -> None:
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for wallet in desk.wallets:
        totals[wallet["currency"]] += twenty_digits(Decimal(wallet["availableBalance"]))
    assert len(str(max(totals.values()))) > 20
    for currency, total in totals.items():
        desk.terminal.wait_for(rf"[ ▌] {currency} +{re.escape(f'{total:,}')} ")
    desk.terminal.wait_for("this service lists no pay-in addresses")


def shows_each_wallet(desk: OtherDesk) -> None:
    desk.terminal.send("3")
    for wallet in desk.wallets:
        amount = Decimal(wallet["availableBalance"])
        shown = grouped(amount) if amount else "0"
        desk.terminal.wait_for(row(wallet["walletName"], wallet["currency"], shown))
    assert any(wallet["status"] == "Suspended" for wallet in desk.wallets)
    desk.terminal.wait_for(r"\? Under a lien")


def shows_the_locked_rate(desk: OtherDesk) -> None:
    desk.terminal.send("4")
    rate = twenty_digits(Decimal(desk.rate))
    desk.terminal.wait_for(row("Sell AUD at the bid", f"1 AUD = {rate} USD"))


def shows_each_payment(desk: OtherDesk) -> None:
    desk.terminal.send("6")
    desk.terminal.wait_for("40 payments")
    for payment in desk.payments:
        desk.terminal.wait_for(row(grouped(payment["amount"]), payment["currency"], state(payment)))
    assert any(payment["status"] == "processing" for payment in desk.payments)
    desk.terminal.wait_for(r"\? BATCHED_OVERNIGHT")


def state(payment: Item) -> str:
    """The word that stands on the screen; the other service's own where no dialect lists it."""
    word: str = payment["status"]
    return "BATCHED_OVERNIGHT" if word == "processing" else word.replace("_", " ")


def shows_the_tracked_trades(desk: OtherDesk) -> None:
    desk.terminal.send("5")
    desk.terminal.wait_for("no list, 3 tracked; more: paytui track ID…")
    for trade in desk.trades:
        pair = f"{trade['sellCurrency']} > {trade['buyCurrency']}"
        desk.terminal.wait_for(row(grouped(trade["sellAmount"]), grouped(trade["buyAmount"])))
        desk.terminal.wait_for(re.escape(pair))


@pytest.mark.slow
def test_what_is_tracked_beside_a_running_dashboard_appears_without_a_key(
    other_desk: OtherDesk,
) -> None:
    terminal, another = other_desk.terminal, other_desk.another
    terminal.send("5")
    terminal.wait_for("3 tracked")
    command = (*PAYTUI, "track", another["tradeTransactionId"], "--kind", "trades")
    subprocess.run((*command, "--config", other_desk.config), check=True, cwd=ROOT)
    terminal.wait_for("4 tracked")
    terminal.wait_for(row(grouped(another["sellAmount"]), grouped(another["buyAmount"])))


@pytest.mark.slow
def test_all_that_a_trader_does_is_done_by_keys(new_desk: NewDesk) -> None:
    """The typical flow of service.md §1 and a transfer: every operation that creates something."""
    desk = new_desk.terminal
    desk.wait_for("No wallets yet")
    flow.open_account(desk, "[Ss]tatus +✓ registered")
    for currency, name in (("AUD", "AUD desk"), ("USD", "USD desk"), ("USD", "USD spare")):
        flow.open_wallet(desk, currency, name, ACTIVE)
    flow.deposit(desk, new_desk.control, r"Status +\S+ accepted")
    desk.wait_for("AUD desk .+ 1,000.00")
    flow.trade(desk, "enter: book", "✓ exchanged")
    flow.add_recipient(desk, ACTIVE)
    flow.pay_out(desk, "enter: send(.|\n)*SUPP", purpose="SUPP")
    back(desk, "1 recipient, by")
    add_address(desk)
    move(desk)
    created = {
        f"{route.method} {route.path}".replace("{recipient_id}", "{no}")
        for operation, routes in load_dialect(DIALECT).paths.items()
        for route in routes
        if route.method == "POST" and operation != "auth"
    }
    assert created <= new_desk.service.driven


def add_address(desk: Terminal) -> None:
    desk.send(ENTER)
    desk.wait_for("Recipient id")
    desk.send("n")
    desk.wait_for("▌ Currency")
    desk.send("usd" + ENTER + "US" + ENTER + "cacc" + ENTER + ENTER + ENTER)
    desk.wait_for("Account name +Globex Inc(.|\n)*▌ Account number")
    desk.send("8765 4321" + REVIEW)
    desk.wait_for("enter: send(.|\n)*Account number +87654321")
    confirm(desk, ACTIVE)
    back(desk, "Recipient id")
    back(desk, "1 recipient, by")


def move(desk: Terminal) -> None:
    desk.send("3")
    desk.wait_for("3 wallets, by")
    to_usd(desk)
    desk.send("x")
    desk.wait_for("From +USD desk(.|\n)*To +USD spare(.|\n)*▌ Amount")
    desk.send("5")
    desk.wait_for("= 5.00 USD")
    desk.send(ENTER)
    desk.wait_for("enter: send")
    confirm(desk, "✓ (released|completed)")
