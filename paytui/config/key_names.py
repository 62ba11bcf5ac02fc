"""How keys are written: by a person in a configuration, by Textual, and on screen."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from paytui.platform.text import did_you_mean

NAMED = frozenset(
    (
        *("enter", "escape", "tab", "shift+tab", "space", "backspace", "delete", "insert"),
        *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
        *(f"f{number}" for number in range(1, 13)),
    )
)
"""Keys that stand for no character."""

_WRITTEN = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "page up": "pageup",
    "pgdn": "pagedown",
    "page down": "pagedown",
    "del": "delete",
    "backtab": "shift+tab",
    " ": "space",
}
"""What people call some of them as well."""

_SHORT_NAMES = {
    "+": "plus",
    "-": "minus",
    "/": "slash",
    "\\": "backslash",
    "@": "at",
    "_": "underscore",
}
"""Signs for which Textual has another name than Unicode."""

_TAKEN = {
    **dict.fromkeys("absqz", "terminals, tmux and screen keep it for themselves"),
    **dict.fromkeys("hijm", "a terminal sends the same for backspace, tab or enter"),
    "c": "it always quits",
}
"""Letters that cannot be used with ctrl, each with the reason."""

CTRL = "ctrl+"


def _sign_name(sign: str) -> str:
    return _SHORT_NAMES.get(sign) or unicodedata.name(sign).lower().replace("-", "_").replace(
        " ", "_"
    )


SIGNS: Mapping[str, str] = MappingProxyType({_sign_name(sign): sign for sign in string.punctuation})
"""The characters that have a name, by it."""

_NAMES_OF_SIGNS = {sign: name for name, sign in SIGNS.items()}

_SHOWN = {
    "escape": "esc",
    "enter": "⏎",
    "pagedown": "page down",
    "pageup": "page up",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
}


class NotAKey(ValueError):
    """What is no key, or none that can be used.

    Attributes:
        message: what is wrong, as a clause.
        remedy: what to do, as a sentence.
    """

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def key_name(written: str) -> str:
    """A key by Textual's name: of `?`, `esc` or `Ctrl+D`.

    Raises:
        NotAKey: there is no such key, or nobody could press it.
    """
    if len(written) == 1 and written in string.ascii_letters + string.digits:
        return written
    if name := _NAMES_OF_SIGNS.get(written):
        return name
    folded = written.casefold()
    name = _WRITTEN.get(folded, folded)
    if name in NAMED or name in SIGNS:
        return name
    letter = name.removeprefix(CTRL)
    if name.startswith(CTRL) and len(letter) == 1 and letter in string.ascii_lowercase:
        return _with_ctrl(letter)
    raise NotAKey("names no key", _nearest(name))


def is_character(name: str) -> bool:
    """Whether a key types something where one types."""
    return len(name) == 1 or name in SIGNS or name == "space"


def shown_key(name: str) -> str:
    """A key as a person knows it."""
    return _SHOWN.get(name) or SIGNS.get(name, name)


def shown_keys(names: str) -> str:
    """Keys with commas between them, as a person knows them."""
    return " ".join(map(shown_key, names.split(",")))


def _with_ctrl(letter: str) -> str:
    if why_not := _TAKEN.get(letter):
        free = ", ".join(
            f"{CTRL}{other}" for other in string.ascii_lowercase if other not in _TAKEN
        )
        raise NotAKey(f"cannot be ctrl+{letter}: {why_not}", f"Free are: {free}.")
    return f"{CTRL}{letter}"


def _nearest(name: str) -> str:
    known = sorted({*NAMED, *SIGNS, *_WRITTEN, "ctrl+d"})
    meant = did_you_mean(name, known)
    return (
        f'{meant}A key is a letter, a digit, a sign, as "ctrl+d", or a name, as "f5", "pagedown".'
    )
