"""The declaration of a form as sections of fields, and the checks of each kind of field.

Fields are named by the canonical paths of the form's request (`domain.requests`), by which the
service's complaints are matched to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import partial

from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.requests import CreationRequest
from paytui.platform.text import clean
from paytui.tui.format.cells import CAREFUL, WRONG
from paytui.tui.ticket.model import MAX_VALUE_LENGTH, NO_VALUES, Option, Values
from paytui.tui.ticket.model import Field as TicketField


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
    """A complaint about a field; an `overridable` one is a warning, which stops nothing."""

    words: str
    overridable: bool = False


Check = Callable[[str, Values], str]
"""Returns the warning about a text as it is sent, given the texts beside it by name; else empty."""


@dataclass(frozen=True, slots=True)
class Field:
    """An input field of a form, and what it holds once it is placed there.

    Attributes:
        key: the canonical path in the request, `physical_address.city`, or in a part of it.
        help: its purpose or notation in one line of at most 76 cells.
        required: True if the form cannot be sent without it.
        choices: the values of a `CHOICE`; suggestions for a `CURRENCY` or `COUNTRY`.
        allows_others: returns True if a `CHOICE` may hold another identifier, after a warning.
        check: an additional check of a text that is not empty.
        shown: returns True if the form shows the field; a hidden value is kept, but not sent.
        section: the title of its section, or of its part: `Representative 2`.
        value: its text as it is sent.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    help: str = ""
    required: bool = False
    choices: Callable[[], tuple[Option, ...]] = tuple
    allows_others: Callable[[], bool] = lambda: False
    check: Check = lambda *_: ""
    shown: Callable[[Values], bool] = lambda _: True
    section: str = ""
    value: str = ""
    finding: Finding | None = None


COUNT = "#"  # Ends the key that holds the number of parts of a repeated section


