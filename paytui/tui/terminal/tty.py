"""The terminal itself: how it is set, and how it is given back, also where it takes nothing."""

from __future__ import annotations

import os
import re
import signal
import termios
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from rich.cells import cell_len

from paytui.config.settings import Characters
from paytui.tui.theme.colours import ColourMode, detected

OPEN_SCREEN = "\x1b[?1049h"
"""The alternate screen; it is empty then."""

_RESTORE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Paste, wrap, mouse, keyboard protocol, screen, cursor and focus reports as a shell wants them."""

Modes = list[Any]
"""What `termios` tells of a terminal."""

Size = tuple[int, int]
"""Columns and lines."""


class Tty(NamedTuple):
    """A terminal, as Textual reads and writes it."""

    stdin: int = 0
    stderr: int = 2

    @property
    def size(self) -> Size:
        """None at all where that is not told."""
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self.stderr)
            return columns, lines
        return 0, 0

    @property
    def is_ours(self) -> bool:
        """Whether this process is the one that the terminal is for, and not one in the background.

        Of a terminal that controls nobody there is no background.
        """
        try:
            return os.tcgetpgrp(self.stdin) == os.getpgrp()
        except OSError:
            return True

    def modes(self) -> Modes | None:
        """How it is set; None where it is gone."""
        with suppress(termios.error):
            return termios.tcgetattr(self.stdin)
        return None

    def set(self, modes: Modes) -> None:
        """Set it, if it is still there."""
        with suppress(termios.error, OSError):
            termios.tcsetattr(self.stdin, termios.TCSANOW, modes)

    def restore(self, modes: Modes | None) -> None:
        """Set it as it was, and close the alternate screen, as far as it takes that now."""
        # A background process that sets a terminal would be stopped, and never end.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        if modes is not None:
            self.set(modes)
        with suppress(OSError):
            os.set_blocking(self.stderr, False)
            os.write(self.stderr, _RESTORE)
        with suppress(OSError):
            os.set_blocking(self.stderr, True)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


# Characters of ASCII in place of those that a terminal without UTF-8 cannot draw, cell by cell.

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


# What a terminal can show, as far as its environment tells.


@dataclass(frozen=True, slots=True)
class Terminal:
    """What it seems to have; what a configuration says goes before it.

    Attributes:
        utf8: whether it can draw more than ASCII.
    """

    colours: ColourMode = ColourMode.TRUE
    utf8: bool = True


CAPABLE = Terminal()


def detect_terminal(environ: Mapping[str, str], *, in_utf8_mode: bool) -> Terminal:
    """What an environment tells; `in_utf8_mode` is as for `has_utf8`."""
    return Terminal(detected(environ), has_utf8(environ, in_utf8_mode=in_utf8_mode))
