"""The baseline of every ratio: a minimal Textual app as a program of its own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.widgets import Footer, Header, Static


class Hello(App[None]):
    """Header, Static, Footer; two keys that change the words between them."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [
        Binding("q", "quit", "Quit"),
        Binding("a", "say('AAAA')", "A"),
        Binding("b", "say('BBBB')", "B"),
    ]

    def compose(self) -> ComposeResult:
        yield Header()
        yield Static("hello ready")
        yield Footer()

    def action_say(self, words: str) -> None:
        self.query_one(Static).update(f"hello ready {words}")


if __name__ == "__main__":
    Hello().run()
