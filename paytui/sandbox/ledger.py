"""The double-entry ledger: postings that sum to zero, on pots that never go below it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from enum import StrEnum

from paytui.sandbox.messages import ApiError, Detail

# The nineteen currencies that wallets can be held in (service.md §11.


@dataclass(frozen=True, slots=True)
class Currency:
    """One currency of the service.

    Attributes:
        code: ISO 4217.
        digits: minor units.
        dollars: where the price of one unit starts its walk, in USD.
        half_spread: what the service keeps on this side of a rate, in basis points of it.
    """

    code: str
    digits: int
    dollars: float
    half_spread: float


CURRENCIES: dict[str, Currency] = {
    currency.code: currency
    for currency in (
        Currency("AUD", 2, 0.6540, 1.0),
        Currency("USD", 2, 1.0, 0.5),
        Currency("EUR", 2, 1.0850, 0.5),
        Currency("GBP", 2, 1.2700, 0.8),
        Currency("NZD", 2, 0.6020, 1.5),
        Currency("CAD", 2, 0.7330, 1.0),
        Currency("CHF", 2, 1.1350, 1.0),
        Currency("SGD", 2, 0.7450, 1.5),
        Currency("HKD", 2, 0.1281, 1.0),
        Currency("JPY", 0, 0.006650, 1.0),
        Currency("SEK", 2, 0.0955, 3.0),
        Currency("NOK", 2, 0.0935, 3.0),
        Currency("DKK", 2, 0.1454, 2.0),
        Currency("ZAR", 2, 0.0535, 6.0),
        Currency("PLN", 2, 0.2510, 4.0),
        Currency("THB", 2, 0.0285, 5.0),
        Currency("AED", 2, 0.2723, 2.0),
        Currency("CNY", 2, 0.1385, 3.0),
        Currency("KWD", 3, 3.2500, 5.0),
    )
}


# Exact amounts: as decimal text in the database and on the wire, as Decimal in between.

WHOLE_DIGITS = 15
"""The most digits before the decimal point that an amount may have."""

EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
"""Arithmetic on amounts; raises rather than lose a digit."""

_WIDE = Context(prec=60)
_FINE = Decimal("1e-12")
_UNITS = {code: Decimal(1).scaleb(-currency.digits) for code, currency in CURRENCIES.items()}


def unit(currency: str) -> Decimal:
    """The smallest amount of a currency: 0.01 USD, 1 JPY, 0.001 KWD."""
    return _UNITS[currency]


def text(amount: Decimal, currency: str) -> str:
    """An amount with exactly the digits of its currency."""
    return format(EXACT.quantize(amount, unit(currency)), "f")


def rounded(amount: Decimal, currency: str) -> Decimal:
    """To the currency's minor units, half to even."""
    return amount.quantize(unit(currency), ROUND_HALF_EVEN, _WIDE)


def fine(amount: Decimal) -> Decimal:
    """To twelve digits after the point: what rounding remainders are kept to."""
    return amount.quantize(_FINE, ROUND_HALF_EVEN, _WIDE)


def times(amount: Decimal, rate: Decimal) -> Decimal:
    """The product, with every digit."""
    return EXACT.multiply(amount, rate)


def divided(amount: Decimal, rate: Decimal) -> Decimal:
    """The quotient, to sixty digits."""
    return _WIDE.divide(amount, rate)


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


# How each step of a payment, pay-in or trade moves money: pure postings.


@dataclass(frozen=True, slots=True)
class Sum:
    """So much of a currency, out of or into one wallet."""

    wallet_id: str
    currency: str
    amount: Decimal

    def into(self, pot: Pot) -> Entry:
        return Entry(pot, self.currency, self.amount, self.wallet_id)

    def out_of(self, pot: Pot) -> Entry:
        return Entry(pot, self.currency, -self.amount, self.wallet_id)

    def with_service(self, pot: Pot, sign: int) -> Entry:
        return Entry(pot, self.currency, self.amount * sign)


def arrive(paid: Sum) -> Posting:
    """A pay-in is received: pending until it has passed compliance."""
    return (paid.with_service(Pot.BANK, -1), paid.into(Pot.PENDING))


def credit(paid: Sum) -> Posting:
    """A pay-in is credited (service.md §3)."""
    return (paid.out_of(Pot.PENDING), paid.into(Pot.AVAILABLE))


def send_back(paid: Sum) -> Posting:
    """A pay-in is rejected: the money goes back to the bank that it came from."""
    return (paid.out_of(Pot.PENDING), paid.with_service(Pot.BANK, 1))


def reserve(paid: Sum) -> Posting:
    """A payment or a funded trade is booked."""
    return (paid.out_of(Pot.AVAILABLE), paid.into(Pot.RESERVED))


def give_back(paid: Sum) -> Posting:
    """What was reserved is free again."""
    return (paid.out_of(Pot.RESERVED), paid.into(Pot.AVAILABLE))


def pay_out(paid: Sum) -> Posting:
    """A payout is released to the recipient's bank."""
    return (paid.out_of(Pot.RESERVED), paid.with_service(Pot.BANK, 1))


def transfer(paid: Sum, destination: str) -> Posting:
    """A transfer is released to another wallet."""
    received = Sum(destination, paid.currency, paid.amount)
    return (paid.out_of(Pot.RESERVED), received.into(Pot.AVAILABLE))


def return_payout(paid: Sum) -> Posting:
    """The recipient's bank sends a payout back."""
    return (paid.with_service(Pot.BANK, -1), paid.into(Pot.AVAILABLE))


def return_transfer(paid: Sum, destination: str) -> Posting:
    """The receiving wallet gives a transfer back."""
    received = Sum(destination, paid.currency, paid.amount)
    return (received.out_of(Pot.AVAILABLE), paid.into(Pot.AVAILABLE))


def sell(sold: Sum, exact: Decimal) -> Posting:
    """The sold side of a trade is exchanged.

    Args:
        sold: what left the wallet, in whole minor units.
        exact: the same before it was rounded; the difference goes to the rounding account.
    """
    return (sold.out_of(Pot.RESERVED), *_exchange(sold.currency, sold.amount, exact))


def buy(bought: Sum, exact: Decimal) -> Posting:
    """The bought side of a trade is exchanged, into a wallet."""
    taken = _exchange(bought.currency, -bought.amount, -exact)
    return (bought.into(Pot.AVAILABLE), *taken)


def buy_for_recipient(currency: str, amount: Decimal, exact: Decimal) -> Posting:
    """The bought side of a trade is exchanged and leaves for a recipient's bank."""
    return (Entry(Pot.BANK, currency, amount), *_exchange(currency, -amount, -exact))


def _exchange(currency: str, amount: Decimal, exact: Decimal) -> Posting:
    remainder = EXACT.subtract(amount, exact)
    booked = Entry(Pot.EXCHANGE, currency, exact)
    return (booked, Entry(Pot.ROUNDING, currency, remainder)) if remainder else (booked,)
