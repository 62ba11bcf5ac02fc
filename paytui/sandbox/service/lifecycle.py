"""What is due is done: states move on, at each request, in the order in which they fell due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from paytui.sandbox import idempotency
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank
from paytui.sandbox.seed import activity
from paytui.sandbox.service import accounts, payins, payments, recipients, trades, wallets

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
    "traffic": activity.happen,
}


FORGOTTEN = (
    "DELETE FROM idempotency WHERE createdAt <= ?",
    "DELETE FROM tokens WHERE expiresAt <= ?",
    "DELETE FROM rate_sheets WHERE expiresAt <= ?",
    "DELETE FROM webhooks WHERE nextAt IS NULL AND createdAt <= ?",
)
"""What is over a day after it ended."""


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
    _forget(bank, now)


def _forget(bank: Bank, now: datetime) -> None:
    """Drop what can no longer matter, so that a week's run does not grow by what is over."""
    yesterday = iso(now - idempotency.RETENTION)
    for over in FORGOTTEN:
        bank.db.execute(over, (yesterday,))
