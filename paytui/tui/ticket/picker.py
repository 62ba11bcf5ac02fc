"""Pickers: the options that are offered first or match, and identifiers typed in their place.

An identifier is typed where there is nothing to choose from (service.md §4). The worker reads the
object or, if the service has no such read, adds it. It is then chosen like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from paytui.api.resources import KIND_OF, identifier_of
from paytui.domain.intent import IntentRow
from paytui.domain.models import PaymentAddress, Record, Wallet
from paytui.domain.money import CurrencyCode
from paytui.platform.text import clean, fold
from paytui.store.store import Store
from paytui.tui.format.cells import WRONG
from paytui.tui.format.feeds import noun, noun_of_one
from paytui.tui.theme.tones import Cell, Tone
from paytui.tui.ticket.model import Option
from paytui.tui.ui_context import UiContext

_CURRENCY = re.compile("[A-Z]{3}")

MIN_IDENTIFIER = 4
"""Characters from which on a text may be part of an identifier or keyword, not on screen."""

PART = 3  # The rank of an option that has the typed words only as parts of its own

FUZZY = 80  # The score from 0 to 100 from which on a text counts as misspelt


def narrowed(options: Iterable[Option], text: str, *, free: bool = False) -> tuple[Option, ...]:
    """Return the options that match a text, the best first.

    An option matches if each typed word is part of it: of its name, currency, account number or
    identifier. A name that begins with the text comes before one that has it elsewhere. Only if
    none matches, misspelt ones are found. Among equals, those that cannot be chosen come last: a
    payee that cannot be paid does not give way to another that happens to match as well. A `free`
    field may hold another text: then an option matches only if its words begin with those typed.
    """
    rows, typed = tuple(options), " ".join(fold(text).split())
    if not typed:
        return tuple(sorted(rows, key=lambda one: one.why_not != ""))
    words = typed.split()
    ranked = [(_rank(one, typed, words), one) for one in rows]
    found = [(rank, one) for rank, one in ranked if rank is not None and (rank < PART or not free)]
    if not found:
        return () if free else _misspelt(rows, typed)
    found.sort(key=lambda pair: (pair[0], pair[1].why_not != "", pair[1].asks))
    return tuple(one for _, one in found)


def _rank(option: Option, typed: str, words: list[str]) -> int | None:
    """Return the quality of a match, 0 for the best; None if it does not match."""
    name, text = fold(option.name), f"{option.name} {option.facts} {option.amount}"
    if len(typed) >= MIN_IDENTIFIER:
        text += f" {option.key} {option.keywords}"
    text = fold(text)
    if typed in option.keywords.split():
        return 0
    if not all(word in text for word in words):
        return None
    if typed in (name, fold(option.key).strip()):
        return 0
    if name.startswith(typed):
        return 1
    spaced = f" {text}"
    return 2 if all(f" {word}" in spaced for word in words) else PART


def _misspelt(options: tuple[Option, ...], typed: str) -> tuple[Option, ...]:
    from rapidfuzz import fuzz, process  # Most texts match as they are typed.

    def likeness(text: str, name: str, **_: object) -> float:
        """Compare a text with a part of a name; with all of one that is shorter."""
        return (fuzz.partial_ratio if len(name) >= len(text) else fuzz.ratio)(text, name)

    names = [fold(option.name) for option in options]
    found = process.extract(typed, names, scorer=likeness, score_cutoff=FUZZY, limit=len(names))
    found.sort(key=lambda match: (-match[1], options[match[2]].why_not != ""))
    return tuple(options[place] for *_, place in found)


def recent_first(
    store: Store,
    options: Iterable[Option],
    key_of: Callable[[IntentRow], str | None],
    limit: int | None = None,
) -> tuple[Option, ...]:
    """Return the options with those of the last intents confirmed here first, latest first."""
    ours = (row for row in store.intents.rows() if not row.is_colleagues)
    rows = sorted(ours, key=lambda row: row.confirmed_at, reverse=True)
    recent = list(dict.fromkeys(key for row in rows if (key := key_of(row))))[:limit]
    places = {key: place for place, key in enumerate(recent)}
    return tuple(sorted(options, key=lambda one: places.get(one.key, len(places))))


def only_option(options: Iterable[Option]) -> str | None:
    """Return the key of the only option that can be chosen, unless it has to be moved to."""
    possible = [one for one in options if not one.why_not]
    return possible[0].key if len(possible) == 1 and not possible[0].asks else None


# Identifiers


def named_object(ui: UiContext, names: tuple[Record, ...], text: str) -> Record | str:
    """Return the object that a text names, or what the text lacks.

    `names` are templates of the objects that it may be. A wallet or payment address of unknown
    currency is named with it: `123 USD`.
    """
    identifier, _, currency = clean(text).strip().partition(" ")
    currency = currency.strip().upper()
    if not identifier or not (currency == "" or _CURRENCY.fullmatch(currency)):
        asked = (f"{_noun(one)} id{' and its currency' * _lacks_currency(one)}" for one in names)
        return f"Type {', or '.join(asked)}."
    tables = [ui.store.table(KIND_OF[type(one)]) for one in names]
    known = [table.get(identifier) for table in tables]
    meant = [one for one, row in zip(names, known, strict=True) if row is not None]
    meant += [one for one in names if _lacks_currency(one) == bool(currency)]
    template = (*meant, *names)[0]
    given: dict[str, Any] = {fields(template)[0].name: identifier}
    named = replace(template, **given)
    if not isinstance(named, Wallet | PaymentAddress) or named.currency is not None:
        return named
    there = next((row for row in known if isinstance(row, type(named))), None)
    told = there.currency if there else None
    if told is None and not currency:
        return f"Type its currency too: {identifier} USD."
    is_other = told is not None and currency not in ("", told)
    if is_other and not _was_typed(ui, there):
        return f"{identifier} is in {told}, not {currency}."
    return replace(named, currency=CurrencyCode(currency) if currency else told)


def is_there(ui: UiContext, awaited: Record) -> bool:
    """Return True if the worker has the object as it was typed."""
    row = ui.store.table(KIND_OF[type(awaited)]).get(identifier_of(awaited))
    if _was_typed(ui, row) and _currency_of(row) != _currency_of(awaited):
        return False  # the worker has yet to replace what was typed before
    return row is not None


def waiting_words(ui: UiContext, awaited: Record) -> Iterator[Cell]:
    """Yield that an object is being read, and why it could not be."""
    yield Cell(f"Requesting {identifier_of(awaited)} from the service …", Tone.MUTED)
    if (problem := ui.store.feed(KIND_OF[type(awaited)]).problem) is not None:
        yield WRONG.cell(str(problem))


def unlisted_words(names: tuple[Record, ...]) -> str:
    listed = " or ".join(noun(KIND_OF[type(one)]) for one in names)
    return f"This service has no list of {listed}: type or paste an identifier."


def identifier_hint(names: tuple[Record, ...]) -> str:
    """Return the hint of a field that takes an identifier; empty if it takes none."""
    if not names:
        return ""
    lacking = [_noun(one) for one in names if _lacks_currency(one)]
    label = f"{' or '.join(map(_noun, names))} id"
    if len(lacking) == len(names):
        return f"{label} and its currency: 123 USD"
    return f"{label}; of a {lacking[0]} with its currency: 123 USD" if lacking else label


def _was_typed(ui: UiContext, row: Record | None) -> bool:
    """Return True if no more is known of an object than was typed; it can be corrected."""
    if not isinstance(row, Wallet | PaymentAddress) or row.status is None:
        return False
    created_here = ui.own_record.of(KIND_OF[type(row)], identifier_of(row)) is not None
    return row.status.as_created and not created_here


def _noun(named: Record) -> str:
    return noun_of_one(KIND_OF[type(named)])


def _currency_of(record: Record | None) -> CurrencyCode | None:
    return record.currency if isinstance(record, Wallet | PaymentAddress) else None


def _lacks_currency(named: Record) -> bool:
    return isinstance(named, Wallet | PaymentAddress) and named.currency is None
