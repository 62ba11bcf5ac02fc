from __future__ import annotations

from decimal import Decimal

import pytest

from paytui.config.settings import Profile
from paytui.money import CurrencyCode
from paytui.tui.guards.limits import Demand, NoDemand, RefusedAbove, TypeIt, demand

AUD, KWD = CurrencyCode("AUD"), CurrencyCode("KWD")


def profile(*, live: bool = True) -> Profile:
    return Profile(
        name="acme",
        base_url="https://api.acme.example",
        client_id="desk",
        live=live,
        confirm_above={AUD: Decimal(1000)},
        refuse_above={AUD: Decimal(5000)},
    )


@pytest.mark.parametrize(
    ("amount", "currency", "asked"),
    [
        ("999.99", AUD, NoDemand()),
        ("1000.00", AUD, NoDemand()),
        ("1000.01", AUD, TypeIt("1000.01")),
        ("2500.00", AUD, TypeIt("2500")),
        ("2500.50", AUD, TypeIt("2500.5")),
        ("5000", AUD, TypeIt("5000")),
        (
            "5000.01",
            AUD,
            RefusedAbove("More than 5,000.00 AUD, which is the most that this profile sends."),
        ),
        ("0.001", KWD, TypeIt("0.001")),
    ],
)
def test_where_real_money_moves(amount: str, currency: CurrencyCode, asked: Demand) -> None:
    assert demand(profile(), Decimal(amount), currency) == asked


@pytest.mark.parametrize(("amount", "asked"), [("4000", NoDemand), ("5000.01", RefusedAbove)])
def test_where_it_does_not_nothing_is_typed_and_the_limit_holds(
    amount: str, asked: type[Demand]
) -> None:
    assert isinstance(demand(profile(live=False), Decimal(amount), AUD), asked)