@dataclass(frozen=True, slots=True)
class Section:
    """Fields that are shown together.

    Attributes:
        title: of the section, or of one of its parts: `Representative`.
        path: of the parts in the request, if it is repeated: `authorised_representatives`.
        request: the request in the dialect that the parts are: `payment_address_request`.
    """

    title: str
    fields: tuple[Field, ...]
    path: str = ""
    request: str = ""
    min_parts: int = 0
    shown: Callable[[Values], bool] = lambda _: True

    def count(self, values: Values) -> int:
        """Return the number of parts; 0 if it is not repeated."""
        return max(self.min_parts, int(values.get(f"{self.path}{COUNT}", 0)))

    def placed(self, values: Values) -> Iterator[Field]:
        """Yield the fields that are shown now, judged by their values as they are sent.

        A repeated section without parts has one field, whose option adds the first.
        """
        if not self.shown(values):
            return
        count, fields, starts = self.count(values), self.fields, {self.title: ""}
        if count:
            starts = {f"{self.title} {part + 1}": f"{self.path}.{part}." for part in range(count)}
        elif self.path:
            add, choice = (Option(key="1", name=f"Add a {self.title.lower()}"),), FieldKind.CHOICE
            fields = (Field(f"{self.path}{COUNT}", "None yet", choice, choices=lambda: add),)
        for title, start in starts.items():
            shown = {one.key: one for one in fields if one.shown(values)}
            sent = {key: wire_value(one, values.get(start + key, "")) for key, one in shown.items()}
            for key, one in shown.items():
                found = finding(one, sent[key], sent)
                yield replace(one, key=start + key, section=title, value=sent[key], finding=found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The declaration of the form for one request.

    Attributes:
        key: of its saved drafts: `wallet`; its request in the dialect is then `wallet_request`.
        noun: of the created object: `Wallet`.
        object_name: the object's name, by what is sent; without personal data of an account.
    """

    key: str
    noun: str
    sections: tuple[Section, ...]
    request: type[CreationRequest]
    object_name: Callable[[Values], str] = lambda _: ""

    def placed(self, values: Values) -> tuple[Field, ...]:
        """Return the fields that are shown now, with what they hold."""
        return tuple(field for one in self.sections for field in one.placed(values))


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


def ticket_field(declared: Field, text: str) -> TicketField:
    """Return a declared field as a field of a ticket that holds a text."""
    choices = choices_of(declared)
    choice = named_choice(choices, text) if text else None
    found = declared.finding
    sign = CAREFUL if found and found.overridable else WRONG
    return TicketField(
        key=declared.key,
        label=clean(declared.label, MAX_VALUE_LENGTH),
        text=choice.name if choice else text,
        note=choice.facts if choice else "",
        hint="required" if declared.required else "",
        options=partial(choices_of, declared) if choices else None,
        free=declared.kind in SUGGESTED or declared.allows_others(),
        finding=sign.cell(found.words) if found else None,
        help=declared.help,
        section=declared.section,
    )


_CAPITALS = (FieldKind.CODE, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CLOSE = (FieldKind.CODE, FieldKind.LONG_DIGITS)


def wire_value(field: Field, text: str) -> str:
    """Return a text as it is sent: stripped, and the key of a choice."""
    typed = clean(text).strip()
    if typed and (choice := named_choice(choices_of(field), typed)):
        return choice.key
    if field.kind in _CLOSE:
        typed = "".join(typed.split())
    return typed.upper() if field.kind in _CAPITALS else typed


def finding(field: Field, text: str, beside: Values = NO_VALUES) -> Finding | None:
    """Return the complaint about a text as it is sent, given the texts beside it by name."""
    if not text:
        return Finding("Required.") if field.required else None
    kind, choices = field.kind, choices_of(field)
    if not _FITS.get(kind, bool)(text):
        return Finding(_NOTATIONS[kind], overridable=kind in (FieldKind.EMAIL, FieldKind.PHONE))
    choice = named_choice(choices, text)
    if choice and choice.why_not:
        return Finding(f"{choice.name}: {choice.why_not}.")
    if choices and not choice and kind in SUGGESTED:
        return Finding(f"{text} is not a {SUGGESTED[kind]}.", overridable=True)
    if not choice and kind in (FieldKind.CHOICE, FieldKind.YES_NO):
        unknown = Finding(f"{text} is not a known value. It is sent as typed.", overridable=True)
        return unknown if field.allows_others() else Finding("Choose one from the list.")
    words = field.check(text, beside)
    return Finding(words, overridable=True) if words else None


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


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
    if not _DAY.match(text):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_FITS: Mapping[FieldKind, Callable[[str], object]] = {
    FieldKind.DATE: parse_day,
    FieldKind.DATE_TIME: parse_moment,
    # As it is sent: a review shows the text, and other notations would be rewritten or refused.
    FieldKind.NUMBER: re.compile(r"-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?").fullmatch,
    FieldKind.CURRENCY: re.compile("[A-Z]{3}").fullmatch,
    FieldKind.COUNTRY: re.compile("[A-Z]{2,3}").fullmatch,
    FieldKind.EMAIL: re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+").fullmatch,
    FieldKind.PHONE: re.compile(r"\+?[0-9 ()./-]+").fullmatch,
}
"""By kind, what returns nothing for a text in another notation."""

_NOTATIONS = {
    FieldKind.DATE: "No such date. Write it as 1980-05-31.",
    FieldKind.DATE_TIME: "Write a date, or date and time: 2030-01-31 14:30.",
    FieldKind.NUMBER: "Write a number, without grouping: 1200.5.",
    FieldKind.CURRENCY: "A currency is three letters, such as AUD.",
    FieldKind.COUNTRY: "No such country. Type its name or two-letter code.",
    FieldKind.EMAIL: "Not a valid e-mail address.",
    FieldKind.PHONE: "Use only digits, spaces and + ( ) . / -.",
}
"""The complaints about texts in another notation."""


EXTRA = "extra"  # The path of the fields that only this service has


def with_dialect_fields(form: Form, vocabulary: DialectFeatures) -> Form:
    """Return a form as the dialect declares its request; added fields come last.

    It has the fields that the service takes. Of a required object, the first one is required.
    """
    whole, sections = f"{form.key}_request", []
    for section in form.sections:
        request = section.request if section.path else whole
        unmarked, fields = set(vocabulary.required.get(request, ())), []
        for field in section.fields:
            name = field.key.partition(".")[0]
            if field.required or vocabulary.takes(request, name):
                is_required = field.required or not unmarked.isdisjoint({field.key, name})
                fields.append(replace(field, required=is_required))
                unmarked -= {field.key, name}
        fields += added_fields(vocabulary, section.request)
        is_required = section.path in vocabulary.required.get(whole, ())
        least = max(section.min_parts, int(is_required))
        sections.append(replace(section, fields=tuple(fields), min_parts=least))
    if added := added_fields(vocabulary, whole):
        sections.append(Section("Other fields of this service", added))
    return replace(form, sections=tuple(sections))


def added_fields(vocabulary: DialectFeatures, request: str) -> tuple[Field, ...]:
    required = vocabulary.required.get(request, ())
    return tuple(
        Field(f"{EXTRA}.{one.key}", one.label, FieldKind(one.kind), required=one.key in required)
        for one in vocabulary.added.get(request, ())
    )
