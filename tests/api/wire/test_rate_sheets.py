"""A rate sheet holds the rates that can be traded; other records are counted."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.api.errors import NotSent
from paytui.domain.exact_json import Json
from paytui.domain.intent import IntentTerms
from paytui.domain.models import Rate, RateSheet, RateSheetId
from paytui.domain.money import Pair
from paytui.domain.rates import sheet_left
from paytui.domain.requests import RateSheetRequest
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.retry_rules import rate_check
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


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ({"createdAt": "2026-03-02T12:00:00Z", "expiresAt": "2026-03-02T12:10:00Z"}, 150),
        ({"createdAt": "2026-03-02T12:00:00Z", "expiresAt": "2026-03-02T13:02:30Z"}, 150),
        ({"createdAt": "2026-03-02T12:59:40Z", "expiresAt": "2026-03-02T13:00:00Z"}, 20),
        ({"createdAt": "2026-03-02T12:00:20Z", "expiresAt": "2026-03-02T12:00:20Z"}, 20),
        ({"expiresAt": "2026-03-02T13:00:00Z"}, 150),
    ],
    ids=["long", "an hour off", "short", "no time at all", "no time of creation"],
)
def test_screen_and_sender_judge_its_end_by_the_shortest_that_is_told(
    told: dict[str, Json], left: float
) -> None:
    sheet: Json = {"rateSheetId": "s1", "rates": [GOOD], **told}
    made = Scene({"/v2/rate-sheets": Reply(sheet, 201)})
    locked = asyncio.run(made.client.create_rate_sheet(REQUEST))
    time = ServiceTime(made.clock)
    assert sheet_left(time, locked) == timedelta(seconds=left)

    terms = IntentTerms(rate=Decimal("0.65"), expires_at=locked.expires_at)
    check = rate_check(time, terms, locked)
    made.clock.advance(left - 4)
    check()
    made.clock.advance(1)
    with pytest.raises(NotSent):
        check()


def test_a_sheet_with_nothing_wrong_or_nothing_in_it_counts_nothing() -> None:
    assert locked(GOOD).skipped == 0
    assert (locked().rates, locked().skipped) == ((), 0)


def test_a_sheet_that_is_read_again_may_hold_any_pair() -> None:
    other: Json = {"sellCurrency": "NZD", "buyCurrency": "USD", "rate": "0.6"}
    sheet = asyncio.run(scene(GOOD, other).client.get_rate_sheet(RateSheetId("s1")))
    assert (len(sheet.rates), sheet.skipped) == (2, 0)
