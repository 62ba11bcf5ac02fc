"""The parts of a ticket: fields and their values, an order, and what a screen shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import TypeVar

from paytui.domain.models import Record
from paytui.platform.text import clean
from paytui.tui.format.cells import CAREFUL, WRONG, Cell, Tone

Values = Mapping[str, str]
"""The values of the fields, by key: typed text, or the key of a chosen option."""

NO_VALUES: Values = MappingProxyType({})

T = TypeVar("T")  # What a ticket confirms

CONFIRM = "confirm"  # The name of the confirming step of every ticket


def having(values: Mapping[str, str | None], **changed: str | None) -> Values:
    """Return values with some of them changed; None removes one."""
    merged: dict[str, str | None] = {**values, **changed}
    return {key: text for key, text in merged.items() if text is not None}


def below(texts: Values, start: str) -> dict[str, str]:
    """Return the texts below a path, by the rest of their paths."""
    start = f"{start}."
    return {one.removeprefix(start): text for one, text in texts.items() if one.startswith(start)}


MAX_VALUE_LENGTH = 200
"""Characters of a value. A longer name would push other facts off the screen of a confirmation;
detail views show it whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    key: str
    name: str
    facts: str = ""  # Details that distinguish options with the same name
    amount: str = ""  # Its balance with the currency; never truncated
    why_not: str = ""  # The reason why it cannot be chosen; empty if it can
    asks: bool = False  # Enter takes it only once the cursor was moved to it
    keywords: str = ""  # What it is found by and does not show, such as account numbers


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    cells: tuple[Cell, ...]


def line(label: str, text: str, note: str = "", tone: Tone = Tone.INK) -> Line:
    """Return a line of a value and a note, each limited in length."""
    cells = (Cell(clean(text, MAX_VALUE_LENGTH), tone),)
    return Line(label, (*cells, Cell(clean(note, MAX_VALUE_LENGTH), Tone.MUTED)) if note else cells)


@dataclass(frozen=True, slots=True)
class Finding:
    """A complaint about a field; an `overridable` one is a warning, which stops nothing."""

    words: str
    overridable: bool = False

    @property
    def cell(self) -> Cell:
        return (CAREFUL if self.overridable else WRONG).cell(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a ticket, as it stands with the values that it was declared for."""

    key: str
    label: str
    section: str = ""  # The title of the fields that it belongs to; empty for all of one ticket
    text: str = ""  # What can be edited; the name of what is chosen
    note: str = ""  # Facts about the value, beside it
    shown: str = ""  # The value as it is meant, 1,200.00 USD, while the cursor is elsewhere
    hint: str = ""  # Shown in place of an empty text
    help: str = ""  # Its purpose or notation, in one line
    judged: Callable[[], Iterable[Cell]] = tuple  # Returns remarks on the text, shown below it
    finding: Finding | None = None  # The complaint about its value, once the cursor has left it

    # Of a picker; all other fields hold free text:
    options: Callable[[], tuple[Option, ...]] | None = None
    unknown: str = ""  # Said if no option matches what was typed
    lacking: str = ""  # Said if all options are of a wrong currency
    names: tuple[Record, ...] = ()  # Templates of objects that an identifier typed here may name
    free: bool = False  # A text that begins no option is the value
    ranked: bool = True  # Options move by how well they match; False if they keep their order
    passes: bool = False  # Enter passes it while nothing is typed; else it takes an option
    exact: bool = False  # Only a whole key, or the cursor, chooses; else the text is taken

    spaced: bool = True  # A space is part of the text; else it ends it, as of a currency


@dataclass(frozen=True, slots=True)
class Edit:
    values: Values
    at: str  # The field to go to
    move: Callable[[str], str | None]  # Returns a field's key after it; None if it is gone


class Obstacle(Exception):
    """The first field with a missing or wrong value, and the complaint."""

    def __init__(self, field: str, why: str) -> None:
        super().__init__(why)
        self.field, self.why = field, why


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketView:
    name: str  # Of the field that has the cursor, or of the step: `confirm`, `outcome`
    fields: tuple[Field, ...] = ()  # None while a review or an outcome is shown
    at: int | None = None  # The index of the field with the cursor
    options: tuple[Option, ...] = ()  # Those that match what was typed into that field
    cursor: str | None = None  # The key of the option that enter takes
    is_searched: bool = False  # Something was typed into that field's picker
    lines: tuple[Line, ...] = ()  # Facts: of the review, the outcome, or a locked rate
    words: tuple[Cell, ...] = ()  # Warnings and complaints
    asked: str = ""  # The exact text that confirms
    left: timedelta | None = None  # The remaining time of the locked rate
    confirms: object | None = None
    """The facts that can be confirmed; the screen passes those it has painted to `confirm()`."""
    wants_reading: bool = False  # Bank details are to be read again first
    became: Record | None = None  # The created object
    corrects: bool = False  # Enter goes back to a field that is missing, wrong or was refused
    actions: tuple[str, ...] = ()  # The ticket's own actions that are possible here

    @property
    def field(self) -> Field | None:
        return None if self.at is None else self.fields[self.at]

    @property
    def section(self) -> str:
        return self.field.section if self.field else ""
