"""Filters: a typed text compiled to a predicate on rows.

A filter consists of words and of conditions on fields:

    acme "unit 4" -sydney status:released ccy:usd amount>=10k -age<1h
    created:today exchanged>=mon >2026-11-01 last 7d

All terms must match; `-` negates a term. Quotes enclose spaces and special characters; within
them `""` is a quote. A word that is a number is also an amount: `1,200.50`, `1.2k`. Several codes
are separated by commas: `ccy:usd,eur`. A comparison without a field is one of the time of creation.
A predicate never fails on a row, whatever fields that lacks.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from paytui.domain.money import EXACT
from paytui.platform.text import did_you_mean, fold
from paytui.store import fields


class Operator(StrEnum):
    HAS = ":"
    IS = "="
    ABOVE = ">"
    BELOW = "<"
    AT_LEAST = ">="
    AT_MOST = "<="


@dataclass(frozen=True, slots=True)
class Term:
    """One condition.

    Attributes:
        field: the field as it was typed; empty for a word that may occur anywhere.
        value: the value to compare with, or the word; never empty.
    """

    negated: bool
    field: str
    operator: Operator
    value: str

    @property
    def is_age(self) -> bool:
        """Return True if it compares the age of a row."""
        return self.field.lower() in ("age", _LAST)


class FilterError(ValueError):
    """An invalid filter; the message says what is wrong and what to write instead.

    It has at most `LONGEST_MESSAGE` characters, so that a title of 80 cells shows it whole.
    """


LONGEST_MESSAGE = 65
_LONGEST_QUOTED = 20  # Characters of what was typed


def _quoted(typed: str) -> str:
    is_long = len(typed) > _LONGEST_QUOTED
    return f'"{typed[: _LONGEST_QUOTED - 1]}…"' if is_long else f'"{typed}"'


_LAST = "last"
_TERM = re.compile(
    r"""
    \s*
    (?P<term>
        (?P<negated>-)?
        (?:
            (?P<field>[A-Za-z][\w.-]*)(?P<operator><=|>=|[:=<>])
            |(?P<comparison><=|>=|[<>])
            |(?P<last>(?ai:last))\s+
             (?=(?ai:\d+(?:s|min|m|h|d|w|\s?(?:second|minute|hour|day|week)s?))(?:\s|$))
        )?
        (?:
            "(?P<quoted>[^"]*(?:""[^"]*)*)"
            |(?(last)(?P<count>\d+)\s?(?P<unit>[A-Za-z])[A-Za-z]*|(?P<word>[^\s"]*))
        )
    )
    """,
    re.VERBOSE,
)


def parse_terms(text: str) -> list[Term]:
    """Parse the terms of a filter; a blank one has none.

    Raise FilterError if a quote is not closed, or a condition has no value.
    """
    terms: list[Term] = []
    text, at = text.rstrip(), 0
    while at < len(text):
        match = _TERM.match(text, at)
        assert match is not None, "every part of the pattern may be empty"
        at = match.end()
        quoted = match["quoted"]
        value = match["word"] if quoted is None else quoted.replace('""', '"')
        if match["last"]:  # 7 days are 7d
            value = f"{match['count']}{match['unit']}"
        field = match["field"] or match["last"] or ("created" if match["comparison"] else "")
        operator = Operator(match["operator"] or match["comparison"] or Operator.HAS)
        if not value.strip():
            _refuse_nothing(text, match, field)
        if field.lower() == _LAST and operator in (Operator.HAS, Operator.IS):
            operator = Operator.AT_MOST  # compares ages
        terms.append(Term(match["negated"] is not None, field, operator, value))
    return terms


def literal(text: str) -> str:
    """Return a filter that searches for each word of a text as it stands, whatever its characters.

    It is valid for any text; words without a letter, digit or sign are left out.
    """
    found = []
    for word in dict.fromkeys(text.encode(errors="replace").decode().split()):
        is_plain = _PLAIN_WORD.fullmatch(word) and word.lower() != _LAST
        doubled = word.replace('"', '""')
        if fold(word).strip():
            found.append(word if is_plain else f'"{doubled}"')
    return " ".join(found)


_PLAIN_WORD = re.compile(r"[^\W_][\w.,@/+-]*")  # Needs no quotes


def _refuse_nothing(text: str, match: re.Match[str], field: str) -> NoReturn:
    if text[match.end() : match.end() + 1] == '"':
        raise FilterError('A quote is not closed. End it with ".')
    if field:
        raise FilterError(f"{_quoted(field)} needs a value.")
    raise FilterError('Nothing to search for. Write a word, or put - in quotes: "-".')


_NUMBER = re.compile(
    r"(?P<sign>-?)(?P<digits>\d{1,3}(,\d{3})+|\d+(_\d+)*)?(?P<rest>\.\d+)?(?P<unit>[kmb]?)",
    re.ASCII | re.IGNORECASE,
)
_POWERS = {"": 0, "k": 3, "m": 6, "b": 9}
_PERIOD = re.compile(r"(\d{1,6})(s|min|m|h|d|w)", re.ASCII | re.IGNORECASE)
_UNITS = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}
LONGEST_NUMBER = 100


def read_number(text: str) -> Decimal | None:
    """Parse an exact number: `10000`, `10k`, `1.5m`, `2b`, `2,500,000`, `1_000`, `-3`.

    Commas only separate thousands: `1,5` is ambiguous and returns None.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > LONGEST_NUMBER or not (match["digits"] or match["rest"]):
        return None
    digits = (match["digits"] or "0").replace(",", "").replace("_", "")
    number = Decimal(f"{match['sign']}{digits}{match['rest'] or ''}")
    return number.scaleb(_POWERS[match["unit"].lower()], EXACT)


def read_period(text: str) -> timedelta | None:
    """Parse a period from seconds to weeks: `45s`, `30m`, `30min`, `1h`, `7d`, `2w`."""
    match = _PERIOD.fullmatch(text)
    return None if match is None else int(match[1]) * _UNITS[match[2].lower()]


_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORTEST_WEEKDAY = 3  # Characters


def read_day(text: str, today: date) -> date | None:
    """Parse an ISO 8601 day, `today`, `yesterday` or a weekday: the newest one up to today.

    It has no zone: midnight does not exist where clocks skip it.
    """
    word = text.lower()
    if word in _DAYS:
        return today - timedelta(days=word == "yesterday")
    for number, name in enumerate(_WEEKDAYS):
        if len(word) >= _SHORTEST_WEEKDAY and name.startswith(word):
            return today - timedelta(days=(today.weekday() - number) % len(_WEEKDAYS))
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def read_moment(text: str, zone: tzinfo | None = UTC) -> datetime | None:
    """Parse an ISO 8601 time; without an offset it is in `zone`, or in the local zone if None."""
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None and zone is not None:
            moment = moment.replace(tzinfo=zone)
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


R = TypeVar("R")
Test = Callable[[object], bool]
ValueTest = Callable[[fields.Scalar], bool]
Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class TimeContext:
    """The clock and the time zone of a filter.

    Attributes:
        now: returns service time; called at each test of an age or of a day such as `today`.
        zone: of days and of times without an offset; None: the local zone.
    """

    now: Now
    zone: tzinfo | None = UTC

    def day(self, value: date) -> date:
        """Return the day of a time; at the limits of the calendar, without conversion."""
        if not isinstance(value, datetime):
            return value
        try:
            return value.astimezone(self.zone).date()
        except (OverflowError, ValueError):
            return value.date()

    @property
    def today(self) -> date:
        return self.day(self.now())

    @property
    def zone_name(self) -> str:
        """The current abbreviation of the zone: `UTC`."""
        return self.now().astimezone(self.zone).strftime("%Z")


@dataclass(frozen=True, slots=True)
class Filter:
    """A predicate on rows; call it with a row. If it `ages`, it depends on the current time."""

    text: str
    tests: tuple[Test, ...]
    ages: bool

    def __call__(self, row: object) -> bool:
        return all(test(row) for test in self.tests)

    def among(self, rows: Sequence[R]) -> Sequence[R]:
        """Return the rows that match, in their order; faster than a call for each row."""
        for test in self.tests:
            rows = [row for row in rows if test(row)]
        return rows


def parse_filter(
    text: str,
    known: Sequence[fields.Field],
    when: TimeContext,
    texts: fields.SearchText | None = None,
) -> Filter:
    """Compile a filter, see the module's docstring; raise FilterError if it is invalid.

    Args:
        text: a blank one matches every row.
        known: the fields that it can name; its words are searched for in the textual ones.
        texts: returns the text of a row to search for words; None: derived from `known`.
    """
    terms = parse_terms(text)
    searched = texts or fields.search_text(known)
    tests = tuple(_test(term, known, when, searched) for term in terms)
    return Filter(text, tests, ages=any(term.is_age or _is_relative(term) for term in terms))


def _is_relative(term: Term) -> bool:
    """Return True if the value is a day that depends on the current one."""
    return bool(term.field) and term.value.isalpha() and read_day(term.value, date.max) is not None


def unknown_word(
    text: str,
    known: Sequence[fields.Field],
    rows: Sequence[object],
    words: Mapping[str, Sequence[str]],
) -> str:
    """Return a message on the first code in a valid filter that no row can have, or on a day.

    Such as `No such status: bogus. Known: active, closed.`; empty if all codes exist. `words`
    are the known codes of each field: the names of states.
    """
    for term in parse_terms(text):
        if not term.field and term.value in _DAYS and fields.find_fields("created", known):
            return f"{term.value} was searched as text. The day: created:{term.value}."
        meant = fields.find_fields(term.field, known) if term.field and not term.negated else []
        if not meant or any(field.type is not fields.FieldType.CODE for field in meant):
            continue
        found = _codes(meant, rows, words)
        if found and not any(_text_test(term, field)(word) for field in meant for word in found):
            return f"No such {term.field}: {term.value}. Known: {', '.join(sorted(found))}."
    return ""


def _codes(
    meant: Sequence[fields.Field], rows: Sequence[object], words: Mapping[str, Sequence[str]]
) -> set[str]:
    found = {str(value) for field in meant for row in rows for value in field.values(row)}
    return found | {word for field in meant for word in words.get(field.name, ())}


_DAYS = ("today", "yesterday")

_BEGUN = re.compile(
    r"(?:^|\s)-?(?:(?P<field>[A-Za-z][\w.-]*)[:=](?:[\w.-]*,)*)?(?P<word>[\w.-]*)$",
)


def completions(
    text: str,
    names: Sequence[str],
    known: Sequence[fields.Field],
    rows: Sequence[object],
    words: Mapping[str, Sequence[str]],
) -> list[str]:
    """Return the texts that complete the last word of a filter to a name of a field, or to a code.

    `words` are the known codes of each field, as for `unknown_word`.
    """
    begun = _BEGUN.search(text)
    if begun is None:
        return []
    before, word = text[: begun.start("word")], begun["word"].lower()
    if not begun["field"]:
        return [f"{before}{name}:" for name in names if name.startswith(word)]
    meant = fields.find_fields(begun["field"], known)
    codes = [field for field in meant if field.type is fields.FieldType.CODE]
    is_time = any(field.type in (fields.FieldType.TIME, fields.FieldType.DATE) for field in meant)
    offered = (*_codes(codes, rows, words), *(_DAYS if is_time else ()))
    found = sorted(code for code in offered if fold(code).startswith(fold(word)))
    return [f'{before}"{code}"' if " " in code else f"{before}{code}" for code in found]


def example(
    name: str, meant: Sequence[fields.Field], rows: Sequence[object], when: TimeContext
) -> str:
    """Return a condition on a field that one of the rows satisfies, else one that could hold.

    Args:
        name: as it may be typed.
        meant: the fields that it means, at least one.
    """
    first = meant[0]
    found = next((value for row in rows for field in meant for value in field.values(row)), None)
    match first.type:
        case fields.FieldType.NUMBER:
            return f"{name}>=10k" if found is None else f"{name}>={found:f}"
        case fields.FieldType.TIME | fields.FieldType.DATE:
            return f"{name}:{when.day(found) if isinstance(found, date) else when.today}"
        case fields.FieldType.FLAG:
            return f"{name}:no" if found is False else f"{name}:yes"
        case fields.FieldType.TEXT | fields.FieldType.CODE:
            text = str(found or "").partition('"')[0][:24].strip()  # not all of a long text
            return f"{name}:{text or '…'}" if " " not in text else f'{name}:"{text}"'


def _test(
    term: Term, known: Sequence[fields.Field], when: TimeContext, texts: fields.SearchText
) -> Test:
    test = _condition(term, known, when) if term.field else _word(term, known, texts)
    return (lambda row: not test(row)) if term.negated else test


def _word(term: Term, known: Sequence[fields.Field], texts: fields.SearchText) -> Test:
    sought, number = _sought(term.value), read_number(term.value)
    if number is None:
        return lambda row: sought in texts(row)
    amounts = [field.values for field in known if fields.is_amount(field)]
    return lambda row: sought in texts(row) or any(number in read(row) for read in amounts)


def _condition(term: Term, known: Sequence[fields.Field], when: TimeContext) -> Test:
    meant = fields.find_fields(term.field, known)
    if not meant:
        hint = did_you_mean(term.field, fields.names_of(known))
        unknown = f"Unknown field {_quoted(term.field)}."
        message = f"{unknown} {hint.rstrip()}"
        is_fit = hint and len(message) <= LONGEST_MESSAGE
        raise FilterError(message if is_fit else f"{unknown} Quote it to search for it.")
    pairs = [(field.values, _value_test(term, field, when)) for field in meant]
    return lambda row: any(test(value) for read, test in pairs for value in read(row))


def _value_test(term: Term, field: fields.Field, when: TimeContext) -> ValueTest:
    match field.type:
        case fields.FieldType.NUMBER:
            return _number_test(term)
        case fields.FieldType.TIME if term.is_age:
            return _age_test(term, when.now)
        case fields.FieldType.TIME | fields.FieldType.DATE:
            return _time_test(term, when)
        case fields.FieldType.FLAG:
            return _flag_test(term)
        case fields.FieldType.TEXT | fields.FieldType.CODE:
            return _text_test(term, field)


def _text_test(term: Term, field: fields.Field) -> ValueTest:
    if term.operator not in (Operator.HAS, Operator.IS):
        raise FilterError(f"{_quoted(term.field)} is text: compare it with : or =.")
    if field.type is fields.FieldType.CODE:
        codes = sought_codes(term)
        if term.operator is Operator.IS:
            return lambda value: isinstance(value, str) and fold(value) in codes
        # `status:active` must not match `inactive`.
        return lambda value: isinstance(value, str) and fold(value).startswith(codes)
    sought = _sought(term.value)
    if term.operator is Operator.IS:
        return lambda value: isinstance(value, str) and fold(value) == sought
    return lambda value: isinstance(value, str) and sought in fold(value)


def sought_codes(term: Term) -> tuple[str, ...]:
    """Return the codes of a term, which commas separate, folded."""
    codes = (fold(code) for code in term.value.split(","))
    return tuple(filter(None, codes)) or (_sought(""),)


def _sought(text: str) -> str:
    sought = fold(text)
    if not sought:
        raise FilterError("Nothing to search for. Add letters.")
    return sought


def _number_test(term: Term) -> ValueTest:
    bound = read_number(term.value)
    if bound is None:
        _refuse_value(term, "a number", "10k or 2,500,000")
    compare = _COMPARISONS[term.operator]
    return lambda value: isinstance(value, Decimal) and compare(value, bound)


def _age_test(term: Term, now: Now) -> ValueTest:
    bound = read_period(term.value)
    if bound is None:
        _refuse_value(term, "a duration", "30m or 7d")
    if term.operator in (Operator.HAS, Operator.IS):
        raise FilterError(f"{_quoted(term.field)} needs < or >, e.g. {term.field}<1h.")
    compare = _COMPARISONS[term.operator]
    return lambda value: isinstance(value, datetime) and compare(now() - value, bound)


def _time_test(term: Term, when: TimeContext) -> ValueTest:
    compare = _COMPARISONS[term.operator]
    if _is_relative(term):
        # Read at each test: the filter may be in use at midnight.
        return lambda value: (
            isinstance(value, date) and compare(when.day(value), read_day(term.value, when.today))
        )
    if (day := read_day(term.value, when.today)) is not None:
        return lambda value: isinstance(value, date) and compare(when.day(value), day)
    if (moment := read_moment(term.value, when.zone)) is None:
        _refuse_value(term, "a date", f"{when.today} or today, or: last 7d")
    return lambda value: isinstance(value, date) and compare(_first_moment(value), moment)


def _first_moment(value: date) -> datetime:
    if isinstance(value, datetime):
        return value
    return datetime(value.year, value.month, value.day, tzinfo=UTC)


def _flag_test(term: Term) -> ValueTest:
    wanted = {"yes": True, "true": True, "no": False, "false": False}.get(term.value.lower())
    if wanted is None or term.operator not in (Operator.HAS, Operator.IS):
        raise FilterError(f"{_quoted(term.field)} is yes or no. Compare it with : or =.")
    return lambda value: value is wanted


def _refuse_value(term: Term, wanted: str, examples: str) -> NoReturn:
    raise FilterError(f"{_quoted(term.field)} needs {wanted}, e.g. {examples}.")


_COMPARISONS: Mapping[Operator, Callable[[Any, Any], bool]] = MappingProxyType(
    {
        Operator.HAS: operator.eq,
        Operator.IS: operator.eq,
        Operator.ABOVE: operator.gt,
        Operator.BELOW: operator.lt,
        Operator.AT_LEAST: operator.ge,
        Operator.AT_MOST: operator.le,
    }
)
