"""Names are made once, and again after an object of their kind changed."""

from __future__ import annotations

from paytui.domain.models import Account, AccountId
from paytui.store.names import NameCache, account_name
from paytui.store.store import Store


def test_a_name_is_made_once_until_something_changes() -> None:
    store, made = Store(), list[str]()

    def name(key: str) -> str:
        made.append(key)
        return account_name(store, AccountId(key))

    called = NameCache(store.accounts, name)
    assert [called("a1"), called("a1"), called("a2")] == ["a1", "a1", "a2"]
    assert made == ["a1", "a2"]
    store.accounts.put([Account(AccountId("a1"), display_name="Acme")])
    assert [called("a1"), called("a2")] == ["Acme", "a2"]
    store.accounts.put([Account(AccountId("a1"), display_name="Zephyr")])
    assert called("a1") == "Zephyr"
    store.accounts.remove([AccountId("a1")])
    assert called("a1") == "a1"


def test_a_name_that_changes_while_it_is_made_is_made_again() -> None:
    store = Store()

    def name(key: str) -> str:
        found = account_name(store, AccountId(key))
        store.accounts.put([Account(AccountId(key), display_name="Acme")])
        return found

    called = NameCache(store.accounts, name)
    assert called("a1") == "a1"
    assert called("a1") == "Acme"
