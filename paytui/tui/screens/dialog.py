"""What dialogs share: they lie over a screen, and esc puts them away."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import BindingType
from textual.screen import ModalScreen

from paytui.tui import keys

T = TypeVar("T")


class Dialog(ModalScreen[T], inherit_bindings=False):
    """A box over the screen."""

    CSS_PATH = "dialog.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*keys.FRAME, *keys.DIALOG]

    async def pull(self) -> None:
        """Take in what changed in the store; most dialogs show nothing of it."""

    def action_back(self) -> None:
        """Put it away; nothing is chosen."""
        self.dismiss(None)
