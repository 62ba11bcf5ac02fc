"""Whether a filter keeps only what another keeps: then nothing else need be looked at."""

from __future__ import annotations

from collections.abc import Sequence

from paytui.store.fields import Field, FieldType, find_fields
from paytui.store.filter_syntax import Operator, Term, parse_terms

_WORDS = frozenset({FieldType.TEXT, FieldType.CODE})


def narrows(text: str, other: str, known: Sequence[Field]) -> bool:
    """Whether every row that one filter keeps is certainly kept by the other.

    Args:
        text: the one, as it is typed.
        other: the other.
        known: the fields that they can name.

    Raises:
        FilterError: one of them cannot be understood.
    """
    terms = parse_terms(text)
    return all(any(_implies(term, old, known) for term in terms) for old in parse_terms(other))


def _implies(term: Term, other: Term, known: Sequence[Field]) -> bool:
    """A longer piece of text is found only where the shorter is; of all else nothing is said."""
    return (
        not (term.negated or other.negated)
        and term.field == other.field
        and term.operator is other.operator is Operator.HAS
        and term.value.startswith(other.value)
        and all(field.type in _WORDS for field in find_fields(term.field, known))
    )
