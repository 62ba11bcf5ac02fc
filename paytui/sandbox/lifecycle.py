"""What is due is done: states move on, at each request, in the order in which they fell due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from paytui.sandbox import accounts, payins, payments, recipients, trades, traffic, wallets
from paytui.sandbox.bank import Bank
from paytui.sandbox.clock import iso

Step = Callable[[Bank, str, datetime], str | None]
"""Takes a subject on at a time; returns the wallet whose available balance rose, if one did."""

STEPS: dict[str, Step] = {
    "account": accounts.finish_checks,
    "wallet": wallets.activate,
    "recipient": recipients.activate,
    "payment_address": recipients.activate_address,
    "payin": payins.progress,
    "payment": payments.progress,
    "trade": trades.progress,
    "traffic": traffic.happen,
}


def advance(bank: Bank, now: datetime) -> None:
    """Do all that is due by now; each thing happens at its own time, not at this one.

    Args:
        bank: its database in a transaction.
        now: by the service's clock.
    """
    query = "SELECT seq, at, kind, subject FROM due WHERE at <= ? ORDER BY at, seq LIMIT 1"
    while row := bank.db.execute(query, (iso(now),)).fetchone():
        bank.db.execute("DELETE FROM due WHERE seq = ?", (row["seq"],))
        at = datetime.fromisoformat(row["at"])
        wallet_id = STEPS[row["kind"]](bank, row["subject"], at)
        if wallet_id is not None:
            trades.fund_waiting(bank, wallet_id, at)
