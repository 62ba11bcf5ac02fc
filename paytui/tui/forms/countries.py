"""Countries to choose from: two-letter codes of ISO 3166, by their English names in CLDR."""

from __future__ import annotations

from functools import lru_cache

from paytui.tui.forms.declare import Choice

_NO_COUNTRIES = frozenset("AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ".split())
"""Codes that CLDR names, and that ISO 3166 gives to no country."""


@lru_cache(maxsize=1)
def country_choices() -> tuple[Choice, ...]:
    """All that there are, by name."""
    from babel import Locale  # an import that a first paint can do without

    names = Locale("en").territories
    found = [
        Choice(key=code, words=name)
        for code, name in names.items()
        if len(code) == 2 and code not in _NO_COUNTRIES
    ]
    return tuple(sorted(found, key=lambda choice: choice.words))
