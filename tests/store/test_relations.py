"""Relations between objects, as far as the service tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paytui.domain.models import AccountId, Kind, Payment, Trade, TradeId, WalletId
from paytui.store.names import account_of, belongs_to
from paytui.store.store import Store
from tests.tui.book import payment, wallet

ACME, OTHER = AccountId("acc-1"), AccountId("acc-2")
TRADE = Trade(TradeId("trd-1"), account_id=None, sell_wallet_id=WalletId("wal-1"))
PAYMENT = replace(payment(1, "5"), account_id=None, source_wallet_id=WalletId("wal-1"))


@pytest.fixture
def store() -> Store:
    """A store with one wallet, of Acme."""
    store = Store()
    store.wallets.put([wallet(1, "AUD desk", "10")])
    return store


@pytest.mark.parametrize("row", [TRADE, PAYMENT], ids=["trade", "payment"])
def test_what_names_no_account_is_that_of_the_wallet_it_leaves(
    store: Store, row: Trade | Payment
) -> None:
    kind = Kind.TRADES if isinstance(row, Trade) else Kind.PAYMENTS
    assert account_of(store, row) == ACME
    assert belongs_to(store, Kind.ACCOUNTS, ACME, kind)(row)
    assert not belongs_to(store, Kind.ACCOUNTS, OTHER, kind)(row)


@pytest.mark.parametrize("row", [TRADE, PAYMENT], ids=["trade", "payment"])
def test_what_the_service_tells_goes_first(store: Store, row: Trade | Payment) -> None:
    assert account_of(store, replace(row, account_id=OTHER)) == OTHER


@pytest.mark.parametrize("row", [TRADE, PAYMENT], ids=["trade", "payment"])
def test_of_a_wallet_that_is_not_known_nobody_knows_the_account(row: Trade | Payment) -> None:
    assert account_of(Store(), row) is None
