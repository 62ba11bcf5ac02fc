"""Tones of text: the meanings that a theme gives colours to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content


class Tone(StrEnum):
    """A meaning of text; the value names the theme's colour and the style `$name`.

    A tone never carries a meaning alone: words or signs say the same.
    """

    INK = "ink"
    MUTED = "muted"
    FAINT = "faint"
    ACCENT = "accent"  # Focus, and keys to press
    MONEY = "money"  # What moves money, and money under way
    UP = "up"
    DOWN = "down"  # Less than before; failed
    CLOSING = "closing"  # A warning
    EXPIRED = "expired"
    DOUBT = "doubt"


TINTED = "$tint-ink on $tint"  # The style of all text on a bar in the profile's colour


@dataclass(frozen=True, slots=True)
class Cell:
    """Text in one tone: plain characters, never markup."""

    text: str
    tone: Tone = Tone.INK


def toned(text: str, tone: Tone = Tone.INK, *, bold: bool = False) -> Content:
    """Return content in one tone; nothing in `text` is interpreted as markup."""
    return Content.styled(text, f"bold ${tone}" if bold else f"${tone}")


def text_of(cells: Iterable[Cell]) -> Content:
    return Content("\n").join([toned(cell.text, cell.tone) for cell in cells])
