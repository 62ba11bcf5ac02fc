"""Facts: a label and a value; groups of them make up a detail view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from paytui.api.models import State
from paytui.money import MISSING, CurrencyCode, format_amount, plain
from paytui.tui.desk import Desk
from paytui.tui.state_cell import state_cell
from paytui.tui.times import full_time
from paytui.tui.tone import Cell, Tone

Value = str | bool | date | State | Decimal | None
"""What a fact can be about."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of a detail view; what the service did not send is `—`."""

    label: str
    value: Cell


@dataclass(frozen=True, slots=True)
class Group:
    """Facts that belong together."""

    title: str
    facts: tuple[Fact, ...]


def fact(label: str, value: Value) -> Fact:
    """A value of any kind, written in full."""
    return Fact(label, _cell(value))


def time_fact(desk: Desk, label: str, moment: datetime | None) -> Fact:
    """A moment, in the zone that the desk shows."""
    return fact(label, full_time(moment, desk.zone) if moment else None)


def amount_fact(label: str, amount: Decimal | None, currency: CurrencyCode | None) -> Fact:
    """An amount with its currency."""
    if amount is None:
        return fact(label, None)
    written = format_amount(amount, currency) if currency else plain(amount)
    return Fact(label, Cell(f"{written} {currency or MISSING}"))


def group(title: str, *facts: Fact, more: Iterable[Fact] = ()) -> Group:
    """A group of facts."""
    return Group(title, (*facts, *more))


def _cell(value: Value) -> Cell:
    if value is None:
        return Cell(MISSING, Tone.FAINT)
    if isinstance(value, State):
        return state_cell(value)
    return Cell(_written(value))


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
