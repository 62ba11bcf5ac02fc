"""The number of colours of a terminal, and styles in its own colours."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

from rich.color import Color
from rich.style import Style

from paytui.config.settings import Colours


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


def detected(environ: Mapping[str, str]) -> ColourMode:
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


COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
"""In the order of ECMA-48 (§8.3.117); with `bright`, the other eight."""

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
    """Parse `bold bright red`, `reverse` or `default`; None if invalid."""
    given = words.split()
    attributes = [word for word in given if word in _ATTRIBUTES]
    rest = [word for word in given if word not in _ATTRIBUTES]
    whole = Style.combine([Style(), *(_ATTRIBUTES[word] for word in attributes)])
    match rest:
        case [] | ["default"] if given:
            return whole
        case [name] if name in COLOURS:
            return whole + Style(color=Color.from_ansi(COLOURS.index(name)))
        case ["bright", name] if name in COLOURS:
            return whole + Style(color=Color.from_ansi(COLOURS.index(name) + _BRIGHT))
        case _:
            return None
