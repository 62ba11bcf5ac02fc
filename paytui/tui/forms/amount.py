"""Amounts as dealers type them, read so that no slip becomes money (design.md, "Conventions")."""

from __future__ import annotations

import re
from decimal import Decimal

from paytui.money import CurrencyCode, format_amount, minor_units

MOST_WHOLE_DIGITS = 15
"""More is a key that was held down; hundreds of trillions of yen still fit."""

_SHORTHAND = re.compile(r"(?P<number>[0-9][0-9,_]*(?:\.[0-9]+)?|\.[0-9]+)(?P<scale>[kKmM]?)")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+|[0-9]*")
_EXPONENT = re.compile(r"[0-9.,_]+[eE][+-]?[0-9]+")
_SCALES = {"": Decimal(1), "k": Decimal(1_000), "m": Decimal(1_000_000)}


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
    match = _SHORTHAND.fullmatch(typed)
    if match is None:
        raise AmountError(_why_not(typed))
    whole, _, fraction = match["number"].partition(".")
    if _THOUSANDS.fullmatch(whole) is None:
        raise AmountError(_ambiguous(typed))
    plain = f"{whole.replace(',', '').replace('_', '') or '0'}.{fraction or '0'}"
    scale = match["scale"].lower()
    _check_size(plain)
    amount = Decimal(plain) * _SCALES[scale]
    # Digits count as they were typed: 1.500 AUD may well mean fifteen hundred.
    written = amount if scale else Decimal(f"{plain.partition('.')[0]}.{fraction}")
    return _checked(amount, written, currency)


def echo(amount: Decimal, currency: CurrencyCode) -> str:
    """An amount in full with its currency, as it was understood: `1,500,000.00 AUD`."""
    return f"{format_amount(amount, currency)} {currency}"


def _check_size(plain: str) -> None:
    whole, _, fraction = plain.partition(".")
    if max(len(whole.lstrip("0")), len(fraction)) > MOST_WHOLE_DIGITS:
        raise AmountError(f"An amount has {MOST_WHOLE_DIGITS} digits at the most.")


def _checked(amount: Decimal, written: Decimal, currency: CurrencyCode) -> Decimal:
    if amount.adjusted() >= MOST_WHOLE_DIGITS:
        raise AmountError(f"An amount has {MOST_WHOLE_DIGITS} digits at the most.")
    digits = minor_units(currency)
    exact = amount.quantize(Decimal(1).scaleb(-digits)) if amount else amount
    if exact != amount or -int(written.as_tuple().exponent) > _allowed(written, amount, digits):
        raise AmountError(_too_fine(currency, digits))
    if not amount:
        raise AmountError("The amount is zero.")
    return exact


def _allowed(written: Decimal, amount: Decimal, digits: int) -> int:
    """How many digits may have been typed behind the point; of a shorthand, any that vanish."""
    return digits if written is not amount else -int(amount.as_tuple().exponent)


def _too_fine(currency: CurrencyCode, digits: int) -> str:
    match digits:
        case 0:
            return f"{currency} has no digits after the point."
        case 1:
            return f"{currency} has 1 digit after the point."
        case _:
            return f"{currency} has {digits} digits after the point."


def _ambiguous(typed: str) -> str:
    return f"{typed} can be read in two ways: write 1.5, or groups of three as in 2,500,000."


def _why_not(typed: str) -> str:
    if not typed:
        return "Type an amount, such as 2,500.00, 1k or 1.5m."
    if typed[0] in "-−(":
        return "An amount is not negative."
    if _EXPONENT.fullmatch(typed):
        return f"{typed} has an exponent: write it out, or as 1k or 1.5m."
    if "," in typed and re.fullmatch(r"[0-9.,_]+[kKmM]?", typed):
        return _ambiguous(typed)
    return f"{typed} is no amount: write it as 2,500.00, 1_000, 1k or 1.5m."
