"""clean(): every string from outside passes it once, at the wire, before anything shows it.

What is dangerous to a terminal or misleading to a reader is taken out; what a reader would miss is
marked. Markup is left alone: widgets never interpret text from outside (design.md, "Facts").
"""

from __future__ import annotations

import re
import unicodedata

LIMIT = 2_000
"""Characters kept of one string; a longer one ends in an ellipsis."""

COMBINING_LIMIT = 4
"""Marks kept on one character; no script needs more, and towers would paint over other rows."""

_REPLACEMENT = "\ufffd"
_ELLIPSIS = "…"
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
"""Letters and marks without ink (Unicode, Default_Ignorable_Code_Point): two names that differ in
nothing else look the same, and one of nothing else looks empty."""

_WHITE = re.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")


def clean(text: str, limit: int = LIMIT) -> str:
    """A string that is safe to paint in one line of a terminal.

    Controls (C0, C1, so every escape sequence), lone surrogates, private and unassigned code points
    become U+FFFD; line breaks and tabs become one space; bidi and zero-width controls and letters
    without ink go; the result is NFC, with at most four marks on a character, and at most `limit`
    characters long.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= limit else text[: limit - 1] + _ELLIPSIS
    # Cut before the costly part, but not so short that what goes would make the rest too short.
    cut = _WHITE.sub(" ", text[: limit * 4])
    kept = _limit_marks("".join(_visible(char) for char in cut))
    result = unicodedata.normalize("NFC", kept)
    too_long = len(result) > limit or len(text) > limit * 4
    return result[: limit - 1] + _ELLIPSIS if too_long else result


def _visible(char: str) -> str:
    if char in _UNSEEN:
        return ""
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
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in ("Mn", "Me") else 0
        if marks <= COMBINING_LIMIT:
            kept.append(char)
    return "".join(kept)
