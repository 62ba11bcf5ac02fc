"""Objects that need a trader's attention now."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.intent import Standing
from paytui.domain.models import (
    AccountId,
    Kind,
    PayIn,
    PayInId,
    Problem,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.store.health import Feed
from paytui.store.needs_attention import (
    Attention,
    AttentionCandidates,
    AttentionTarget,
    needs_attention,
)
from paytui.store.store import Store
from tests.store.made import ACME, AUD, JPY, OTHER, payment, wallet
from tests.support.clock import NOON
from tests.support.intents import intent_row


def needing(
    store: Store,
    now: datetime,
    account_id: AccountId | None = None,
    floors: dict[str, Decimal] | None = None,
) -> list[Attention]:
    """Return the objects in the store that need attention now."""
    suspects = AttentionCandidates(store, floors or {})
    for follower in suspects.followers:
        while follower.take_in():
            pass
    return needs_attention(suspects, now, account_id)


def test_a_quiet_book_needs_nothing(store: Store) -> None:
    store.wallets.put([wallet("a", AUD, "5"), wallet("old", AUD, status="closed")])
    store.payments.put([payment("p", "completed", 1), payment("q", "processing", 1)])
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON))
    assert needing(store, NOON) == []


@pytest.mark.parametrize("status", ["rejected", "failed", "returned"])
def test_a_payment_that_went_wrong_today_is_named(store: Store, status: str) -> None:
    store.payments.put([payment("p", status, 1)])
    (item,) = needing(store, NOON)
    assert (item.kind, item.key) == (Kind.PAYMENTS, "p")
    assert (item.subject, item.amount) == ("payout", "12,000.00 USD")
    assert isinstance(item.matter, State)
    assert item.matter.name == status
    assert item.since == NOON - timedelta(hours=1)


def test_what_went_wrong_more_than_a_day_ago_is_history(store: Store) -> None:
    store.payments.put([payment("p", "failed", 25)])
    assert needing(store, NOON) == []


def test_a_review_is_named_only_once_it_takes_long(store: Store) -> None:
    store.payments.put(
        [payment("new", "compliance_review", 0.4), payment("old", "compliance_review", 0.6)]
    )
    (item,) = needing(store, NOON)
    assert (item.key, item.matter) == ("old", "in review")


def test_trades_and_pay_ins_are_watched_as_well(store: Store) -> None:
    hour_ago = NOON - timedelta(hours=1)
    held, rejected = State("compliance_review"), State("rejected", final=True)
    store.trades.put(
        [Trade(TradeId("t"), sell_currency=AUD, buy_currency=JPY, status=held, created_at=hour_ago)]
    )
    store.payins.put(
        [
            PayIn(
                PayInId("i"),
                amount=Decimal(7),
                currency=JPY,
                status=rejected,
                created_at=hour_ago,
            )
        ]
    )
    assert [(item.kind, item.subject, item.amount) for item in needing(store, NOON)] == [
        (Kind.PAYINS, "pay-in", "7 JPY"),
        (Kind.TRADES, "trade AUD > JPY", ""),
    ]


def test_a_wallet_that_is_not_active_is_named(store: Store) -> None:
    store.wallets.put([wallet("s", AUD, status="suspended"), wallet("p", AUD, status="pending")])
    assert [(item.key, item.matter) for item in needing(store, NOON)] == [
        ("s", State("suspended")),
        ("p", State("pending")),
    ]


def test_a_failing_feed_comes_first_with_the_time_since_when(store: Store) -> None:
    store.payments.put([payment("p", "failed", 0.1)])
    problem = Problem("read pay-ins", "503")
    since = NOON - timedelta(minutes=4)
    store.set_feed(Feed(Kind.PAYINS, problem=problem, failing_since=since))
    first = needing(store, NOON)[0]
    assert (first.kind, first.place, first.subject) == (
        Kind.PAYINS,
        AttentionTarget.LIST,
        "pay-ins",
    )
    assert (first.matter, first.since) == ("503", since)


def test_feeds_that_fail_for_one_reason_are_one_alarm_since_the_first_failure(
    store: Store,
) -> None:
    for minutes, kind in enumerate((Kind.WALLETS, Kind.TRADES, Kind.PAYINS), start=1):
        since = NOON - timedelta(minutes=minutes)
        store.set_feed(Feed(kind, problem=Problem("read", "login refused"), failing_since=since))
    store.set_feed(Feed(Kind.PAYMENTS, problem=Problem("read", "503")))
    assert [(item.subject, item.matter, item.since) for item in needing(store, NOON)] == [
        ("3 lists", "login refused", NOON - timedelta(minutes=3)),
        ("payments", "503", None),
    ]


def test_of_equal_urgency_the_newest_comes_first(store: Store) -> None:
    store.payments.put([payment("older", "failed", 3), payment("newer", "rejected", 2)])
    assert [item.key for item in needing(store, NOON)] == ["newer", "older"]


def test_an_intent_in_doubt_comes_before_all_else(store: Store) -> None:
    store.set_feed(Feed(Kind.PAYMENTS, problem=Problem("read payments", "503"), failing_since=NOON))
    store.intents.put([intent_row(1, minutes_ago=300), intent_row(2, Standing.ACCEPTED)])
    doubtful, feed = needing(store, NOON)
    assert (doubtful.subject, doubtful.amount) == ("payout", "1,200.00 USD")
    assert (doubtful.matter, doubtful.since) == ("in doubt", NOON - timedelta(hours=5))
    assert (doubtful.key, doubtful.place) == ("PT-00000001", AttentionTarget.INTENT)
    assert feed.matter == "503"


def test_an_intent_that_was_never_sent_is_named_unless_it_goes_out_next(store: Store) -> None:
    store.intents.put([intent_row(1, Standing.RECORDED, minutes_ago=0)])
    assert needing(store, NOON + timedelta(seconds=9)) == []
    (item,) = needing(store, NOON + timedelta(seconds=10))
    assert item.matter == "not sent"


def test_an_alert_of_an_intent_stays_among_what_needs_somebody(store: Store) -> None:
    alarmed = intent_row(1, Standing.ACCEPTED, alerts=("Booked 1,300.00 USD.",))
    store.intents.put([alarmed])
    (item,) = needing(store, NOON + timedelta(days=9))
    assert item.matter == "Booked 1,300.00 USD."


def test_an_intent_of_another_account_is_out_of_scope(store: Store) -> None:
    store.intents.put([intent_row(1)])  # of acc-2
    assert needing(store, NOON, ACME) == []
    assert len(needing(store, NOON, AccountId("acc-2"))) == 1


def test_the_scope_of_one_account_leaves_others_out(store: Store) -> None:
    store.payments.put([payment("mine", "failed", 1), payment("theirs", "failed", 1, OTHER)])
    store.wallets.put([wallet("w", AUD, account_id=OTHER)])
    rejected = State("rejected", final=True)
    store.payins.put([PayIn(PayInId("i"), wallet_id=WalletId("w"), status=rejected)])
    assert [item.key for item in needing(store, NOON, ACME)] == ["mine"]
    assert {item.key for item in needing(store, NOON, OTHER)} == {"theirs", "i"}


# Floors


def test_a_wallet_that_holds_less_than_its_currency_is_to_hold_is_named(store: Store) -> None:
    store.wallets.put([wallet("low", AUD, "9999.99"), wallet("enough", AUD, "10000")])
    (item,) = needing(store, NOON, floors={"AUD": Decimal(10000)})
    assert (item.key, item.subject, item.amount) == ("low", "wallet low", "9,999.99 AUD")
    assert (item.matter, item.place) == ("below floor", AttentionTarget.OBJECT)


def test_the_floor_of_a_wallet_goes_before_that_of_its_currency(store: Store) -> None:
    store.wallets.put([wallet("a", AUD, "500"), wallet("b", AUD, "500")])
    floors = {"AUD": Decimal(1000), "a": Decimal(0)}
    assert [item.key for item in needing(store, NOON, floors=floors)] == ["b"]


def test_a_wallet_that_is_closed_or_tells_no_balance_is_below_no_floor(store: Store) -> None:
    store.wallets.put([wallet("old", AUD, "0", status="closed"), wallet("mute", AUD)])
    assert needing(store, NOON, floors={"AUD": Decimal(1)}) == []


def test_a_suspended_wallet_below_its_floor_is_named_for_both(store: Store) -> None:
    store.wallets.put([wallet("s", AUD, "1", status="suspended")])
    matters = {item.matter for item in needing(store, NOON, floors={"AUD": Decimal(2)})}
    assert matters == {State("suspended"), "below floor"}


def test_a_wallet_that_was_filled_up_needs_nobody_any_more(store: Store) -> None:
    store.wallets.put([wallet("low", AUD, "1")])
    suspects = AttentionCandidates(store, {"AUD": Decimal(2)})
    suspects.wallets.take_in()
    assert len(needs_attention(suspects, NOON)) == 1
    store.wallets.put([wallet("low", AUD, "2")])
    suspects.wallets.take_in()
    assert needs_attention(suspects, NOON) == []
