"""A sort key that is missing."""

from __future__ import annotations

from typing import Final, final


@final
class Nothing:
    """Less than any other sort key, of whatever type."""

    __slots__ = ()

    def __lt__(self, other: object) -> bool:
        return other is not self

    def __gt__(self, other: object) -> bool:
        return False


NOTHING: Final = Nothing()
