"""clean(): every string from outside passes it once, at the wire, before anything shows it.

What is dangerous to a terminal or misleading to a reader is taken out; what a reader would miss is
marked. Markup is left alone: widgets never interpret text from outside (architecture.md).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

LIMIT = 2_000
"""Characters kept of one string; a longer one ends in an ellipsis."""

COMBINING_LIMIT = 4
"""Marks of each sort kept on one character; no script needs more. Towers would paint over other
rows, and rows of marks that take room push what stands beside them off the screen."""

_REPLACEMENT = "\ufffd"
_ELLIPSIS = "…"
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Letters and marks without ink (Unicode, Default_Ignorable_Code_Point): two names that differ in
nothing else look the same, and one of nothing else looks empty."""

_BLANK = frozenset("\u2800\U0001d159")
"""Symbols that take a cell and draw nothing: the braille blank and the null notehead."""

_JOINED_JAMO = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))
_SKIN_TONES = range(0x1F3FB, 0x1F400)

_WHITE = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")


def clean(text: str, limit: int = LIMIT) -> str:
    """A string that is safe to paint in one line of a terminal.

    Controls (C0, C1, so every escape sequence), lone surrogates, private and unassigned code points
    become U+FFFD; line breaks and tabs become one space; bidi and zero-width controls and letters
    without ink go; the result is NFC, with at most four marks of a sort on a character, those
    that take room only where they belong, and at most `limit` characters long.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= limit else text[: limit - 1] + _ELLIPSIS
    # Cut before the costly part, but not so short that what goes would make the rest too short.
    cut = _WHITE.sub(" ", text[: limit * 4])
    # Some are taken apart into a letter and its marks, and what stood apart may be joined then.
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
    """Return True for a mark without width in most tables, but not in many terminals."""
    code = ord(char)
    is_jamo = any(code in block for block in _JOINED_JAMO)
    return is_jamo or code in _SKIN_TONES or unicodedata.category(char) == "Mc"


def _belongs(mark: str, base: str, before: list[str]) -> bool:
    """Return True if such a mark follows a letter of its script, or a picture."""
    if ord(mark) in _SKIN_TONES:
        return before == [base] and unicodedata.category(base) == "So"
    return base != "" and _first_word(mark) == _first_word(base)


def _first_word(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0]


# How searched text is compared: case, accents and underscores make no difference.

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


# Suggestions for a misspelt name.

SIMILARITY = 0.6
"""How alike, of 1, a name must be to be suggested; at less, most suggestions are nonsense."""


def closest_match(name: str, known: Iterable[str], alike: float = SIMILARITY) -> str | None:
    """Return the known name that is most like `name`, in any case; None if none is alike."""
    from difflib import get_close_matches

    by_letters = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), by_letters, n=1, cutoff=alike)
    return by_letters[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `Did you mean NAME? ` with a blank behind it; empty if no known name is alike."""
    near = closest_match(name, known)
    return "" if near is None else f"Did you mean {near}? "
