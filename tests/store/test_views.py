"""Derived figures; every expected value is worked out by hand."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest

from paytui.api.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInId,
    Payment,
    PaymentId,
    Problem,
    Rate,
    RateSheet,
    RateSheetId,
    Recipient,
    RecipientId,
    State,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.intent import Standing
from paytui.money import CurrencyCode, Pair
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.store.views import (
    Side,
    account_name,
    needs_attention,
    newest_sheets,
    rate_rows,
    recipient_name,
    totals,
    wallet_label,
)
from tests.support.clock import NOON
from tests.support.intents import intent_row

AUD, USD, EUR, JPY = (CurrencyCode(code) for code in ("AUD", "USD", "EUR", "JPY"))
ACME, OTHER = AccountId("acme"), AccountId("other")


@pytest.fixture
def store() -> Store:
    return Store()


def wallet(
    name: str,
    currency: CurrencyCode | None,
    available: str | None = None,
    *,
    account_id: AccountId = ACME,
    reserved: str | None = None,
    status: str = "active",
) -> Wallet:
    return Wallet(
        WalletId(name),
        account_id=account_id,
        currency=currency,
        status=State(status, final=status == "closed"),
        available_balance=None if available is None else Decimal(available),
        reserved_balance=None if reserved is None else Decimal(reserved),
    )


# Totals


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


def test_totals_of_one_account_leave_the_others_out() -> None:
    mine, theirs = wallet("a", AUD, "5"), wallet("b", AUD, "7", account_id=OTHER)
    assert totals([mine, theirs], ACME)[0].available == Decimal(5)


def test_a_wallet_that_does_not_tell_its_balance_is_counted_as_untold() -> None:
    (total,) = totals([wallet("a", AUD, "5"), wallet("b", AUD)])
    assert (total.available, total.wallets, total.untold) == (Decimal(5), 2, 1)


def test_a_total_that_no_wallet_tells_is_unknown_rather_than_zero() -> None:
    assert totals([wallet("a", AUD)])[0].available is None


def test_a_wallet_without_a_currency_is_in_no_total() -> None:
    assert totals([wallet("a", None, "5")]) == []


# Names


def test_names_fall_back_to_ids(store: Store) -> None:
    assert account_name(store, AccountId("unknown")) == "unknown"
    assert wallet_label(store, WalletId("unknown")) == "unknown"
    assert recipient_name(store, RecipientId("unknown")) == "unknown"


def test_what_an_object_does_not_name_is_a_dash(store: Store) -> None:
    assert account_name(store, None) == "—"
    assert wallet_label(store, None) == "—"
    assert recipient_name(store, None) == "—"


def test_an_object_without_any_name_is_called_by_its_id(store: Store) -> None:
    store.accounts.put([Account(ACME)])
    store.wallets.put([Wallet(WalletId("w"))])
    store.recipients.put([Recipient(RecipientId("r"))])
    assert account_name(store, ACME) == "acme"
    assert wallet_label(store, WalletId("w")) == "w"
    assert recipient_name(store, RecipientId("r")) == "r"


@pytest.mark.parametrize(
    ("account", "expected"),
    [
        (Account(ACME, display_name="Desk", company_name="Acme Pty"), "Desk"),
        (Account(ACME, company_name="Acme Pty", trading_name="Acme"), "Acme Pty"),
        (Account(ACME, first_name="Ada", last_name="Marlow"), "Ada Marlow"),
    ],
)
def test_an_account_has_the_best_name_that_is_told(
    store: Store, account: Account, expected: str
) -> None:
    store.accounts.put([account])
    assert account_name(store, ACME) == expected


@pytest.mark.parametrize(
    ("recipient", "expected"),
    [
        (Recipient(RecipientId("r"), first_name="Ada", last_name="Marlow"), "Ada Marlow"),
        (Recipient(RecipientId("r"), company_name="Timber", last_name="Marlow"), "Timber"),
    ],
)
def test_a_recipient_has_the_best_name_that_is_told(
    store: Store, recipient: Recipient, expected: str
) -> None:
    store.recipients.put([recipient])
    assert recipient_name(store, RecipientId("r")) == expected


def test_a_wallet_is_called_by_its_name(store: Store) -> None:
    store.wallets.put([Wallet(WalletId("w"), wallet_name="AUD desk")])
    assert wallet_label(store, WalletId("w")) == "AUD desk"


# What needs attention


def payment(name: str, status: str, hours_ago: float, account_id: AccountId = ACME) -> Payment:
    return Payment(
        PaymentId(name),
        payment_type="payout",
        account_id=account_id,
        amount=Decimal(12000),
        currency=USD,
        status=State(status),
        created_at=NOON - timedelta(days=9),
        updated_at=NOON - timedelta(hours=hours_ago),
    )


def test_a_quiet_book_needs_nothing(store: Store) -> None:
    store.wallets.put([wallet("a", AUD, "5"), wallet("old", AUD, status="closed")])
    store.payments.put([payment("p", "completed", 1), payment("q", "processing", 1)])
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON))
    assert needs_attention(store, NOON) == []


@pytest.mark.parametrize("status", ["rejected", "failed", "returned"])
def test_a_payment_that_went_wrong_today_is_named(store: Store, status: str) -> None:
    store.payments.put([payment("p", status, 1)])
    (item,) = needs_attention(store, NOON)
    assert (item.kind, item.key) == (Kind.PAYMENTS, "p")
    assert item.subject == "payout 12,000.00 USD"
    assert isinstance(item.matter, State)
    assert item.matter.name == status
    assert item.since == NOON - timedelta(hours=1)


def test_what_went_wrong_more_than_a_day_ago_is_history(store: Store) -> None:
    store.payments.put([payment("p", "failed", 25)])
    assert needs_attention(store, NOON) == []


def test_a_review_is_named_only_once_it_takes_long(store: Store) -> None:
    store.payments.put(
        [payment("new", "compliance_review", 0.4), payment("old", "compliance_review", 0.6)]
    )
    (item,) = needs_attention(store, NOON)
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
    assert [(item.kind, item.subject) for item in needs_attention(store, NOON)] == [
        (Kind.PAYINS, "pay-in 7 JPY"),
        (Kind.TRADES, "trade AUD>JPY"),
    ]


def test_a_wallet_that_is_not_active_is_named(store: Store) -> None:
    store.wallets.put([wallet("s", AUD, status="suspended"), wallet("p", AUD, status="pending")])
    assert [(item.key, item.matter) for item in needs_attention(store, NOON)] == [
        ("s", State("suspended")),
        ("p", State("pending")),
    ]


def test_a_failing_feed_comes_first_with_the_time_since_when(store: Store) -> None:
    store.payments.put([payment("p", "failed", 0.1)])
    problem = Problem("read pay-ins", "503")
    since = NOON - timedelta(minutes=4)
    store.set_feed(Feed(Kind.PAYINS, problem=problem, failing_since=since))
    first = needs_attention(store, NOON)[0]
    assert (first.kind, first.key, first.subject) == (Kind.PAYINS, None, "pay-ins")
    assert (first.matter, first.since) == ("503", since)


def test_feeds_that_fail_for_one_reason_are_one_alarm_since_the_first_failure(
    store: Store,
) -> None:
    for minutes, kind in enumerate((Kind.WALLETS, Kind.TRADES, Kind.PAYINS), start=1):
        since = NOON - timedelta(minutes=minutes)
        store.set_feed(Feed(kind, problem=Problem("read", "login refused"), failing_since=since))
    store.set_feed(Feed(Kind.PAYMENTS, problem=Problem("read", "503")))
    assert [(item.subject, item.matter, item.since) for item in needs_attention(store, NOON)] == [
        ("3 lists", "login refused", NOON - timedelta(minutes=3)),
        ("payments", "503", None),
    ]


def test_of_equal_urgency_the_newest_comes_first(store: Store) -> None:
    store.payments.put([payment("older", "failed", 3), payment("newer", "rejected", 2)])
    assert [item.key for item in needs_attention(store, NOON)] == ["newer", "older"]


def test_an_intent_in_doubt_comes_before_all_else(store: Store) -> None:
    store.set_feed(Feed(Kind.PAYMENTS, problem=Problem("read payments", "503"), failing_since=NOON))
    store.intents.put([intent_row(1, minutes_ago=300), intent_row(2, Standing.ACCEPTED)])
    doubtful, feed = needs_attention(store, NOON)
    assert (doubtful.subject, doubtful.matter) == ("payout 1,200.00 USD", "in doubt")
    assert (doubtful.key, doubtful.is_intent) == ("PT-00000001", True)
    assert feed.matter == "503"


def test_an_intent_that_was_never_sent_is_named_unless_it_goes_out_next(store: Store) -> None:
    store.intents.put([intent_row(1, Standing.RECORDED, minutes_ago=0)])
    assert needs_attention(store, NOON + timedelta(seconds=9)) == []
    (item,) = needs_attention(store, NOON + timedelta(seconds=10))
    assert item.matter == "never sent"


def test_an_alert_of_an_intent_stays_among_what_needs_somebody(store: Store) -> None:
    alarmed = intent_row(1, Standing.ACCEPTED, alerts=("Booked 1,300.00 USD.",))
    store.intents.put([alarmed])
    (item,) = needs_attention(store, NOON + timedelta(days=9))
    assert item.matter == "Booked 1,300.00 USD."


def test_an_intent_of_another_account_is_out_of_scope(store: Store) -> None:
    store.intents.put([intent_row(1)])  # of acc-2
    assert needs_attention(store, NOON, ACME) == []
    assert len(needs_attention(store, NOON, AccountId("acc-2"))) == 1


def test_the_scope_of_one_account_leaves_others_out(store: Store) -> None:
    store.payments.put([payment("mine", "failed", 1), payment("theirs", "failed", 1, OTHER)])
    store.wallets.put([wallet("w", AUD, account_id=OTHER)])
    rejected = State("rejected", final=True)
    store.payins.put([PayIn(PayInId("i"), wallet_id=WalletId("w"), status=rejected)])
    assert [item.key for item in needs_attention(store, NOON, ACME)] == ["mine"]
    assert {item.key for item in needs_attention(store, NOON, OTHER)} == {"theirs", "i"}


# Rates


def sheet(name: str, sent_at: float, **rates: str) -> RateSheet:
    """Rates are given as `AUDUSD="0.65"`: sold, then bought."""
    return RateSheet(
        RateSheetId(name),
        expires_at=NOON,
        sent_at=sent_at,
        rates=tuple(
            Rate(Pair(CurrencyCode(pair[:3]), CurrencyCode(pair[3:])), Decimal(rate))
            for pair, rate in rates.items()
        ),
    )


def test_the_market_direction_gives_the_base_first_and_its_price() -> None:
    """1 AUD = 0.65123 USD, 1 USD = 1.53421 AUD; 1 / 1.53421 = 0.65180125… by hand."""
    bid, offer = rate_rows(sheet("s", 1, AUDUSD="0.651230", USDAUD="1.534210"), None)
    assert (bid.market, bid.market_rate, bid.side) == ("AUD/USD", Decimal("0.651230"), Side.BID)
    assert (offer.market, offer.side) == ("AUD/USD", Side.OFFER)
    assert offer.market_rate == offer.inverse == Decimal("0.6518013")


def test_bid_and_offer_are_named_only_where_the_sheet_holds_both_directions() -> None:
    (row,) = rate_rows(sheet("s", 1, USDAUD="1.6"), None)
    assert row.side is None
    assert row.market_rate == Decimal("0.625")


def test_the_desk_may_have_an_order_of_its_own() -> None:
    (row,) = rate_rows(sheet("s", 1, AUDUSD="0.8"), None, order=(USD, AUD))
    assert (row.market, row.market_rate) == ("USD/AUD", Decimal("1.25"))


def test_a_change_is_against_the_same_pair_of_the_sheet_before() -> None:
    before = sheet("old", 1, AUDUSD="0.651110", USDAUD="1.534510", EURUSD="1.1")
    rows = rate_rows(
        sheet("new", 2, AUDUSD="0.651230", USDAUD="1.534210", EURUSD="1.1", EURJPY="160"), before
    )
    assert [row.change for row in rows] == [
        Decimal("0.000120"),
        Decimal("-0.000300"),
        Decimal(0),
        None,
    ]


def test_the_newest_sheet_is_the_one_that_was_asked_for_last(store: Store) -> None:
    store.rate_sheets.put([sheet("second", 20), sheet("third", 30), sheet("first", 10)])
    newest, before = newest_sheets(store)
    assert newest is not None
    assert before is not None
    assert (newest.rate_sheet_id, before.rate_sheet_id) == ("third", "second")


def test_without_sheets_there_is_no_newest(store: Store) -> None:
    assert newest_sheets(store) == (None, None)
