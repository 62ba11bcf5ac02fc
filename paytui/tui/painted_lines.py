"""What widgets have painted is let go of with them.

Textual 8.2.8 remembers pairs of colours by a cache on a method, whose keys are the objects that
hold a widget's painted lines: those of the last thousand widgets stay, some 300 KB for each time
that the help is opened.
"""

from __future__ import annotations

from functools import lru_cache, partial

from textual._styles_cache import StylesCache

COLOURS = 1024
"""Pairs of colours that are remembered, as Textual does."""


def let_go_of_painted_lines() -> None:
    """Remember colours for all widgets together: they depend on nothing else."""
    remembering = StylesCache.__dict__["get_inner_outer"]
    if not isinstance(remembering, staticmethod):
        shared = lru_cache(COLOURS)(partial(remembering.__wrapped__, StylesCache))
        setattr(StylesCache, remembering.__name__, staticmethod(shared))
