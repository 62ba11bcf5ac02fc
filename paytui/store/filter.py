"""Filters: a text becomes a test of rows. It never fails on a row, whatever that lacks."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from paytui.platform.text import did_you_mean, fold
from paytui.store.fields import SPELLINGS, Field, FieldType, Scalar, find_fields
from paytui.store.filter_syntax import FilterError, Operator, Term, parse_terms
from paytui.store.quantity import read_day, read_moment, read_number, read_period
from paytui.store.searched import Texts, texts_of

R = TypeVar("R")
Test = Callable[[object], bool]
ValueTest = Callable[[Scalar], bool]
Now = Callable[[], datetime]

_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
_AGE = "age"


@dataclass(frozen=True, slots=True)
class When:
    """What times in a filter are reckoned by.

    Attributes:
        now: service time, asked for at each test of an age.
        zone: in which days are meant, and moments without an offset; None: that of this machine.
    """

    now: Now
    zone: tzinfo | None = UTC

    def day(self, value: date) -> date:
        """The day of a moment; the first and the last moment there are stay on theirs."""
        if not isinstance(value, datetime):
            return value
        try:
            return value.astimezone(self.zone).date()
        except (OverflowError, ValueError):
            return value.date()

    @property
    def zone_name(self) -> str:
        """The zone as it is called now: `UTC`."""
        return self.now().astimezone(self.zone).strftime("%Z")


@dataclass(frozen=True, slots=True)
class Filter:
    """What a row must be like to be kept; call it with a row.

    Attributes:
        ages: whether rows come and go as time passes.
    """

    text: str
    tests: tuple[Test, ...]
    ages: bool

    def __call__(self, row: object) -> bool:
        """Whether the row is kept."""
        return all(test(row) for test in self.tests)

    def among(self, rows: Sequence[R]) -> Sequence[R]:
        """Those of some rows that are kept, in their order; of many rows sooner known so."""
        for test in self.tests:
            rows = [row for row in rows if test(row)]
        return rows


def parse_filter(
    text: str, known: Sequence[Field], when: When, texts: Texts | None = None
) -> Filter:
    """The filter that a text describes.

    Args:
        text: see `filter_syntax`; a blank one keeps every row.
        known: the fields that it can name; its words are looked for in all that are text.
        when: what times are reckoned by.
        texts: what words are looked for in; None makes it of `known` at each look.

    Raises:
        FilterError: it cannot be understood.
    """
    terms = parse_terms(text)
    searched = texts or texts_of(known)
    tests = tuple(_test(term, known, when, searched) for term in terms)
    return Filter(text, tests, ages=any(term.field.lower() == _AGE for term in terms))


def unknown_word(
    text: str, known: Sequence[Field], rows: Sequence[object], words: Mapping[str, Sequence[str]]
) -> str:
    """What to say of the first word in a filter that no row has in its field, and none could have.

    Args:
        text: a filter that can be understood.
        known: the fields that it can name.
        rows: all that there are.
        words: by field, what is known to stand there: the names of states.

    Returns:
        `No such status: bogus. Known are: active, closed.`; empty where there is nothing to say.
    """
    for term in parse_terms(text):
        meant = find_fields(term.field, known) if term.field and not term.negated else []
        if not meant or any(field.type is not FieldType.CODE for field in meant):
            continue
        found = {str(value) for field in meant for row in rows for value in field.values(row)}
        found |= {word for field in meant for word in words.get(field.name, ())}
        if found and not any(_text_test(term, field)(word) for field in meant for word in found):
            return f"No such {term.field}: {term.value}. Known are: {', '.join(sorted(found))}."
    return ""


def _test(term: Term, known: Sequence[Field], when: When, texts: Texts) -> Test:
    test = _condition(term, known, when) if term.field else _word(term, texts)
    return (lambda row: not test(row)) if term.negated else test


def _word(term: Term, texts: Texts) -> Test:
    sought = _sought(term)
    return lambda row: sought in texts(row)


def _condition(term: Term, known: Sequence[Field], when: When) -> Test:
    meant = find_fields(term.field, known)
    if not meant:
        _refuse_field(term, known)
    pairs = [(field.values, _value_test(term, field, when)) for field in meant]
    return lambda row: any(test(value) for read, test in pairs for value in read(row))


def _refuse_field(term: Term, known: Sequence[Field]) -> NoReturn:
    words = [*SPELLINGS, *(field.name for field in known)]
    names = [name for name in words if find_fields(name, known)]
    meant = did_you_mean(term.field, names)
    remedy = f'{meant}To look for the text itself, put it in quotes: "{term.field}…".'
    raise FilterError(f"There is no field {term.field} here", term.position, remedy)


def _value_test(term: Term, field: Field, when: When) -> ValueTest:
    match field.type:
        case FieldType.NUMBER:
            return _number_test(term)
        case FieldType.TIME if term.field.lower() == _AGE:
            return _age_test(term, when.now)
        case FieldType.TIME | FieldType.DATE:
            return _time_test(term, when)
        case FieldType.FLAG:
            return _flag_test(term)
        case FieldType.TEXT | FieldType.CODE:
            return _text_test(term, field)


def _text_test(term: Term, field: Field) -> ValueTest:
    sought = _sought(term)
    match term.operator:
        case Operator.IS:
            return lambda value: isinstance(value, str) and fold(value) == sought
        case Operator.HAS if field.type is FieldType.CODE:
            # `status:active` must not find what is inactive.
            return lambda value: isinstance(value, str) and fold(value).startswith(sought)
        case Operator.HAS:
            return lambda value: isinstance(value, str) and sought in fold(value)
        case _:
            name = term.field
            raise FilterError(
                f"{name} is text and has no order", term.position, f"Write {name}:… or {name}=…."
            )


def _sought(term: Term) -> str:
    sought = fold(term.value)
    if not sought:
        what = "There is nothing but accents to look for"
        raise FilterError(what, term.position, "Write the letters that they stand on.")
    return sought


def _number_test(term: Term) -> ValueTest:
    bound = read_number(term.value)
    if bound is None:
        _refuse_value(term, "a number", "10000, 10k, 1.5m or 2,500,000")
    compare = _COMPARISONS[term.operator]
    return lambda value: isinstance(value, Decimal) and compare(value, bound)


def _age_test(term: Term, now: Now) -> ValueTest:
    bound = read_period(term.value)
    if bound is None:
        _refuse_value(term, "a period", "45s, 30m, 1h, 7d or 2w")
    if term.operator in (Operator.HAS, Operator.IS):
        what = f"An age is hardly ever exactly {term.value}"
        remedy = f"Write {term.field}<{term.value} or {term.field}>{term.value}."
        raise FilterError(what, term.position, remedy)
    compare = _COMPARISONS[term.operator]
    return lambda value: isinstance(value, datetime) and compare(now() - value, bound)


def _time_test(term: Term, when: When) -> ValueTest:
    is_day = _is_day(term.value)
    bound = read_day(term.value) if is_day else read_moment(term.value, when.zone)
    if bound is None:
        examples = f"2026-03-02, a day in {when.zone_name}, or 2026-03-02T14:00Z"
        _refuse_value(term, "a day or a moment", examples)
    compare = _COMPARISONS[term.operator]
    read = when.day if is_day else _first_moment
    return lambda value: isinstance(value, date) and compare(read(value), bound)


def _is_day(text: str) -> bool:
    return ":" not in text and "T" not in text.upper()


def _first_moment(value: date) -> datetime:
    if isinstance(value, datetime):
        return value
    return datetime(value.year, value.month, value.day, tzinfo=UTC)


def _flag_test(term: Term) -> ValueTest:
    wanted = _FLAGS.get(term.value.lower())
    if wanted is None or term.operator not in (Operator.HAS, Operator.IS):
        remedy = f"Write {term.field}:yes or {term.field}:no."
        raise FilterError(f"{term.field} is yes or no", term.position, remedy)
    return lambda value: value is wanted


def _refuse_value(term: Term, wanted: str, examples: str) -> NoReturn:
    what = f"{term.value} is not {wanted}, as {term.field} needs"
    raise FilterError(what, term.position, f"Write, for example, {examples}.")


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
