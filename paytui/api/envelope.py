"""What surrounds records on the wire: one object, or a list with its place in a longer one."""

from __future__ import annotations

from dataclasses import dataclass

from paytui.api.dialect import Dialect
from paytui.api.jsontext import CannotReadError, Json
from paytui.api.reading import find, kind_of


class BadEnvelope(CannotReadError):
    """An answer that does not hold what was asked for; the message says what it is."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One answer to a read of a list.

    Attributes:
        items: the records as they came.
        total: how many the whole list has, if told.
        next: where the list goes on, if told.
    """

    items: list[Json]
    total: int | None = None
    next: str | None = None


def one(body: Json, dialect: Dialect) -> dict[str, Json]:
    """The object that an answer holds, in an envelope or bare.

    Raises:
        BadEnvelope: there is none.
    """
    if isinstance(body, dict):
        inner = find(body, dialect.one)
        return inner if isinstance(inner, dict) else body
    raise BadEnvelope(f"{kind_of(body)} where an object was expected")


def many(body: Json, dialect: Dialect) -> Slice:
    """The records that an answer holds: in an envelope, as a bare list, or one alone.

    Raises:
        BadEnvelope: there is no list.
    """
    match body:
        case list():
            return Slice(body)
        case dict():
            return _slice(body, dialect)
        case _:
            raise BadEnvelope(f"{kind_of(body)} where a list was expected")


def _slice(body: dict[str, Json], dialect: Dialect) -> Slice:
    items = find(body, dialect.many)
    if isinstance(items, list):
        total, cursor = find(body, (dialect.paging.total,)), find(body, (dialect.paging.next,))
        return Slice(
            items,
            total if isinstance(total, int) and not isinstance(total, bool) else None,
            cursor if isinstance(cursor, str) and cursor else None,
        )
    if items is None and find(body, dialect.one) is not None:
        return Slice([find(body, dialect.one)])
    names = " or ".join(".".join(path) for path in dialect.many)
    raise BadEnvelope(f"an object without a list named {names} ([envelope] many)")
