"""How many colours a terminal has, as its environment tells, or as one says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from rich.color import Color
from rich.style import Style

from paytui.config.settings import Colours


class ColourMode(IntEnum):
    """The more, the greater."""

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
"""Terminals without colours, beside those of DEC."""

_TRUE = ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour")
"""Over SSH nothing but their name is left to tell."""


def colour_mode(said: Colours, detected: ColourMode) -> ColourMode:
    """What is said in the configuration goes before what was found out, NO_COLOR included."""
    return _SAID.get(said, detected)


def setting_of(mode: ColourMode) -> str:
    """As a configuration says it."""
    return next(word for word, meant in _SAID.items() if meant is mode)


def detected(environ: Mapping[str, str]) -> ColourMode:
    """What an environment tells of its terminal.

    NO_COLOR counts when it is not empty (no-color.org). COLORTERM is told by the terminal, but what
    GNU screen makes of a true colour is none.
    """
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR") or _is_colourless(term):
        return ColourMode.NONE
    within_screen = environ.get("STY") and not environ.get("TMUX")
    says_true = environ.get("COLORTERM") in ("truecolor", "24bit") and not within_screen
    if says_true or term.endswith("-direct") or term.startswith(_TRUE):
        return ColourMode.TRUE
    return ColourMode.MANY if "256" in term else ColourMode.SIXTEEN


def _is_colourless(term: str) -> bool:
    """`vt100`, `vt220-w`; not `vte-256color`."""
    return term in _COLOURLESS or (term[:2] == "vt" and term[2:3].isdigit())


# How text looks on a terminal whose colours are its own: names of them, and attributes.

COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""In the order of ECMA-48 (§8.3.117); `bright` before one is the other eight."""

_ATTRIBUTES = {
    "bold": Style(bold=True),
    "underline": Style(underline=True),
    "reverse": Style(reverse=True),
}
_BRIGHT = 8

ANSI_STYLE_HINT = (
    'one of the terminal\'s own looks, such as "bold bright red", "reverse" or "default"'
)


def parse_ansi_style(words: str) -> Style | None:
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
