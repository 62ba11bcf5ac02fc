"""The nineteen currencies that wallets can be held in (contract.md, "Rules of the sandbox")."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Currency:
    """One currency of the service.

    Attributes:
        code: ISO 4217.
        digits: minor units.
        dollars: where the price of one unit starts its walk, in USD.
        half_spread: what the service keeps on this side of a rate, in basis points of it.
    """

    code: str
    digits: int
    dollars: float
    half_spread: float


CURRENCIES: dict[str, Currency] = {
    currency.code: currency
    for currency in (
        Currency("AUD", 2, 0.6540, 1.0),
        Currency("USD", 2, 1.0, 0.5),
        Currency("EUR", 2, 1.0850, 0.5),
        Currency("GBP", 2, 1.2700, 0.8),
        Currency("NZD", 2, 0.6020, 1.5),
        Currency("CAD", 2, 0.7330, 1.0),
        Currency("CHF", 2, 1.1350, 1.0),
        Currency("SGD", 2, 0.7450, 1.5),
        Currency("HKD", 2, 0.1281, 1.0),
        Currency("JPY", 0, 0.006650, 1.0),
        Currency("SEK", 2, 0.0955, 3.0),
        Currency("NOK", 2, 0.0935, 3.0),
        Currency("DKK", 2, 0.1454, 2.0),
        Currency("ZAR", 2, 0.0535, 6.0),
        Currency("PLN", 2, 0.2510, 4.0),
        Currency("THB", 2, 0.0285, 5.0),
        Currency("AED", 2, 0.2723, 2.0),
        Currency("CNY", 2, 0.1385, 3.0),
        Currency("KWD", 3, 3.2500, 5.0),
    )
}
