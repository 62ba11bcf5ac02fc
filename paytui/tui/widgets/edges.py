"""One line of text with something at its left edge and something at its right."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget


class Edges(Widget):
    """Repaints only when it has something else to say. What stands right never gives way."""

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
        room = self.content_size.width - self._right.cell_length
        left = self._left.truncate(max(0, room - bool(self._right)), ellipsis=True)
        return Content("").join([left, Content(" " * (room - left.cell_length)), self._right])
