"""A history while it is written: rows and ledger lines, put into the database in batches."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count

from paytui.sandbox.amounts import EXACT, text
from paytui.sandbox.bank import Bank
from paytui.sandbox.clock import iso
from paytui.sandbox.database import insert_all
from paytui.sandbox.ledger import BALANCE_COLUMN, Entry, Posting, Pot, write_entries

Row = dict[str, str | None]

WALLETS = "wallets"
BATCH = 10_000
"""Ledger lines that are kept before they are written."""


class Draft:
    """What is going to be written, with the balances as they stand so far."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._rows: defaultdict[str, list[Row]] = defaultdict(list)
        self._lines: list[tuple[str, Entry, str]] = []
        self._balances: defaultdict[tuple[str, Pot], Decimal] = defaultdict(Decimal)
        self._numbers = count()

    def new_id(self, kind: str) -> str:
        return self._bank.chance.uuid("history", kind, next(self._numbers))

    def add(self, table: str, row: Row) -> None:
        """A row; the rows of one table come in the order of time, all with the same columns."""
        self._rows[table].append(row)
        if len(self._lines) >= BATCH:
            self._flush()

    def post(self, posting: Posting, subject: str, at: str) -> None:
        """Ledger lines; the balances of wallets follow."""
        for entry in posting:
            self._lines.append((subject, entry, at))
            if entry.wallet_id is not None:
                pot = (entry.wallet_id, entry.pot)
                self._balances[pot] = EXACT.add(self._balances[pot], entry.amount)

    def available(self, wallet_id: str) -> Decimal:
        """What a wallet could pay out now."""
        return self._balances[wallet_id, Pot.AVAILABLE]

    def later(self, kind: str, subject: str, now: datetime, seconds: float) -> None:
        """Something that the lifecycle has to go on with, so many seconds (at speed 1) from now."""
        if self._bank.options.speed:
            at = now + timedelta(seconds=seconds / self._bank.options.speed)
            self._rows["due"].append({"at": iso(at), "kind": kind, "subject": subject})

    def write(self) -> None:
        """Put all of it into the database."""
        self._flush()
        wallets = self._rows[WALLETS]
        for wallet in wallets:
            self._settle(wallet)
        insert_all(self._bank.db, WALLETS, wallets)

    def _flush(self) -> None:
        """Write what does not change any more: all but the balances of wallets."""
        for table, rows in self._rows.items():
            if table != WALLETS:
                insert_all(self._bank.db, table, rows)
                rows.clear()
        write_entries(self._bank.db, self._lines)
        self._lines.clear()

    def _settle(self, wallet: Row) -> None:
        wallet_id, currency = str(wallet["walletId"]), str(wallet["currency"])
        for pot, column in BALANCE_COLUMN.items():
            wallet[column] = text(self._balances[wallet_id, pot], currency)
