"""The steps that are due, run at each request in the order of their times."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from paytui.sandbox import idempotency
from paytui.sandbox.clock import iso
from paytui.sandbox.context import Bank
from paytui.sandbox.seed import activity
from paytui.sandbox.service import accounts, payins, payments, recipients, trades, wallets

Step = Callable[[Bank, str, datetime], str | None]
"""Moves a subject on; returns the wallet whose available balance rose, if one did."""

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
"""Statements that delete rows which expired or were settled more than a day ago."""


def advance(bank: Bank, now: datetime) -> None:
    """Run all steps due by now, each with its own time.

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
    """Delete obsolete rows, so that the database does not grow in a long run."""
    yesterday = iso(now - idempotency.RETENTION)
    for over in FORGOTTEN:
        bank.db.execute(over, (yesterday,))
