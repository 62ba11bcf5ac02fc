"""Lists with and without certain fields, from a scripted service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from paytui.domain.models import Kind
from tests.support.big_book import BigBook
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import Desk

WALLETS, RECIPIENTS = "/v2/wallets", "/v2/recipients"


def items(*found: object, total: int | None = None) -> Reply:
    """A list in its envelope (service.md)."""
    told = {} if total is None else {"total": total}
    return Reply({"items": list(found), "page": 1, **told})


def wallet(name: str, available: str = "1.00") -> dict[str, str]:
    return {"walletId": name, "currency": "AUD", "availableBalance": available}


Replies = dict[str, Reply | list[Reply]]
DeskOn = Callable[[Replies], Desk]


@pytest.fixture
def desk_on(clock: ManualClock) -> DeskOn:
    """A desk on a service that gives these replies."""
    return lambda replies: Desk(ScriptedService(replies), clock)


def test_a_row_that_a_whole_list_no_longer_holds_is_gone(run: Run, desk_on: DeskOn) -> None:
    desk = desk_on(
        {WALLETS: [items(wallet("a"), wallet("b"), total=2), items(wallet("b"), total=1)]}
    )
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"a", "b"}
    seen = desk.store.wallets.version
    run(desk.worker.sync_once())
    assert desk.store.wallets.changes(seen).removed == ("a",)


def test_a_list_that_was_cut_short_removes_nothing_and_says_of_how_many(
    run: Run, desk_on: DeskOn
) -> None:
    desk = desk_on(
        {
            WALLETS: [
                items(wallet("a"), wallet("b"), total=2),
                items(wallet("b"), total=3),
                items(total=3),
            ]
        }
    )
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"a", "b"}
    assert desk.store.feed(Kind.WALLETS).total == 3


def test_a_list_of_which_only_its_length_says_that_it_may_go_on_is_read_and_remarked(
    run: Run, desk_on: DeskOn
) -> None:
    desk = desk_on({WALLETS: items(*(wallet(f"w{number}") for number in range(20)))})
    run(desk.worker.sync_once())
    feed = desk.store.feed(Kind.WALLETS)
    assert (feed.ok, feed.cut, feed.problem, feed.unsure) == (True, False, None, True)
    assert feed.remark.startswith("may be all: the same 20 records come for every page")


def test_a_record_that_cannot_be_read_is_counted_and_removes_nothing(
    run: Run, desk_on: DeskOn
) -> None:
    bad = {"currency": "AUD"}
    desk = desk_on(
        {WALLETS: [items(wallet("a"), wallet("b"), total=2), items(wallet("b"), bad, total=2)]}
    )
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert desk.store.wallets.keys() == {"a", "b"}
    assert desk.store.feed(Kind.WALLETS).skipped == 1
    assert desk.store.feed(Kind.WALLETS).ok


def test_a_failure_on_a_later_page_keeps_what_came_and_what_was_there(
    run: Run, desk_on: DeskOn
) -> None:
    failed = Reply({"error": {"code": "unavailable", "message": "later"}}, 503)
    desk = desk_on(
        {
            WALLETS: [
                items(wallet("a"), wallet("b"), total=2),
                items(wallet("b", "9.00"), total=2),
                failed,
            ]
        }
    )
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert {row.wallet_id: str(row.available_balance) for row in desk.store.wallets.rows()} == {
        "a": "1.00",
        "b": "9.00",
    }
    assert desk.store.feed(Kind.WALLETS).problem is not None


def test_a_list_that_is_not_offered_is_off_and_no_failure(run: Run, desk_on: DeskOn) -> None:
    desk = desk_on({WALLETS: items(wallet("a"), total=1)})
    run(desk.worker.sync_once())
    for kind in (Kind.TRADES, Kind.PAYINS, Kind.RECIPIENTS, Kind.PAYMENT_ADDRESSES):
        feed = desk.store.feed(kind)
        assert (feed.offered, feed.ok, feed.problem) == (False, False, None), kind
    assert desk.store.feed(Kind.WALLETS).ok


def test_a_list_that_is_not_offered_is_tried_again_after_ten_minutes(
    run: Run, desk_on: DeskOn
) -> None:
    desk = desk_on({WALLETS: items(wallet("a"), total=1)})

    async def watch() -> None:
        async with desk.at_work():
            await asyncio.sleep(590)
            assert desk.network.counts["/v2/accounts"] == 1
            await asyncio.sleep(20)
            assert desk.network.counts["/v2/accounts"] == 2

    run(watch())


def test_a_list_that_is_not_offered_is_tried_again_on_refresh(run: Run, desk_on: DeskOn) -> None:
    desk = desk_on(
        {"/v2/accounts": [Reply(b"no such page", 404), items({"accountId": "a"}, total=1)]}
    )

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: not desk.store.feed(Kind.ACCOUNTS).offered)
            desk.inbox.refresh()
            await desk.until(lambda: desk.store.feed(Kind.ACCOUNTS).ok, within=2)

    run(watch())


def test_the_lists_of_a_wallet_that_is_gone_go_with_it(run: Run, desk_on: DeskOn) -> None:
    payin = {"payInTransactionId": "p", "amount": "1.00"}
    desk = desk_on(
        {
            WALLETS: [items(wallet("a"), total=1), items(wallet("b"), total=1)],
            "/v2/payins": [items(payin, total=1), items(total=0)],
        }
    )
    run(desk.worker.sync_once())
    assert [row.wallet_id for row in desk.store.payins.rows()] == ["a"]
    run(desk.worker.sync_once())
    assert len(desk.store.payins) == 0


def test_a_service_that_ignores_the_wallet_asked_for_does_not_make_rows_flicker(
    run: Run, desk_on: DeskOn
) -> None:
    """Each wallet's list holds both wallets' pay-ins, and wallet a is gone on the second read."""
    both = [
        {"payInTransactionId": "of a", "walletId": "a"},
        {"payInTransactionId": "of b", "walletId": "b"},
    ]
    desk = desk_on(
        {
            WALLETS: [items(wallet("a"), wallet("b"), total=2), items(wallet("b"), total=1)],
            "/v2/payins": [items(*both, total=2), items(*both, total=2), items(both[1], total=1)],
        }
    )
    run(desk.worker.sync_once())
    assert desk.store.payins.keys() == {"of a", "of b"}
    seen = desk.store.payins.version
    run(desk.worker.sync_once())
    assert desk.store.payins.changes(seen).removed == ("of a",)
    assert not desk.store.payins.changes(seen).rows


def test_addresses_are_asked_for_where_the_recipient_does_not_hold_them(
    run: Run, desk_on: DeskOn
) -> None:
    desk = desk_on(
        {
            RECIPIENTS: items({"recipientId": "r"}, total=1),
            f"{RECIPIENTS}/r/payment-addresses": items({"paymentAddressId": "p"}, total=1),
        }
    )
    run(desk.worker.sync_once())
    (address,) = desk.store.payment_addresses.rows()
    assert (address.payment_address_id, address.recipient_id) == ("p", "r")


def test_addresses_in_a_recipients_record_follow_it(run: Run, desk_on: DeskOn) -> None:
    def recipient(*addresses: str) -> dict[str, object]:
        held = [{"paymentAddressId": name} for name in addresses]
        return {"recipientId": "r", "paymentAddresses": held}

    desk = desk_on(
        {RECIPIENTS: [items(recipient("p", "q"), total=1), items(recipient("q", "s"), total=1)]}
    )
    run(desk.worker.sync_once())
    assert desk.store.payment_addresses.keys() == {"p", "q"}
    run(desk.worker.sync_once())
    assert desk.store.payment_addresses.keys() == {"q", "s"}
    assert {row.recipient_id for row in desk.store.payment_addresses.rows()} == {"r"}


def test_nothing_that_hangs_on_a_wallet_is_told_to_be_fresher_than_the_wallets(
    run: Run, desk_on: DeskOn, clock: ManualClock
) -> None:
    failed = Reply(b"", 503)
    desk = desk_on({WALLETS: [items(wallet("a"), total=1), failed], "/v2/payins": items(total=0)})
    run(desk.worker.sync_once())
    read_at = desk.store.feed(Kind.WALLETS).read_at
    clock.advance(120)
    run(desk.worker.sync_once())
    assert desk.store.feed(Kind.PAYINS).ok
    assert desk.store.feed(Kind.PAYINS).read_at == read_at


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_service_in_trouble_is_not_asked_for_every_wallet(
    run: Run, desk_on: DeskOn, status: int
) -> None:
    wallets = [wallet(f"w{number}") for number in range(40)]
    desk = desk_on({WALLETS: items(*wallets, total=40), "/v2/payins": Reply(b"", status)})
    run(desk.worker.sync_once())
    assert desk.network.counts["/v2/payins"] <= 5


def test_a_thousand_rows_reach_the_table_in_slices_between_which_others_run(
    run: Run, desk_on: DeskOn
) -> None:
    """At most 500 rows are put at once, and the screens are woken for each slice."""
    desk = desk_on({WALLETS: items(*(wallet(str(number)) for number in range(1200)), total=1200)})
    versions: list[int] = []
    desk.store.subscribe(lambda: versions.append(desk.store.wallets.version))
    run(desk.worker.sync_once())
    assert {500, 1000, 1200} <= set(versions)


def test_a_row_of_a_long_list_that_is_gone_is_so_after_a_second_look(
    run: Run, clock: ManualClock
) -> None:
    book = BigBook(clock, 700)
    desk = Desk(book, clock)

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            book.remove(300)
            desk.inbox.refresh()
            await desk.until(lambda: desk.count(Kind.PAYMENTS) == 699, within=12)
            assert desk.store.feed(Kind.PAYMENTS).ok

    run(watch())
