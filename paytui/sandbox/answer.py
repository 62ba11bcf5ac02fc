"""JSON and what is answered with it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TypeAlias

Json: TypeAlias = "bool | int | str | Decimal | list[Json] | dict[str, Json] | None"
JsonObject: TypeAlias = dict[str, Json]


def dump(value: Json) -> str:
    """Compact JSON; decimals become strings, as amounts are on this wire."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def one(item: JsonObject) -> JsonObject:
    """The envelope of one object (api.md §2: `item` of the auth response)."""
    return {"item": item}


@dataclass(frozen=True, slots=True)
class Answer:
    """A finished answer, before it is bytes; a 304 has no body."""

    status: int
    body: JsonObject | None
    headers: dict[str, str] = field(default_factory=dict)
