"""The last line: the keys that matter here."""

from __future__ import annotations

from textual.binding import Binding
from textual.content import Content
from textual.screen import Screen

from paytui.tui.tone import Tone, toned
from paytui.tui.widgets.edges import Edges


class Hints(Edges):
    """Follows the active bindings of the screen that it is on."""

    def on_mount(self) -> None:
        """Follow the bindings."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def _follow(self, screen: Screen[object]) -> None:
        shown = [active.binding for active in screen.active_bindings.values()]
        hints = {binding.action: self._hint(binding) for binding in shown if binding.show}
        self.say(Content("  ").join(hints.values()))

    def _hint(self, binding: Binding) -> Content:
        key = toned(f" {self.app.get_key_display(binding)}", Tone.ACCENT)
        return Content(" ").join([key, toned(binding.description, Tone.MUTED)])
