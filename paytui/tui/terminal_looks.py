"""How text looks on a terminal whose colours are its own: names of them, and attributes."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style

COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""In the order of ECMA-48 (§8.3.117); `bright` before one is the other eight."""

_ATTRIBUTES = {
    "bold": Style(bold=True),
    "underline": Style(underline=True),
    "reverse": Style(reverse=True),
}
_BRIGHT = 8

WRITTEN = 'one of the terminal\'s own looks, such as "bold bright red", "reverse" or "default"'


def look(words: str) -> Style | None:
    """`bold bright red`, `reverse`, `default`; None where it is no look."""
    given = words.split()
    attributes = [word for word in given if word in _ATTRIBUTES]
    rest = [word for word in given if word not in _ATTRIBUTES]
    whole = Style.combine([Style(), *(_ATTRIBUTES[word] for word in attributes)])
    match rest:
        case [] if attributes:
            return whole
        case ["default"]:
            return whole
        case [name] if name in COLOURS:
            return whole + Style(color=Color.from_ansi(COLOURS.index(name)))
        case ["bright", name] if name in COLOURS:
            return whole + Style(color=Color.from_ansi(COLOURS.index(name) + _BRIGHT))
        case _:
            return None
