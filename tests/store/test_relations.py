"""Relations between objects, as far as the service tells them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

import pytest

from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInAddress,
    PayInAddressId,
    PayInId,
    Payment,
    Trade,
    TradeId,
    WalletId,
)
from paytui.store.filter import TimeContext, parse_filter
from paytui.store.names import account_of, belongs_to
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from paytui.store.sums import GROUPS, groups_of
from tests.support.clock import NOON
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


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        (Kind.TRADES, TRADE),
        (Kind.PAYMENTS, PAYMENT),
        (Kind.PAYINS, PayIn(PayInId("pi-1"), wallet_id=WalletId("wal-1"))),
        (
            Kind.PAYIN_ADDRESSES,
            PayInAddress(PayInAddressId("pa-1"), wallet_id=WalletId("wal-1")),
        ),
    ],
)
def test_a_row_is_found_and_grouped_by_the_account_that_its_column_shows(
    store: Store, kind: Kind, row: Trade | Payment | PayIn | PayInAddress
) -> None:
    store.accounts.put([Account(ACME, display_name="Acme Pty")])
    known, when = named_fields(store, kind), TimeContext(lambda: NOON)
    assert parse_filter("account:acme", known, when)(row)
    assert parse_filter("acme", known, when)(row)
    assert not parse_filter("-account:acme", known, when)(row)
    for by in GROUPS.get(kind, ()):
        if by.title == "Account":
            (group,) = groups_of(kind, [row], by, datetime.date, partial(account_of, store))
            assert group.value == ACME


@pytest.mark.parametrize("row", [TRADE, PAYMENT], ids=["trade", "payment"])
def test_what_the_service_tells_goes_first(store: Store, row: Trade | Payment) -> None:
    assert account_of(store, replace(row, account_id=OTHER)) == OTHER


@pytest.mark.parametrize("row", [TRADE, PAYMENT], ids=["trade", "payment"])
def test_of_a_wallet_that_is_not_known_nobody_knows_the_account(row: Trade | Payment) -> None:
    assert account_of(Store(), row) is None
