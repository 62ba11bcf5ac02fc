"""The searchable text of rows: their fields and names, normalised."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from paytui.domain.models import AccountId, Wallet
from paytui.platform.text import fold
from paytui.store.query.fields import Field, FieldType
from paytui.store.store import Store
from paytui.store.table import Table
from paytui.store.views import account_title, recipient_title

SearchText = Callable[[object], str]
"""Returns the searchable text of a row."""

NAMES = 2_000
"""Size of the cache of normalised values with accents: many rows share few names."""

_SEARCHED = frozenset({FieldType.TEXT, FieldType.CODE})


def search_text(known: Sequence[Field]) -> SearchText:
    """Return a function that joins all textual fields of a row."""
    reads = [field.values for field in known if field.type in _SEARCHED]
    folded = lru_cache(NAMES)(fold)

    def text(row: object) -> str:
        values = [value for read in reads for value in read(row) if isinstance(value, str)]
        whole = "\n".join(values)
        if whole.isascii():
            return fold(whole)  # once a row, not once a field: half the time
        return "\n".join(fold(value) if value.isascii() else folded(value) for value in values)

    return text


class SearchTextCache:
    """A cache of searchable texts, for filters that are typed key by key.

    Args:
        make: builds the text of a row.
        key: returns the identifier of a row; only the newest row of each is cached.
    """

    def __init__(self, make: SearchText, key: Callable[[Any], object]) -> None:
        self._make = make
        self._key = key
        # Two flat dicts: the garbage collector would have to traverse a tuple for each row.
        self._rows: dict[object, object] = {}
        self._texts: dict[object, str] = {}

    def __call__(self, row: object) -> str:
        """Return the text of a row."""
        key = self._key(row)
        if self._rows.get(key) is not row:
            self._texts[key] = self._make(row)
            self._rows[key] = row
        return self._texts[key]

    def forget(self, rows: Iterable[object]) -> None:
        """Drop the texts of rows that name renamed objects."""
        for row in rows:
            self._rows.pop(self._key(row), None)

    def clear(self) -> None:
        """Drop all texts."""
        self._rows.clear()
        self._texts.clear()


K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class NameChanges:
    """A detector of renamed accounts, wallets and recipients."""

    def __init__(self, store: Store) -> None:
        self._accounts = _Said(store.accounts, account_title)
        self._wallets = _Said(store.wallets, _of_wallet)
        self._recipients = _Said(store.recipients, recipient_title)

    def look(self) -> frozenset[str]:
        """Return the identifiers of objects that were renamed since the last call.

        A wallet is renamed with its account, whose name may be shown with it.
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
    """The last known names of a table's rows."""

    def __init__(self, table: Table[K, R], say: Callable[[R], S]) -> None:
        self.said: dict[K, S] = {}
        self._table = table
        self._say = say
        self._since = 0

    def look(self) -> set[K]:
        """Return the keys of rows whose names changed since the last call."""
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
