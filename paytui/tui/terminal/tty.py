"""The terminal: its modes, their restoration, and its capabilities, such as its colours."""

from __future__ import annotations

import os
import re
import signal
import termios
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

from rich.cells import cell_len

from paytui.config.settings import Characters, Colours


class ColourMode(IntEnum):
    NONE = 0
    SIXTEEN = 16
    MANY = 256
    TRUE = 1 << 24


_SAID = {
    "none": ColourMode.NONE,
    "16": ColourMode.SIXTEEN,
    "256": ColourMode.MANY,
    "truecolor": ColourMode.TRUE,
}

_COLOURLESS = ("", "unknown", "dumb", "ansi-m", "xterm-mono", "screen-mono")
"""Terminals without colours, beside DEC's `vt…`."""

_TRUE = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour")
"""Terminals with true colour; over SSH, TERM is all that tells."""


def colour_mode(said: Colours, detected: ColourMode) -> ColourMode:
    """Return the configured mode, or else the detected one. A setting also overrides NO_COLOR."""
    return _SAID.get(said, detected)


def detected_colours(environ: Mapping[str, str]) -> ColourMode:
    """Detect the number of colours from the environment.

    NO_COLOR counts when it is not empty (no-color.org). COLORTERM is ignored inside GNU screen,
    which does not pass true colours on.
    """
    term = environ.get("TERM", "")
    is_dec = term[:2] == "vt" and term[2:3].isdigit()  # `vt220-w`, but not `vte-256color`
    if environ.get("NO_COLOR") or term in _COLOURLESS or is_dec:
        return ColourMode.NONE
    within_screen = environ.get("STY") and not environ.get("TMUX")
    says_true = environ.get("COLORTERM") in ("truecolor", "24bit") and not within_screen
    if says_true or term.endswith("-direct") or term.startswith(_TRUE):
        return ColourMode.TRUE
    return ColourMode.MANY if "256" in term else ColourMode.SIXTEEN


OPEN_SCREEN = "\x1b[?1049h"  # Opens the alternate screen, empty

_RESTORE = (
    b"\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)
"""Resets paste, wrap, mouse, keyboard protocol, screen, cursor and focus reports for a shell."""

Modes = list[Any]

Size = tuple[int, int]  # Columns and lines


class Tty(NamedTuple):
    """A terminal, by the file descriptors that Textual reads and writes."""

    stdin: int = 0
    stderr: int = 2

    @property
    def size(self) -> Size:
        """Return columns and lines; (0, 0) if unknown."""
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self.stderr)
            return columns, lines
        return 0, 0

    @property
    def is_ours(self) -> bool:
        """Return True if this process is in the terminal's foreground.

        A terminal that is not the controlling one has no background.
        """
        try:
            return os.tcgetpgrp(self.stdin) == os.getpgrp()
        except OSError:
            return True

    def modes(self) -> Modes | None:
        with suppress(termios.error):
            return termios.tcgetattr(self.stdin)
        return None

    def set(self, modes: Modes) -> None:
        with suppress(termios.error, OSError):
            termios.tcsetattr(self.stdin, termios.TCSANOW, modes)

    def restore(self, modes: Modes | None) -> None:
        """Restore its modes and close the alternate screen, without waiting for it to drain."""
        # In the background, SIGTTOU would stop this process, and it would never end.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
        if modes is not None:
            self.set(modes)
        with suppress(OSError):
            os.set_blocking(self.stderr, False)
            os.write(self.stderr, _RESTORE)
        with suppress(OSError):
            os.set_blocking(self.stderr, True)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


_UTF8 = re.compile(r"utf-?8", re.IGNORECASE)

