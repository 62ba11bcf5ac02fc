"""What stands beside a name stays where it is, however wide a terminal takes the name to be.

Of marks, of letters that are joined and of pictures, terminals measure some otherwise than we do:
a name of an Indic script moved the rest of its line by some cells in tmux. So each word with such
a character is painted between a saved cursor and a step of as many cells as it was given.
"""

from __future__ import annotations

import re

from rich.cells import cell_len

_UNSURE = (
    "\u0300-\u036f\u0483-\u0489"  # marks of Latin and Cyrillic letters
    "\u0590-\u11ff\u1700-\u1cff\ua800-\uabff"  # Hebrew, Arabic, Indic, Thai, Khmer …; Jamo
    "\u1dc0-\u1dff\u20d0-\u20ff\ua66f-\ua69f\ufe20-\ufe2f"  # more marks
    "\ud7b0-\ud7ff\ufb1d-\ufdff\ufe70-\ufeff"  # more Jamo, Hebrew and Arabic letters
    "\U00010a00-\U00011fff\U0001e000-\U0001efff"  # older Indic scripts and their like
    "\U0001f000-\U0001faff"  # pictures
)
_WORD = re.compile(rf"[{_UNSURE}][^\x00-\x20\xa0]*")


def steady(painted: str) -> str:
    """The same picture, in which no word moves what stands beside it.

    Args:
        painted: text, and what moves and colours it.
    """
    return painted if painted.isascii() else _WORD.sub(_held, painted)


def _held(word: re.Match[str]) -> str:
    """Blank its cells (ECH), save the cursor (DECSC), paint without going on in the next line
    (DECAWM), go back (DECRC) and step over it (CUF).
    """
    text = word[0]
    cells = cell_len(text)
    blanked, passed = (f"\x1b[{cells}X", f"\x1b[{cells}C") if cells else ("", "")
    return f"{blanked}\x1b7\x1b[?7l{text}\x1b[?7h\x1b8{passed}"
