"""Those rows of a table that a figure rests on, followed by what changes in the table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from typing import Generic, Protocol, TypeVar

from paytui.store.table import Table

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Follower(Protocol):
    """What follows a table."""

    @property
    def version(self) -> int:
        """Another number whenever its rows are others."""
        ...

    def take_in(self) -> bool:
        """Take in a slice of what changed; True while there is more."""
        ...


class Subset(Generic[K, R]):
    """The rows for which `wanted` holds: however long a table is, a figure looks at these alone."""

    def __init__(self, table: Table[K, R], wanted: Callable[[R], bool]) -> None:
        self._table = table
        self._wanted = wanted
        self._rows: dict[K, R] = {}
        self._since = 0
        self._version = 0

    @property
    def version(self) -> int:
        """See `Follower`."""
        return self._version

    def rows(self) -> Collection[R]:
        """The rows, in the order in which they came to be wanted."""
        return self._rows.values()

    def take_in(self) -> bool:
        """See `Follower`."""
        if self._table.version == self._since:
            return False
        changes = self._table.changes(self._since)
        for row in changes.rows:
            key = self._table.key(row)
            if self._wanted(row):
                self._rows[key] = row
                self._version += 1
            else:
                self._forget(key)
        for key in changes.gone(self._rows):
            self._forget(key)
        self._since = changes.version
        return changes.more

    def _forget(self, key: K) -> None:
        if self._rows.pop(key, None) is not None:
            self._version += 1
