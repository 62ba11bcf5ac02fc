"""Canonical objects as JSON: snake_case, exact amounts as strings, times in UTC."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from paytui.domain.models import State
from paytui.domain.money import plain

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]


def jsonable(value: object) -> Json:
    """An object of the service, or what is in it.

    A state becomes its name, a decimal a string with every digit, a time ISO 8601 with `Z`; what
    the service did not send is null.
    """
    if isinstance(value, tuple):
        return [jsonable(item) for item in value]
    if is_dataclass(value) and not isinstance(value, State):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    return _scalar(value)


def _scalar(value: object) -> Json:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return utc(value)
        case date():
            return value.isoformat()
        case State(name):
            return name
    assert value is None or isinstance(value, bool | int | str)
    return value


def utc(time: datetime) -> str:
    """ISO 8601 in UTC, with `Z`: 2026-03-02T12:00:00Z."""
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
