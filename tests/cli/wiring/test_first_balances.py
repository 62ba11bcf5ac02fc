"""The balances on the terminal before the dashboard is loaded follow the reads."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.cli.wiring.dashboard import StartupBalances, restore_balances
from paytui.config.settings import Settings
from paytui.domain.models import Kind
from paytui.store.cache.file import cache_path
from paytui.store.cache.write import CacheWriter
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.tui.terminal.splash import SplashScreen
from paytui.tui.terminal.tty import CAPABLE, Terminal
from tests.support.clock import NOON, ManualClock
from tests.support.deadline import eventually
from tests.support.seat import Seat
from tests.tui.book import wallet
from tests.tui.dashboard import settings_of

NOTHING = b"No balances are known yet"
BALANCE = b"AUD  1,204,330.15"


def balances(early: SplashScreen, store: Store, terminal: Terminal = CAPABLE) -> StartupBalances:
    settings: Settings = settings_of(live=True)
    return StartupBalances(early, store, settings, terminal)


def read(store: Store) -> None:
    """Read balances into the store as the worker does."""
    store.wallets.put([wallet(1, "AUD desk", "1204330.15")])
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON, read_at=5_000.0))
    store.notify()


def following() -> bool:
    return any(thread.name == "paytui-early" for thread in threading.enumerate())


def test_balances_take_the_place_of_their_absence_once_they_are_read(seat: Seat) -> None:
    store = Store()
    with SplashScreen(seat.tty) as early:
        assert balances(early, store).show_as_read()
        assert NOTHING in seat.until(NOTHING)
        store.set_feed(Feed(Kind.ACCOUNTS, as_of=NOON))
        store.notify()  # of something else
        read(store)
        assert b"READ 2026-03-02 12:00:00 UTC" in seat.until(BALANCE)
    eventually(lambda: not following())


def test_the_dashboard_can_wait_for_them_and_does_not_wait_for_long(seat: Seat) -> None:
    store = Store()
    with SplashScreen(seat.tty) as early:
        shown = balances(early, store)
        assert shown.show_as_read()
        assert not shown.wait_until_shown(0.01)
        read(store)
        assert shown.wait_until_shown(20)
        assert BALANCE in seat.until(BALANCE)


def test_once_the_dashboard_has_the_terminal_nothing_is_shown_any_more(seat: Seat) -> None:
    store = Store()
    with SplashScreen(seat.tty) as early:
        assert balances(early, store).show_as_read()
        early.hand_over()
        read(store)
        eventually(lambda: not following())
        os.write(seat.tty.stderr, b"end")
        assert BALANCE not in seat.until(b"end")


def test_what_another_run_knew_is_shown_at_once(seat: Seat) -> None:
    store = Store()
    store.wallets.recall([wallet(1, "AUD desk", "1204330.15")])
    store.set_feed(Feed(Kind.WALLETS, as_of=NOON, read_at=4_000.0, cached=True))
    with SplashScreen(seat.tty) as early:
        balances(early, store).show_last_known(ManualClock())
        assert b"LAST KNOWN 2026-03-02 12:00:00 UTC, 16 min ago" in seat.until(BALANCE)


def test_a_terminal_without_utf8_gets_ascii_alone(seat: Seat) -> None:
    store = Store()
    with SplashScreen(seat.tty) as early:
        balances(early, store, replace(CAPABLE, utf8=False)).show_as_read()
        assert seat.until(b"starting").isascii()
        read(store)
        assert seat.until(BALANCE).isascii()
    eventually(lambda: not following())


# Which of the two it is


def test_what_was_known_in_part_is_not_said_to_be_unknown(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of more wallets than come back at once, nothing is told before the dashboard does."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    settings, clock, store = settings_of(live=True), ManualClock(), Store()
    writer = CacheWriter(cache_path(settings.profile.base_url, settings.profile.client_id))
    writer.keep(Kind.WALLETS, [wallet(number, "desk", "1") for number in range(2_500)], [])
    writer.note(Feed(Kind.WALLETS, as_of=NOON, read_at=clock.boot()), clock.now())
    writer.close()
    with SplashScreen(seat.tty) as early:
        _, balances = restore_balances(settings, store, clock, CAPABLE, early)
        assert balances is None
        assert early.found is None


def test_where_nothing_was_known_what_is_read_first_is_shown(
    seat: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with SplashScreen(seat.tty) as early:
        _, balances = restore_balances(settings_of(), Store(), ManualClock(), CAPABLE, early)
        assert balances is not None
        assert early.found is None  # until it is asked for
