"""The bar of a profile that has a colour of its own, and words that can be read on it."""

from __future__ import annotations

from dataclasses import replace

from textual.color import Color

from paytui.tui.plain_colours import in_256
from paytui.tui.themes import Scheme

_NEAR_BLACK = 0.04045
"""Below it, sRGB is a straight line."""

INKS = ("#ffffff", "#000000")
"""On any ground one of them contrasts by more than 4.5 to 1 (WCAG AA)."""


def tinted(scheme: Scheme, tint: str, *, in_many: bool) -> Scheme:
    """The theme with a tint.

    Args:
        scheme: the theme.
        tint: `#rrggbb`, or one of the theme's meanings; a terminal's own colours have just these.
        in_many: whether it is going to be shown in 256 colours.
    """
    variables = scheme.theme.variables
    ground = variables.get(tint, variables["live"] if scheme.inks else tint)
    if in_many:
        ground = in_256(ground)
    ink = variables["ink"] if scheme.inks else max(INKS, key=lambda ink: _contrast(ink, ground))
    more = {"tint": ground, "tint-ink": ink}
    return replace(scheme, theme=replace(scheme.theme, variables={**variables, **more}))


def _contrast(one: str, other: str) -> float:
    """WCAG 2.2, contrast ratio."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    red, green, blue = (
        channel / 12.92 if channel <= _NEAR_BLACK else ((channel + 0.055) / 1.055) ** 2.4
        for channel in Color.parse(colour).normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
