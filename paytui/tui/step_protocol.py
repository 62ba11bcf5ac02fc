"""The interface between a machine of steps, such as a wizard, and its screen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from paytui.domain.models import Record
from paytui.platform.text import clean
from paytui.tui.theme.tones import Cell, Tone

MAX_VALUE_LENGTH = 200
"""Characters of a value. A longer name would push other facts off the screen of a confirmation;
detail views show it whole."""

CONFIRM = "confirm"  # The name of the confirming step of every wizard


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A choice at a step.

    Attributes:
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
        name: of the step; a screen sets up list and entry afresh when it changes.
        place: `5 of 6`; empty after the last step.
        options: to choose from, with the impossible ones.
        chosen: the key of the option that is selected first.
        names: templates of the objects whose identifier may be typed in place of choosing.
        left: the remaining time of the locked rate; None without one.
        confirms: the review that can be confirmed, else None; the screen passes the one that it has
            painted to `confirm()`.
        wants_reading: True if bank details are to be read again first.
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


class Wizard:
    """The state machine of a wizard: it takes events, which by default do nothing."""

    def view(self) -> StepView:
        raise NotImplementedError

    def chosen(self, key: str) -> None: ...

    def typed(self, text: str) -> None:
        """Take the current text of the entry."""

    def go_on(self) -> None:
        """Go to the next step if the entry's text is valid."""

    def back(self) -> bool:
        """Go one step back and keep all answers; return False at the first step."""
        return False

    def act(self, action: str) -> None: ...

    def confirm(self, shown: object) -> None:
        """Carry out the review that was shown, if the current one is equal."""

    def tick(self) -> None: ...

    def store_changed(self) -> None: ...
