"""Lists of a service that ignores the requested wallet."""

from __future__ import annotations

from starlette.types import ASGIApp

from paytui.domain.models import Kind
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import Desk

NONE = Reply({"items": [], "total": 0})
TWO_WALLETS = Reply({"items": [{"walletId": "w1"}, {"walletId": "w2"}], "total": 2})


def desk_on(*payins: dict[str, str], wallets: Reply = TWO_WALLETS) -> Desk:
    """A desk on a service that answers with these deposits whichever wallet is asked for."""
    replies = {
        "/v2/wallets": wallets,
        "/v2/payins": Reply({"items": list(payins), "total": len(payins)}),
        "/v2/payin-addresses": NONE,
        "/v2/accounts": NONE,
        "/v2/trades": NONE,
        "/v2/recipients": NONE,
        "/v2/payments": NONE,
    }
    service: ASGIApp = ScriptedService(replies)
    return Desk(service, ManualClock())


def parents(desk: Desk) -> dict[str, str | None]:
    return {row.pay_in_transaction_id: row.wallet_id for row in desk.store.payins.rows()}


def deposit(number: str, wallet: str | None = None) -> dict[str, str]:
    own = {"walletId": wallet} if wallet else {}
    return {"payInTransactionId": number, **own}


def test_each_row_keeps_the_wallet_that_it_names_itself(run: Run) -> None:
    desk = desk_on(deposit("p1", "w1"), deposit("p2", "w2"), deposit("p3", "w9"))
    run(desk.worker.sync_once())
    assert parents(desk) == {"p1": "w1", "p2": "w2", "p3": "w9"}


def test_the_rows_of_other_wallets_are_not_counted_twice(run: Run) -> None:
    desk = desk_on(deposit("p1", "w1"), deposit("p2", "w2"))
    run(desk.worker.sync_once())
    feed = desk.store.feed(Kind.PAYINS)
    assert feed.ok
    assert feed.total == 2


def test_a_row_that_names_no_wallet_and_is_listed_under_two_belongs_to_neither(run: Run) -> None:
    desk = desk_on(deposit("p1"), deposit("p2", "w2"))
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert parents(desk) == {"p1": None, "p2": "w2"}


def test_a_row_that_names_no_wallet_is_that_wallets_in_whose_list_alone_it_is(run: Run) -> None:
    one = Reply({"items": [{"walletId": "w1"}], "total": 1})
    desk = desk_on(deposit("p1"), wallets=one)
    run(desk.worker.sync_once())
    run(desk.worker.sync_once())
    assert parents(desk) == {"p1": "w1"}
