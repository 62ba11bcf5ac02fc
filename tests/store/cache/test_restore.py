"""A run begins with the data of the previous one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from paytui.domain.models import (
    Account,
    AccountId,
    Kind,
    PayIn,
    PayInId,
    Payment,
    PaymentId,
    PhysicalAddress,
    Recipient,
    RecipientId,
    Record,
    State,
    Trade,
    TradeId,
    Wallet,
    WalletId,
)
from paytui.domain.money import CurrencyCode
from paytui.store.cache.list_query import ListQuery
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import TimeContext
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.store.cache.conftest import CacheFile

AUD = CurrencyCode("AUD")
MADE = datetime(2026, 3, 1, 9, 30, 1, 250_000, tzinfo=UTC)
DESK = Wallet(
    WalletId("wal-1"),
    account_id=AccountId("acc-1"),
    currency=AUD,
    wallet_name="AUD desk ~ 東京",
    status=State("active", known=False),
    available_balance=Decimal("99999999999999999999.10"),
    reserved_balance=Decimal("-0.05"),
    created_at=MADE,
)
RECORDS: tuple[Record, ...] = (
    DESK,
    Account(AccountId("acc-1"), kind="corporate", display_name="Acme", created_at=MADE),
    Trade(TradeId("trd-1"), sell_amount=Decimal("1.50"), rate=Decimal("0.6512300"), status=None),
    Payment(PaymentId("pay-1"), amount=Decimal(5), status=State("completed", final=True)),
    Recipient(RecipientId("rec-1"), company_name="Bolt", country="AU"),
    PayIn(PayInId("pin-1"), wallet_id=WalletId("wal-1"), credited_at=MADE),
)


def payment(number: int, *, final: bool = True) -> Payment:
    made = MADE + timedelta(seconds=number)
    status = State("completed" if final else "processing", final=final)
    return Payment(PaymentId(f"pay-{number}"), status=status, created_at=made)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_comes_back_to_the_last_digit(cache: CacheFile, record: Record) -> None:
    cache.left_with(*RECORDS)
    store, recall = cache.recalled()
    assert not recall.failed
    rows = [
        row for kind in Kind if kind is not Kind.RATE_SHEETS for row in store.table(kind).rows()
    ]
    assert record in rows
    assert len(rows) == len(RECORDS)


@pytest.mark.parametrize("lacks", [{"skipped": 3}, {"cut": True}, {}])
def test_a_list_that_was_not_all_comes_back_as_one(cache: CacheFile, lacks: dict[str, Any]) -> None:
    writer = CacheWriter(cache.path)
    writer.note(Feed(Kind.WALLETS, as_of=MADE, read_at=1.0, **lacks), cache.clock.now())
    writer.close()
    feed = cache.recalled()[0].feed(Kind.WALLETS)
    assert (feed.skipped, feed.cut) == (lacks.get("skipped", 0), lacks.get("cut", False))


def test_amounts_keep_every_digit_that_they_had(cache: CacheFile) -> None:
    cache.left_with(*RECORDS)
    [trade] = cache.recalled()[0].trades.rows()
    assert (str(trade.sell_amount), str(trade.rate)) == ("1.50", "0.6512300")


@pytest.mark.parametrize(
    "amount", ["0.0000001", "-0.00000000000000000001", "1E-49", "1E+50", "0E-9"]
)
def test_an_amount_of_any_size_leaves_the_cache_readable(cache: CacheFile, amount: str) -> None:
    cache.left_with(replace(DESK, pending_balance=Decimal(amount)))
    store, recall = cache.recalled()
    assert not recall.failed
    assert [row.pending_balance for row in store.wallets.rows()] == [Decimal(amount)]


def test_wallets_are_there_before_anything_else_is_brought_back(cache: CacheFile) -> None:
    cache.left_with(*RECORDS)
    store = Store()
    recall = CacheRestore(cache.path, store, cache.clock, 1_000)
    recall.at_once()
    assert recall.has_wallets
    assert store.wallets.rows() == [DESK]
    assert store.feed(Kind.WALLETS).cached
    assert store.payments.rows() == []


def test_it_is_as_old_as_the_time_since_it_was_read_and_not_yet_read(cache: CacheFile) -> None:
    cache.left_with(DESK)
    read_at = cache.clock.now()
    cache.clock.advance(840)
    feed = cache.recalled()[0].feed(Kind.WALLETS)
    assert (feed.as_of, feed.cached, feed.was_read, feed.ok) == (read_at, True, False, False)
    assert feed.read_at == cache.clock.boot() - 840


def test_a_host_clock_that_was_set_back_a_little_makes_nothing_younger_than_now(
    cache: CacheFile,
) -> None:
    cache.left_with(DESK)
    cache.clock.set_wall(cache.clock.now() - timedelta(seconds=50))
    assert cache.recalled()[0].feed(Kind.WALLETS).read_at == cache.clock.boot()


def test_what_was_kept_by_a_clock_that_was_ahead_is_of_unknown_age(cache: CacheFile) -> None:
    cache.left_with(DESK)
    cache.clock.set_wall(cache.clock.now() - timedelta(days=3))
    feed = cache.recalled()[0].feed(Kind.WALLETS)
    assert (feed.cached, feed.read_at) == (True, None)


def test_what_is_still_coming_back_is_marked_from_its_first_row_on(cache: CacheFile) -> None:
    """1,200 of a kind come back in three steps."""
    cache.left_with(DESK, *(payment(number) for number in range(1_200)))
    store = Store()
    steps = CacheRestore(cache.path, store, cache.clock, 2_000).rest()
    held = [(len(store.payments), store.feed(Kind.PAYMENTS).cached) for _ in steps]
    assert held == [(0, False), (500, True), (1_000, True), (1_200, True)]


def test_wallets_that_are_more_than_a_first_paint_waits_for_are_marked(cache: CacheFile) -> None:
    writer = CacheWriter(cache.path)
    writer.keep(
        Kind.WALLETS, [replace(DESK, wallet_id=WalletId(f"w{n}")) for n in range(2_500)], []
    )
    writer.close()
    cache.left_with(DESK)
    store = Store()
    recall = CacheRestore(cache.path, store, cache.clock, 1_000)
    recall.at_once()
    assert (len(store.wallets), store.feed(Kind.WALLETS).cached) == (2_000, True)
    assert not recall.has_wallets


def test_of_many_the_newest_come_back_and_all_that_are_open(cache: CacheFile) -> None:
    cache.left_with(payment(1, final=False), *(payment(number) for number in range(2, 10)))
    store, _ = cache.recalled(most=3)
    assert {row.payment_transaction_id for row in store.payments.rows()} == {
        "pay-1",
        "pay-7",
        "pay-8",
        "pay-9",
    }


def test_all_of_a_recent_period_come_back_and_all_of_lists_that_do_not_grow(
    cache: CacheFile,
) -> None:
    recipients = [Recipient(RecipientId(f"rec-{number}")) for number in range(5)]
    cache.left_with(*(payment(number) for number in range(2, 10)), *recipients)
    store, _ = cache.recalled(most=3, recent=timedelta(seconds=5))
    assert store.payments.keys() == {f"pay-{number}" for number in range(4, 10)}
    assert len(store.recipients) == 5


def test_what_was_read_since_is_not_touched(cache: CacheFile) -> None:
    cache.left_with(*RECORDS)
    store, fresh = Store(), replace(DESK, available_balance=Decimal(7))
    store.wallets.put([fresh])
    for _ in CacheRestore(cache.path, store, cache.clock, 1_000).rest():
        pass
    assert store.wallets.rows() == [fresh]


def test_the_first_whole_read_takes_away_what_is_not_in_it(cache: CacheFile) -> None:
    cache.left_with(payment(1), payment(2))
    store, _ = cache.recalled()
    store.payments.put([payment(2), payment(3)])
    assert len(store.payments) == 3
    store.set_feed(Feed(Kind.PAYMENTS, as_of=MADE, read_at=1.0))
    assert store.payments.keys() == {"pay-2", "pay-3"}


@pytest.mark.parametrize("how", [{"cut": True}, {"skipped": 1}])
def test_what_a_first_read_that_was_not_whole_lacks_stays_until_a_whole_one(
    cache: CacheFile, how: dict[str, int]
) -> None:
    cache.left_with(payment(1), payment(2))
    store, _ = cache.recalled()
    store.payments.put([payment(2)])
    part = replace(Feed(Kind.PAYMENTS, as_of=MADE, read_at=1.0), **how)  # type: ignore[arg-type]
    store.set_feed(part)
    assert store.payments.keys() == {"pay-1", "pay-2"}
    store.set_feed(Feed(Kind.PAYMENTS, as_of=MADE, read_at=2.0))
    assert store.payments.keys() == {"pay-2"}


def test_a_list_that_is_read_in_time_is_not_brought_back(cache: CacheFile) -> None:
    cache.left_with(payment(1), payment(2))
    store = Store()
    store.set_feed(Feed(Kind.PAYMENTS, as_of=MADE, read_at=1.0))
    for _ in CacheRestore(cache.path, store, cache.clock, 1_000).rest():
        pass
    assert store.payments.rows() == []
    assert not store.feed(Kind.PAYMENTS).cached


def test_an_object_that_cannot_be_read_is_not_brought_back(cache: CacheFile) -> None:
    created = replace(payment(1), status=State("pending", known=False, as_created=True))
    cache.left_with(created, payment(2))
    assert cache.recalled()[0].payments.keys() == {"pay-2"}
    CacheWriter(cache.path).close()
    reader = ListReader(cache.path)
    found = reader.rows(ListQuery(Kind.PAYMENTS), TimeContext(cache.clock.now))
    assert list(found) == [payment(2)]
    reader.close()


def test_what_is_gone_does_not_come_back(cache: CacheFile) -> None:
    cache.left_with(payment(1), payment(2))
    writer = CacheWriter(cache.path)
    writer.keep(Kind.PAYMENTS, [], ["pay-1"])
    writer.close()
    assert cache.recalled()[0].payments.keys() == {"pay-2"}


def test_nobody_finds_a_bank_account_or_a_person_in_it(cache: CacheFile) -> None:
    person = Account(
        AccountId("acc-1"),
        display_name="Ann",
        email="ann@sentinel.example",
        phone="0400sentinel",
        birth_date=MADE.date(),
        physical_address=PhysicalAddress(city="Sentinel City"),
        registration_number="sentinel-1",
    )
    payin = PayIn(PayInId("pin-1"), sender_name="Sentinel Pty Ltd")
    recipient = Recipient(RecipientId("rec-1"), email="r@sentinel.example")
    cache.left_with(person, payin, recipient)
    written = b"".join(file.read_bytes() for file in cache.path.parent.iterdir())
    assert b"sentinel" not in written.lower()
