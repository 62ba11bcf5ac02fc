"""The text that words are looked for in: that of a row's fields and names, folded once a row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from paytui.platform.text import fold
from paytui.store.fields import Field, FieldType

Texts = Callable[[object], str]
"""The text of a row."""

NAMES = 2_000
"""Of so many words with accents it is remembered how they are compared: few names for many rows."""

_SEARCHED = frozenset({FieldType.TEXT, FieldType.CODE})


def texts_of(known: Sequence[Field]) -> Texts:
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


class KeptTexts:
    """Texts that are made once: most keys of a filter as it is typed find them made.

    Args:
        make: makes the text of a row.
        key: the identifier of a row: of each only the text of its newest row is kept.
    """

    def __init__(self, make: Texts, key: Callable[[Any], object]) -> None:
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
