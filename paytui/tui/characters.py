"""Characters of ASCII in place of those that a terminal without UTF-8 cannot draw, cell by cell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rich.cells import cell_len

from paytui.config.settings import Characters

_UTF8 = re.compile(r"utf-?8", re.IGNORECASE)

_SIGNS = {
    **dict.fromkeys("✓", "+"),
    **dict.fromkeys("✗×", "x"),
    **dict.fromkeys("…≈", "~"),
    **dict.fromkeys("·−–—▔▁", "-"),
    **dict.fromkeys("●•", "*"),
    **dict.fromkeys("○", "o"),
    **dict.fromkeys("▲↑", "^"),
    **dict.fromkeys("▼↓", "v"),
    **dict.fromkeys("›→▌", ">"),
    **dict.fromkeys("‹←⏎", "<"),
    **dict.fromkeys("▐▎▏▕▊▍", "|"),
    **dict.fromkeys("“”", '"'),
    **dict.fromkeys("‘’", "'"),
}
"""What is drawn in their place; a mark keeps its own wherever it stands before a word."""

_ACROSS = "─━┄┅┈┉╌╍═"
_DOWN = "│┃┆┇┊┋╎╏║"
_BOX = range(0x2500, 0x2580)
_BLOCKS = range(0x2580, 0x25A0)
_UNKNOWN = "?"


class _Ascii(dict[int, str]):
    """For `str.translate`: finds out once what to draw for a character."""

    def __missing__(self, code: int) -> str:
        drawn = self[code] = _drawn(chr(code))
        return drawn


_ASCII = _Ascii()


def in_ascii(painted: str) -> str:
    """What is sent to a terminal, in as many cells.

    A letter loses its marks; one that is of no Latin alphabet is a question mark in each cell.
    """
    return painted if painted.isascii() else painted.translate(_ASCII)


def loses_letters(name: str) -> bool:
    """Whether a name has letters that are question marks then, as those of others may be."""
    return in_ascii(name).count(_UNKNOWN) > name.count(_UNKNOWN)


def _drawn(character: str) -> str:
    if character.isascii():
        return character
    if (sign := _SIGNS.get(character)) is not None:
        return sign
    if ord(character) in _BOX:
        return "-" if character in _ACROSS else "|" if character in _DOWN else "+"
    if ord(character) in _BLOCKS:
        return "#"
    cells = cell_len(character)
    letter = _plain_letter(character)
    return letter if letter.isascii() and cells == 1 else _UNKNOWN * cells


def _plain_letter(character: str) -> str:
    """`ü` and `ø` without what they are written with."""
    whole, joined, _ = unicodedata.name(character, "").partition(" WITH ")
    if joined and whole.startswith("LATIN "):
        character = unicodedata.lookup(whole)
    return unicodedata.normalize("NFKD", character)[:1]


def has_utf8(environ: Mapping[str, str], *, in_utf8_mode: bool) -> bool:
    """Whether text of this environment's locale is UTF-8; without a locale it is not (POSIX).

    Args:
        environ: as the process has it.
        in_utf8_mode: whether Python took the C locale for one of UTF-8 (PEP 540); LC_CTYPE is its
            own then (PEP 538). A locale that is not installed here is such a C locale, but still
            tells what the terminal takes.
    """
    coerced = in_utf8_mode and "PYTHONUTF8" not in environ
    names = ("LC_ALL", "LANG") if coerced else ("LC_ALL", "LC_CTYPE", "LANG")
    said = next((environ[name] for name in names if environ.get(name)), "")
    return _UTF8.search(said) is not None


def is_ascii(said: Characters, *, utf8: bool) -> bool:
    """Whether to paint in ASCII: as is said, or where the locale has no UTF-8."""
    return said == "ascii" or (said == "auto" and not utf8)
