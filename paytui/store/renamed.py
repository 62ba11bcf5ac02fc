"""Which objects are called otherwise than before: what shows their names has to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from paytui.domain.models import AccountId, Wallet
from paytui.store.store import Store
from paytui.store.table import Table
from paytui.store.views import account_title, recipient_title

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Renamed:
    """Compares names with those of the last look. A new balance renames nothing."""

    def __init__(self, store: Store) -> None:
        self._accounts = _Said(store.accounts, account_title)
        self._wallets = _Said(store.wallets, _of_wallet)
        self._recipients = _Said(store.recipients, recipient_title)

    def look(self) -> frozenset[str]:
        """Identifiers of accounts, wallets and recipients that have other names since last time.

        A wallet is also called by its account: it is renamed with it.
        """
        accounts = self._accounts.look()
        wallets = self._wallets.look()
        if accounts:
            said = self._wallets.said.items()
            wallets |= {wallet for wallet, (_, account) in said if account in accounts}
        return frozenset(accounts | wallets | self._recipients.look())


def _of_wallet(wallet: Wallet) -> tuple[str | None, AccountId | None]:
    return wallet.wallet_name, wallet.account_id


S = TypeVar("S")


class _Said(Generic[K, R, S]):
    """What is said of each row of a table."""

    def __init__(self, table: Table[K, R], say: Callable[[R], S]) -> None:
        self.said: dict[K, S] = {}
        self._table = table
        self._say = say
        self._since = 0

    def look(self) -> set[K]:
        """The rows of which something else is said than at the last look."""
        changed: set[K] = set()
        more = self._table.version != self._since
        while more:
            changes = self._table.changes(self._since)
            now = {self._table.key(row): self._say(row) for row in changes.rows}
            changed |= {key for key, said in now.items() if self.said.get(key) != said}
            gone = changes.gone(self.said)
            changed |= {key for key in gone if self.said.pop(key, None) is not None}
            self.said.update(now)
            self._since, more = changes.version, changes.more
        return changed
