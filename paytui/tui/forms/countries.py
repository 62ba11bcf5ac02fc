"""Countries to choose from: two-letter codes of ISO 3166, by their English names in CLDR."""

from __future__ import annotations

from functools import lru_cache

from paytui.tui.forms.declare import Choice, Field, FieldKind

_NO_COUNTRIES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
"""Codes of two letters that CLDR names, and that ISO 3166 gives to no country."""


@lru_cache(maxsize=1)
def country_choices() -> tuple[Choice, ...]:
    """All that there are, by name."""
    from babel import Locale  # an import that a first paint can do without

    named = Locale("en").territories.items()
    # Codes of figures are of regions.
    codes = [each for each in named if each[0].isalpha() and each[0] not in _NO_COUNTRIES.split()]
    choices = (Choice(key=code, words=name, about=code) for code, name in codes)
    return tuple(sorted(choices, key=lambda choice: choice.words))


def country_field(key: str, label: str = "Country", *, about: str = "") -> Field:
    """A country, which goes out as its code."""
    return Field(
        key=key,
        label=label,
        kind=FieldKind.COUNTRY,
        help=" ".join(filter(None, [about, "Type its name or its two-letter code."])),
        choices=country_choices,
    )
