"""The declaration of a form: sections of fields, which one screen shows.

A form names its fields by the canonical paths of the request that it makes (`api.requests`), so
that what the service says of a field finds its way back to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from paytui.domain.requests import Request
from paytui.platform.text import clean
from paytui.tui.forms.draft import Draft


class FieldKind(StrEnum):
    """The type of a field: its input and its checks."""

    TEXT = "text"
    NUMBER = "number"
    LONG_DIGITS = "long digits"
    """An account number and the like: spaces in it are for reading alone, and are not sent."""
    CODE = "code"
    """The same, and its letters go out as capitals: an IBAN, a BIC."""
    DATE = "date"
    DATE_TIME = "date and time"
    EMAIL = "e-mail"
    PHONE = "phone"
    COUNTRY = "country"
    CURRENCY = "currency"
    CHOICE = "choice"
    """One of `Field.choices` and nothing else."""
    YES_NO = "yes or no"
    """Held as `true` or `false`; never preset."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A complaint about a field.

    Attributes:
        overridable: whether it is a warning: it is asked about once, and then goes out as it is.
    """

    words: str
    overridable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One thing that a field can hold.

    Attributes:
        key: what the request carries.
        words: what a person calls it.
        about: what tells it from others of the name.
        why_not: why it cannot be chosen; empty where it can.
        names: what it is called when it is typed whole, in small letters.
        sought: in what it is looked for, in small letters.
    """

    key: str
    words: str
    about: str = ""
    why_not: str = ""
    names: tuple[str, str] = dataclass_field(init=False, repr=False, compare=False)
    sought: str = dataclass_field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = (self.key.casefold(), self.words.casefold())
        # There may be thousands of accounts to look through at each key.
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "sought", " ".join((*names, self.about.casefold())))


Check = Callable[[str, Draft], Finding | None]
"""What is the matter with a text as it goes out, in the draft around it."""


def _always(_: Draft) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One thing to fill in.

    Attributes:
        key: the canonical path in the request: `physical_address.city`; in a repeated section, the
            path inside a part.
        help: one line, at most 76 cells: what it is for, or how it is written.
        required: whether nothing goes out without it.
        choices: what a `CHOICE` can be; of a `CURRENCY` or `COUNTRY`, what is suggested.
        others: whether a `CHOICE` may hold an identifier that is not among its choices, after a
            warning.
        check: judges what is not empty, beyond what its kind says of it: the text as it goes out,
            and the draft around it.
        shown: whether it is there at all; what it holds is kept, and not sent, while it is not.

    In a repeated section the draft that `check` and `shown` are given is that of their own part,
    with paths inside it.
    """

    key: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    help: str = ""
    required: bool = False
    choices: Callable[[], tuple[Choice, ...]] = tuple
    others: Callable[[], bool] = lambda: False
    check: Check | None = None
    shown: Callable[[Draft], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Fields that are on view together.

    Attributes:
        key: of a repeated one, the canonical path of its parts: `authorised_representatives`.
        title: of the section, or of one of its parts: `Representative`.
        repeated: whether there are as many as one adds.
        least: parts that a repeated one always has.
    """

    key: str
    title: str
    fields: tuple[Field, ...]
    repeated: bool = False
    least: int = 0
    shown: Callable[[Draft], bool] = _always


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Everything that one request asks for.

    Attributes:
        key: what drafts are kept by: `wallet`.
        title: of the screen: `New wallet`.
        noun: what comes of it: `Wallet`.
        asks: the request's name in the dialect, for what that requires and adds: `wallet_request`.
        request: makes the request of a draft without errors, which holds what is shown alone, each
            value as it goes out.
        named: what comes of it, in a person's words; no personal data of an account.
    """

    key: str
    title: str
    noun: str
    asks: str
    sections: tuple[Section, ...]
    request: Callable[[Draft], Request]
    named: Callable[[Draft], str]


# Choices by what is typed: which it may mean, and which it is.

YES_NO = (Choice(key="true", words="yes"), Choice(key="false", words="no"))


def choices_of(field: Field) -> tuple[Choice, ...]:
    """What a field offers; nothing where anything can be typed."""
    return YES_NO if field.kind is FieldKind.YES_NO else field.choices()


def meant(choices: Sequence[Choice], text: str) -> Choice | None:
    """The choice that a text names, by its key or in its words; None where it may be two."""
    typed = text.strip().casefold()
    found = []
    for choice in choices:
        if choice.key == text:
            return choice
        if typed in choice.names:
            found.append(choice)
    return found[0] if len(found) == 1 else None


def matching(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices that hold all words of a text: it, what begins with it, what its words begin."""
    typed = text.strip().casefold()
    words = typed.split()
    found = [one for one in choices if all(word in one.sought for word in words)]
    return sorted(
        found,
        key=lambda one: (
            typed not in one.names,
            not any(name.startswith(typed) for name in one.names),
            not _begin_words(words, one),
        ),
    )


