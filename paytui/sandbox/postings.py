"""How each step of a payment, pay-in or trade moves money: pure postings."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from paytui.sandbox.amounts import EXACT
from paytui.sandbox.ledger import Entry, Posting, Pot


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
    """A pay-in is credited (api.md §3)."""
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
