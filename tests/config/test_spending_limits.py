"""Limits of a profile, its payees and the operator: the strictest one decides."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from paytui.config.settings import AmountLimits, Profile
from paytui.config.spending_limits import intent_refusal_reason, refusal_reason, requires_typing
from paytui.domain.intent import IntentTerms
from paytui.domain.models import RecipientId
from paytui.domain.money import CurrencyCode, Pair
from paytui.store.store import Store
from tests.support.clock import ManualClock
from tests.tui.book import sheet

AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
GLOBEX, WAYNE = RecipientId("rec-1"), RecipientId("rec-2")


def profile(*, live: bool = True) -> Profile:
    globex = AmountLimits(confirm_above={AUD: Decimal(10)}, refuse_above={AUD: Decimal(50)})
    return Profile(
        name="acme",
        base_url="https://api.acme.example",
        client_id="desk",
        live=live,
        confirm_above={AUD: Decimal(1000)},
        refuse_above={AUD: Decimal(5000)},
        always_typed_above={AUD: Decimal(100)},
        recipients={GLOBEX: globex},
    )


@pytest.mark.parametrize(
    ("amount", "recipient", "live", "typed"),
    [
        ("10", GLOBEX, True, False),
        ("10.01", GLOBEX, True, True),
        ("10.01", GLOBEX, False, True),
        ("10.01", WAYNE, True, False),
        ("100", None, False, False),
        ("100.01", None, False, True),
        ("100.01", WAYNE, True, True),
    ],
)
def test_an_amount_is_typed_where_any_limit_wants_it(
    amount: str, recipient: RecipientId | None, live: bool, typed: bool
) -> None:
    assert requires_typing(profile(live=live), Decimal(amount), AUD, recipient) is typed


@pytest.mark.parametrize(("live", "typed"), [(True, True), (False, False)])
def test_a_currency_without_a_limit_is_typed_where_real_money_moves(
    live: bool, typed: bool
) -> None:
    assert requires_typing(profile(live=live), Decimal("0.01"), USD, GLOBEX) is typed


@pytest.mark.parametrize(
    ("amount", "recipient", "says"),
    [
        ("50", GLOBEX, ""),
        ("50.01", GLOBEX, "Over 50.00 AUD, the most that goes to this recipient."),
        ("50.01", WAYNE, ""),
        ("5000.01", WAYNE, "Over 5,000.00 AUD, the most that this profile sends."),
        (None, GLOBEX, "No rate is known to convert it to AUD, and this profile sends at most"),
    ],
)
def test_an_amount_is_refused_where_any_limit_is_below_it(
    amount: str | None, recipient: RecipientId, says: str
) -> None:
    known = None if amount is None else Decimal(amount)
    assert refusal_reason(profile(live=False), known, AUD, recipient).startswith(says)
    assert bool(refusal_reason(profile(live=False), known, AUD, recipient)) is bool(says)


@pytest.mark.parametrize("written", ["aud", "Aud", " AUD", "AUD "])
def test_a_limit_holds_however_the_service_writes_its_currency(written: str) -> None:
    code = CurrencyCode(written)
    assert "the most that this profile sends" in refusal_reason(
        profile(), Decimal(5001), code, WAYNE
    )
    assert "the most that goes to this recipient" in refusal_reason(
        profile(), Decimal(51), code, GLOBEX
    )
    assert requires_typing(profile(live=False), Decimal(101), code, WAYNE)
    assert requires_typing(profile(live=False), Decimal(11), code, GLOBEX)
    assert not requires_typing(profile(), Decimal(100), code, WAYNE)


@pytest.mark.parametrize(
    ("newest", "refused"), [("0.65", False), ("0.651", True)], ids=["at the limit", "above it"]
)
def test_a_trade_without_a_locked_rate_is_judged_by_the_newest_one_that_is_known(
    newest: str, refused: bool
) -> None:
    """1,000.00 AUD are 650.00 USD at 0.65, which is the most."""
    store, clock, pair = Store(), ManualClock(), Pair(AUD, USD)
    store.rate_sheets.put([sheet("old", clock, {pair: "0.7" if not refused else "0.6"})])
    clock.advance(200)
    store.rate_sheets.put([sheet("new", clock, {pair: newest})])
    most = replace(profile(), refuse_above={USD: Decimal(650)})
    terms = IntentTerms(amount=Decimal(1000), currency=AUD, sell_currency=AUD, buy_currency=USD)
    assert bool(intent_refusal_reason(most, store, terms)) is refused
    locked = replace(terms, rate=Decimal("0.7"))
    assert "Over 650.00 USD" in intent_refusal_reason(most, store, locked)
