"""Amounts, currencies, pairs and rates: exact arithmetic, formatting and parsing.

Sources: minor units from ISO 4217 (list one of 2026-01-01), those of former currencies from CLDR;
direction of a rate: service.md §2 ("a rate of r means 1 unit of sell currency yields r units of buy
currency").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum
from functools import reduce
from typing import NewType

CurrencyCode = NewType("CurrencyCode", str)
"""An ISO 4217 alphabetic code: `AUD`. Unknown codes are kept as received."""

DESK_ORDER: tuple[CurrencyCode, ...] = tuple(
    CurrencyCode(code) for code in ("EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF")
)
"""Market convention: of two currencies the earlier is the base. Others follow, JPY last."""

_CURRENCIES = {
    0: """
ADP BIF BYR CLP DJF ESP GNF ISK ITL JPY KMF KRW LUF MGF MRO PYG RWF SLL STD TMM TRL UGX
UYI VND VUV XAF XOF XPF ZMK ZWD
""",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
"""By decimal places, if they are not two. To load babel's data takes 20 ms, and 3 MB that stay."""

_MINOR_UNITS = {code: digits for digits, codes in _CURRENCIES.items() for code in codes.split()}

MISSING = "—"
EXACT = Context(prec=120)  # Wide enough for exact sums of any amounts, and rounds half-even


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """Return the sum with every digit."""
    return reduce(EXACT.add, amounts, Decimal(0))


@dataclass(frozen=True, slots=True)
class Money:
    """An exact amount of one currency."""

    amount: Decimal
    currency: CurrencyCode


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """A currency pair in the service's direction: sold, then bought."""

    sell: CurrencyCode
    buy: CurrencyCode

    @property
    def reverse(self) -> Pair:
        return Pair(self.buy, self.sell)

    def market(self, order: Sequence[CurrencyCode] = DESK_ORDER) -> str:
        """Return the market's name, base first: `AUD/USD` for either direction."""
        base = self.base_sold(order)
        return f"{base.sell}/{base.buy}"

    def base_sold(self, order: Sequence[CurrencyCode] = DESK_ORDER) -> Pair:
        """Return this pair in the direction that sells the market's base."""
        return self if self.sells_base(order) else self.reverse

    def sells_base(self, order: Sequence[CurrencyCode] = DESK_ORDER) -> bool:
        """Return True if the sold currency is the market's base, so that the rate is a bid."""
        return _desk_rank(self.sell, order) < _desk_rank(self.buy, order)


def _desk_rank(code: CurrencyCode, order: Sequence[CurrencyCode]) -> tuple[int, str]:
    if code in order:
        return order.index(code), ""
    return len(order) + (code == "JPY"), code


def minor_units(currency: CurrencyCode) -> int:
    """Return the number of decimal places of a currency; 2 for an unknown code."""
    return _MINOR_UNITS.get(currency, 2)


def plain(number: Decimal) -> str:
    """Return every digit of a number, without exponent, for JSON and files."""
    return format(number, "f")


def format_amount(amount: Decimal | None, currency: CurrencyCode) -> str:
    """Return an amount with digit grouping, at least its minor units and never fewer digits.

    >>> format_amount(Decimal("1204330.1"), CurrencyCode("AUD"))
    '1,204,330.10'
    >>> format_amount(Decimal("45120900"), CurrencyCode("JPY"))
    '45,120,900'
    """
    if amount is None:
        return MISSING
    trimmed = amount.normalize(EXACT) if amount else Decimal(0)
    digits = max(minor_units(currency), -int(trimmed.as_tuple().exponent))
    return f"{amount:,.{digits}f}"


def with_currency(amount: Decimal | None, currency: CurrencyCode | None) -> str:
    """Return an amount with its currency; empty if one of them is unknown."""
    if amount is None or currency is None:
        return ""
    return f"{format_amount(amount, currency)} {currency}"


def significant(rate: Decimal, digits: int = 6) -> str:
    """Return a rate with at least this many significant digits, and all that it has."""
    missing = digits - (rate.adjusted() + 1)
    shown = max(missing, -int(rate.as_tuple().exponent), 0)
    return f"{rate:.{shown}f}"


def inverse(rate: Decimal, digits: int = 7) -> Decimal | None:
    """Return 1 / rate to this many significant digits; None for zero or a non-finite rate."""
    if not rate or not rate.is_finite():
        return None
    return Context(prec=digits).divide(Decimal(1), rate)


def other_amount(
    pair: Pair, fixed: CurrencyCode, amount: Decimal, rate: Decimal | None
) -> Decimal | None:
    """Return the other side of an exchange, half-even to its minor units; None without a rate."""
    exact = exact_other_amount(pair, fixed, amount, rate)
    return None if exact is None else _rounded(exact, pair.buy if fixed == pair.sell else pair.sell)


