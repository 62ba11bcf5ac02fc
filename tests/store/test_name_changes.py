"""Names are compared between two looks; only changed ones are shown again."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

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
    assert renamed.look() == {"a1", "w1", "w2", "r1"}, "at first all names are news"
    return renamed


def test_where_nothing_changed_nothing_is_renamed(renamed: NameChanges) -> None:
    assert renamed.look() == set()


def test_a_new_balance_renames_nothing(store: Store, renamed: NameChanges) -> None:
    store.wallets.put([replace(DESK, available_balance=Decimal(7))])
    assert renamed.look() == set()


def test_what_is_called_otherwise_came_or_went_is_told_once(
    store: Store, renamed: NameChanges
) -> None:
    store.recipients.put([replace(NORTHWIND, company_name="Southwind")])
    store.wallets.put([Wallet(WalletId("w3"))])
    assert renamed.look() == {"r1", "w3"}
    store.wallets.remove([OTHER.wallet_id])
    assert renamed.look() == {"w2"}
    assert renamed.look() == set()


def test_wallets_are_renamed_with_their_account(store: Store, renamed: NameChanges) -> None:
    store.accounts.put([replace(ACME, display_name="Acme Pty Ltd")])
    assert renamed.look() == {"a1", "w1"}


def test_a_wallet_of_another_account_is_told(store: Store, renamed: NameChanges) -> None:
    store.wallets.put([replace(DESK, account_id=AccountId("a2"))])
    assert renamed.look() == {"w1"}
