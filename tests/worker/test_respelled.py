"""A service that spells everything otherwise is read exactly as the documented one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from paytui.api.dialect import load_dialect
from paytui.api.models import Kind
from tests.support.clock import ManualClock
from tests.support.respelled.app import DIALECT, OtherService
from tests.support.respelled.rows import as_respelled
from tests.support.virtual import VirtualLoop
from tests.worker.conftest import still_service
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
def test_with_nothing_but_a_dialect_every_list_is_the_same(both: Both, kind: Kind) -> None:
    expected = set(map(as_respelled, both.documented.rows(kind)))
    assert expected
    assert set(both.other.rows(kind)) == expected


def test_states_that_it_alone_knows_are_shown_in_its_words(both: Both) -> None:
    words = {row.status.name for row in both.other.store.payments.rows() if row.status}
    assert "BATCHED_OVERNIGHT" in words


@pytest.mark.parametrize("kind", LISTED_THERE)
def test_every_list_is_known_to_be_whole(both: Both, kind: Kind) -> None:
    feed = both.other.store.feed(kind)
    assert feed.ok, feed.problem
    assert not feed.skipped
    assert feed.total in (None, both.other.count(kind))


@pytest.mark.parametrize("kind", WITHOUT_LISTS)
def test_lists_that_it_has_not_are_not_offered_and_not_asked_for(both: Both, kind: Kind) -> None:
    assert not both.other.store.feed(kind).offered
    assert not [path for path in both.other.network.requests if "deal" in path]


def test_every_deposit_stays_in_its_own_wallet_although_the_filter_is_ignored(both: Both) -> None:
    assert both.other.network.counts["/bank/api/7/deposits"] > 1
    assert {row.pay_in_transaction_id: row.wallet_id for row in both.other.store.payins.rows()} == {
        row.pay_in_transaction_id: row.wallet_id for row in both.documented.store.payins.rows()
    }
