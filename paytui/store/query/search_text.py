"""The text that words are looked for in: that of a row's fields and names, folded once a row."""

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
"""The text of a row."""

NAMES = 2_000
"""Of so many words with accents it is remembered how they are compared: few names for many rows."""

_SEARCHED = frozenset({FieldType.TEXT, FieldType.CODE})


def search_text(known: Sequence[Field]) -> SearchText:
    """What makes the text of a row of all fields that are text."""
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
    """Texts that are made once: most keys of a filter as it is typed find them made.

    Args:
        make: makes the text of a row.
        key: the identifier of a row: of each only the text of its newest row is kept.
    """

    def __init__(self, make: SearchText, key: Callable[[Any], object]) -> None:
        self._make = make
        self._key = key
        # Two flat dicts: a pair a row would have the garbage collector look at all of them at once.
        self._rows: dict[object, object] = {}
        self._texts: dict[object, str] = {}

    def __call__(self, row: object) -> str:
        """The text of a row."""
        key = self._key(row)
        if self._rows.get(key) is not row:
            self._texts[key] = self._make(row)
            self._rows[key] = row
        return self._texts[key]

    def forget(self, rows: Iterable[object]) -> None:
        """What these rows name is called otherwise by now."""
        for row in rows:
            self._rows.pop(self._key(row), None)

    def clear(self) -> None:
        """Nobody looks for words any more."""
        self._rows.clear()
        self._texts.clear()


# Which objects are called otherwise than before: what shows their names has to be looked at.

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class NameChanges:
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
