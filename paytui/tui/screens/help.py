"""Every key, and what signs mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.tui import keys
from paytui.tui.screens.dialog import Dialog
from paytui.tui.tone import Tone, toned

KEY = 18
"""Cells for keys."""

NAMES = {
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "escape": "esc",
    "pagedown": "page down",
    "pageup": "page up",
}
"""Keys that go by another name among people."""

SIGNS: tuple[tuple[str, Tone, str], ...] = (
    ("✓", Tone.MUTED, "done, in order"),
    ("…", Tone.INK, "on its way"),
    ("!", Tone.CLOSING, "held, late, or waiting for somebody"),
    ("✗", Tone.DOWN, "rejected, failed, returned"),
    ("?", Tone.DOUBT, "a state that we do not know, as the service wrote it"),
    ("—", Tone.FAINT, "the service did not send it"),
    ("▲ ▼ =", Tone.INK, "more, less, the same as in the rate sheet before"),
)


class HelpScreen(Dialog[None]):
    """What can be pressed, and what is meant."""

    def compose(self) -> ComposeResult:
        """The text in a box."""
        box = Vertical(VerticalScroll(Static(_text(), markup=False)), classes="box")
        box.border_title = "Help"
        box.border_subtitle = "esc goes back"
        yield box


def _text() -> Content:
    lines = [
        *_keys("Everywhere", [*keys.APP, *keys.FRAME]),
        *_keys("In a list", [*keys.LEDGER, *keys.LIST]),
        *_keys("On a wallet", keys.WALLETS),
        *_keys("While a filter is typed", keys.FILTER),
        *_keys("While an order is chosen", keys.ORDER),
        *_keys("In a detail view", [*keys.DETAIL, *keys.OBJECT, *keys.SHEET]),
        *_keys("On what was confirmed", keys.INTENT),
        *_keys("In a wizard", [*keys.WIZARD, *keys.CHOICES[:1]]),
        toned("Signs", Tone.ACCENT, bold=True),
        *(_line(sign, tone, words) for sign, tone, words in SIGNS),
    ]
    return Content("\n").join(lines)


def _keys(title: str, bindings: Sequence[BindingType]) -> Iterator[Content]:
    yield toned(title, Tone.ACCENT, bold=True)
    for binding in _whole(bindings):
        yield _line(_names(binding), Tone.INK, binding.description)
    yield Content()


def _whole(bindings: Iterable[BindingType]) -> Iterator[Binding]:
    return (binding for binding in bindings if isinstance(binding, Binding))


def _names(binding: Binding) -> str:
    return " ".join(NAMES.get(key, key) for key in binding.key.split(","))


def _line(left: str, tone: Tone, right: str) -> Content:
    return Content("").join([toned(f"  {left:<{KEY}}", tone), toned(right, Tone.MUTED)])
