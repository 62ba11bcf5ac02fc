"""Writes the history."""

from __future__ import annotations

from datetime import datetime

from paytui.sandbox.bank import Bank


def write_history(bank: Bank, now: datetime) -> None:
    """Fill an empty database with accounts, wallets and what happened to them before `now`."""
