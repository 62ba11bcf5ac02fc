"""Amounts, currencies and rates: exact decimals, desk directions, and how they are written.

Sources: minor units from ISO 4217 (list one of 2026-01-01), through babel's CLDR data where both
agree; direction of a rate: service.md §2 ("a rate of r means 1 unit of sell currency yields r
units of buy currency").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from typing import NewType

CurrencyCode = NewType("CurrencyCode", str)
"""An ISO 4217 alphabetic code, such as `AUD`; codes that we do not know are kept as they came."""

DESK_ORDER: tuple[CurrencyCode, ...] = tuple(
    CurrencyCode(code) for code in ("EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF")
)
"""Market convention: of two currencies the earlier is the base. All others follow, JPY last."""

ASSUMED_MINOR_UNITS = 2

_ISO_MINOR_UNITS = {
    **dict.fromkeys(("AFN", "ALL", "IRR", "KPW", "LAK", "LBP"), 2),
    **dict.fromkeys(("MGA", "MMK", "RSD", "SOS", "SYP", "YER"), 2),
    "IQD": 3,
}
"""Currencies for which CLDR has the digits of cash, which are fewer than those of payments."""

MISSING = "—"
_WIDE = Context(prec=80)


@dataclass(frozen=True, slots=True)
class Money:
    """An exact amount of one currency."""

    amount: Decimal
    currency: CurrencyCode


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """A currency pair in the service's direction: what is sold, what is bought."""

    sell: CurrencyCode
    buy: CurrencyCode

    @property
    def reverse(self) -> Pair:
        """The same two currencies, dealt the other way."""
        return Pair(self.buy, self.sell)

    def market(self, order: Sequence[CurrencyCode] = DESK_ORDER) -> str:
        """The pair as the market writes it, base first: `AUD/USD` for either direction."""
        base, quote = sorted((self.sell, self.buy), key=lambda code: _desk_rank(code, order))
        return f"{base}/{quote}"

    def sells_base(self, order: Sequence[CurrencyCode] = DESK_ORDER) -> bool:
        """Return True if the sold currency is the market's base, so that the rate is a bid."""
        return _desk_rank(self.sell, order) < _desk_rank(self.buy, order)


def _desk_rank(code: CurrencyCode, order: Sequence[CurrencyCode]) -> tuple[int, str]:
    if code in order:
        return order.index(code), ""
    return len(order) + (code == "JPY"), code


@lru_cache(maxsize=1024)
def known_minor_units(currency: CurrencyCode) -> int | None:
    """Digits after the decimal point that a currency has, or None for a code that is not known."""
    from babel.core import get_global  # 20 ms of import that a first paint can do without

    if currency not in get_global("all_currencies"):
        return None
    fractions = get_global("currency_fractions")
    used: int = fractions.get(currency, fractions["DEFAULT"])[0]
    return _ISO_MINOR_UNITS.get(currency, used)


def minor_units(currency: CurrencyCode) -> int:
    """Digits after the decimal point that a currency has; 2 is assumed for an unknown code."""
    digits = known_minor_units(currency)
    return ASSUMED_MINOR_UNITS if digits is None else digits


def plain(number: Decimal) -> str:
    """Every digit of a number, without exponent: what goes into JSON and files."""
    return format(number, "f")


def format_amount(amount: Decimal | None, currency: CurrencyCode) -> str:
    """An amount for reading: grouped, at least its minor units, and never a digit less than it has.

    >>> format_amount(Decimal("1204330.1"), CurrencyCode("AUD"))
    '1,204,330.10'
    >>> format_amount(Decimal("45120900"), CurrencyCode("JPY"))
    '45,120,900'
    """
    if amount is None:
        return MISSING
    digits = max(minor_units(currency), -int(_trimmed(amount).as_tuple().exponent))
    return f"{amount:,.{digits}f}"


def _trimmed(number: Decimal) -> Decimal:
    return number.normalize(_WIDE) if number else Decimal(0)


def significant(rate: Decimal, digits: int = 6) -> str:
    """A rate with at least so many significant digits, and never a digit less than it has."""
    missing = digits - (rate.adjusted() + 1)
    shown = max(missing, -int(rate.as_tuple().exponent), 0)
    return f"{rate:.{shown}f}"


def inverse(rate: Decimal, digits: int = 7) -> Decimal | None:
    """1 / rate, to so many significant digits; None where there is none."""
    if not rate or not rate.is_finite():
        return None
    return Context(prec=digits).divide(Decimal(1), rate)


# What one side of an exchange comes to, where the other is fixed.

_WIDE_HALF_EVEN = Context(prec=80, rounding=ROUND_HALF_EVEN)


def other_amount(
    pair: Pair, fixed: CurrencyCode, amount: Decimal, rate: Decimal | None
) -> Decimal | None:
    """The side that is not fixed, half-even to its minor units; None where no rate is known.

    A rate of r means each 1 sold yields r bought (service.md §2).
    """
    if not rate:
        return None
    if fixed == pair.sell:
        return _rounded(_WIDE_HALF_EVEN.multiply(amount, rate), pair.buy)
    return _rounded(_WIDE_HALF_EVEN.divide(amount, rate), pair.sell)


def _rounded(amount: Decimal, currency: CurrencyCode) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-minor_units(currency)), context=_WIDE_HALF_EVEN)
