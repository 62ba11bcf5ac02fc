"""What the fields of this wire look like, in JSON Schema: by name, as a name means one thing."""

from __future__ import annotations

from collections.abc import Iterable

from paytui.sandbox.answer import Json, JsonObject
from paytui.sandbox.currencies import CURRENCIES
from paytui.sandbox.fields import LONGEST_TEXT

DECIMAL = r"^[0-9]{1,40}(\.[0-9]{1,40})?$"

IDENTIFIER: JsonObject = {"type": "string", "format": "uuid"}
MOMENT: JsonObject = {"type": "string", "format": "date-time"}
TEXT: JsonObject = {"type": "string", "maxLength": LONGEST_TEXT}
ANY_TEXT: JsonObject = {"type": "string"}
NUMBER: JsonObject = {"type": "string", "pattern": DECIMAL}
CURRENCY: JsonObject = {"type": "string", "enum": [*CURRENCIES]}

_BY_NAME: dict[str, JsonObject] = {
    "amount": NUMBER,
    "rate": NUMBER,
    "currency": CURRENCY,
    "endToEndId": ANY_TEXT,
    "nppEnabled": {"type": "boolean"},
    "bankInformation": {"type": "object"},
    "paymentAddresses": {"type": "array", "items": {"type": "object"}},
    "rates": {"type": "array", "items": {"type": "object"}},
    "unavailable": {"type": "array", "items": {"type": "object"}},
}
_BY_ENDING: dict[str, JsonObject] = {
    "Id": IDENTIFIER,
    "At": MOMENT,
    "Amount": NUMBER,
    "Balance": NUMBER,
    "Currency": CURRENCY,
}


def shape(name: str) -> JsonObject:
    """What a field of an answer holds."""
    if name in _BY_NAME:
        return _BY_NAME[name]
    return next((found for end, found in _BY_ENDING.items() if name.endswith(end)), ANY_TEXT)


def record(names: Iterable[str], required: Iterable[str]) -> JsonObject:
    """An object of an answer."""
    return _object({name: shape(name) for name in names}, required)


def form(needed: dict[str, JsonObject], free: dict[str, JsonObject]) -> JsonObject:
    """An object of a request; a field that is not needed may be null as well."""
    return _object({**needed, **{name: _or_null(free[name]) for name in free}}, needed)


def _object(properties: dict[str, JsonObject], required: Iterable[str]) -> JsonObject:
    return {"type": "object", "properties": {**properties}, "required": [*required]}


def _or_null(field: JsonObject) -> JsonObject:
    choices: list[Json] = [field, {"type": "null"}]
    return {"anyOf": choices}
