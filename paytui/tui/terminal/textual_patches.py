"""Patches of Textual: a compositor that skips unchanged rows, and a cache that leaks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, partial

from textual._compositor import Compositor
from textual._styles_cache import StylesCache
from textual.geometry import Region
from textual.strip import Strip


class RowCompositor(Compositor):
    """Renders only the rows to repaint; Textual's renders every visible widget whole."""

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


COLOURS = 1024
"""Colour pairs to cache, as many as Textual does."""


def patch_styles_cache() -> None:
    """Replace a per-instance cache of Textual 8.2.8 that leaks with one for all widgets.

    Its `lru_cache` on a method keeps the rendered lines of the last 1,024 widgets alive: some
    300 KB each time that the help is opened.
    """
    remembering = StylesCache.__dict__["get_inner_outer"]
    if not isinstance(remembering, staticmethod):
        shared = lru_cache(COLOURS)(partial(remembering.__wrapped__, StylesCache))
        setattr(StylesCache, remembering.__name__, staticmethod(shared))
