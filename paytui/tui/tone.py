"""Tones: what a piece of text means to the eye. Themes give each its colour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from textual.content import Content


class Tone(StrEnum):
    """The value is the name of the theme's colour, and of a style `$name`.

    A tone never carries a meaning alone: words or signs say the same.
    """

    INK = "ink"
    MUTED = "muted"
    FAINT = "faint"
    ACCENT = "accent"
    UP = "up"
    DOWN = "down"
    CLOSING = "closing"
    EXPIRED = "expired"
    DOUBT = "doubt"


TINTED = "$tint-ink on $tint"
"""How words look on a bar that has the colour of its profile: whatever they mean, in one ink."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Text in one tone: plain characters, never markup."""

    text: str
    tone: Tone = Tone.INK


def toned(text: str, tone: Tone = Tone.INK, *, bold: bool = False) -> Content:
    """Content for a widget; nothing in `text` is interpreted."""
    return Content.styled(text, f"bold ${tone}" if bold else f"${tone}")
