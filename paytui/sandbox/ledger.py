"""The double-entry ledger: postings that sum to zero, on pots that never go below it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from paytui.sandbox.amounts import EXACT, text
from paytui.sandbox.errors import ApiError, Detail


class Pot(StrEnum):
    """Where money stands: the first three in a wallet, the others with the service itself."""

    AVAILABLE = "available"
    RESERVED = "reserved"
    PENDING = "pending"
    BANK = "bank"
    EXCHANGE = "exchange"
    ROUNDING = "rounding"


BALANCE_COLUMN = {
    Pot.AVAILABLE: "availableBalance",
    Pot.RESERVED: "reservedBalance",
    Pot.PENDING: "pendingBalance",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a posting: an amount into (or, below zero, out of) a pot."""

    pot: Pot
    currency: str
    amount: Decimal
    wallet_id: str | None = None


Posting = tuple[Entry, ...]


def require_balanced(posting: Posting) -> None:
    """Raise unless the posting sums to zero in each of its currencies."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    for entry in posting:
        sums[entry.currency] = EXACT.add(sums[entry.currency], entry.amount)
    if any(sums.values()):
        raise AssertionError(f"a posting does not sum to zero: {dict(sums)}")


def post(db: sqlite3.Connection, posting: Posting, subject: str, at: str) -> None:
    """Book a posting and move the balances of its wallets.

    Args:
        db: in a transaction.
        posting: sums to zero in each currency.
        subject: the identifier of what moves the money.
        at: ISO 8601.

    Raises:
        ApiError: 422, where a pot would go below zero.
    """
    require_balanced(posting)
    for entry in posting:
        if entry.wallet_id is not None:
            _move(db, entry, entry.wallet_id, at)
    write_entries(db, ((subject, entry, at) for entry in posting))


def write_entries(db: sqlite3.Connection, lines: Iterable[tuple[str, Entry, str]]) -> None:
    """Append lines (subject, entry, time) to the ledger, without a look at balances."""
    db.executemany(
        "INSERT INTO entries (subject, walletId, pot, currency, amount, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            (subject, line.wallet_id, line.pot, line.currency, format(line.amount, "f"), at)
            for subject, line, at in lines
        ),
    )


def balance(db: sqlite3.Connection, wallet_id: str, pot: Pot) -> Decimal:
    """What stands in one pot of a wallet."""
    query = f"SELECT {BALANCE_COLUMN[pot]} FROM wallets WHERE walletId = ?"  # noqa: S608 - our own names
    (amount,) = db.execute(query, (wallet_id,)).fetchone()
    return Decimal(amount)


def _move(db: sqlite3.Connection, entry: Entry, wallet_id: str, at: str) -> None:
    column = BALANCE_COLUMN[entry.pot]
    after = EXACT.add(balance(db, wallet_id, entry.pot), entry.amount)
    if after < 0:
        message = f"the wallet is {text(-after, entry.currency)} {entry.currency} short"
        raise ApiError(422, "insufficient_funds", message, (Detail("amount", message),))
    db.execute(
        f"UPDATE wallets SET {column} = ?, updatedAt = ? WHERE walletId = ?",  # noqa: S608 - our own names
        (text(after, entry.currency), at, wallet_id),
    )


def trial_balance(db: sqlite3.Connection) -> dict[str, dict[str, Decimal]]:
    """Currency → pot → what stands in it over all wallets; each currency sums to zero."""
    totals: defaultdict[str, defaultdict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for currency, pot, amount in db.execute("SELECT currency, pot, amount FROM entries"):
        totals[currency][pot] = EXACT.add(totals[currency][pot], Decimal(amount))
    return {currency: dict(pots) for currency, pots in sorted(totals.items())}