_SIGNS = {
    **dict.fromkeys("✓", "+"),
    **dict.fromkeys("✗×", "x"),
    **dict.fromkeys("…≈", "~"),
    **dict.fromkeys("·−–—▔", "-"),
    **dict.fromkeys("━", "="),
    **dict.fromkeys("●•", "*"),
    **dict.fromkeys("○", "o"),
    **dict.fromkeys("▲↑", "^"),
    **dict.fromkeys("▼↓", "v"),
    **dict.fromkeys("›→▌", ">"),
    **dict.fromkeys("‹←⏎", "<"),
    **dict.fromkeys("▐▎▏▕▊▍", "|"),
    **dict.fromkeys("“”", '"'),
    **dict(zip("▁▂▃▄▅▆▇", "_.:-=+*", strict=True)),
    **dict.fromkeys("‘’", "'"),
}
"""Replacements of signs; status signs stay distinct."""

_ACROSS = "─━┄┅┈┉╌╍═"
_DOWN = "│┃┆┇┊┋╎╏║"
_BOX = range(0x2500, 0x2580)
_BLOCKS = range(0x2580, 0x25A0)
_BRAILLE = range(0x2800, 0x2900)
_UNKNOWN = "?"


class _Ascii(dict[int, str]):
    """A table for `str.translate` that computes each replacement once."""

    def __missing__(self, code: int) -> str:
        drawn = self[code] = _drawn(chr(code))
        return drawn


_ASCII = _Ascii()


def in_ascii(painted: str) -> str:
    """Return output in ASCII, in as many cells.

    A Latin letter loses its diacritics; any other letter becomes a question mark in each cell.
    """
    return painted if painted.isascii() else painted.translate(_ASCII)


def loses_letters(name: str) -> bool:
    """Return True if a name in ASCII has question marks for letters, so that it is ambiguous."""
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
    if ord(character) in _BRAILLE:
        return _dots(ord(character) - _BRAILLE.start)
    cells = cell_len(character)
    letter = _plain_letter(character)
    return letter if letter.isascii() and cells == 1 else _UNKNOWN * cells


_DOT_ROWS = (0x09, 0x12, 0x24, 0xC0)  # The dots of a braille character, from top to bottom


def _dots(dots: int) -> str:
    """Return a sign that is as high in its cell as the dots of a braille character."""
    rows = [row for row, mask in enumerate(_DOT_ROWS) if dots & mask]
    if not rows:
        return " "
    if rows[-1] - rows[0] > 1:
        return "|"
    return "''---._"[rows[0] + rows[-1]]


def _plain_letter(character: str) -> str:
    """Return a letter such as `ü` or `ø` without its diacritics."""
    whole, joined, _ = unicodedata.name(character, "").partition(" WITH ")
    if joined and whole.startswith("LATIN "):
        character = unicodedata.lookup(whole)
    return unicodedata.normalize("NFKD", character)[:1]


def has_utf8(environ: Mapping[str, str], *, in_utf8_mode: bool) -> bool:
    """Return True if the locale's encoding is UTF-8; without a locale it is not (POSIX).

    In UTF-8 mode, Python replaced the C locale by UTF-8 (PEP 540). Then LC_CTYPE is Python's own
    (PEP 538) and is ignored. A locale that is not installed is replaced, too, but still tells the
    terminal's encoding.
    """
    coerced = in_utf8_mode and "PYTHONUTF8" not in environ
    names = ("LC_ALL", "LANG") if coerced else ("LC_ALL", "LC_CTYPE", "LANG")
    said = next((environ[name] for name in names if environ.get(name)), "")
    return _UTF8.search(said) is not None


def is_ascii(said: Characters, *, utf8: bool) -> bool:
    """Return True if to paint in ASCII: as configured, or because the locale has no UTF-8."""
    return said == "ascii" or (said == "auto" and not utf8)


@dataclass(frozen=True, slots=True)
class Terminal:
    """The detected capabilities of a terminal; the configuration overrides them."""

    colours: ColourMode = ColourMode.TRUE
    utf8: bool = True


CAPABLE = Terminal()


def detect_terminal(environ: Mapping[str, str], *, in_utf8_mode: bool) -> Terminal:
    return Terminal(detected_colours(environ), has_utf8(environ, in_utf8_mode=in_utf8_mode))
