"""Parsing and checks of typed values: amounts, bank account numbers, names and countries."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from decimal import Decimal
from functools import lru_cache

from paytui.domain.money import CurrencyCode, format_amount, minor_units
from paytui.tui.forms.draft import Draft
from paytui.tui.forms.schema import Choice, Field, FieldKind, Finding

MAX_DIGITS = 15
"""Digits of an amount before the point; more is a key that was held down."""

_FIGURE = re.compile(r"(?P<whole>[0-9][0-9,_]*)?(?:\.(?P<fraction>[0-9]+))?(?P<scale>[kKmM]?)")
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+")
_MARKED = re.compile(r"[0-9.,_]+[kKmM]?")
_EXPONENT = re.compile(r"[0-9.,_]+[eE][+-]?[0-9]+")
_SCALES = {"": 0, "k": 3, "m": 6}


class AmountError(ValueError):
    """An invalid amount; the message says why, and how to write one."""


def parse_amount(text: str, currency: CurrencyCode) -> Decimal:
    """Parse an amount, with as many digits as the currency has (architecture.md).

    >>> parse_amount("1.5m", CurrencyCode("AUD"))
    Decimal('1500000.00')

    Raises:
        AmountError: the text is invalid or ambiguous.
    """
    typed = text.strip()
    figure = _FIGURE.fullmatch(typed)
    if figure is None or (figure["whole"] is None and figure["fraction"] is None):
        raise AmountError(_why_not(typed))
    whole, fraction = figure["whole"] or "0", figure["fraction"] or ""
    if not _WHOLE.fullmatch(whole):
        raise AmountError(_ambiguous(typed))
    digits, scale = whole.replace(",", "").replace("_", ""), _SCALES[figure["scale"].lower()]
    return _checked(digits, fraction, scale, currency)


def echo(amount: Decimal, currency: CurrencyCode) -> str:
    """Format an amount in full with its currency: `1,500,000.00 AUD`."""
    return f"{format_amount(amount, currency)} {currency}"


def _checked(whole: str, fraction: str, scale: int, currency: CurrencyCode) -> Decimal:
    if len(whole.lstrip("0")) + scale > MAX_DIGITS:
        raise AmountError(f"An amount has {MAX_DIGITS} digits before the point at the most.")
    # Digits count as they were typed: 1.500 may well mean fifteen hundred.
    if len(fraction) > scale + minor_units(currency):
        digits = minor_units(currency)
        words = f"{digits or 'no'} digit{'' if digits == 1 else 's'} after the point."
        raise AmountError(f"{currency} has {words}")
    amount = Decimal(f"{whole}.{fraction or '0'}").scaleb(scale)
    if not amount:
        raise AmountError("The amount is zero.")
    return amount.quantize(Decimal(1).scaleb(-minor_units(currency)))


def _ambiguous(typed: str) -> str:
    return f"{typed} is ambiguous. Write 1.5, or groups of three: 2,500,000."


def _why_not(typed: str) -> str:
    if not typed:
        return "Type an amount, such as 2,500.00, 1k or 1.5m."
    if typed[0] in "-−(":
        return "An amount is never negative."
    if _EXPONENT.fullmatch(typed):
        return f"{typed} has an exponent: write it out, or as 1k or 1.5m."
    if "," in typed and _MARKED.fullmatch(typed):
        return _ambiguous(typed)
    return f"{typed} is not an amount. Try 2500, 1k or 1.5m."


# Each finding about a bank number is a warning, since the service decides. No check is stricter
# than its standard. Numbers are checked as they are sent, without spaces.

_BSB = re.compile(r"[0-9]{6}")
_IBAN = re.compile(r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}")


def judge_iban(text: str) -> Finding | None:
    """Check an IBAN by ISO 13616: check digits, and the country's length and format."""
    from stdnum import iban  # an import that a first paint can do without
    from stdnum.exceptions import InvalidChecksum, InvalidComponent, ValidationError

    try:
        iban.validate(text, check_country=False)
    except InvalidChecksum:
        return _warning("The check digits of this IBAN do not fit: something in it is mistyped.")
    except InvalidComponent:
        return _warning(f"No country is known to have IBANs that begin with {text[:2]}.")
    except ValidationError:
        return _warning(f"An IBAN of {text[:2]} is not written like this.")
    return None


def judge_bic(text: str) -> Finding | None:
    """Check a BIC by ISO 9362: 8 or 11 characters, the fifth and sixth a country."""
    from stdnum import bic

    return None if bic.is_valid(text) else _warning("A BIC is written as FNBAUS33 or FNBAUS33XXX.")


def judge_bsb(text: str) -> Finding | None:
    """Check an Australian bank-state-branch code; hyphens are ignored."""
    return (
        None
        if _BSB.fullmatch(text.replace("-", ""))
        else _warning("A BSB has six digits, as in 062-000.")
    )


def judge_aba(text: str) -> Finding | None:
    """Check a routing transit number of the American Bankers Association."""
    from stdnum.us import rtn

    if rtn.is_valid(text):
        return None
    return _warning("An ABA routing number has nine digits, of which the last fits the others.")


def judge_account_number(text: str) -> Finding | None:
    """Warn of an IBAN in the field for account numbers."""
    if _IBAN.fullmatch(text) and judge_iban(text) is None:
        return _warning("This is an IBAN, which has a field of its own.")
    return None


def _warning(words: str) -> Finding:
    return Finding(words, overridable=True)


_ALIKE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts with letters that look alike."""


def judge_name(text: str, _: Draft) -> Finding | None:
    """Warn of a word that mixes scripts, such as `Аcme` with a Cyrillic `А` (Unicode TR 39)."""
    for word in text.split():
        scripts = [(letter, _script(letter)) for letter in word]
        alike = [(letter, script) for letter, script in scripts if script in _ALIKE]
        ranked = Counter(script for _, script in alike).most_common()
        if len(ranked) > 1:
            odd, script = next(one for one in alike if one[1] == ranked[-1][0])
            words = f"“{odd}” in {word} is {script.title()}, among {ranked[0][0].title()} letters."
            return Finding(words, overridable=True)
    return None


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ", 1)[0] if letter.isalpha() else ""


_NO_COUNTRIES = "AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ"
"""Two-letter codes in CLDR that are not countries of ISO 3166."""


@lru_cache(maxsize=1)
def country_choices() -> tuple[Choice, ...]:
    """Return all countries of ISO 3166, by their English names in CLDR."""
    from babel import Locale  # an import that a first paint can do without

    named = Locale("en").territories.items()
    # Numeric codes are regions.
    codes = [each for each in named if each[0].isalpha() and each[0] not in _NO_COUNTRIES.split()]
    choices = (Choice(key=code, words=name, about=code) for code, name in codes)
    return tuple(sorted(choices, key=lambda choice: choice.words))


def country_field(key: str, label: str = "Country", *, about: str = "") -> Field:
    """Return a country field, which is sent as a two-letter code."""
    return Field(
        key=key,
        label=label,
        kind=FieldKind.COUNTRY,
        help=" ".join(filter(None, [about, "Type its name or its two-letter code."])),
        choices=country_choices,
    )
