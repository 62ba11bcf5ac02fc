"""The options of a picker that match what was typed."""

from __future__ import annotations

from collections.abc import Iterable

from paytui.tui.ticket.model import Option

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
    rows, typed = tuple(options), " ".join(text.casefold().split())
    if not typed:
        return tuple(sorted(rows, key=lambda one: one.why_not != ""))
    words = typed.split()
    ranked = [(_rank(one, typed, words), one) for one in rows]
    found = [(rank, one) for rank, one in ranked if rank is not None and (rank < PART or not free)]
    if not found:
        return () if free else _misspelt(rows, typed)
    found.sort(key=lambda pair: (pair[0], pair[1].why_not != ""))
    return tuple(one for _, one in found)


def _rank(option: Option, typed: str, words: list[str]) -> int | None:
    """Return the quality of a match, 0 for the best; None if it does not match."""
    name, text = option.name.casefold(), search_text(option)
    if len(typed) >= MIN_IDENTIFIER:
        text = f"{text} {option.key} {option.keywords}".casefold()
    if not all(word in text for word in words):
        return None
    if typed in (name, option.key.casefold()):
        return 0
    if name.startswith(typed):
        return 1
    spaced = f" {text}"
    return 2 if all(f" {word}" in spaced for word in words) else PART


def search_text(option: Option) -> str:
    """Return all that an option can be found by, in lower case."""
    return f"{option.name} {option.facts} {option.amount}".casefold()


def _misspelt(options: tuple[Option, ...], typed: str) -> tuple[Option, ...]:
    from rapidfuzz import fuzz, process  # Most texts match as they are typed.

    def likeness(text: str, name: str, **_: object) -> float:
        """Compare a text with a part of a name; with all of one that is shorter."""
        return (fuzz.partial_ratio if len(name) >= len(text) else fuzz.ratio)(text, name)

    names = [option.name.casefold() for option in options]
    found = process.extract(typed, names, scorer=likeness, score_cutoff=FUZZY, limit=len(names))
    found.sort(key=lambda match: (-match[1], options[match[2]].why_not != ""))
    return tuple(options[place] for *_, place in found)
