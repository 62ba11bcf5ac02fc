"""The interface between a wizard's state machine and its screen, and the layout of its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from textual.content import Content
from textual.widgets import Static

from paytui.domain.models import Record
from paytui.platform.text import clean
from paytui.tui.theme.themes import Cell, Tone, toned

MAX_VALUE_LENGTH = 200
"""Characters of a value. A longer name would push other facts off the screen of a confirmation;
detail views show it whole."""

CONFIRM = "confirm"
"""The name of the confirming step of every wizard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A choice at a step.

    Attributes:
        key: its identifier.
        facts: details that distinguish options with the same name.
        amount: its balance with the currency; never truncated.
        why_not: the reason why it cannot be chosen; empty if it can.
    """

    key: str
    name: str
    facts: str = ""
    amount: str = ""
    why_not: str = ""


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
        text: its initial text.
        hint: the placeholder.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """A step as it is shown.

    Attributes:
        title: of the wizard: `Trade`.
        name: of the step; a screen sets up list and entry afresh when it changes.
        place: `5 of 6`; empty after the last step.
        lines: facts and earlier answers.
        options: to choose from, with the impossible ones.
        chosen: the key of the option that is selected first.
        names: templates of the objects whose identifier may be typed in place of choosing.
        words: errors, warnings and hints.
        left: the remaining time of the locked rate; None without one.
        confirms: the review that can be confirmed, else None; the screen passes the one that it has
            painted to `confirm()`.
        wants_reading: True if bank details are to be read again first.
        became: the created object, which can be opened.
        actions: the wizard's own actions that are possible here.
    """

    title: str
    name: str
    place: str = ""
    lines: tuple[Line, ...] = ()
    options: tuple[Option, ...] = ()
    chosen: str | None = None
    names: tuple[Record, ...] = ()
    entry: Entry | None = None
    words: tuple[Cell, ...] = ()
    left: timedelta | None = None
    confirms: object | None = None
    wants_reading: bool = False
    became: Record | None = None
    actions: tuple[str, ...] = ()


class Wizard(Protocol):
    """The state machine of a wizard: it takes events and returns the view."""

    def view(self) -> StepView:
        """Return the current step."""
        ...

    def chosen(self, key: str) -> None:
        """Take an option by its key."""
        ...

    def typed(self, text: str) -> None:
        """Take the current text of the entry."""
        ...

    def go_on(self) -> None:
        """Go to the next step if the entry's text is valid."""
        ...

    def back(self) -> bool:
        """Go one step back and keep all answers; return False at the first step."""
        ...

    def act(self, action: str) -> None:
        """Carry out one of the view's actions."""
        ...

    def confirm(self, shown: object) -> None:
        """Carry out the review that was shown, if the current one is equal."""
        ...

    def tick(self) -> None:
        """Take note that time has passed."""
        ...

    def store_changed(self) -> None:
        """Take note that the store has changed."""
        ...


LABEL_WIDTH = 13
"""The minimum width of a label in cells, with the gap after it."""

LABEL_GAP = 2
"""The minimum gap between a label and its text, in cells."""


class TextBlock(Static):
    """A text that hides while it is empty, and repaints only if it changes."""

    def __init__(self, *, classes: str = "said") -> None:
        super().__init__(markup=False, classes=classes)
        self._shown = Content()
        self.display = False

    def show(self, words: Content) -> None:
        if not words.is_same(self._shown):
            self._shown = words
            self.display = bool(words)
            self.update(words)


def layout_lines(lines: Iterable[Line], width: int) -> Content:
    """Lay out lines with their labels in one column; long texts wrap beside the label."""
    shown = tuple(lines)
    room = max([LABEL_WIDTH, *(len(line.label) + LABEL_GAP for line in shown)])
    return Content("\n").join([_line(line, room, width) for line in shown])


def text_of(cells: Iterable[Cell]) -> Content:
    """Return cells as lines of text."""
    return Content("\n").join([toned(cell.text, cell.tone) for cell in cells])


def _line(line: Line, room: int, width: int) -> Content:
    words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
    first, *others = words.wrap(max(1, width - room)) or (words,)
    indented = [Content(" " * room) + other for other in others]
    return Content("\n").join([toned(f"{line.label:<{room}}", Tone.MUTED) + first, *indented])
