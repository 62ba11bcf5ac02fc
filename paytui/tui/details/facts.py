"""Facts: a label and a value; groups of them make up a detail view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from paytui.domain.models import Kind, State, WalletId
from paytui.domain.money import MISSING, CurrencyCode, format_amount, plain
from paytui.tui.format.cells import state_cell
from paytui.tui.theme.themes import Cell, Tone

Value = str | bool | date | State | Decimal | None
"""What a fact can be about."""


@dataclass(frozen=True, slots=True)
class Ref:
    """An object: its kind and its identifier."""

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class Those:
    """The objects of one kind that belong to another: the payments of an account."""

    kind: Kind
    of: Ref


@dataclass(frozen=True, slots=True)
class Activity:
    """All that moved the money of a wallet."""

    wallet_id: WalletId


Link = Ref | Those | Activity
"""What a fact can lead to: an object, or a list."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a detail view; what the service did not send is `—`.

    Attributes:
        value: how it is shown.
        plain: what a copy of it is, without signs; None where the service sent nothing.
        note: what else there is to say; not copied.
        link: what can be opened from here.
        brief: whether the note is cut rather than continued below, where there is room for some.
    """

    label: str
    value: Cell
    plain: str | None
    note: str = ""
    link: Link | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that belong together."""

    title: str
    facts: tuple[Fact, ...]


def fact(label: str, value: Value) -> Fact:
    """A value of any kind, written in full."""
    if value is None:
        return Fact(label, Cell(MISSING, Tone.FAINT), None)
    if isinstance(value, State):
        return Fact(label, state_cell(value), value.name)
    return text_fact(label, _written(value))


def text_fact(label: str, text: str, note: str = "", link: Link | None = None) -> Fact:
    """Words as they are to be shown and copied."""
    return Fact(label, Cell(text), text, note, link)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    """An amount with its currency."""
    if amount is None:
        return fact(label, None)
    return text_fact(label, amount_words(amount, currency))


def amount_words(amount: Decimal, currency: CurrencyCode | None) -> str:
    """An amount with its currency, every digit of it: `12,000.00 USD`."""
    written = format_amount(amount, currency) if currency else plain(amount)
    return f"{written} {currency or MISSING}"


def group(title: str, *facts: Fact) -> Group:
    """A group of facts."""
    return Group(title, facts)


def _written(value: str | bool | date | Decimal) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case date():
            return value.isoformat()
        case Decimal():
            return plain(value)
        case _:
            return value
