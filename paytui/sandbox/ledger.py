"""The double-entry ledger: postings that sum to zero, on pots that never go below it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from enum import StrEnum

from paytui.sandbox.http_messages import ApiError, Detail


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency that wallets can be held in (service.md §11).

    Attributes:
        digits: minor units.
        dollars: the initial price of one unit, in USD.
        half_spread: the service's margin on this side of a rate, in basis points.
    """

    digits: int
    dollars: float
    half_spread: float


CURRENCIES = {
    "AUD": Currency(2, 0.6540, 1.0),
    "USD": Currency(2, 1.0, 0.5),
    "EUR": Currency(2, 1.0850, 0.5),
    "GBP": Currency(2, 1.2700, 0.8),
    "NZD": Currency(2, 0.6020, 1.5),
    "CAD": Currency(2, 0.7330, 1.0),
    "CHF": Currency(2, 1.1350, 1.0),
    "SGD": Currency(2, 0.7450, 1.5),
    "HKD": Currency(2, 0.1281, 1.0),
    "JPY": Currency(0, 0.006650, 1.0),
    "SEK": Currency(2, 0.0955, 3.0),
    "NOK": Currency(2, 0.0935, 3.0),
    "DKK": Currency(2, 0.1454, 2.0),
    "ZAR": Currency(2, 0.0535, 6.0),
    "PLN": Currency(2, 0.2510, 4.0),
    "THB": Currency(2, 0.0285, 5.0),
    "AED": Currency(2, 0.2723, 2.0),
    "CNY": Currency(2, 0.1385, 3.0),
    "KWD": Currency(3, 3.2500, 5.0),
}

WHOLE_DIGITS = 15  # Maximum of digits before the decimal point of an amount

EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
"""The context for arithmetic on amounts; raises instead of losing a digit."""

_WIDE = Context(prec=60)
_FINE = Decimal("1e-12")
UNITS = {code: Decimal(1).scaleb(-currency.digits) for code, currency in CURRENCIES.items()}
"""The smallest amount of each currency: 0.01 USD, 1 JPY, 0.001 KWD."""


def text(amount: Decimal, currency: str) -> str:
    """Format an amount with exactly the digits of its currency."""
    return format(EXACT.quantize(amount, UNITS[currency]), "f")


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Round to the currency's minor units, half to even."""
    return amount.quantize(UNITS[currency], ROUND_HALF_EVEN, _WIDE)


def times(amount: Decimal, rate: Decimal) -> Decimal:
    """Return the product to twelve digits after the point, the precision of remainders."""
    return EXACT.multiply(amount, rate).quantize(_FINE, ROUND_HALF_EVEN, _WIDE)


def divided(amount: Decimal, rate: Decimal) -> Decimal:
    """Return the quotient to twelve digits after the point."""
    return _WIDE.divide(amount, rate).quantize(_FINE, ROUND_HALF_EVEN, _WIDE)


class Pot(StrEnum):
    """An account of the ledger: the first three belong to a wallet, the others to the service."""

    AVAILABLE = "available"
    RESERVED = "reserved"
    PENDING = "pending"
    BANK = "bank"
    EXCHANGE = "exchange"
    ROUNDING = "rounding"


BALANCE_COLUMN = {pot: f"{pot}Balance" for pot in (Pot.AVAILABLE, Pot.RESERVED, Pot.PENDING)}


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a posting: an amount into a pot, or out of it if negative."""

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
    """Book a posting of the object `subject` in a transaction, and move the wallets' balances.

    Raise 422 if a pot would become negative.
    """
    require_balanced(posting)
    for entry in posting:
        if entry.wallet_id is not None:
            _move(db, entry, entry.wallet_id, at)
    write_entries(db, ((subject, entry, at) for entry in posting))


def write_entries(db: sqlite3.Connection, lines: Iterable[tuple[str, Entry, str]]) -> None:
    """Append lines (subject, entry, time) to the ledger without checking balances."""
    db.executemany(
        "INSERT INTO entries (subject, walletId, pot, currency, amount, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            (subject, line.wallet_id, line.pot, line.currency, format(line.amount, "f"), at)
            for subject, line, at in lines
        ),
    )


def balance(db: sqlite3.Connection, wallet_id: str, pot: Pot) -> Decimal:
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
    """Return balances over all wallets by currency and pot; each currency sums to zero."""
    totals: defaultdict[str, defaultdict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    for currency, pot, amount in db.execute("SELECT currency, pot, amount FROM entries"):
        totals[currency][pot] = EXACT.add(totals[currency][pot], Decimal(amount))
    return {currency: dict(pots) for currency, pots in sorted(totals.items())}


@dataclass(frozen=True, slots=True)
class WalletAmount:
    """An amount of a currency, out of or into one wallet."""

    wallet_id: str
    currency: str
    amount: Decimal

    def into(self, pot: Pot) -> Entry:
        of_wallet = self.wallet_id if pot in BALANCE_COLUMN else None
        return Entry(pot, self.currency, self.amount, of_wallet)

    def out_of(self, pot: Pot) -> Entry:
        return replace(self, amount=-self.amount).into(pot)


Move = tuple[Pot, Pot]  # The pots that money leaves and enters

RESERVE: Move = (Pot.AVAILABLE, Pot.RESERVED)  # A payment is booked, or a trade funded
GIVE_BACK: Move = (Pot.RESERVED, Pot.AVAILABLE)  # A reservation is released


def posting(paid: WalletAmount, move: Move | None) -> Posting:
    """Return the posting of a move between the pots of one wallet and the service; () for none."""
    return () if move is None else (paid.out_of(move[0]), paid.into(move[1]))


def exchanged(currency: str, amount: Decimal, exact: Decimal) -> Posting:
    """Return what balances a side of a trade: its difference to `exact`, before rounding, too."""
    remainder = EXACT.subtract(amount, exact)
    booked = Entry(Pot.EXCHANGE, currency, exact)
    return (booked, Entry(Pot.ROUNDING, currency, remainder)) if remainder else (booked,)
