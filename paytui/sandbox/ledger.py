"""The double-entry ledger: postings that sum to zero, on pots that never go below it."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation
from enum import StrEnum

from paytui.sandbox.messages import ApiError, Detail


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency that wallets can be held in (service.md §11).

    Attributes:
        code: ISO 4217.
        digits: minor units.
        dollars: the initial price of one unit, in USD.
        half_spread: the service's margin on this side of a rate, in basis points.
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


WHOLE_DIGITS = 15
"""Maximum of digits before the decimal point of an amount."""

EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
"""The context for arithmetic on amounts; raises instead of losing a digit."""

_WIDE = Context(prec=60)
_FINE = Decimal("1e-12")
_UNITS = {code: Decimal(1).scaleb(-currency.digits) for code, currency in CURRENCIES.items()}


def unit(currency: str) -> Decimal:
    """Return the smallest amount of a currency: 0.01 USD, 1 JPY, 0.001 KWD."""
    return _UNITS[currency]


def text(amount: Decimal, currency: str) -> str:
    """Format an amount with exactly the digits of its currency."""
    return format(EXACT.quantize(amount, unit(currency)), "f")


def rounded(amount: Decimal, currency: str) -> Decimal:
    """Round to the currency's minor units, half to even."""
    return amount.quantize(unit(currency), ROUND_HALF_EVEN, _WIDE)


def fine(amount: Decimal) -> Decimal:
    """Round to twelve digits after the point, the precision of rounding remainders."""
    return amount.quantize(_FINE, ROUND_HALF_EVEN, _WIDE)


def times(amount: Decimal, rate: Decimal) -> Decimal:
    """Return the exact product."""
    return EXACT.multiply(amount, rate)


def divided(amount: Decimal, rate: Decimal) -> Decimal:
    """Return the quotient, to sixty digits."""
    return _WIDE.divide(amount, rate)


class Pot(StrEnum):
    """An account of the ledger: the first three belong to a wallet, the others to the service."""

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
    """Book a posting and move the balances of its wallets.

    Args:
        db: in a transaction.
        posting: sums to zero in each currency.
        subject: the identifier of the object that moves the money.
        at: ISO 8601.

    Raises:
        ApiError: 422 if a pot would become negative.
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
    """Return the balance of one pot of a wallet."""
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
        return Entry(pot, self.currency, self.amount, self.wallet_id)

    def out_of(self, pot: Pot) -> Entry:
        return Entry(pot, self.currency, -self.amount, self.wallet_id)

    def with_service(self, pot: Pot, sign: int) -> Entry:
        return Entry(pot, self.currency, self.amount * sign)


def arrive(paid: WalletAmount) -> Posting:
    """Return the posting of a received pay-in: pending until it has passed compliance."""
    return (paid.with_service(Pot.BANK, -1), paid.into(Pot.PENDING))


def credit(paid: WalletAmount) -> Posting:
    """Return the posting of a credited pay-in (service.md §3)."""
    return (paid.out_of(Pot.PENDING), paid.into(Pot.AVAILABLE))


def send_back(paid: WalletAmount) -> Posting:
    """Return the posting of a rejected pay-in: the money goes back to the sending bank."""
    return (paid.out_of(Pot.PENDING), paid.with_service(Pot.BANK, 1))


def reserve(paid: WalletAmount) -> Posting:
    """Return the posting of a booked payment or funded trade."""
    return (paid.out_of(Pot.AVAILABLE), paid.into(Pot.RESERVED))


def give_back(paid: WalletAmount) -> Posting:
    """Return the posting that releases a reservation."""
    return (paid.out_of(Pot.RESERVED), paid.into(Pot.AVAILABLE))


def pay_out(paid: WalletAmount) -> Posting:
    """Return the posting of a payout that is released to the recipient's bank."""
    return (paid.out_of(Pot.RESERVED), paid.with_service(Pot.BANK, 1))


def transfer(paid: WalletAmount, destination: str) -> Posting:
    """Return the posting of a transfer that is released to another wallet."""
    received = WalletAmount(destination, paid.currency, paid.amount)
    return (paid.out_of(Pot.RESERVED), received.into(Pot.AVAILABLE))


def return_payout(paid: WalletAmount) -> Posting:
    """Return the posting of a payout that the recipient's bank sends back."""
    return (paid.with_service(Pot.BANK, -1), paid.into(Pot.AVAILABLE))


def return_transfer(paid: WalletAmount, destination: str) -> Posting:
    """Return the posting of a transfer that the receiving wallet gives back."""
    received = WalletAmount(destination, paid.currency, paid.amount)
    return (received.out_of(Pot.AVAILABLE), paid.into(Pot.AVAILABLE))


def sell(sold: WalletAmount, exact: Decimal) -> Posting:
    """Return the posting of a trade's sold side.

    Args:
        sold: the amount that left the wallet, in whole minor units.
        exact: the amount before rounding; the difference goes to the rounding account.
    """
    return (sold.out_of(Pot.RESERVED), *_exchange(sold.currency, sold.amount, exact))


def buy(bought: WalletAmount, exact: Decimal) -> Posting:
    """Return the posting of a trade's bought side into a wallet."""
    taken = _exchange(bought.currency, -bought.amount, -exact)
    return (bought.into(Pot.AVAILABLE), *taken)


def buy_for_recipient(currency: str, amount: Decimal, exact: Decimal) -> Posting:
    """Return the posting of a trade's bought side that is paid to a recipient's bank."""
    return (Entry(Pot.BANK, currency, amount), *_exchange(currency, -amount, -exact))


def _exchange(currency: str, amount: Decimal, exact: Decimal) -> Posting:
    remainder = EXACT.subtract(amount, exact)
    booked = Entry(Pot.EXCHANGE, currency, exact)
    return (booked, Entry(Pot.ROUNDING, currency, remainder)) if remainder else (booked,)
