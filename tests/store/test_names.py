"""Names of accounts, recipients and wallets."""

from __future__ import annotations

import pytest

from paytui.domain.models import Account, AccountId, Recipient, RecipientId, Wallet, WalletId
from paytui.store.names import account_name, recipient_name, wallet_label
from paytui.store.store import Store
from tests.store.made import ACME


def test_names_fall_back_to_ids(store: Store) -> None:
    assert account_name(store, AccountId("unknown")) == "unknown"
    assert wallet_label(store, WalletId("unknown")) == "unknown"
    assert recipient_name(store, RecipientId("unknown")) == "unknown"


def test_what_an_object_does_not_name_is_a_dash(store: Store) -> None:
    assert account_name(store, None) == "—"
    assert wallet_label(store, None) == "—"
    assert recipient_name(store, None) == "—"


def test_an_object_without_any_name_is_called_by_its_id(store: Store) -> None:
    store.accounts.put([Account(ACME)])
    store.wallets.put([Wallet(WalletId("w"))])
    store.recipients.put([Recipient(RecipientId("r"))])
    assert account_name(store, ACME) == "acme"
    assert wallet_label(store, WalletId("w")) == "w"
    assert recipient_name(store, RecipientId("r")) == "r"


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (Account(ACME, display_name="Desk", company_name="Acme Pty"), "Desk"),
        (Account(ACME, company_name="Acme Pty", trading_name="Acme"), "Acme Pty"),
        (Account(ACME, first_name="Ada", last_name="Marlow"), "Ada Marlow"),
    ],
)
def test_an_account_has_the_best_name_that_is_told(
    store: Store, account: Account, expected: str
) -> None:
    store.accounts.put([account])
    assert account_name(store, ACME) == expected


@pytest.mark.parametrize(
    ("recipient", "expected"),
    [
        (Recipient(RecipientId("r"), first_name="Ada", last_name="Marlow"), "Ada Marlow"),
        (Recipient(RecipientId("r"), company_name="Timber", last_name="Marlow"), "Timber"),
    ],
)
def test_a_recipient_has_the_best_name_that_is_told(
    store: Store, recipient: Recipient, expected: str
) -> None:
    store.recipients.put([recipient])
    assert recipient_name(store, RecipientId("r")) == expected


def test_a_wallet_is_called_by_its_name(store: Store) -> None:
    store.wallets.put([Wallet(WalletId("w"), wallet_name="AUD desk")])
    assert wallet_label(store, WalletId("w")) == "AUD desk"
