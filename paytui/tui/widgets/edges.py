"""One line of text with something at its left edge and something at its right."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget


class Edges(Widget):
    """Repaints only when it has something else to say.

    Neither side pushes the other off: each has half of the line at the least, and what is cut ends
    in an ellipsis.
    """

    DEFAULT_CSS = """
    Edges { height: 1; width: 1fr; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  (Textual's own name)
        super().__init__(id=id, classes=classes)
        self._left = Content()
        self._right = Content()

    def say(self, left: Content, right: Content = Content()) -> None:  # noqa: B008  (immutable)
        """Show these, if they are not shown already."""
        if not (left.is_same(self._left) and right.is_same(self._right)):
            self._left, self._right = left, right
            self.refresh()

    def render(self) -> Content:
        """Both texts, with what room there is between them."""
        width, gap = self.content_size.width, bool(self._right)
        half = max(width // 2, width - gap - self._left.cell_length)
        right = self._right.truncate(half, ellipsis=True)
        left = self._left.truncate(max(0, width - gap - right.cell_length), ellipsis=True)
        return Content("").join([left, Content(" " * (width - (left + right).cell_length)), right])
