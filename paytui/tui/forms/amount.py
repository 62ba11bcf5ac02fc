"""Amounts as dealers type them, read so that no slip becomes money (design.md, "Conventions")."""

from __future__ import annotations

import re
from decimal import Decimal

from paytui.domain.money import CurrencyCode, format_amount, minor_units

MOST_DIGITS = 15
"""Of an amount before the point; more is a key that was held down."""

_FIGURE = re.compile(r"(?P<whole>[0-9][0-9,_]*)?(?:\.(?P<fraction>[0-9]+))?(?P<scale>[kKmM]?)")
_WHOLE = re.compile(r"[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+")
_MARKED = re.compile(r"[0-9.,_]+[kKmM]?")
_EXPONENT = re.compile(r"[0-9.,_]+[eE][+-]?[0-9]+")
_SCALES = {"": 0, "k": 3, "m": 6}


class AmountError(ValueError):
    """A text is no amount; the words say why, and how to write it."""


def parse_amount(text: str, currency: CurrencyCode) -> Decimal:
    """The amount that a text means, with as many digits as the currency has.

    >>> parse_amount("1.5m", CurrencyCode("AUD"))
    Decimal('1500000.00')

    Raises:
        AmountError: it means none, or could mean more than one.
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
    """An amount in full with its currency, as it was understood: `1,500,000.00 AUD`."""
    return f"{format_amount(amount, currency)} {currency}"


def _checked(whole: str, fraction: str, scale: int, currency: CurrencyCode) -> Decimal:
    if len(whole.lstrip("0")) + scale > MOST_DIGITS:
        raise AmountError(f"An amount has {MOST_DIGITS} digits before the point at the most.")
    # Digits count as they were typed: 1.500 may well mean fifteen hundred.
    if len(fraction) > scale + minor_units(currency):
        raise AmountError(_too_fine(currency))
    amount = Decimal(f"{whole}.{fraction or '0'}").scaleb(scale)
    if not amount:
        raise AmountError("The amount is zero.")
    return amount.quantize(Decimal(1).scaleb(-minor_units(currency)))


def _too_fine(currency: CurrencyCode) -> str:
    digits = minor_units(currency)
    return f"{currency} has {digits or 'no'} digit{'' if digits == 1 else 's'} after the point."


def _ambiguous(typed: str) -> str:
    return f"{typed} can be read in two ways: write 1.5, or groups of three as in 2,500,000."


def _why_not(typed: str) -> str:
    if not typed:
        return "Type an amount, such as 2,500.00, 1k or 1.5m."
    if typed[0] in "-−(":
        return "An amount is never negative."
    if _EXPONENT.fullmatch(typed):
        return f"{typed} has an exponent: write it out, or as 1k or 1.5m."
    if "," in typed and _MARKED.fullmatch(typed):
        return _ambiguous(typed)
    return f"{typed} is no amount: write it as 2,500.00, 1_000, 1k or 1.5m."
