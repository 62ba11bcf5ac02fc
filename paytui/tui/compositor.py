"""Textual's compositor, which renders no widget of which nothing is to be painted."""

from __future__ import annotations

from collections.abc import Iterator

from textual._compositor import Compositor
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
