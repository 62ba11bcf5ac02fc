"""Textual's compositor, which renders no widget of which nothing is to be painted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.geometry import Region
from textual.strip import Strip


class RowCompositor(Compositor):
    """Renders the rows that are to be painted: Textual's renders all of each widget on view."""

    def _get_renders(
        self, crop: Region | None = None
    ) -> Iterator[tuple[Region, Region, list[Strip]]]:
        rows = self.size.region
        if crop is not None:
            rows = Region(0, crop.y, self.size.width, crop.height)
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip).intersection(rows)
            if seen:
                lines = widget.render_lines(seen.translate(-region.offset))
                yield region, clip.intersection(rows), lines


# What widgets have painted is let go of with them.
#
# Textual 8.2.8 remembers pairs of colours by a cache on a method, whose keys are the objects that
# hold a widget's painted lines: those of the last thousand widgets stay, some 300 KB for each time
# that the help is opened.

COLOURS = 1024
"""Pairs of colours that are remembered, as Textual does."""


def patch_styles_cache() -> None:
    """Remember colours for all widgets together: they depend on nothing else."""
    remembering = StylesCache.__dict__["get_inner_outer"]
    if not isinstance(remembering, staticmethod):
        shared = lru_cache(COLOURS)(partial(remembering.__wrapped__, StylesCache))
        setattr(StylesCache, remembering.__name__, staticmethod(shared))
