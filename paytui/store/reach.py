"""What a filter asks for that may be older than what is kept in memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from paytui.domain.older_rows import Reach
from paytui.store.fields import Field, find_fields
from paytui.store.filter import When
from paytui.store.filter_syntax import Operator, Term, parse_terms
from paytui.store.quantity import read_moment, read_period

MADE = "created_at"

SHORTEST = 6
"""Characters of a word that may be an identifier; one has a digit, too."""

MARGIN = timedelta(days=2)
"""More than asked for is brought back, whatever the zone; the filter itself is exact."""


def reach_of(text: str, known: Sequence[Field], when: When) -> Reach | None:
    """What a filter that can be understood reaches for; None where it names no object and no time.

    Args:
        text: of the filter.
        known: the fields that it can name, the identifier first.
        when: what its times are reckoned by.
    """
    terms = [term for term in parse_terms(text) if not term.negated]
    for term in terms:
        if _may_name_one(term, known):
            return Reach(term.value)
    spans = [_span(term, when) for term in terms if _tells_when(term, known)]
    since = max((since for since, _ in spans if since), default=None)
    until = min((until for _, until in spans if until), default=None)
    return Reach(since=since, until=until) if since or until else None


def _may_name_one(term: Term, known: Sequence[Field]) -> bool:
    if term.field:
        named = [field.name for field in find_fields(term.field, known)]
        return known[0].name in named and term.operator in (Operator.HAS, Operator.IS)
    is_word = len(term.value) >= SHORTEST and " " not in term.value
    return is_word and any(char.isdigit() for char in term.value)


def _tells_when(term: Term, known: Sequence[Field]) -> bool:
    return bool(term.field) and [one.name for one in find_fields(term.field, known)] == [MADE]


def _span(term: Term, when: When) -> tuple[datetime | None, datetime | None]:
    """From when until when, in about."""
    period = read_period(term.value) if term.field.lower() == "age" else None
    if period is not None:
        moment, older = when.now() - period, (Operator.ABOVE, Operator.AT_LEAST)
        return (None, moment + MARGIN) if term.operator in older else (moment - MARGIN, None)
    written = read_moment(term.value, when.zone)
    if written is None:
        return None, None
    since, until = written - MARGIN, written + MARGIN
    match term.operator:
        case Operator.ABOVE | Operator.AT_LEAST:
            return since, None
        case Operator.BELOW | Operator.AT_MOST:
            return None, until
        case _:
            return since, until
