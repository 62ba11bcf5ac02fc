from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import IntentId
from paytui.domain.models import Account, AccountId, Kind, Problem, Wallet, WalletId
from paytui.store.health import Feed, Link, LinkState
from paytui.store.screen_rows import ListenerStatus
from paytui.store.store import BookState, CacheFile, CacheState, Store
from tests.support.clock import NOON

GOOD = Feed(Kind.WALLETS, as_of=NOON, read_at=1.0)
FAILED = Problem("read wallets", "503")


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def woken(store: Store) -> list[int]:
    """Grows by one entry a wake-up."""
    wakes: list[int] = []
    store.subscribe(lambda: wakes.append(1))
    store.notify()
    wakes.clear()
    return wakes


def test_every_kind_has_a_table_of_its_name(store: Store) -> None:
    for kind in Kind:
        assert len(getattr(store, kind.value)) == 0


def test_a_change_of_rows_wakes_once(store: Store, woken: list[int]) -> None:
    store.wallets.put([Wallet(WalletId("w"))])
    store.notify()
    store.notify()
    assert len(woken) == 1


def test_nobody_is_woken_where_nothing_changed(store: Store, woken: list[int]) -> None:
    store.wallets.put([Wallet(WalletId("w"))])
    store.notify()
    woken.clear()
    store.wallets.put([Wallet(WalletId("w"))])
    store.notify()
    assert not woken


def test_a_feed_that_goes_on_succeeding_wakes_nobody_but_grows_younger(
    store: Store, woken: list[int]
) -> None:
    store.set_feed(GOOD)
    store.notify()
    woken.clear()
    younger = replace(GOOD, as_of=NOON + timedelta(seconds=5), read_at=6.0)
    store.set_feed(younger)
    store.notify()
    assert not woken
    assert store.feed(Kind.WALLETS) == younger


@pytest.mark.parametrize(
    "worse",
    [
        replace(GOOD, problem=FAILED),
        replace(GOOD, offered=False),
        replace(GOOD, total=12),
        replace(GOOD, skipped=1),
    ],
)
def test_a_feed_whose_health_changes_wakes(store: Store, woken: list[int], worse: Feed) -> None:
    store.set_feed(GOOD)
    store.notify()
    woken.clear()
    store.set_feed(worse)
    store.notify()
    assert len(woken) == 1


def test_a_change_of_the_link_wakes(store: Store, woken: list[int]) -> None:
    store.set_link(Link(LinkState.UP, since=NOON))
    store.notify()
    store.set_link(Link(LinkState.UP, since=NOON))
    store.notify()
    assert len(woken) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("desk_limits", lambda: DeskLimits(needs=2)),
        ("approvals", lambda: {IntentId("i"): ("bob",)}),
        ("listening", lambda: ListenerStatus("127.0.0.1:8787")),
        ("cache", lambda: CacheState(CacheFile(Path("c"), 1), 1, frozenset())),
        ("book", lambda: BookState(Path("b"), writes=1)),
    ],
)
def test_what_is_assigned_wakes_once_and_its_equal_does_not(
    store: Store, woken: list[int], name: str, told: Callable[[], object]
) -> None:
    for _ in range(3):
        setattr(store, name, told())
        store.notify()
    assert len(woken) == 1


def test_nobody_is_forgotten_while_others_come_and_go_in_another_thread(store: Store) -> None:
    over = threading.Event()

    def come_and_go() -> None:
        while not over.is_set():
            store.subscribe(lambda: None)()

    other, before = threading.Thread(target=come_and_go), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        other.start()
        woken: list[int] = []
        for number in range(2_000):
            store.subscribe(partial(woken.append, number))
    finally:
        over.set()
        other.join()
        sys.setswitchinterval(before)
    store.wallets.put([Wallet(WalletId("w"))])
    store.notify()
    assert woken == list(range(2_000))


def test_who_unsubscribed_is_left_alone(store: Store) -> None:
    wakes: list[int] = []
    unsubscribe = store.subscribe(lambda: wakes.append(1))
    unsubscribe()
    store.wallets.put([Wallet(WalletId("w"))])
    store.notify()
    assert not wakes


def test_a_feed_is_ok_once_it_was_read_and_while_it_does_not_fail() -> None:
    assert not Feed(Kind.WALLETS).ok
    assert GOOD.ok
    assert not replace(GOOD, problem=FAILED).ok


def test_it_counts_what_came_and_what_changed(store: Store) -> None:
    row = Account(AccountId("acc-1"))
    store.accounts.put([row, Account(AccountId("acc-2"))])
    store.accounts.put([Account(AccountId("acc-2"), email="ap@acme.example"), row])
    assert store.changes == 3
