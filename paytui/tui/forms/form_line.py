"""The line in which a field of a form is typed."""

from __future__ import annotations

from collections.abc import Callable

from textual.binding import Binding
from textual.dom import DOMNode
from textual.widgets import Input
from textual.widgets.input import Selection

from paytui.tui import keys
from paytui.tui.widgets.typed_line import TypedLine

EDITS = [
    binding
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action != "submit"
]
"""What changes the text or moves in it. What an input inherits beside them scrolls it."""


class FormLine(TypedLine, inherit_bindings=False):
    """Tells at once what is typed, and carries out keys of the form as it does its own.

    So no field gets what was meant for another.
    """

    BINDINGS = [*EDITS, *keys.FORM_LINE]  # noqa: RUF012  (Textual's way; never written to)

    def __init__(self, typed: Callable[[str], None]) -> None:
        super().__init__()
        self._typed = typed
        self._taken_in: str | None = None

    def hold(self, text: str, taken_in: str | None = None) -> None:
        """Hold this, as if it had always done so; the cursor stays where it is typed.

        Args:
            text: what to hold.
            taken_in: the field of which it is a choice that was taken, and that what is typed
                first replaces; None of other text, to which it is added.
        """
        is_come_to = taken_in is not None and taken_in != self._taken_in
        self._taken_in = taken_in
        if text != self.value or is_come_to:
            self.set_reactive(Input.value, text)
            self.selection = Selection(0 if taken_in else len(text), len(text))
            self.refresh()

    def watch_value(self, value: str) -> None:
        """Tell what is typed."""
        self._typed(value)

    @property
    def _was_left(self) -> bool:
        return self.screen.is_active and super()._was_left

    def _carries_out(self, node: DOMNode) -> bool:
        return node in (self, self.screen)
