"""The parts that a ticket shows: options, lines of facts, and texts to type."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.platform.text import clean
from paytui.tui.theme.tones import Cell, Tone

MAX_VALUE_LENGTH = 200
"""Characters of a value. A longer name would push other facts off the screen of a confirmation;
detail views show it whole."""

CONFIRM = "confirm"  # The name of the confirming step of every ticket


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A choice at a step.

    Attributes:
        facts: details that distinguish options with the same name.
        amount: its balance with the currency; never truncated.
        why_not: the reason why it cannot be chosen; empty if it can.
        asks: True if enter takes it only once the cursor was moved to it.
    """

    key: str
    name: str
    facts: str = ""
    amount: str = ""
    why_not: str = ""
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A label with texts beside it."""

    label: str
    cells: tuple[Cell, ...]


def line(label: str, text: str, note: str = "", tone: Tone = Tone.INK) -> Line:
    """Return a line of a value and a note, each limited in length."""
    cells = (Cell(clean(text, MAX_VALUE_LENGTH), tone),)
    return Line(label, (*cells, Cell(clean(note, MAX_VALUE_LENGTH), Tone.MUTED)) if note else cells)


@dataclass(frozen=True, slots=True)
class Entry:
    """A text input of a step.

    Attributes:
        pasted: True if it accepts pastes; an entry that confirms does not.
        asked: the exact text that confirms; empty for other entries.
    """

    label: str
    text: str = ""
    hint: str = ""
    pasted: bool = True
    asked: str = ""


def to_confirm(asked: str, text: str = "") -> Entry:
    """Return the entry that confirms by typing exactly this text."""
    return Entry(f"Type {asked} to confirm", text, pasted=False, asked=asked)