def exact_other_amount(
    pair: Pair, fixed: CurrencyCode, amount: Decimal, rate: Decimal | None
) -> Decimal | None:
    """Return the other side of an exchange, not rounded; None without a rate.

    A rate of r means that each unit sold yields r units bought (service.md §2).
    """
    if not rate:
        return None
    return EXACT.multiply(amount, rate) if fixed == pair.sell else EXACT.divide(amount, rate)


def _rounded(amount: Decimal, currency: CurrencyCode) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-minor_units(currency)), context=EXACT)


class Side(StrEnum):
    """The side of a trade."""

    SELL = "sell"
    BUY = "buy"

    @property
    def amount_field(self) -> str:
        return f"{self.value}_amount"

    @property
    def other(self) -> Side:
        return Side.BUY if self is Side.SELL else Side.SELL


@dataclass(frozen=True, slots=True)
class Exchange:
    """An amount of one side of a trade, and the rate that gives the other side's.

    Attributes:
        side: the fixed side, of `amount`.
        rate: the locked rate, or the last known one; None if none is known.
    """

    pair: Pair
    side: Side
    amount: Decimal
    rate: Decimal | None

    def currency(self, side: Side) -> CurrencyCode:
        return self.pair.sell if side is Side.SELL else self.pair.buy

    def amount_of(self, side: Side) -> Decimal | None:
        """Return the amount of a side; of the other one it is estimated, or None without a rate."""
        if side is self.side:
            return self.amount
        return other_amount(self.pair, self.fixed.currency, self.amount, self.rate)

    @property
    def fixed(self) -> Money:
        return Money(self.amount, self.currency(self.side))

    @property
    def turned(self) -> tuple[Decimal | None, CurrencyCode]:
        """The estimated amount of the other side, and its currency."""
        return self.amount_of(self.side.other), self.currency(self.side.other)

    @property
    def sold(self) -> Money | None:
        """The amount that leaves the wallet; None if it is not known."""
        amount = self.amount_of(Side.SELL)
        return None if amount is None else Money(amount, self.pair.sell)


# Amounts as a trader types them

MAX_DIGITS = 15  # Digits of an amount before the point; more is a key that was held down

_AMOUNT = re.compile(
    r"(?P<whole>[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,3}(?:_[0-9]{3})+)?"
    r"(?P<fraction>\.[0-9]+)?(?P<scale>[kKmM]?)"
)
_EXPONENT = re.compile(r"[0-9.,_]+[eE][+-]?[0-9]+")
_GROUPED = re.compile(r"[0-9.]*[,_][0-9.,_]*[kKmM]?")  # Amounts with misplaced separators
_SCALES = {"": 0, "k": 3, "m": 6}


class AmountError(ValueError):
    """An invalid amount; the message says why, and how to write one."""


def parse_amount(text: str, currency: CurrencyCode) -> Decimal:
    """Parse an amount, with as many digits as the currency has (architecture.md).

    >>> parse_amount("1.5m", CurrencyCode("AUD"))
    Decimal('1500000.00')

    Raise AmountError if the text is invalid or ambiguous.
    """
    typed, digits = text.strip(), minor_units(currency)
    figure = _AMOUNT.fullmatch(typed)
    if figure is None or not (figure["whole"] or figure["fraction"]):
        raise AmountError(_why_not(typed))
    whole = (figure["whole"] or "0").replace(",", "").replace("_", "")
    fraction, scale = figure["fraction"] or "", _SCALES[figure["scale"].lower()]
    if len(whole.lstrip("0")) + scale > MAX_DIGITS:
        raise AmountError(f"An amount has at most {MAX_DIGITS} digits before the point.")
    # Digits count as they were typed: 1.500 may well mean fifteen hundred.
    if len(fraction) - 1 > scale + digits:
        words = f"{digits or 'no'} digit{'' if digits == 1 else 's'} after the point."
        raise AmountError(f"{currency} has {words}")
    amount = Decimal(f"{whole}{fraction}").scaleb(scale)
    if not amount:
        raise AmountError("The amount is zero.")
    return amount.quantize(Decimal(1).scaleb(-digits))


def _why_not(typed: str) -> str:
    if not typed:
        return "Type an amount, such as 2,500.00, 1k or 1.5m."
    if typed[0] in "-−(":
        return "An amount cannot be negative."
    if _EXPONENT.fullmatch(typed):
        return f"{typed} has an exponent: write it out, or as 1k or 1.5m."
    if _GROUPED.fullmatch(typed):
        return f"{typed} is ambiguous. Use , for thousands and . for decimals: 2,500.00."
    return f"{typed} is not an amount. Try 2500, 1k or 1.5m."
