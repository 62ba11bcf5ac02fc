"""The interface between a wizard's state machine and its screen."""

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

LONGEST = 200
"""Characters of one value: no honest name has more, and a longer one would push the rest of what is
confirmed out of sight. Detail views have it whole."""

CONFIRM = "confirm"
"""What a step that confirms is named, in every wizard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One thing to choose, by its identifier.

    Attributes:
        name: what a person calls it.
        facts: what tells it from others of the name.
        amount: what it holds, with the currency; never cut.
        why_not: why it cannot be chosen; empty where it can.
    """

    key: str
    name: str
    facts: str = ""
    amount: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that is said: what it is about, and words side by side."""

    label: str
    cells: tuple[Cell, ...]


def line(label: str, text: str, note: str = "", tone: Tone = Tone.INK) -> Line:
    """A line of one value, with what else there is to say of it; neither takes the others' room."""
    cells = (Cell(clean(text, LONGEST), tone),)
    return Line(label, (*cells, Cell(clean(note, LONGEST), Tone.MUTED)) if note else cells)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line to be typed in.

    Attributes:
        text: what it holds when its step comes up.
        hint: what is shown while nothing is typed.
        pasted: whether it takes pastes; what is typed to confirm does not.
        asked: exactly what is to be typed to confirm; empty of other entries.
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
    """A step as it is now.

    Attributes:
        title: of the wizard: `Trade`.
        name: of the step; a screen sets up list and entry afresh when it changes.
        place: `5 of 6`; empty once there are no more steps.
        lines: what is known and was chosen.
        options: what can be chosen, and what cannot, with the reason.
        chosen: the option under the cursor when the step comes up.
        names: where an identifier may be typed instead, what it may be of, without it.
        words: what is wrong or worth knowing.
        left: how long the rate that is shown still lasts; None where none is locked.
        confirms: exactly what a confirmation would carry out; None where nothing can be confirmed.
            Whatever it is, a screen gives back the one that it has painted.
        wants_reading: whether bank details that it rests on are to be read again first.
        became: the object that came of it, which can be opened.
        actions: which of the wizard's own keys do something here, and what.
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
    """A pure machine: it takes in what happens, and says what is to be seen."""

    def view(self) -> StepView:
        """The step as it is now."""
        ...

    def chosen(self, key: str) -> None:
        """An option was chosen."""
        ...

    def typed(self, text: str) -> None:
        """The entry holds this now."""
        ...

    def go_on(self) -> None:
        """The step is done, where what it holds will do."""
        ...

    def back(self) -> bool:
        """To the step before, with all that was filled in; False where there is none."""
        ...

    def act(self, action: str) -> None:
        """One of the actions that the view offers."""
        ...

    def confirm(self, shown: object) -> None:
        """Carry out what was shown, if that is still what would be carried out."""
        ...

    def tick(self) -> None:
        """Time has passed."""
        ...

    def store_changed(self) -> None:
        """The store has changed."""
        ...


# Lines of a wizard's step: labels in one column, words beside them; nothing is cut.

LABEL = 13
"""Cells for a label and the gap after it, at the least."""

GAP = 2
"""Cells between a label and what it is about, at the least."""


class Said(Static):
    """Takes the room that its words need, none without any; repaints only when they differ."""

    def __init__(self, *, classes: str = "said") -> None:
        super().__init__(markup=False, classes=classes)
        self._shown = Content()
        self.display = False

    def show(self, words: Content) -> None:
        """Say this, if it is not said already."""
        if not words.is_same(self._shown):
            self._shown = words
            self.display = bool(words)
            self.update(words)


def said(lines: Iterable[Line], width: int) -> Content:
    """Lines under each other; what does not fit into the width goes on where it began."""
    said = tuple(lines)
    room = max([LABEL, *(len(line.label) + GAP for line in said)])
    return Content("\n").join([_line(line, room, width) for line in said])


def _line(line: Line, room: int, width: int) -> Content:
    words = Content("  ").join([toned(cell.text, cell.tone) for cell in line.cells])
    first, *others = words.wrap(max(1, width - room)) or (words,)
    indented = [Content(" " * room) + other for other in others]
    return Content("\n").join([toned(f"{line.label:<{room}}", Tone.MUTED) + first, *indented])
