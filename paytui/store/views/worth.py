"""All currencies added up in one, by the rates of one sheet: only where somebody wants it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from paytui.domain.models import RateSheet
from paytui.domain.money import CurrencyCode, Pair, minor_units
from paytui.store.views.exposure import Position

_WIDE = Context(prec=120)


@dataclass(frozen=True, slots=True)
class Worth:
    """What all positions come to, rounded half-even to the minor units of the currency.

    Attributes:
        available, net: what is available, and the net position; None where all is left out.
        without: the currencies that are left out, because the sheet does not price them.
        untold: the currencies of which nobody says what is held.
    """

    currency: CurrencyCode
    available: Decimal | None
    net: Decimal | None
    without: tuple[CurrencyCode, ...]
    untold: tuple[CurrencyCode, ...]


def worth(positions: Iterable[Position], currency: CurrencyCode, sheet: RateSheet | None) -> Worth:
    """Positions in one currency: by the rate of selling for it, else by the inverse of buying.

    Nothing is reckoned by way of a third currency. What is exactly zero needs no rate.
    """
    rates = {rate.pair: rate.rate for rate in sheet.rates} if sheet else {}
    available = net = Fraction(0)
    without: list[CurrencyCode] = []
    untold: list[CurrencyCode] = []
    counted = False
    for position in positions:
        held, comes_to = position.total.available, position.net
        if held is None or comes_to is None:
            untold.append(position.currency)
        elif not held and not comes_to:
            counted = True
        elif rate := _rate(position.currency, currency, rates):
            counted = True
            available += Fraction(held) * rate
            net += Fraction(comes_to) * rate
        else:
            without.append(position.currency)
    return Worth(
        currency,
        _rounded(available, currency) if counted else None,
        _rounded(net, currency) if counted else None,
        tuple(without),
        tuple(untold),
    )


def _rate(
    held: CurrencyCode, currency: CurrencyCode, rates: Mapping[Pair, Decimal]
) -> Fraction | None:
    if held == currency:
        return Fraction(1)
    pair = Pair(held, currency)
    if rate := rates.get(pair):
        return Fraction(rate)
    return 1 / Fraction(back) if (back := rates.get(pair.reverse)) else None


def _rounded(amount: Fraction, currency: CurrencyCode) -> Decimal:
    digits = minor_units(currency)
    return Decimal(round(amount * 10**digits)).scaleb(-digits, context=_WIDE)
