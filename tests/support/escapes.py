"""Foreign output to a terminal: anything but text and the few escapes that we emit."""

from __future__ import annotations

import re
import unicodedata

_OURS = re.compile(
    r"""
    \x1b\[ [0-9;]* [mH]             # colours, and where the next text stands (ECMA-48)
    | \x1b\[ [0-9]+ X \x1b7 | \x1b7   # a word is painted into cells of its own, …
    | \x1b8 \x1b\[ [0-9]+ C | \x1b8   # … and what follows stands behind them
    | \x1b\[2J\x1b\[\?25l           # an empty screen before anything is on it
    | \x1b\[ \? [0-9]+ [hl]         # modes of the terminal
    | \x1b\[ \? [0-9]+ \$p          # whether it knows one
    | \x1b\[ (?: >[0-9]+u | <u )    # its keyboard protocol
    | \x1b\[ 6n                     # where the cursor is
    | \x1b\]22;[a-z]*\x07           # the shape of the mouse's pointer
    | \x1b\]52;c;[A-Za-z0-9+/=]*\x07  # its clipboard
    """,
    re.VERBOSE,
)
_UNSAFE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_AROUND = 40


def foreign(painted: bytes | str) -> list[str]:
    """Return foreign output of a program, with the text around it.

    Raises:
        UnicodeDecodeError: it is not UTF-8.
    """
    text = painted if isinstance(painted, str) else painted.decode()
    bare = _OURS.sub("", text)
    return [
        bare[max(0, at - _AROUND) : at + _AROUND]
        for at, char in enumerate(bare)
        if char not in "\r\n" and char != "\ufffd" and unicodedata.category(char) in _UNSAFE
    ]
