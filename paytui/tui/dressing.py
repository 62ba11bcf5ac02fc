"""Which theme is on, in colours that the terminal has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.style import Style
from textual.theme import Theme

from paytui.config.settings import Display
from paytui.config.theme_files import ThemeFiles
from paytui.tui.colours import ColourMode, mode_of
from paytui.tui.plain_colours import in_looks, in_many
from paytui.tui.themes import Scheme, read_theme
from paytui.tui.tint import tinted

INSTEAD = {ColourMode.SIXTEEN: "16-colour", ColourMode.NONE: "monochrome"}
"""What is shown on a terminal that has too few colours for the theme that was chosen."""

Restyle = Callable[[Style], Style]


@dataclass(frozen=True, slots=True)
class Outfit:
    """A theme that this terminal can show.

    Attributes:
        restyle: what paints it in colours that the terminal has; None: it is painted as it is.
    """

    theme: Theme
    restyle: Restyle | None


def outfit_of(files: ThemeFiles, display: Display, found: ColourMode, tint: str | None) -> Outfit:
    """What to show of the theme that was chosen.

    Args:
        files: the themes that there are.
        display: which was chosen, and how many colours are said to be there.
        found: how many were found out to be there.
        tint: the colour of the profile's bar, if it has one.

    Raises:
        ConfigError: the theme cannot be used.
    """
    mode = mode_of(display.colours, found)
    scheme = read_theme(files.file(display.theme))
    if scheme.needs > mode:
        scheme = read_theme(files.shipped / f"{INSTEAD[mode]}.toml")
    if tint is not None:
        scheme = tinted(scheme, tint, in_many=mode is ColourMode.MANY)
    return Outfit(scheme.theme, _restyle(scheme, mode))


def _restyle(scheme: Scheme, mode: ColourMode) -> Restyle | None:
    if scheme.inks:
        return in_looks(scheme.inks, scheme.grounds)
    return in_many if mode < ColourMode.TRUE else None
