"""The order of rows by several fields: `-created_at,reference`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from paytui.platform.text import fold
from paytui.store.fields import Field, FieldType, Scalar, find_fields

R = TypeVar("R")


class SortError(ValueError):
    """An order that cannot be understood: what, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Order:
    """One field to sort by."""

    field: Field
    descending: bool

    def key(self, row: object) -> tuple[Scalar, ...]:
        """What is compared; rows that say nothing come before all others."""
        values = self.field.values(row)
        if self.field.type is FieldType.TEXT:
            return tuple(fold(value) for value in values if isinstance(value, str))
        return values


def parse_orders(text: str, known: Sequence[Field]) -> list[Order]:
    """The fields to sort by, the most important first, separated by commas; `-` turns one around.

    Raises:
        SortError: there is no such field, or its name could mean several.
    """
    return [_order(part.strip(), known) for part in text.split(",")]


def _order(text: str, known: Sequence[Field]) -> Order:
    name = text.removeprefix("-")
    found = find_fields(name, known)
    if not found:
        names = ", ".join(field.name for field in known)
        raise SortError(f"There is no field {name or '(empty)'} to sort by. There are: {names}.")
    if len(found) > 1:
        names = ", ".join(field.name for field in found)
        raise SortError(f"{name} could mean several fields. Name one of them: {names}.")
    return Order(found[0], descending=text.startswith("-"))


def in_order(rows: Iterable[R], orders: Sequence[Order]) -> list[R]:
    """The rows, sorted; those that are equal stay as they came."""
    result = list(rows)
    for order in reversed(orders):
        result.sort(key=order.key, reverse=order.descending)
    return result
