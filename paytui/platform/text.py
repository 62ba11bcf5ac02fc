"""Sanitised text from outside, text search and spelling suggestions.

Every string from outside passes `clean()` once, at the wire, before anything shows it. It removes
what is dangerous to a terminal or misleading to a reader. Markup stays: widgets never interpret
text from outside (architecture.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LIMIT = 2_000  # The most characters of a string; a longer one ends in an ellipsis

COMBINING_LIMIT = 4
"""The most marks of each sort on one character; no script needs more.

Stacked marks would paint over other rows, and spacing marks would push their neighbours off the
screen.
"""

_REPLACEMENT = "\ufffd"
_ELLIPSIS = "…"
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Invisible letters and marks (Unicode, Default_Ignorable_Code_Point).

Two names that differ only in them look the same, and a name of nothing else looks empty.
"""

_BLANK = frozenset("\u2800\U0001d159")
"""Symbols that occupy a cell and draw nothing: the braille blank and the null notehead."""

_JOINED_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
_SKIN_TONES = range(0x1F3FB, 0x1F400)

_WHITE = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")


def clean(text: str, limit: int = LIMIT) -> str:
    """Return a string that is safe to paint in one line of a terminal.

    - Controls (C0 and C1, hence every escape sequence), lone surrogates, private and unassigned
      code points become U+FFFD.
    - Line breaks and tabs become one space.
    - Bidi and zero-width controls and invisible letters are removed.
    - A character keeps at most four marks of a sort; spacing marks stay only on their own script.

    The result is in NFC and at most `limit` characters long.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= limit else text[: limit - 1] + _ELLIPSIS
    # Cut before the costly part, but leave enough for what is removed.
    cut = _WHITE.sub(" ", text[: limit * 4])
    # Removing characters can bring a letter and a mark together, so compose once more at the end.
    whole = unicodedata.normalize("NFC", "".join(_visible(char) for char in cut))
    result = unicodedata.normalize("NFC", _limit_marks(whole))
    too_long = len(result) > limit or len(text) > limit * 4
    return result[: limit - 1] + _ELLIPSIS if too_long else result


def _visible(char: str) -> str:
    if char in _UNSEEN:
        return ""
    if char in _BLANK:
        return " "
    match unicodedata.category(char):
        case "Cf":
            return ""
        case "Cc" | "Cs" | "Co" | "Cn":
            return _REPLACEMENT
        case "Zl" | "Zp" | "Zs":
            return " "
        case _:
            return "" if unicodedata.name(char, "").startswith("VARIATION SELECTOR") else char


def _limit_marks(text: str) -> str:
    kept: list[str] = []
    base, over, beside = "", 0, 0
    for char in text:
        if unicodedata.category(char) in ("Mn", "Me"):
            over += 1
            is_kept = over <= COMBINING_LIMIT
        elif _stands_beside(char):
            beside += 1
            is_kept = beside <= COMBINING_LIMIT and _belongs(char, base, kept[-1:])
        else:
            base, over, beside, is_kept = char, 0, 0, True
        if is_kept:
            kept.append(char)
    return "".join(kept)


def _stands_beside(char: str) -> bool:
    """Return True for a mark of width 0 that many terminals draw in a cell of its own."""
    code = ord(char)
    is_jamo = any(code in block for block in _JOINED_JAMO)
    return is_jamo or code in _SKIN_TONES or unicodedata.category(char) == "Mc"


def _belongs(mark: str, base: str, before: list[str]) -> bool:
    """Return True if a spacing mark follows a letter of its script, or a skin tone an emoji."""
    if ord(mark) in _SKIN_TONES:
        return before == [base] and unicodedata.category(base) == "So"
    return base != "" and _first_word(mark) == _first_word(base)


def _first_word(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]


# Letters that Unicode does not decompose and most keyboards lack.
_PLAIN = str.maketrans(
    {"_": " ", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "œ": "oe"}
)


def fold(text: str) -> str:
    """Return text for comparison, without case, accents and underscores.

    It folds letter by letter: a part folds to a part of the whole.
    """
    if text.isascii():
        return text.lower().replace("_", " ")
    apart = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(char for char in apart if not unicodedata.combining(char))
    return letters.casefold().translate(_PLAIN)


class InvalidValue(ValueError):
    """A value that cannot be used; its words never quote it, since it may be a secret.

    The message is a clause that follows the name of the value, the remedy a sentence or empty.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


SIMILARITY = 0.6  # The least similarity of a suggestion, from 0 to 1; below it, most are nonsense


def closest_match(name: str, known: Iterable[str], alike: float = SIMILARITY) -> str | None:
    """Return the known name that is most similar to `name`, ignoring case, or None."""
    from difflib import get_close_matches

    by_letters = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), by_letters, n=1, cutoff=alike)
    return by_letters[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `Did you mean NAME? ` with a trailing space; empty if no known name is similar."""
    near = closest_match(name, known)
    return "" if near is None else f"Did you mean {near}? "
