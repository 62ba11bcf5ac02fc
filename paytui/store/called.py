"""What a person calls objects, remembered for as long as no object of their kind changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Changing(Protocol):
    """A table, as far as names depend on it."""

    @property
    def version(self) -> int:
        """Another number after each change."""
        ...


class Called:
    """The name for an identifier: many rows name few objects, and a look-up waits for a lock.

    Args:
        table: of the objects.
        name: makes the name for an identifier, of what the table holds.
    """

    def __init__(self, table: Changing, name: Callable[[str], str]) -> None:
        self._table = table
        self._name = name
        self._names: dict[str, str] = {}
        self._version = table.version

    def __call__(self, key: str) -> str:
        """What the object is called now."""
        if self._table.version != self._version:
            # First: what changes while a name is made has it made again.
            self._version = self._table.version
            self._names.clear()
        if (name := self._names.get(key)) is None:
            name = self._names[key] = self._name(key)
        return name
