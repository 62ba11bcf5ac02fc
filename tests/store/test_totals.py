"""Totals by currency; every expected value is worked out by hand."""

from __future__ import annotations

from decimal import Decimal

from paytui.store.figures import totals
from tests.store.made import AUD, USD, wallet


def test_balances_are_added_by_currency_and_never_across() -> None:
    found = totals(
        [
            wallet("a", USD, "0.10", reserved="1"),
            wallet("b", AUD, "5"),
            wallet("c", USD, "0.20", reserved="2.50"),
        ]
    )
    assert [(t.currency, t.available, t.reserved, t.pending, t.wallets) for t in found] == [
        (AUD, Decimal(5), None, None, 1),
        (USD, Decimal("0.30"), Decimal("3.50"), None, 2),
    ]


def test_a_total_is_exact_beyond_the_digits_of_a_default_decimal() -> None:
    found = totals([wallet("a", AUD, "1111111111111111111111111111.11"), wallet("b", AUD, "0.02")])
    assert found[0].available == Decimal("1111111111111111111111111111.13")


def test_a_wallet_that_does_not_tell_its_balance_is_counted_as_untold() -> None:
    (total,) = totals([wallet("a", AUD, "5"), wallet("b", AUD)])
    assert (total.available, total.wallets, total.untold) == (Decimal(5), 2, 1)


def test_a_total_that_no_wallet_tells_is_unknown_rather_than_zero() -> None:
    assert totals([wallet("a", AUD)])[0].available is None


def test_a_wallet_without_a_currency_is_in_no_total() -> None:
    assert totals([wallet("a", None, "5")]) == []
