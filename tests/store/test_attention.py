"""Objects that need a trader's attention now."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from paytui.domain.colleagues import AttentionNote
from paytui.domain.intent import IntentTerms, Standing
from paytui.domain.models import (
    AccountId,
    Kind,
    PayIn,
    PayInId,
    Problem,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    WalletId,
)
from paytui.domain.money import Money
from paytui.store.health import Feed
from paytui.store.needs_attention import (
    Attention,
    AttentionCandidates,
    AttentionTarget,
    NextStep,
    Urgency,
    attention_key,
    needs_attention,
    seen_since,
)
from paytui.store.store import Store
from tests.store.made import ACME, AUD, JPY, OTHER, payment, trade, wallet
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
    assert item.since is None  # The service's times move with any change


def test_what_went_wrong_more_than_a_day_ago_is_history(store: Store) -> None:
    store.payments.put([payment("p", "failed", 25)])
    assert needing(store, NOON) == []


def test_a_review_is_named_only_once_it_takes_long(store: Store) -> None:
    """Any change moves `updated_at`: what counts is the age of the payment."""
    half = timedelta(minutes=30)
    new, old = (payment(name, "compliance_review", 0.1) for name in ("new", "old"))
    store.payments.put([replace(new, created_at=NOON - half + timedelta(seconds=1))])
    store.payments.put([replace(old, created_at=NOON - half)])
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
        ("payments", "503", None),
        ("3 lists", "login refused", NOON - timedelta(minutes=3)),
    ]


def test_of_equal_urgency_the_newest_comes_first(store: Store) -> None:
    """Newest is what was seen last, whatever the service says of it."""
    store.payments.put([payment("older", "failed", 1), payment("newer", "rejected", 2)])
    for item in needing(store, NOON):
        seen = NOON - timedelta(minutes=9 if item.key == "older" else 5)
        store.attention.put([AttentionNote(attention_key(item), seen)])
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


# Unfunded trades


def waiting(name: str, sells: str, hours_ago: float = 1) -> Trade:
    """A trade that awaits AUD of wallet `w`."""
    row = trade(name, sells, "1", "awaiting_funds", hours_ago=hours_ago)
    return replace(row, sell_wallet_id=WalletId("w"))


def test_trades_of_one_wallet_are_short_of_what_they_sell_together(store: Store) -> None:
    """60 + 50 - 100 = 10; each by itself is covered."""
    store.wallets.put([wallet("w", AUD, "100")])
    store.trades.put([waiting("new", "60", 1), waiting("old", "50", 2)])
    (item,) = needing(store, NOON)
    assert (item.key, item.kind, item.urgency) == ("old", Kind.TRADES, Urgency.ALARM)
    assert (item.subject, item.amount) == ("2 trades sell AUD", "110.00 AUD")
    assert (item.matter, item.measure) == ("short", Money(Decimal(10), AUD))


def test_a_trade_is_short_by_what_its_wallet_lacks(store: Store) -> None:
    store.wallets.put([wallet("w", AUD, "100")])
    store.trades.put([waiting("t", "100.01")])
    (item,) = needing(store, NOON)
    assert (item.subject, item.party) == ("trade AUD > USD", "from w")
    assert item.measure == Money(Decimal("0.01"), AUD)
    store.wallets.put([wallet("w", AUD, "100.01")])
    assert needing(store, NOON) == []


def test_a_wallet_is_funded_from_another_of_its_currency_or_else_by_a_purchase(
    store: Store,
) -> None:
    store.wallets.put([wallet("w", AUD, "1"), wallet("y", JPY), wallet("z", AUD, status="closed")])
    store.trades.put([waiting("t", "100")])
    assert [item.next_step for item in needing(store, NOON)] == [NextStep.BUY]
    store.wallets.put([wallet("v", AUD)])
    assert [item.next_step for item in needing(store, NOON)] == [NextStep.FUND]
    store.wallets.remove([WalletId("v")])
    store.set_feed(Feed(Kind.WALLETS, offered=False))
    assert [item.next_step for item in needing(store, NOON)] == [NextStep.FUND]  # not known


def test_a_trade_whose_wallet_is_unknown_or_tells_no_balance_lacks_nothing_for_sure(
    store: Store,
) -> None:
    store.trades.put([waiting("t", "100")])
    assert needing(store, NOON) == []
    store.wallets.put([wallet("w", AUD)])
    assert needing(store, NOON) == []


def test_a_shortfall_that_ticks_is_the_same_item_and_another_trade_makes_a_new_one(
    store: Store,
) -> None:
    store.wallets.put([wallet("w", AUD, "1")])
    store.trades.put([waiting("t", "100")])
    before = [attention_key(item) for item in needing(store, NOON)]
    store.wallets.put([wallet("w", AUD, "2")])
    assert [attention_key(item) for item in needing(store, NOON)] == before
    store.trades.put([waiting("u", "5")])
    assert [attention_key(item) for item in needing(store, NOON)] != before


# What an item says


def test_an_item_says_to_whom_why_and_whose(store: Store) -> None:
    bolt = Recipient(RecipientId("rec-1"), company_name="Bolt")
    store.recipients.put([bolt])
    paid = replace(
        payment("p", "failed", 1),
        recipient_id=RecipientId("rec-1"),
        failure_reason="refused by the bank: account closed",
    )
    moved = replace(
        payment("q", "rejected", 1), payment_type="transfer", destination_wallet_id=WalletId("w")
    )
    store.wallets.put([wallet("w", AUD)])
    store.payments.put([paid, moved])
    items = {item.key: item for item in needing(store, NOON)}
    assert (items["p"].party, items["p"].account_id) == ("to Bolt", ACME)
    assert items["p"].reason == "refused by the bank: account closed"
    assert (items["q"].party, items["q"].reason) == ("to w", "")


def test_since_is_when_it_was_first_seen_so_whatever_the_row_says(store: Store) -> None:
    low = replace(wallet("low", AUD, "1"), updated_at=NOON)
    store.wallets.put([low])
    (item,) = needing(store, NOON, floors={"AUD": Decimal(5)})
    assert seen_since(store, item) is None
    store.attention.put([AttentionNote(attention_key(item), NOON - timedelta(hours=3))])
    store.wallets.put([replace(low, available_balance=Decimal(2))])
    (item,) = needing(store, NOON, floors={"AUD": Decimal(5)})
    assert seen_since(store, item) == NOON - timedelta(hours=3)
    (other,) = needing(store, NOON, floors={"AUD": Decimal(6)})
    assert seen_since(store, other) is None  # below another floor


def test_an_unsent_trade_says_when_its_rate_ends(store: Store) -> None:
    terms = IntentTerms(expires_at=NOON + timedelta(seconds=90))
    store.intents.put([intent_row(1, Standing.RECORDED, terms=terms)])
    store.intents.put([intent_row(2, Standing.IN_DOUBT, terms=terms)])
    ends = {item.matter: item.expires_at for item in needing(store, NOON)}
    assert ends == {"not sent": NOON + timedelta(seconds=90), "in doubt": None}


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
