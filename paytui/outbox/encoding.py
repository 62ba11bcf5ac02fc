"""Terms and problems as JSON text: decimals as strings, times ISO 8601 with their offset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from decimal import Decimal

from paytui.domain.intent import Terms
from paytui.domain.models import FieldProblem, Problem
from paytui.domain.money import plain

_DECIMALS = ("amount", "rate")
_TIMES = ("expires_at",)


def write_time(time: datetime) -> str:
    """A time in UTC: `2026-03-02T12:00:00+00:00`."""
    return time.astimezone(UTC).isoformat()


def write_terms(terms: Terms) -> str:
    """What was confirmed, without what was not."""
    unsaid = Terms()
    said = asdict(terms).items()
    return _text({name: value for name, value in said if value != getattr(unsaid, name)})


def read_terms(text: str) -> Terms:
    """What `write_terms` wrote.

    Raises:
        ValueError, TypeError: it did not write this.
    """
    values = json.loads(text)
    for name in _DECIMALS:
        if name in values:
            values[name] = Decimal(values[name])
    for name in _TIMES:
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    asked = tuple((path, text) for path, text in values.pop("asked", ()))
    before = values.pop("before", None)
    return Terms(**values, asked=asked, before=None if before is None else tuple(before))


def write_problem(problem: Problem) -> str:
    """All of a problem."""
    return _text(asdict(problem))


def read_problem(text: str) -> Problem:
    """What `write_problem` wrote.

    Raises:
        KeyError, ValueError, TypeError: it did not write this.
    """
    values = json.loads(text)
    values["fields"] = tuple(FieldProblem(**each) for each in values["fields"])
    return Problem(**values)


def _text(values: Mapping[str, object]) -> str:
    return json.dumps(values, default=_scalar)


def _scalar(value: object) -> str:
    match value:
        case Decimal():
            return plain(value)
        case datetime():
            return write_time(value)
    raise TypeError(f"{type(value).__name__} has no place in the outbox")
