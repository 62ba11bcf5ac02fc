"""What a terminal can show, as far as its environment tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paytui.tui.characters import has_utf8
from paytui.tui.colours import ColourMode, detected


@dataclass(frozen=True, slots=True)
class Terminal:
    """What it seems to have; what a configuration says goes before it.

    Attributes:
        utf8: whether it can draw more than ASCII.
    """

    colours: ColourMode = ColourMode.TRUE
    utf8: bool = True


CAPABLE = Terminal()


def terminal_of(environ: Mapping[str, str], *, in_utf8_mode: bool) -> Terminal:
    """What an environment tells; `in_utf8_mode` is as for `has_utf8`."""
    return Terminal(detected(environ), has_utf8(environ, in_utf8_mode=in_utf8_mode))
