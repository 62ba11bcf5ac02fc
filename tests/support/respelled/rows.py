"""Rows expected from the other service, worked out from the documented one."""

from __future__ import annotations

from dataclasses import fields, replace
from decimal import Decimal
from typing import Any, cast

from paytui.domain.models import Record, State
from tests.support.respelled.items import twenty_digits
from tests.support.respelled.names import UNLISTED

_UNLISTED = {state.lower(): word for state, word in UNLISTED.items()}


def as_respelled(row: Record) -> Record:
    """The same object: its amounts have twenty digits, and states without a name are words."""
    changed = {field.name: _value(getattr(row, field.name)) for field in fields(row)}
    return replace(row, **cast("dict[str, Any]", changed))


def _value(value: object) -> object:
    match value:
        case Decimal():
            return twenty_digits(value)
        case State(name) if name in _UNLISTED:
            return State(_UNLISTED[name], final=False, known=False)
        case tuple():
            return tuple(map(_value, value))
        case _:
            return value
