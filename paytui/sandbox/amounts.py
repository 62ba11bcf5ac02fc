"""Exact amounts: as decimal text in the database and on the wire, as Decimal in between."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal, Inexact, InvalidOperation

from paytui.sandbox.currencies import CURRENCIES

WHOLE_DIGITS = 15
"""The most digits before the decimal point that an amount may have."""

EXACT = Context(prec=60, traps=[Inexact, InvalidOperation])
"""Arithmetic on amounts; raises rather than lose a digit."""

_WIDE = Context(prec=60)
_FINE = Decimal("1e-12")
_UNITS = {code: Decimal(1).scaleb(-currency.digits) for code, currency in CURRENCIES.items()}


def unit(currency: str) -> Decimal:
    """The smallest amount of a currency: 0.01 USD, 1 JPY, 0.001 KWD."""
    return _UNITS[currency]


def text(amount: Decimal, currency: str) -> str:
    """An amount with exactly the digits of its currency."""
    return format(EXACT.quantize(amount, unit(currency)), "f")


def rounded(amount: Decimal, currency: str) -> Decimal:
    """To the currency's minor units, half to even."""
    return amount.quantize(unit(currency), ROUND_HALF_EVEN, _WIDE)


def fine(amount: Decimal) -> Decimal:
    """To twelve digits after the point: what rounding remainders are kept to."""
    return amount.quantize(_FINE, ROUND_HALF_EVEN, _WIDE)


def times(amount: Decimal, rate: Decimal) -> Decimal:
    """The product, with every digit."""
    return EXACT.multiply(amount, rate)


def divided(amount: Decimal, rate: Decimal) -> Decimal:
    """The quotient, to sixty digits."""
    return _WIDE.divide(amount, rate)
