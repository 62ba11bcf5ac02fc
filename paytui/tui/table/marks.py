"""The marked rows of a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
R = TypeVar("R")


class Marks(Generic[K, R]):
    """Marked rows by their keys, each as it was last read.

    They do not depend on the order, the filter or the window of the list.
    """

    def __init__(self) -> None:
        self._rows: dict[K, R] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: K) -> bool:
        return key in self._rows

    @property
    def keys(self) -> Collection[K]:
        return self._rows.keys()

    @property
    def rows(self) -> Collection[R]:
        """The rows in the order in which they were marked."""
        return self._rows.values()

    def toggle(self, key: K, row: R) -> None:
        if self._rows.pop(key, None) is None:
            self._rows[key] = row

    def clear(self) -> None:
        self._rows.clear()

    def update(self, newest: Callable[[K], R | None]) -> None:
        """Take rows as they are now; a row that `newest` does not return stays as it was."""
        self._rows.update((key, row) for key in self._rows if (row := newest(key)) is not None)

    def unmark(self, gone: Iterable[K]) -> None:
        for key in gone:
            self._rows.pop(key, None)
