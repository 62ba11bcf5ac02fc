"""The books in the control surface, and their invariants."""

from __future__ import annotations

from decimal import Decimal

from tests.support.plain import Item, PlainService


def trial_balance(service: PlainService) -> Item:
    return service.show("/_sandbox/trial-balance")


def all_wallets(service: PlainService) -> list[Item]:
    """Every wallet, over all pages."""
    wallets: list[Item] = []
    page = 1
    while found := service.shown("/v2/wallets", page=page, pageSize=500):
        wallets += found
        page += 1
    return wallets


def assert_books_are_true(service: PlainService) -> None:
    """Each currency sums to zero; wallets hold what the ledger says, and nothing below zero."""
    books = trial_balance(service)
    held: dict[tuple[str, str], Decimal] = {}
    for wallet in all_wallets(service):
        for pot in ("available", "reserved", "pending"):
            balance = Decimal(wallet[f"{pot}Balance"])
            assert balance >= 0, wallet
            key = (wallet["currency"], pot)
            held[key] = held.get(key, Decimal(0)) + balance
    for currency, pots in books.items():
        amounts = {pot: Decimal(amount) for pot, amount in pots.items() if pot != "total"}
        assert sum(amounts.values()) == 0, (currency, pots)
        assert pots["total"] == "0"
    for (currency, pot), balance in held.items():
        assert balance == Decimal(books.get(currency, {}).get(pot, "0")), (currency, pot)
