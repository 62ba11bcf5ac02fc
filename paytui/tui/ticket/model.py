"""The parts of a ticket: its fields, what they hold, and what a screen shows of it."""

# ruff: noqa: ARG002 - the defaults of a declaration need none of their arguments

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Generic, TypeVar

from paytui.domain.intent import IntentId
from paytui.domain.models import PaymentAddress, Record
from paytui.platform.text import clean
from paytui.tui.guards.send_permission import Demand, RefusedAbove, TypeAmount
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ui_context import UiContext

Values = Mapping[str, str]
"""What the fields hold, by key: typed text, or the key of a chosen option."""

NO_VALUES: Values = MappingProxyType({})

PROOF = "verify payee"
"""The key of the field for the end of a new account's number; every ticket may ask for it."""

T = TypeVar("T")


def having(values: Values, **changed: str | None) -> Values:
    """Return values with some of them changed; None removes one."""
    merged: dict[str, str | None] = {**values, **changed}
    return {key: text for key, text in merged.items() if text is not None}


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
        keywords: what it is found by and does not show, such as account numbers.
    """

    key: str
    name: str
    facts: str = ""
    amount: str = ""
    why_not: str = ""
    asks: bool = False
    keywords: str = ""


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
class Field:
    """A field of a ticket, as it stands with the values that it was declared for.

    Attributes:
        text: what can be edited; the name of what is chosen.
        note: facts about the value, beside it.
        shown: the value as it is meant, such as 1,200.00 USD; in place of text and note while the
            cursor is elsewhere.
        hint: shown in place of an empty text.
        options: returns the options; None for a field of free text.
        names: templates of the objects whose identifier may be typed in place of choosing.
        judged: remarks on the text so far, shown below it.
        pasted: True if it accepts pastes.
        spaced: False if a space ends what is typed, such as a currency.
        free: True if a text that begins no option is the value.
        ranked: False if options keep their order, so that none moves under the cursor.
        exact: True if only a whole key, or the cursor, chooses an option; else the text is taken.
        finding: the complaint about its value; shown once the cursor has left it.
        help: its purpose or notation, in one line.
        section: the title of the fields that it belongs to; empty for all of one ticket.
    """

    key: str
    label: str
    text: str = ""
    note: str = ""
    shown: str = ""
    hint: str = ""
    options: Callable[[], tuple[Option, ...]] | None = None
    names: tuple[Record, ...] = ()
    judged: Callable[[], Iterable[Cell]] = tuple
    pasted: bool = True
    spaced: bool = True
    free: bool = False
    ranked: bool = True
    exact: bool = False
    finding: Cell | None = None
    help: str = ""
    section: str = ""

    @property
    def is_picked(self) -> bool:
        """Return True if its value is an option's key."""
        return self.options is not None or bool(self.names)


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of the fields.

    Attributes:
        at: the field to go to.
        move: returns the key that a field has after it; None if it is gone.
    """

    values: Values
    at: str
    move: Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first field with a missing or wrong value, and the complaint."""

    field: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TicketView:
    """A ticket as it is shown.

    Attributes:
        name: of the field that has the cursor, or of the step: `confirm`, `outcome`.
        fields: all fields, in order; none while a review or an outcome is shown.
        at: the index of the field with the cursor.
        options: those that match what was typed into that field.
        cursor: the key of the option that enter takes.
        is_searched: True if something was typed into that field's picker.
        lines: facts: of the review, the outcome, or a locked rate.
        words: warnings and complaints.
        entry: the text to type to confirm.
        left: the remaining time of the locked rate; None without one.
        confirms: the facts that can be confirmed, else None; the screen passes those that it has
            painted to `confirm()`.
        wants_reading: True if bank details are to be read again first.
        became: the created object.
        corrects: True if enter goes back to a field that is missing, wrong or was refused.
        actions: the ticket's own actions that are possible here.
        walks: True if enter goes to the next field, so that another key leads to the review.
    """

    title: str
    name: str
    fields: tuple[Field, ...] = ()
    at: int | None = None
    options: tuple[Option, ...] = ()
    cursor: str | None = None
    is_searched: bool = False
    lines: tuple[Line, ...] = ()
    words: tuple[Cell, ...] = ()
    entry: Entry | None = None
    left: timedelta | None = None
    confirms: object | None = None
    wants_reading: bool = False
    became: Record | None = None
    corrects: bool = False
    actions: tuple[str, ...] = ()
    walks: bool = False

    @property
    def field(self) -> Field | None:
        """Return the field that has the cursor."""
        return None if self.at is None else self.fields[self.at]

    @property
    def section(self) -> str:
        """The section of the field that has the cursor; empty without sections."""
        return self.field.section if self.field else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The warnings and obstacles of what is to be confirmed.

    Attributes:
        demand: the text to type for it, or the reason for a refusal.
        name_warnings: reasons to suspect another payee than is meant, in words.
        unsure: warnings about parties of unknown status and the token's scopes.
        duplicate_warnings: payments and intents that it may be the same as, in words.
        unread: the reason to read the bank details again; empty if there is none.
        is_hidden: True if the account is to be checked first, so that its number is hidden.
        barred: the reason why nothing can be sent at all; empty if it can.
    """

    demand: Demand
    name_warnings: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()
    duplicate_warnings: tuple[str, ...] = ()
    unread: str = ""
    is_hidden: bool = False
    barred: str

    @property
    def warnings(self) -> tuple[str, ...]:
        return (*self.name_warnings, *self.unsure, *self.duplicate_warnings)

    @property
    def refusal(self) -> str:
        """Return why it is not done whatever is typed; empty if it can be."""
        return self.barred or refusal_of(self.demand)

    @property
    def asked(self) -> str | None:
        """Return the text to type; None for nothing."""
        if self.barred or not isinstance(self.demand, TypeAmount):
            return None
        return self.demand.text

    def why_not(self, typed: str) -> str:
        """Return why it cannot be done with so much typed to confirm it; empty if it can."""
        if self.refusal or self.asked in (None, typed.strip()):
            return self.refusal
        return f"Type {self.asked} to confirm."


def refusal_of(demand: Demand) -> str:
    """Return the words of a refusal; empty for another demand."""
    return demand.words if isinstance(demand, RefusedAbove) else ""


class Task(Generic[T]):
    """The declaration of what a ticket does: its fields, its order, the review and the end.

    The values of a ticket are what the trader chose and typed; `filled` values have every choice as
    well that has one candidate. All methods but `send`, `act`, `reach`, `poll` and `restart`
    are functions of the values and the store.
    """

    key: str
    title: str
    context: str = ""
    """The object that it is about; each has a draft of its own."""

    walks: bool = False
    """True if enter goes to the next field, not to the next that is missing."""
    keeps_draft: bool = True
    """True if what was filled in is offered again, once the ticket was left."""
    changed: str = "Details changed while you were confirming. Please review."
    """The words on a change of facts under review."""
    proven: str = ""
    """The fingerprint of an account that was checked before."""

    def __init__(self, ui: UiContext) -> None:
        self.ui = ui

    def fields(self, values: Values, filled: Values) -> tuple[Field, ...]:
        """Return the fields to fill in, in order."""
        raise NotImplementedError

    def order(self, filled: Values) -> T | Obstacle:
        """Return what can be confirmed, or the first obstacle to it."""
        raise NotImplementedError

    def filled(self, values: Values) -> Values:
        """Return the values with every choice filled in that has one candidate."""
        return values

    def with_text(self, values: Values, key: str, text: str) -> Values:
        """Return the values with a text as it was typed."""
        return having(values, **{key: text})

    def with_choice(self, values: Values, key: str, choice: str) -> Values:
        """Return the values with an option chosen."""
        return having(values, **{key: choice})

    def paid(self, filled: Values) -> PaymentAddress | None:
        """Return the recipient's account that would be paid; None if none is."""
        return None

    def review(self, order: T, *, intent_id: IntentId, proven: str) -> Checks:
        """Review an order now; `proven` is the fingerprint of the account that was checked."""
        raise NotImplementedError

    def agreed(self, order: T, review: Checks) -> object:
        """Return all facts that the trader agrees to; a change has to be seen again."""
        return (order, review)

    def late(self) -> str:
        """Return why an order can no longer be confirmed, such as an expired rate."""
        return ""

    def review_lines(self, order: T, review: Checks) -> Iterator[Line]:
        raise NotImplementedError

    def review_words(self, order: T, review: Checks) -> Iterator[Cell]:
        """Yield remarks before the warnings, such as a shortfall."""
        yield from ()

    def lines(self, filled: Values) -> Iterator[Line]:
        """Yield facts below the fields, such as the rate."""
        yield from ()

    def send(self, order: T, intent_id: IntentId) -> None:
        """Pass a confirmed order on, once."""
        raise NotImplementedError

    def end(self) -> TicketView | None:
        """Return the outcome; None before the confirmation."""
        return None

    def refusals(self) -> Mapping[str, str] | None:
        """Return the complaints by field about what failed, under `CONFIRM` for all others.

        None if it has not failed, or not certainly.
        """
        return None

    def restart(self) -> None:
        """Forget what failed, so that it can be corrected."""

    @property
    def sent(self) -> IntentId | None:
        """The intent whose failure brings back what was filled in, once the ticket was left."""
        return None

    @property
    def left(self) -> timedelta | None:
        return None

    @property
    def verb(self) -> str:
        """The effect of enter at the confirmation."""
        return "send"

    def actions(self, at: str) -> tuple[str, ...]:
        """Return the task's own actions at a field or at `CONFIRM`."""
        return ()

    def act(self, action: str) -> None:
        """Carry out one of its own actions."""

    def edits(self, values: Values, at: str) -> Mapping[str, Edit]:
        """Return the actions that change the fields, with their effects."""
        return {}

    def reach(self, at: str, filled: Values) -> None:
        """Take in that the cursor comes to a field or to `CONFIRM`, such as to request a rate."""

    def poll(self, at: str) -> bool:
        """Take in answers; return True if the change of facts was asked for."""
        return False
