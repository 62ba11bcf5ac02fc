"""The validation of request bodies, which reports all errors at once."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal

from paytui.sandbox.http_messages import ApiError, Detail, Json, JsonObject
from paytui.sandbox.ledger import CURRENCIES, WHOLE_DIGITS

LONGEST_TEXT = 512
_PLAIN_NUMBER = re.compile(r"[0-9]{1,40}(\.[0-9]{1,40})?", re.ASCII)


class BodyReader:
    """A reader of one JSON object of a request.

    Each method returns the value of a field, or an empty value of the same type after noting an
    error; `check` raises once for all errors.
    """

    def __init__(self, body: JsonObject, path: str = "", notes: list[Detail] | None = None) -> None:
        self._body = body
        self._path = path
        self._notes: list[Detail] = [] if notes is None else notes

    def check(self) -> None:
        """Raise 400 with a detail for each invalid field."""
        if self._notes:
            told = "; ".join(f"{note.field}: {note.message}" for note in self._notes)
            raise ApiError(400, "invalid_request", told, tuple(self._notes))

    def refuse(self, name: str, message: str) -> None:
        """Note an invalid field."""
        self._notes.append(Detail(self._path + name, message))

    def has(self, name: str) -> bool:
        """Return True if the field exists and is not null."""
        return self._body.get(name) is not None

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """Return a required string that is not blank."""
        value = self.optional_text(name, longest)
        if value is None or not value.strip():
            if all(note.field != self._path + name for note in self._notes):
                self.refuse(name, "is required")
            return ""
        return value

    def optional_text(self, name: str, longest: int = LONGEST_TEXT) -> str | None:
        """Return a string, or None if it is missing."""
        value = self._body.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            self.refuse(name, "must be a string")
            return None
        if len(value) > longest:
            self.refuse(name, f"must not be longer than {longest} characters")
            return None
        return value

    def choice(self, name: str, choices: Collection[str]) -> str:
        """Return a string that is one of `choices`."""
        value = self.text(name)
        if value and value not in choices:
            self.refuse(name, f"must be one of {', '.join(choices)}")
            return ""
        return value

    def boolean(self, name: str) -> bool:
        value = self._body.get(name)
        if not isinstance(value, bool):
            self.refuse(name, "must be true or false")
            return False
        return value

    def currency(self, name: str) -> str:
        value = self.text(name)
        if value and value not in CURRENCIES:
            self.refuse(name, "is not a currency of this service")
            return ""
        return value

    def amount(self, name: str, currency: str) -> Decimal:
        """Return an amount above zero with at most its currency's digits; string or number."""
        value = self._number(name)
        if value is None or currency not in CURRENCIES:
            return Decimal(0)
        digits = CURRENCIES[currency].digits
        if value <= 0:
            self.refuse(name, "must be greater than zero")
        elif value.adjusted() >= WHOLE_DIGITS:
            self.refuse(name, f"must have at most {WHOLE_DIGITS} digits before the point")
        elif -int(value.as_tuple().exponent) > digits:
            self.refuse(name, f"{currency} has {digits} digits after the point")
        return value

    def number(self, name: str, least: int, most: int) -> Decimal:
        """Return a number from `least` to `most`; string or number."""
        value = self._number(name)
        if value is None:
            return Decimal(least)
        if not least <= value <= most:
            self.refuse(name, f"must be from {least} to {most}")
        return value

    def parts(self, name: str, most: int) -> list[BodyReader]:
        """Return a list of 1 to `most` objects."""
        value = self._body.get(name)
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            self.refuse(name, f"must be a list of 1 to {most} objects")
            return []
        return [self._part(f"{name}[{index}]", item) for index, item in enumerate(value)]

    def part(self, name: str) -> BodyReader:
        return self._part(name, self._body.get(name))

    def _part(self, name: str, value: Json) -> BodyReader:
        if not isinstance(value, dict):
            self.refuse(name, "must be an object")
            value = {}
        return BodyReader(value, f"{self._path}{name}.", self._notes)

    def _number(self, name: str) -> Decimal | None:
        value = self._body.get(name)
        if isinstance(value, str) and _PLAIN_NUMBER.fullmatch(value):
            return Decimal(value)
        if isinstance(value, int | Decimal) and not isinstance(value, bool):
            return Decimal(value)
        self.refuse(name, "is required" if value is None else "must be a plain decimal number")
        return None
