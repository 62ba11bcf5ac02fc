"""Help: the keys of the current screen, and the meaning of signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from paytui.tui.commands import ActiveKey
from paytui.tui.format.cells import CAREFUL, DONE, GOING_ON, UNKNOWN, WRONG, Mark
from paytui.tui.screens.base import Dialog
from paytui.tui.theme.themes import Tone, toned

KEY = 18
"""Cells for keys."""

SIGNS: tuple[tuple[Mark, str], ...] = (
    (DONE, "done, in order"),
    (GOING_ON, "on its way"),
    (CAREFUL, "held, late, or waiting for somebody"),
    (WRONG, "rejected, failed, returned"),
    (UNKNOWN, "a state that we do not know, as the service wrote it"),
    (Mark("—", Tone.FAINT), "the service did not send it"),
    (Mark("▲ ▼ ="), "more, less, the same as in the rate sheet before"),
)


class HelpScreen(Dialog[None]):
    """A list of the keys that work here, and of signs."""

    def __init__(self, keys: Sequence[ActiveKey]) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        box = Vertical(VerticalScroll(Static(_text(self._keys), markup=False)), classes="box")
        box.border_title = "Help"
        box.border_subtitle = "esc goes back"
        yield box


def _text(keys: Sequence[ActiveKey]) -> Content:
    here = [key for key in keys if key.here and not key.moves]
    moves = [key for key in keys if key.here and key.moves]
    lines = [
        *_section("Here", here),
        *_section("Everywhere", [key for key in keys if not key.here]),
        *_section("To move about", moves),
        toned("Signs", Tone.ACCENT, bold=True),
        *(_line(mark.sign, mark.tone, words) for mark, words in SIGNS),
    ]
    return Content("\n").join(lines)


def _section(title: str, keys: Sequence[ActiveKey]) -> Iterator[Content]:
    if not keys:
        return
    yield toned(title, Tone.ACCENT, bold=True)
    for key in keys:
        yield _line(" ".join(key.keys), Tone.INK, key.does)
    yield Content()


def _line(left: str, tone: Tone, right: str) -> Content:
    return Content("").join([toned(f"  {left:<{KEY}} ", tone), toned(right, Tone.MUTED)])
