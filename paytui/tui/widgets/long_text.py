"""Plain text to scroll through."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.tui import keys


class LongText(VerticalScroll, inherit_bindings=False):
    """Shows text; long lines go on in the next, and it can be selected with the mouse."""

    BINDINGS = keys.TEXT

    def __init__(self, text: Content = Content()) -> None:  # noqa: B008  (immutable)
        super().__init__()
        self._text = Static(text, markup=False)

    def compose(self) -> ComposeResult:
        """The text."""
        yield self._text

    def show(self, text: Content) -> None:
        """Show this instead."""
        self._text.update(text)
