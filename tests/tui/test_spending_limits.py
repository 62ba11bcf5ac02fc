from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.config.settings import Profile
from paytui.domain.money import CurrencyCode, Money
from paytui.tui.confirmation import (
    Demand,
    demand,
)

AUD, KWD = CurrencyCode("AUD"), CurrencyCode("KWD")


MOST = "Over 5,000.00 AUD, the most that this profile sends."


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
        ("1000.00", AUD, Demand()),
        ("1000.01", AUD, Demand(typed="1000.01")),
        ("2500.00", AUD, Demand(typed="2500")),
        ("2500.50", AUD, Demand(typed="2500.5")),
        ("5000", AUD, Demand(typed="5000")),
        (
            "5000.01",
            AUD,
            Demand(refusal="Over 5,000.00 AUD, the most that this profile sends."),
        ),
        ("0.001", KWD, Demand(typed="0.001")),
    ],
)
def test_where_real_money_moves(amount: str, currency: CurrencyCode, asked: Demand) -> None:
    assert demand(profile(), None, Money(Decimal(amount), currency)) == asked


@pytest.mark.parametrize(
    ("amount", "asked"), [("4000", Demand()), ("5000.01", Demand(refusal=MOST))]
)
def test_where_it_does_not_nothing_is_typed_and_the_limit_holds(amount: str, asked: Demand) -> None:
    assert demand(profile(live=False), None, Money(Decimal(amount), AUD)) == asked


UNKNOWN = "No rate is known to convert it to AUD, and this profile sends at most 5,000.00 AUD."


@pytest.mark.parametrize(
    ("live", "other", "asked"),
    [
        (True, "5000.01", Demand(refusal=MOST)),
        (False, "5000.01", Demand(refusal=MOST)),
        (True, None, Demand(refusal=UNKNOWN)),
        (True, "1000.01", Demand(typed="0.7")),
        (True, "1000.00", Demand()),
        (False, "5000.00", Demand()),
    ],
)
def test_of_an_exchange_both_sides_have_to_keep_to_the_limits_and_the_fixed_one_is_typed(
    live: bool, other: str | None, asked: Demand
) -> None:
    free = replace(profile(live=live), confirm_above={AUD: Decimal(1000), KWD: Decimal(1)})
    fixed = Money(Decimal("0.700"), KWD)
    about = None if other is None else Decimal(other)
    assert demand(free, None, fixed, (about, AUD)) == asked


def test_of_an_exchange_the_fixed_side_keeps_its_limit_whatever_the_other_comes_to() -> None:
    fixed = Money(Decimal("5000.01"), AUD)
    assert demand(profile(), None, fixed, (Decimal(1), KWD)) == Demand(refusal=MOST)


def test_where_no_rate_tells_the_other_side_the_fixed_one_is_typed() -> None:
    free = replace(profile(), confirm_above={AUD: Decimal(1000), KWD: Decimal(1)})
    assert demand(free, None, Money(Decimal(9), AUD), (None, KWD)) == Demand(typed="9")
