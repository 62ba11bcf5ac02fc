"""A service that spells everything otherwise: with a dialect file alone, all figures are true."""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from decimal import Decimal

import pytest

from tests.pty.other import OtherDesk
from tests.support.respelled.items import twenty_digits
from tests.support.service import Item
from tests.support.terminal import PAYTUI, ROOT


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
    for words in ("✓ wallets 19", "✓ payments 40", "✓ trades 3 tracked"):
        desk.terminal.wait_for(words)
    desk.terminal.wait_for("no list of pay-in addresses offered")


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
    desk.terminal.wait_for(row("AUD > USD", f"{rate} USD", "AUD/USD"))


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
