"""A sheet holds what can be dealt on; what else the service sends is counted."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from paytui.api.jsontext import Json
from paytui.api.models import Rate, RateSheet, RateSheetId
from paytui.api.requests import RateSheetRequest
from paytui.money import Pair
from tests.api.scene import AUD, USD, Scene
from tests.support.scripted import Reply

GOOD: Json = {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.65"}
REQUEST = RateSheetRequest(currency_pairs=(Pair(AUD, USD), Pair(AUD, AUD)))


def scene(*rates: Json) -> Scene:
    sheet = {"rateSheetId": "s1", "expiresAt": "2026-03-02T12:02:30Z", "rates": list(rates)}
    return Scene({"/v2/rate-sheets": Reply(sheet, 201), "/v2/rate-sheets/s1": Reply(sheet)})


def locked(*rates: Json) -> RateSheet:
    return asyncio.run(scene(*rates).client.create_rate_sheet(REQUEST))


@pytest.mark.parametrize(
    "odd",
    [
        {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0"},
        {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "-0.65"},
        {"sellCurrency": "AUD", "buyCurrency": "AUD", "rate": "1"},
        {"sellCurrency": "USD", "buyCurrency": "AUD", "rate": "1.5"},
        {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "NaN"},
        {"sellCurrency": "AUD", "rate": "0.65"},
        "nonsense",
    ],
    ids=["nil", "negative", "one currency", "not asked for", "no number", "half a pair", "text"],
)
@pytest.mark.parametrize("odd_first", [True, False])
def test_a_rate_that_cannot_be_is_left_out_and_counted(odd: Json, *, odd_first: bool) -> None:
    sheet = locked(odd, GOOD) if odd_first else locked(GOOD, odd)
    assert sheet.rates == (Rate(Pair(AUD, USD), Decimal("0.65")),)
    assert sheet.skipped == 1


def test_a_pair_that_is_priced_twice_has_its_first_price() -> None:
    sheet = locked(GOOD, {"sellCurrency": "AUD", "buyCurrency": "USD", "rate": "0.66"})
    assert [rate.rate for rate in sheet.rates] == [Decimal("0.65")]
    assert sheet.skipped == 1


def test_a_sheet_with_nothing_wrong_or_nothing_in_it_counts_nothing() -> None:
    assert locked(GOOD).skipped == 0
    assert (locked().rates, locked().skipped) == ((), 0)


def test_a_sheet_that_is_read_again_may_hold_any_pair() -> None:
    other: Json = {"sellCurrency": "NZD", "buyCurrency": "USD", "rate": "0.6"}
    sheet = asyncio.run(scene(GOOD, other).client.get_rate_sheet(RateSheetId("s1")))
    assert (len(sheet.rates), sheet.skipped) == (2, 0)
