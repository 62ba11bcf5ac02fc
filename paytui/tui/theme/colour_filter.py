"""Line filters that map colours to those that the terminal has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from rich.color import Color as RichColor
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

STYLES = 2048
"""Number of styles to cache; there are a few hundred."""

_NO_LOOK = Style()
_LEVELS = (0, 95, 135, 175, 215, 255)
_OF_CUBE = 16
_MANY = [
    *product(_LEVELS, repeat=3),
    *((8 + 10 * step,) * 3 for step in range(24)),
]
"""The colours 16 to 255, which are the same on all terminals: a cube and greys."""


class RestyleFilter(LineFilter):
    """A line filter that maps each style by a function."""

    def __init__(self, restyle: Callable[[Style], Style]) -> None:
        super().__init__()
        self._restyle = lru_cache(STYLES)(restyle)

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's own
        """Map the styles of one line."""
        restyle = self._restyle
        return [
            Segment(text, None if style is None else restyle(style), control)
            for text, style, control in segments
        ]


def quantise_style(style: Style) -> Style:
    """Return a style in the nearest of 256 colours; Rich would turn cube colours to dark greys."""
    return style + Style(color=_nearest(style.color), bgcolor=_nearest(style.bgcolor))


def quantise_colour(colour: str) -> str:
    """Return the nearest of 256 colours to `#rrggbb`."""
    nearest = _nearest(RichColor.parse(colour))
    assert nearest is not None
    return str(nearest.get_truecolor().hex)


@lru_cache(STYLES)
def _nearest(colour: RichColor | None) -> RichColor | None:
    if colour is None or colour.triplet is None:
        return colour
    red, green, blue = colour.triplet

    def distance(number: int) -> int:
        there = _MANY[number]
        return (there[0] - red) ** 2 + (there[1] - green) ** 2 + (there[2] - blue) ** 2

    return RichColor.from_ansi(_OF_CUBE + min(range(len(_MANY)), key=distance))


@dataclass(frozen=True, slots=True)
class AnsiRestyle:
    """Maps stand-in colours of a theme to the terminal's own styles."""

    inks: Mapping[ColorTriplet, Style]
    grounds: Mapping[ColorTriplet, Style]

    def __call__(self, style: Style) -> Style:
        """Map a style. Unknown colours are dropped, as is the ink on a reversed ground."""
        ink, ground = _look(self.inks, style.color), _look(self.grounds, style.bgcolor)
        bare = style.without_color + Style.from_meta(style.meta)
        if ground.reverse:
            ink = ink.without_color
        turned = bool(style.reverse) != bool(ground.reverse)
        return bare + ink + ground + Style(reverse=turned)


def ansi_restyle(inks: Mapping[str, Style], grounds: Mapping[str, Style]) -> AnsiRestyle:
    """Return the mapping for stand-ins given as `#rrggbb`."""
    return AnsiRestyle(_by_triplet(inks), _by_triplet(grounds))


def _by_triplet(looks: Mapping[str, Style]) -> Mapping[ColorTriplet, Style]:
    return {ColorTriplet(*Color.parse(one).rgb): look for one, look in looks.items()}


def _look(looks: Mapping[ColorTriplet, Style], colour: RichColor | None) -> Style:
    triplet = None if colour is None else colour.triplet
    return _NO_LOOK if triplet is None else looks.get(triplet, _NO_LOOK)
