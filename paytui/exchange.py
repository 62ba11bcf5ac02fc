"""What one side of an exchange comes to, where the other is fixed."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Context, Decimal

from paytui.money import CurrencyCode, Pair, minor_units

_WIDE = Context(prec=80, rounding=ROUND_HALF_EVEN)


def other_amount(
    pair: Pair, fixed: CurrencyCode, amount: Decimal, rate: Decimal | None
) -> Decimal | None:
    """The side that is not fixed, half-even to its minor units; None where no rate is known.

    A rate of r means each 1 sold yields r bought (api.md §2).
    """
    if not rate:
        return None
    if fixed == pair.sell:
        return _rounded(_WIDE.multiply(amount, rate), pair.buy)
    return _rounded(_WIDE.divide(amount, rate), pair.sell)


def _rounded(amount: Decimal, currency: CurrencyCode) -> Decimal:
    return amount.quantize(Decimal(1).scaleb(-minor_units(currency)), context=_WIDE)
