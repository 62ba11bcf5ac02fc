"""Both sides of a trade are compared with the confirmation."""

from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.domain.intent import IntentTerms
from paytui.domain.models import Trade, TradeId
from paytui.domain.money import CurrencyCode
from paytui.worker.intents.matching import differences

PLN, GBP, JPY, KWD = map(CurrencyCode, ("PLN", "GBP", "JPY", "KWD"))


def number(text: str | None) -> Decimal | None:
    """A number, or none."""
    return None if text is None else Decimal(text)


def sells(rate: str | None, *, buys: CurrencyCode = GBP) -> IntentTerms:
    """327,444.34 PLN sold."""
    return IntentTerms(
        amount=Decimal("327444.34"),
        currency=PLN,
        sell_currency=PLN,
        buy_currency=buys,
        rate=number(rate),
    )


def buys(rate: str | None) -> IntentTerms:
    """1,000.00 GBP bought."""
    return IntentTerms(
        amount=Decimal("1000.00"),
        currency=GBP,
        sell_currency=PLN,
        buy_currency=GBP,
        rate=number(rate),
    )


def booked(*, sold: str | None = None, bought: str | None = None, rate: str | None = None) -> Trade:
    """A trade as the service reports it."""
    return Trade(
        TradeId("t1"),
        sell_amount=number(sold),
        buy_amount=number(bought),
        rate=number(rate),
    )


# By hand: 327444.34 x 0.196802 = 64441.70100, x 0.1968 = 64441.046, x 26.5 = 8677275.01,
# x 0.0776 = 25409.680784; 1000 / 0.196802 = 5081.249174.
@pytest.mark.parametrize(
    ("terms", "trade"),
    [
        (sells("0.196802"), booked(bought="64441.70")),
        (sells("0.196802"), booked(bought="64441.71")),
        (sells("0.196802"), booked(bought="64441.69")),
        (sells("26.5", buys=JPY), booked(bought="8677275")),
        (sells("26.5", buys=JPY), booked(bought="8677276")),
        (sells("0.0776", buys=KWD), booked(bought="25409.681")),
        (buys("0.196802"), booked(sold="5081.25")),
        (sells("0.196802"), booked()),
        (sells(None), booked(bought="1.00")),
        (sells(None), booked(bought="64441.70", rate="0.1968")),
        (sells(None), booked(bought="64425.40", rate="0.1968")),
        (buys(None), booked(sold="5080.00", rate="0.1968")),
        (sells(None), booked(bought="1.00", rate="1e9999")),
        (sells("0.196802"), booked(sold="327444.34", bought="64441.70", rate="0.1968")),
        (sells("0.196802"), booked(sold="327444.34", bought="64441.70", rate="0.2")),
        (buys("0.196802"), booked(sold="5081.25", bought="1000.00", rate="0.19680")),
    ],
)
def test_an_amount_that_follows_from_the_rate_is_no_difference(
    terms: IntentTerms, trade: Trade
) -> None:
    assert differences(terms, trade) == ()


@pytest.mark.parametrize(
    ("terms", "trade", "words"),
    [
        (
            sells("0.196802"),
            booked(sold="327444.34", bought="1.00", rate="0.196802"),
            ("bought", "1.00", "64441.70", "confirmed"),
        ),
        (
            sells("0.196802"),
            booked(bought="64441.72"),
            ("bought", "64441.72", "64441.70", "confirmed"),
        ),
        (
            buys("0.196802"),
            booked(sold="5081.27"),
            ("sold", "5081.27", "5081.25", "confirmed"),
        ),
        (
            sells(None),
            booked(bought="1.00", rate="0.196802"),
            ("bought", "1.00", "64441.70", "booked"),
        ),
        (
            sells(None),
            booked(bought="64400.00", rate="0.1968"),
            ("bought", "64400.00", "64441.05", "booked"),
        ),
    ],
)
def test_one_that_does_not_is_told(
    terms: IntentTerms, trade: Trade, words: tuple[str, str, str, str]
) -> None:
    side, told, expected, rate = words
    assert differences(terms, trade) == (
        f"The {side} amount that was booked is {told}; {expected} follows from the {rate} rate.",
    )


@pytest.mark.parametrize(
    "trade",
    [
        booked(bought="64441.70", rate="0.1968"),
        booked(sold="327444.34", rate="0.1968"),
        booked(sold="327444.34", bought="64441.70", rate="0.1967"),
        booked(sold="327444.34", bought="64441.70", rate="0.196803"),
    ],
)
def test_a_rate_that_the_amounts_do_not_prove_is_told(trade: Trade) -> None:
    assert differences(sells("0.196802"), trade) == (
        f"The rate that was booked is {trade.rate}; 0.196802 was confirmed.",
    )