def likeliest(choices: Sequence[Choice], text: str) -> Choice | None:
    """The choice to take for a text; none for pieces of words: `aud` is not Saudi Arabia."""
    first = matching(choices, text)[:1] if text.strip() else []
    return next((one for one in first if _begin_words(text.casefold().split(), one)), None)


def _begin_words(words: Sequence[str], choice: Choice) -> bool:
    """Whether each of these begins a word of a choice."""
    sought = f" {choice.sought}"
    return all(f" {word}" in sought for word in words)


def begun(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices of which a word begins with a text: `zz` is no way to write Brazzaville."""
    typed = f" {text.strip().casefold()}"
    return [one for one in choices if any(typed in f" {name}" for name in one.names)]


# The conversion and checks of each type of field.

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")
_PHONE = re.compile(r"\+?[0-9 ()./-]+")
_CHOSEN = (FieldKind.CHOICE, FieldKind.YES_NO, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CAPITALS = (FieldKind.CODE, FieldKind.CURRENCY, FieldKind.COUNTRY)
_CLOSE = (FieldKind.CODE, FieldKind.LONG_DIGITS)


def going_out(field: Field, text: str) -> str:
    """A text as it goes out: without what is round it, of a choice its key."""
    typed = clean(text).strip()
    if field.kind in _CHOSEN and typed:
        choice = meant(choices_of(field), typed)
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
    """Return the complaint about a field's text, in the draft around it."""
    if not text:
        return Finding("It is needed.") if field.required else None
    found = judge(field, text)
    if found is not None or field.check is None:
        return found
    return field.check(text, scope or Draft())


def parse_day(text: str) -> date | None:
    """A day that a text means; None where it means none."""
    try:
        return date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def parse_moment(text: str) -> datetime | None:
    """A moment that a text means, in UTC where it names no offset; None where it means none."""
    if not _DAY.fullmatch(text[:10]):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _judge_choice(field: Field, text: str) -> Finding | None:
    choice = meant(choices_of(field), text)
    if choice is None and field.others():
        return Finding(f"{text} is not known here: it goes out as it is typed.", overridable=True)
    if choice is None:
        return Finding("Choose one of the list.")
    return Finding(choice.why_not) if choice.why_not else None


def _judge_currency(field: Field, text: str) -> Finding | None:
    if not re.fullmatch("[A-Z]{3}", text):
        return Finding("A currency is three letters, such as AUD.")
    known = not field.choices() or meant(field.choices(), text)
    words = f"{text} is not among the currencies that the service is known to take."
    return _unless(known, words, overridable=True)


def _unless(right: object, words: str, *, overridable: bool = False) -> Finding | None:
    return Finding(words, overridable) if right is None or right is False else None


def _judge_country(field: Field, text: str) -> Finding | None:
    known = not field.choices() or meant(field.choices(), text)
    return _unless(known, f"{text} is no country code of ISO 3166.", overridable=True)


def _judge_day(_: Field, text: str) -> Finding | None:
    return _unless(parse_day(text), "A date is written as 1980-05-31.")


def _judge_moment(_: Field, text: str) -> Finding | None:
    return _unless(parse_moment(text), "Write a date, or date and time: 2030-01-31 14:30.")


def _judge_number(_: Field, text: str) -> Finding | None:
    return _unless(_number(text), "Write a number, without grouping: 1200.5.")


def _judge_email(_: Field, text: str) -> Finding | None:
    return _unless(_EMAIL.fullmatch(text), "This is no e-mail address.", overridable=True)


def _judge_phone(_: Field, text: str) -> Finding | None:
    words = "A phone number has digits, spaces and + ( ) . / - alone."
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
