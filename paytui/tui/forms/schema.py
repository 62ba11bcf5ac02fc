"""The declaration of a form as sections of fields, and the checks of each type of field.

Fields are named by the canonical paths of the form's request (`domain.requests`), by which the
service's complaints are matched to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import UTC, date, datetime
from enum import StrEnum

from paytui.domain.requests import Request
from paytui.platform.text import clean
from paytui.tui.drafts import Draft


class FieldKind(StrEnum):
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
    YES_NO = "yes or no"  # Held as `true` or `false`; never preset


@dataclass(frozen=True, slots=True)
class Finding:
    """A complaint about a field.

    Attributes:
        overridable: True for a warning, which stops the first review only.
    """

    words: str
    overridable: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible value of a field.

    Attributes:
        key: the value in the request.
        words: its name for the user.
        about: details that distinguish choices with the same name.
        why_not: the reason why it cannot be chosen; empty if it can.
        names: its key and words in lower case, for exact matches.
        search_text: the text to search in, in lower case.
    """

    key: str
    words: str
    about: str = ""
    why_not: str = ""
    names: tuple[str, str] = dataclass_field(init=False, repr=False, compare=False)
    search_text: str = dataclass_field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = (self.key.casefold(), self.words.casefold())
        # There may be thousands of accounts to look through at each key.
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "search_text", " ".join((*names, self.about.casefold())))


Check = Callable[[str, Draft], Finding | None]
"""Returns the complaint about a text as it is sent, given the draft around it."""


