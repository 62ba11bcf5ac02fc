"""Suggestions for a misspelt name."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 0.6
"""How alike, of 1, a name must be to be suggested; at less, most suggestions are nonsense."""


def nearest(name: str, known: Iterable[str], alike: float = ALIKE) -> str | None:
    """Return the known name that is most like `name`, in any case; None if none is alike."""
    from difflib import get_close_matches

    by_letters = {one.casefold(): one for one in known}
    near = get_close_matches(name.casefold(), by_letters, n=1, cutoff=alike)
    return by_letters[near[0]] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `Did you mean NAME? ` with a blank behind it; empty if no known name is alike."""
    near = nearest(name, known)
    return "" if near is None else f"Did you mean {near}? "
