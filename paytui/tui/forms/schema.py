"""The declaration of a form as sections of fields, and the checks of each type of field.

Fields are named by the canonical paths of the form's request (`domain.requests`), by which the
service's complaints are matched to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from paytui.domain.requests import Request
from paytui.platform.text import clean
from paytui.tui.drafts import Draft
from paytui.tui.ticket.model import Option


class FieldKind(StrEnum):
    """The kinds of fields; a dialect adds fields of text, numbers and booleans by these names."""

    TEXT = "text"
    NUMBER = "number"
    LONG_DIGITS = "long digits"  # An account number or similar; spaces are not sent
    CODE = "code"  # An IBAN or BIC; sent in capitals without spaces
    DATE = "date"
    DATE_TIME = "date and time"
    EMAIL = "e-mail"
    PHONE = "phone"
    COUNTRY = "country"
    CURRENCY = "currency"
    CHOICE = "choice"  # One of `Field.choices` only
    YES_NO = "boolean"  # Held as `true` or `false`; never preset


@dataclass(frozen=True, slots=True)
class Finding:
    """A complaint about a field.

    Attributes:
        overridable: True for a warning, which stops nothing.
    """

    words: str
    overridable: bool = False


def warning(words: str) -> Finding:
    return Finding(words, overridable=True)


Check = Callable[[str, Draft], Finding | None]
"""Returns the complaint about a text as it is sent, given the draft around it."""


@dataclass(frozen=True, slots=True)
class Field:
    """An input field of a form.

    Attributes:
        key: the canonical path in the request, `physical_address.city`, or in the repeated part.
        help: its purpose or notation in one line of at most 76 cells.
        required: True if the form cannot be sent without it.
        choices: the values of a `CHOICE`; suggestions for a `CURRENCY` or `COUNTRY`.
        allows_others: returns True if a `CHOICE` may hold another identifier, after a warning.
        check: an additional check of a text that is not empty.
        shown: returns True if the field is shown; a hidden value is kept, but not sent.

    `check` gets the draft of its section, and `shown` that of the form; in a repeated section, both
    get that of their own part.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    help: str = ""
    required: bool = False
    choices: Callable[[], tuple[Option, ...]] = tuple
    allows_others: Callable[[], bool] = lambda: False
    check: Check | None = None
    shown: Callable[[Draft], bool] = lambda _: True


@dataclass(frozen=True, slots=True)
class Section:
    """Fields that are shown together.

    Attributes:
        key: of a repeated section, the canonical path of its parts: `authorised_representatives`.
        title: of the section, or of one of its parts: `Representative`.
    """

    key: str
    title: str
    fields: tuple[Field, ...]
    repeated: bool = False
    min_parts: int = 0
    shown: Callable[[Draft], bool] = lambda _: True


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The declaration of the form for one request.

    Attributes:
        key: of its saved drafts: `wallet`; its request in the dialect is then `wallet_request`.
        noun: of the created object: `Wallet`.
        request: makes the request of a draft without errors; the draft holds shown fields only,
            with their values as they are sent.
        object_name: the object's name, without personal data of an account.
    """

    key: str
    noun: str
    sections: tuple[Section, ...]
    request: Callable[[Draft], Request]
    object_name: Callable[[Draft], str] = lambda _: ""

    @property
    def request_name(self) -> str:
        return f"{self.key}_request"


YES_NO = (Option(key="true", name="yes"), Option(key="false", name="no"))

SUGGESTED = {
    FieldKind.CURRENCY: "currency that the service is known to accept",
    FieldKind.COUNTRY: "country code (ISO 3166)",
}
"""The kinds whose choices are suggestions: another value is sent after a warning."""


def choices_of(field: Field) -> tuple[Option, ...]:
    return YES_NO if field.kind is FieldKind.YES_NO else field.choices()


def named_choice(choices: Sequence[Option], text: str) -> Option | None:
    """Return the choice with this key or name; None if there is none, or more than one."""
    typed = text.strip().casefold()
    found = []
    for choice in choices:
        if choice.key == text:
            return choice
        if typed in (choice.key.casefold(), choice.name.casefold()):
            found.append(choice)
    return found[0] if len(found) == 1 else None


_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?")
"""As it is sent: a review shows the text, and other notations would be rewritten or refused."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE = re.compile(r"\+?[0-9 ()./-]+")
_CHOSEN = (FieldKind.CHOICE, FieldKind.YES_NO, *SUGGESTED)
_CAPITALS = (FieldKind.CODE, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CLOSE = (FieldKind.CODE, FieldKind.LONG_DIGITS)


def wire_value(field: Field, text: str) -> str:
    """Return a text as it is sent: stripped, and the key of a choice."""
    typed = clean(text).strip()
    if field.kind in _CHOSEN and typed and (choice := named_choice(choices_of(field), typed)):
        return choice.key
    if field.kind in _CLOSE:
        typed = "".join(typed.split())
    return typed.upper() if field.kind in _CAPITALS else typed


def finding(field: Field, text: str, scope: Draft | None = None) -> Finding | None:
    """Return the complaint about a field's text, given the draft around it."""
    if not text:
        return Finding("Required.") if field.required else None
    return judge(field, text) or (field.check(text, scope or Draft()) if field.check else None)


def judge(field: Field, text: str) -> Finding | None:
    """Return a complaint about a text that is not empty, by its type alone."""
    if field.kind not in _CHOSEN:
        parse, found = _NOTATIONS.get(field.kind, (str, None))
        return found if parse(text) is None else None
    if field.kind is FieldKind.CURRENCY and not re.fullmatch("[A-Z]{3}", text):
        return Finding("A currency is three letters, such as AUD.")
    choices = choices_of(field)
    choice = named_choice(choices, text)
    if field.kind in SUGGESTED:
        is_known = choice is not None or not choices
        return None if is_known else warning(f"{text} is not a {SUGGESTED[field.kind]}.")
    if choice is not None:
        return Finding(f"{choice.name}: {choice.why_not}.") if choice.why_not else None
    if field.allows_others():
        return warning(f"{text} is not a known value. It is sent as typed.")
    return Finding("Choose one from the list.")


def parse_day(text: str) -> date | None:
    """Parse a date; None if it is invalid."""
    moment = parse_moment(text) if _DAY.fullmatch(text) else None
    return moment.date() if moment else None


def parse_moment(text: str) -> datetime | None:
    """Parse a date and time, in UTC if it has no offset; None if it is invalid."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not _DAY.fullmatch(text[:10]):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_NOTATIONS: Mapping[FieldKind, tuple[Callable[[str], object | None], Finding]] = {
    FieldKind.DATE: (parse_day, Finding("No such date. Write it as 1980-05-31.")),
    FieldKind.DATE_TIME: (
        parse_moment,
        Finding("Write a date, or date and time: 2030-01-31 14:30."),
    ),
    FieldKind.NUMBER: (_NUMBER.fullmatch, Finding("Write a number, without grouping: 1200.5.")),
    FieldKind.EMAIL: (_EMAIL.fullmatch, warning("Not a valid e-mail address.")),
    FieldKind.PHONE: (_PHONE.fullmatch, warning("Use only digits, spaces and + ( ) . / -.")),
}
"""By kind, what returns None for a text in another notation, and the complaint about it."""
