"""One pass over a long list for the rows that are to be shown, a slice at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class Sifting(Generic[K]):
    """Tells when what was found fills the view, so that it can be shown long before the end.

    Args:
        slices: what each slice of rows brings, from the top down.
        cursor: the row that the cursor will be on, if that is known.
        position: where it will be if not.
        height: lines of the view.
    """

    def __init__(
        self, slices: Iterator[list[K]], cursor: K | None, position: int, height: int
    ) -> None:
        self._slices = slices
        self._cursor = cursor
        self._height = height
        self._enough = position + height if cursor is None else None
        self._found = 0
        self.over = False

    def go_on(self) -> bool:
        """Look through one slice.

        Returns:
            Whether the view can be filled since this slice.
        """
        found = next(self._slices, None)
        if found is None:
            self.over = True
            return False
        if self._enough is None and self._cursor in found:
            self._enough = self._found + found.index(self._cursor) + self._height
        before, self._found = self._found, self._found + len(found)
        return self._enough is not None and before < self._enough <= self._found
