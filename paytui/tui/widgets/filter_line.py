"""The line in which a filter is typed; it is there only while there is one."""

from __future__ import annotations

from paytui.tui import keys
from paytui.tui.widgets.typed_line import TypedLine


class FilterLine(TypedLine):
    """Carries out its own keys itself, so that those behind `enter` go to the list."""

    BINDINGS = keys.FILTER
    PLACEHOLDER = "words  status:released  ccy:usd  amount>10k  age<1h  -not"

    def __init__(self) -> None:
        super().__init__(self.PLACEHOLDER)
        self._show(yes=False)

    def open(self, zone: str) -> None:
        """Show it, ready to be typed in; days are those of this zone."""
        self.placeholder = f"{self.PLACEHOLDER}  days in {zone}"
        self._show(yes=True)
        # At once: the keys that come behind are its text.
        self.screen.set_focus(self)

    def show(self, text: str) -> None:
        """Filter by this, without being typed in; nothing puts it away."""
        self.value = text
        self._show(yes=bool(text))

    def close(self) -> None:
        """Put it away, empty."""
        self.value = ""
        self._show(yes=False)

    def _show(self, *, yes: bool) -> None:
        self.display = yes
        # A screen that comes into view gives its focus to what is not displayed as well.
        self.can_focus = yes