def _always(_: Draft) -> bool:
    return True


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

    In a repeated section, `check` and `shown` get the draft of their own part.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    help: str = ""
    required: bool = False
    choices: Callable[[], tuple[Choice, ...]] = tuple
    allows_others: Callable[[], bool] = lambda: False
    check: Check | None = None
    shown: Callable[[Draft], bool] = _always


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
    shown: Callable[[Draft], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The declaration of the form for one request.

    Attributes:
        key: of its saved drafts: `wallet`.
        title: of the screen: `New wallet`.
        noun: of the created object: `Wallet`.
        request_name: its name in the dialect: `wallet_request`.
        request: makes the request of a draft without errors; the draft holds shown fields only,
            with their values as they are sent.
        object_name: the object's name, without personal data of an account.
    """

    key: str
    title: str
    noun: str
    request_name: str
    sections: tuple[Section, ...]
    request: Callable[[Draft], Request]
    object_name: Callable[[Draft], str]


YES_NO = (Choice("true", "yes"), Choice("false", "no"))


def choices_of(field: Field) -> tuple[Choice, ...]:
    return YES_NO if field.kind is FieldKind.YES_NO else field.choices()


def named_choice(choices: Sequence[Choice], text: str) -> Choice | None:
    """Return the choice with this key or these words; None if there is none, or more than one."""
    typed = text.strip().casefold()
    found = []
    for choice in choices:
        if choice.key == text:
            return choice
        if typed in choice.names:
            found.append(choice)
    return found[0] if len(found) == 1 else None


def matching(choices: Sequence[Choice], text: str) -> list[Choice]:
    """Return the choices that contain all words of a text: exact matches first, then prefixes."""
    typed = text.strip().casefold()
    words = typed.split()
    found = [one for one in choices if all(word in one.search_text for word in words)]
    return sorted(
        found,
        key=lambda one: (
            typed not in one.names,
            not any(name.startswith(typed) for name in one.names),
            not _begin_words(words, one),
        ),
    )


def best_match(choices: Sequence[Choice], text: str) -> Choice | None:
    """Return the best match for a text by whole prefixes of words: `aud` is not Saudi Arabia."""
    first = matching(choices, text)[:1] if text.strip() else []
    return next((one for one in first if _begin_words(text.casefold().split(), one)), None)


def _begin_words(words: Sequence[str], choice: Choice) -> bool:
    sought = f" {choice.search_text}"
    return all(f" {word}" in sought for word in words)


def prefix_matches(choices: Sequence[Choice], text: str) -> list[Choice]:
    """Return the choices with a word that starts with a text: `zz` does not match Brazzaville."""
    typed = f" {text.strip().casefold()}"
    return [one for one in choices if any(typed in f" {name}" for name in one.names)]


_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,19})(\.[0-9]{1,20})?")
"""As it is sent: a review shows the text, and other notations would be rewritten or refused."""

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE = re.compile(r"\+?[0-9 ()./-]+")
_CHOSEN = (FieldKind.CHOICE, FieldKind.YES_NO, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CAPITALS = (FieldKind.CODE, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CLOSE = (FieldKind.CODE, FieldKind.LONG_DIGITS)


def wire_value(field: Field, text: str) -> str:
    """Return a text as it is sent: stripped, and the key of a choice."""
    typed = clean(text).strip()
    if field.kind in _CHOSEN and typed:
        choice = named_choice(choices_of(field), typed)
        if choice is not None:
            return choice.key
    if field.kind in _CLOSE:
        typed = "".join(typed.split())
    return typed.upper() if field.kind in _CAPITALS else typed


def judge(field: Field, text: str) -> Finding | None:
    """Return a complaint about a text that is not empty, by its type alone."""
    judge_kind = _JUDGES.get(field.kind)
    return judge_kind(field, text) if judge_kind else None


def finding(field: Field, text: str, scope: Draft | None = None) -> Finding | None:
    """Return the complaint about a field's text, given the draft around it."""
    if not text:
        return Finding("Required.") if field.required else None
    found = judge(field, text)
    if found is not None or field.check is None:
        return found
    return field.check(text, scope or Draft())


def parse_day(text: str) -> date | None:
    """Parse a date; None if it is invalid."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def parse_moment(text: str) -> datetime | None:
    """Parse a date and time, in UTC if it has no offset; None if it is invalid."""
    if not _DAY.fullmatch(text[:10]):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _judge_choice(field: Field, text: str) -> Finding | None:
    choice = named_choice(choices_of(field), text)
    if choice is None and field.allows_others():
        return Finding(f"{text} is not a known value. It is sent as typed.", overridable=True)
    if choice is None:
        return Finding("Choose one from the list.")
    return Finding(choice.why_not) if choice.why_not else None


def _judge_currency(field: Field, text: str) -> Finding | None:
    if not re.fullmatch("[A-Z]{3}", text):
        return Finding("A currency is three letters, such as AUD.")
    known = not field.choices() or named_choice(field.choices(), text)
    words = f"{text} is not a currency that the service is known to accept."
    return _unless(known, words, overridable=True)


def _unless(right: object, words: str, *, overridable: bool = False) -> Finding | None:
    return Finding(words, overridable) if right is None or right is False else None


def _judge_country(field: Field, text: str) -> Finding | None:
    known = not field.choices() or named_choice(field.choices(), text)
    return _unless(known, f"{text} is not a country code (ISO 3166).", overridable=True)


def _judge_day(_: Field, text: str) -> Finding | None:
    return _unless(parse_day(text), "Write a date as 1980-05-31.")


def _judge_moment(_: Field, text: str) -> Finding | None:
    return _unless(parse_moment(text), "Write a date, or date and time: 2030-01-31 14:30.")


def _judge_number(_: Field, text: str) -> Finding | None:
    return _unless(_NUMBER.fullmatch(text), "Write a number, without grouping: 1200.5.")


def _judge_email(_: Field, text: str) -> Finding | None:
    return _unless(_EMAIL.fullmatch(text), "Not a valid e-mail address.", overridable=True)


def _judge_phone(_: Field, text: str) -> Finding | None:
    words = "Use only digits, spaces and + ( ) . / -."
    return _unless(_PHONE.fullmatch(text), words, overridable=True)


_JUDGES: Mapping[FieldKind, Callable[[Field, str], Finding | None]] = {
    FieldKind.DATE: _judge_day,
    FieldKind.DATE_TIME: _judge_moment,
    FieldKind.NUMBER: _judge_number,
    FieldKind.EMAIL: _judge_email,
    FieldKind.PHONE: _judge_phone,
    FieldKind.CHOICE: _judge_choice,
    FieldKind.YES_NO: _judge_choice,
    FieldKind.CURRENCY: _judge_currency,
    FieldKind.COUNTRY: _judge_country,
}
