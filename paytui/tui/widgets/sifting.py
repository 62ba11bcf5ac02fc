"""One pass over a long list for the rows that are to be shown, a slice at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)

OFTEN = 20
"""Slices after which what was found is shown although it does not fill the view."""


class Sifting(Generic[K]):
    """Tells when to show what was found: when it fills the view, or where that takes long.

    Args:
        slices: what each slice of rows brings, from the top down.
        cursor: the row that the cursor will be on, if that is known.
        position: where it will be if not.
        height: lines of the view.

    Attributes:
        over: whether all was looked through.
        was_shown: how many were found when that was to be shown last.
    """

    def __init__(
        self, slices: Iterator[list[K]], cursor: K | None, position: int, height: int
    ) -> None:
        self._slices = slices
        self._cursor = cursor
        self._height = height
        self._place = position if cursor is None else None
        self._looked = 0
        self._found = 0
        self.was_shown = 0
        self.over = False

    def go_on(self) -> bool:
        """Look through one slice.

        Returns:
            Whether to show what was found so far.
        """
        found = next(self._slices, None)
        if found is None:
            self.over = True
            return False
        if self._place is None and self._cursor in found:
            self._place = self._found + found.index(self._cursor)
        self._found += len(found)
        self._looked += 1
        if not self._is_to_be_shown():
            return False
        self.was_shown = self._found
        return True

    def _is_to_be_shown(self) -> bool:
        """Not before there is a row for the cursor, and not again once the view is full."""
        if self._place is None or self._found <= max(self._place, self.was_shown):
            return False
        enough = self._place + self._height
        is_full, was_full = self._found >= enough, self.was_shown >= enough
        return not was_full and (is_full or self._looked % OFTEN == 0)
