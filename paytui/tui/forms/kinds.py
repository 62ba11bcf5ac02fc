"""The conversion and checks of each type of field."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation

from paytui.platform.text import clean
from paytui.tui.forms.choosing import choices_of, meant
from paytui.tui.forms.declare import Field, FieldKind, Finding
from paytui.tui.forms.draft import Draft

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
