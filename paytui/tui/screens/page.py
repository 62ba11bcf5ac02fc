"""A numbered screen: a frame with the line of all screens."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from paytui.tui.context import Desk
from paytui.tui.screens.frame import Frame
from paytui.tui.widgets.text import Tabs


class Page(Frame):
    """One of the screens that have a number.

    Attributes:
        WATCHES_RATES: whether a live rate sheet is to be held while it is on view.
    """

    WATCHES_RATES: ClassVar[bool] = False

    def __init__(self, desk: Desk, mode: str) -> None:
        super().__init__(desk)
        self._mode = mode

    def compose(self) -> ComposeResult:
        """The frame, with tabs."""
        yield self.status
        yield Tabs(self._mode)
        yield from self.body()
        yield self.hints
