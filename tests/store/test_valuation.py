"""Values in one reporting currency; every expected value is worked out by hand."""

from __future__ import annotations

from decimal import Decimal

from paytui.domain.models import Rate, RateSheet, RateSheetId
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.figures import (
    PendingFlows,
    Position,
    Valuation,
    largest_exposure,
    positions,
    shorts,
    totals,
    valuation,
    value_of_changes,
)
from tests.store.made import AUD, EUR, JPY, KWD, USD, trade, wallet
from tests.support.clock import NOON

NOTHING = PendingFlows(lambda _: None)


def sheet(**rates: str) -> RateSheet:
    """Rates are given as `AUDUSD="0.65"`: sold, then bought."""
    priced = (
        Rate(Pair(CurrencyCode(pair[:3]), CurrencyCode(pair[3:])), Decimal(rate))
        for pair, rate in rates.items()
    )
    return RateSheet(RateSheetId("s"), expires_at=NOON, sent_at=1.0, rates=tuple(priced))


def come_to(currency: CurrencyCode, rates: RateSheet | None, **held: str) -> Valuation:
    wallets = [wallet(code, CurrencyCode(code), amount) for code, amount in held.items()]
    return valuation(positions(totals(wallets), NOTHING, all_wallets=True), currency, rates)


def test_each_currency_is_reckoned_by_the_rate_of_selling_it() -> None:
    """100 AUD + 200 USD x 1.5 + 10 EUR x 1.625 = 100 + 300 + 16.25."""
    found = come_to(AUD, sheet(USDAUD="1.5", EURAUD="1.625"), AUD="100", USD="200", EUR="10")
    assert (found.available, found.without) == (Decimal("416.25"), ())


def test_without_a_rate_of_selling_the_inverse_of_buying_serves() -> None:
    """9,600 JPY / 96 = 100 AUD."""
    assert come_to(AUD, sheet(AUDJPY="96"), JPY="9600").available == Decimal(100)


def test_a_currency_without_a_rate_is_left_out_by_name() -> None:
    found = come_to(AUD, sheet(USDAUD="1.5"), AUD="100", KWD="7", EUR="1")
    assert (found.available, found.without) == (Decimal(100), (EUR, KWD))


def test_nothing_is_reckoned_by_way_of_a_third_currency() -> None:
    assert come_to(AUD, sheet(KWDUSD="3", USDAUD="1.5"), KWD="7").without == (KWD,)


def test_without_a_sheet_only_the_currency_itself_counts() -> None:
    found = come_to(AUD, None, AUD="100", USD="5")
    assert (found.available, found.without) == (Decimal(100), (USD,))


def test_a_currency_of_which_nothing_is_held_needs_no_rate() -> None:
    assert come_to(AUD, None, AUD="1", KWD="0").without == ()


def test_a_currency_that_tells_no_balance_is_named_as_such() -> None:
    mute = totals([wallet("k", KWD)])
    found = valuation(positions(mute, NOTHING, all_wallets=True), AUD, None)
    assert (found.without, found.untold) == ((), (KWD,))


def test_the_net_positions_are_added_as_the_balances_are() -> None:
    """Net: 100 - 40 AUD + 26 USD x 1.5 = 99."""
    under_way = PendingFlows(lambda _: None)
    under_way.add(trade("t", "40", "26"))
    held = totals([wallet("a", AUD, "100")])
    found = valuation(positions(held, under_way, all_wallets=True), AUD, sheet(USDAUD="1.5"))
    assert (found.available, found.net) == (Decimal(100), Decimal(99))


def test_it_is_rounded_half_even_to_the_minor_units_of_the_currency() -> None:
    """0.5 AUD x 97 = 48.5 JPY, and 1.5 x 97 = 145.5: to the even neighbour, 48 and 146."""
    assert come_to(JPY, sheet(AUDJPY="97"), AUD="0.5").available == Decimal(48)
    assert come_to(JPY, sheet(AUDJPY="97"), AUD="1.5").available == Decimal(146)


def test_a_currency_whose_wallets_were_never_read_is_left_out_by_name() -> None:
    """The USD that are bought come into a wallet that nobody knows: 100 - 40 AUD, and no more."""
    under_way = PendingFlows(lambda _: None)
    under_way.add(trade("t", "40", "26"))
    held = totals([wallet("a", AUD, "100")])
    found = valuation(positions(held, under_way, all_wallets=False), AUD, sheet(USDAUD="1.5"))
    assert (found.available, found.net, found.untold) == (Decimal(100), Decimal(60), (USD,))


def test_where_every_currency_is_left_out_it_comes_to_nothing_that_is_known() -> None:
    found = come_to(KWD, None, AUD="100", USD="5")
    assert (found.available, found.net, found.without) == (None, None, (AUD, USD))


# Exposure and changes


def found(**held: str) -> list[Position]:
    wallets = [wallet(code, CurrencyCode(code), amount) for code, amount in held.items()]
    return positions(totals(wallets), NOTHING, all_wallets=True)


def test_the_largest_exposure_is_of_the_greatest_value_in_another_currency() -> None:
    """200 USD x 1.5 = 300, -250 EUR x 1.625 = -406.25; 1,000 AUD are no exposure."""
    held = found(AUD="1000", USD="200", EUR="-250", KWD="9999")
    worth = valuation(held, AUD, sheet(USDAUD="1.5", EURAUD="1.625"))
    assert worth.worth == {
        AUD: Decimal(1000),
        EUR: Decimal("-406.25"),
        USD: Decimal(300),
    }
    largest = largest_exposure(held, worth)
    assert largest is not None
    assert largest.currency == EUR


def test_without_a_reporting_currency_it_is_the_lowest_below_zero() -> None:
    held = found(AUD="1000", USD="-2", EUR="-250", KWD="0")
    largest = largest_exposure(held, None)
    assert largest is not None
    assert (largest.currency, [one.currency for one in shorts(held)]) == (EUR, [EUR, USD])
    assert largest_exposure(found(AUD="1"), None) is None


def test_changes_are_valued_as_their_total_is_without_what_has_no_rate() -> None:
    """10 AUD - 20 USD x 1.5 = -20; KWD is in neither; USD went to zero and still counts."""
    rates = sheet(USDAUD="1.5")
    worth = valuation(found(AUD="110", USD="0", KWD="7"), AUD, rates)
    changes = {AUD: Decimal(10), USD: Decimal(-20), KWD: Decimal(7)}
    assert value_of_changes(changes, worth, rates) == Decimal(-20)
    assert value_of_changes({**changes, AUD: None}, worth, rates) is None
    assert value_of_changes({**changes, KWD: None}, worth, rates) == Decimal(-20)
    assert value_of_changes({JPY: Decimal(1)}, worth, rates) is None
