"""A service with other names for everything is read exactly as the documented one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from paytui.api.dialect import load_dialect
from paytui.domain.models import IdempotencyKey, Kind
from paytui.domain.requests import TransferRequest, WalletRequest
from tests.api.test_typical_flow import control
from tests.support.clock import ManualClock
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.respelled.rows import as_respelled
from tests.support.virtual import VirtualLoop
from tests.worker.conftest import Run, still_service
from tests.worker.desk import LISTED, Desk

WITHOUT_LISTS = (Kind.PAYIN_ADDRESSES, Kind.TRADES)
LISTED_THERE = tuple(kind for kind in LISTED if kind not in WITHOUT_LISTS)


@dataclass(frozen=True, slots=True)
class Both:
    """The same books, read once from either service."""

    documented: Desk
    other: Desk


@pytest.fixture(scope="module")
def both() -> Both:
    clock = ManualClock()
    service = still_service(clock)
    found = Both(
        Desk(service, clock),
        Desk(OtherService(service).app(), clock, dialect=load_dialect(DIALECT)),
    )
    loop = VirtualLoop(clock)
    for desk in (found.documented, found.other):
        loop.run_until_complete(desk.worker.sync_once())
    loop.close()
    return found


@pytest.mark.parametrize("kind", LISTED_THERE)
def test_with_nothing_but_a_dialect_every_list_is_the_same_and_whole(
    both: Both, kind: Kind
) -> None:
    expected = set(map(as_respelled, both.documented.rows(kind)))
    assert expected
    assert set(both.other.rows(kind)) == expected
    feed = both.other.store.feed(kind)
    assert feed.ok, feed.problem
    assert not feed.skipped
    assert feed.total in (None, both.other.count(kind))


def test_states_that_it_alone_knows_are_shown_in_its_words(both: Both) -> None:
    words = {row.status.name for row in both.other.store.payments.rows() if row.status}
    assert "BATCHED_OVERNIGHT" in words


@pytest.mark.parametrize("kind", WITHOUT_LISTS)
def test_lists_that_it_has_not_are_not_offered_and_not_asked_for(both: Both, kind: Kind) -> None:
    assert not both.other.store.feed(kind).offered
    assert not [path for path in both.other.network.requests if "deal" in path]


def test_every_deposit_stays_in_its_own_wallet_although_the_filter_is_ignored(both: Both) -> None:
    assert both.other.network.counts["/bank/api/7/deposits"] > 1
    assert {row.pay_in_transaction_id: row.wallet_id for row in both.other.store.payins.rows()} == {
        row.pay_in_transaction_id: row.wallet_id for row in both.documented.store.payins.rows()
    }


@pytest.mark.slow
@pytest.mark.parametrize("asks", [False, True])
def test_what_it_lists_last_is_seen_within_two_minutes(
    run: Run, clock: ManualClock, *, asks: bool
) -> None:
    """Its history is newest first; where changes are asked for, it looks for a field `since`."""
    service = still_service(clock)
    dialect = load_dialect(DIALECT)
    if asks:
        query = {**dialect.query, "updated_since": "changedSince"}
        dialect = replace(dialect, query=query, tell_changes=frozenset({"list_payments"}))
    desk = Desk(OtherService(service).app(), clock, dialect=dialect)

    async def watch() -> None:
        async with desk.at_work():
            await desk.until(lambda: desk.store.feed(Kind.PAYMENTS).ok)
            await desk.wait(200)
            funds = (row for row in desk.store.wallets.rows() if row.available_balance)
            source = next(row for row in funds if row.status and row.status.name == "active")
            assert source.account_id
            assert source.currency
            wallet = WalletRequest(account_id=source.account_id, currency=source.currency)
            target = await desk.client.create_wallet(wallet, IdempotencyKey("wallet"))
            active = {"kind": "wallet", "id": target.wallet_id, "status": "Active", "force": True}
            await control(service, "states", active)
            request = TransferRequest(
                source_wallet_id=source.wallet_id,
                destination_wallet_id=target.wallet_id,
                amount=Decimal(1),
            )
            made = await desk.client.create_transfer(request, IdempotencyKey("transfer"))
            new = made.payment_transaction_id
            await desk.until(lambda: desk.store.payments.get(new) is not None, within=120)

    run(watch())
