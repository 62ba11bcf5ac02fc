"""What the widgets with a cursor on one of their places have in common: mouse and focus."""

from __future__ import annotations

from textual.widget import Widget

WHEEL = 3
"""Places that one turn of the mouse's wheel goes on by."""


class Pointed(Widget):
    """The wheel moves the cursor; a click moves it, or opens the place where it is already."""

    def move(self, place: int) -> None:
        """Put the cursor on a place, or the nearest that there is."""
        raise NotImplementedError

    def settle(self) -> None:
        """Show what the cursor has become."""
        raise NotImplementedError

    def action_move(self, steps: int) -> None:
        raise NotImplementedError

    def action_open(self) -> None:
        raise NotImplementedError

    def point_at(self, place: int, cursor: int) -> None:
        """Act on a click at a place; the cursor is where it was before."""
        self.move(place)
        if place == cursor:
            self.action_open()

    def on_mouse_scroll_down(self) -> None:
        self.action_move(WHEEL)

    def on_mouse_scroll_up(self) -> None:
        self.action_move(-WHEEL)

    def watch_has_focus(self, has_focus: bool) -> None:
        # Not in on_focus: that runs before the widget knows that it has the focus.
        super().watch_has_focus(has_focus)
        self.settle()
