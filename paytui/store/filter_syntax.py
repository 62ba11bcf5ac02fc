"""How a filter is written: words, and conditions on fields. It knows nothing of objects.

    acme "unit 4" -sydney status:released ccy:usd amount>=10k -age<1h

All terms must hold; `-` turns one around. Quotes keep spaces, and signs that mean something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Operator(StrEnum):
    """How a field is compared."""

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
        position: where it begins, counted from 1.
        negated: whether it is to be false.
        field: the field as it was written; empty for a word that is looked for anywhere.
        value: what the field is compared with, or the word; never empty.
    """

    position: int
    negated: bool
    field: str
    operator: Operator
    value: str


class FilterError(ValueError):
    """A filter that cannot be understood: what, where, and what to write instead."""

    def __init__(self, what: str, position: int, remedy: str) -> None:
        super().__init__(f"{what} (at {position}). {remedy}")


_TERM = re.compile(
    r"""
    (?P<negated>-)?
    (?:(?P<field>[A-Za-z][\w.]*)(?P<operator><=|>=|[:=<>]))?
    (?:"(?P<quoted>[^"]*)"|(?P<word>[^\s"]*))
    """,
    re.VERBOSE,
)
_BLANKS = re.compile(r"\s*")


def parse_terms(text: str) -> list[Term]:
    """The terms of a filter, in their order; none for one that is blank.

    Raises:
        FilterError: a quote is not closed, or a condition says nothing.
    """
    return list(_terms(text))


def _terms(text: str) -> Iterator[Term]:
    at = _end_of_blanks(text, 0)
    while at < len(text):
        match = _TERM.match(text, at)
        assert match is not None, "every part of the pattern may be empty"
        yield _term(text, match)
        at = _end_of_blanks(text, match.end())


def _end_of_blanks(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    assert match is not None, "it may be empty"
    return match.end()


def _term(text: str, match: re.Match[str]) -> Term:
    position = match.start() + 1
    value = match["quoted"] if match["quoted"] is not None else match["word"]
    if not value.strip():
        _refuse_nothing(text, match, position)
    operator = Operator(match["operator"] or Operator.HAS)
    return Term(position, match["negated"] is not None, match["field"] or "", operator, value)


def _refuse_nothing(text: str, match: re.Match[str], position: int) -> None:
    if text[match.end() : match.end() + 1] == '"':
        raise FilterError("A quote is not closed", match.end() + 1, 'End it with ".')
    if match["field"]:
        name = f"{match['field']}{match['operator']}"
        raise FilterError(f"{name} says nothing", position, f"Write a value: {name}…")
    remedy = 'Write a word, or put - in quotes to look for it: "-".'
    raise FilterError("There is nothing to look for", position, remedy)
