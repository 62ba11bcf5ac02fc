"""Names are compared between two looks."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.api.resources import KIND_OF
from paytui.domain.models import Account, AccountId, Recipient, RecipientId, Wallet, WalletId
from paytui.store.search_text import NameChanges
from paytui.store.store import Store

ACME = Account(AccountId("a1"), display_name="Acme")
DESK = Wallet(WalletId("w1"), wallet_name="AUD desk", account_id=ACME.account_id)
OTHER = Wallet(WalletId("w2"), wallet_name="USD desk", account_id=AccountId("a2"))
NORTHWIND = Recipient(RecipientId("r1"), company_name="Northwind")


@pytest.fixture
def store() -> Store:
    store = Store()
    store.accounts.put([ACME])
    store.wallets.put([DESK, OTHER])
    store.recipients.put([NORTHWIND])
    return store


@pytest.fixture
def renamed(store: Store) -> NameChanges:
    renamed = NameChanges(store)
    assert renamed.look(), "at first all names are news"
    assert not renamed.look()
    return renamed


def test_a_new_balance_renames_nothing(store: Store, renamed: NameChanges) -> None:
    store.wallets.put([replace(DESK, available_balance=Decimal(7))])
    assert not renamed.look()


@pytest.mark.parametrize(
    "row",
    [
        replace(ACME, display_name="Acme Pty Ltd"),
        replace(DESK, wallet_name="EUR desk"),
        replace(DESK, account_id=AccountId("a2")),
        Wallet(WalletId("w3")),
        replace(NORTHWIND, company_name="Southwind"),
    ],
)
def test_what_is_called_otherwise_or_came_is_told_once(
    store: Store, renamed: NameChanges, row: Account | Wallet | Recipient
) -> None:
    store.table(KIND_OF[type(row)]).put([row])
    assert [renamed.look(), renamed.look()] == [True, False]


def test_what_went_is_told(store: Store, renamed: NameChanges) -> None:
    store.wallets.remove([OTHER.wallet_id])
    assert renamed.look()
