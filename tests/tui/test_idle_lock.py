"""The dashboard locks after a time without keys, until it is unlocked."""

from __future__ import annotations

from datetime import timedelta

import pytest

from paytui.tui.confirmation import locked_words
from paytui.tui.ui_context import IdleLock
from tests.support.clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def lock(clock: ManualClock) -> IdleLock:
    return IdleLock(clock, timedelta(minutes=10))


def is_locked(lock: IdleLock) -> bool:
    """Return True if it is locked now, which changes by time alone."""
    return lock.is_locked


def test_it_locks_once_no_key_was_pressed_for_so_long(clock: ManualClock, lock: IdleLock) -> None:
    clock.advance(599)
    assert not is_locked(lock)
    assert locked_words(lock, "f7") == ""
    clock.advance(1)
    assert is_locked(lock)
    assert locked_words(lock, "f7") == "Locked: no key was pressed for 10 min. f7 unlocks."


def test_a_key_in_time_puts_it_off(clock: ManualClock, lock: IdleLock) -> None:
    clock.advance(599)
    lock.pressed()
    clock.advance(599)
    assert not is_locked(lock)


def test_a_key_that_comes_too_late_does_not_unlock_it(clock: ManualClock, lock: IdleLock) -> None:
    clock.advance(600)
    lock.pressed()
    assert is_locked(lock)
    lock.pressed()
    clock.advance(1)
    assert is_locked(lock)


def test_a_host_that_was_suspended_comes_back_locked(clock: ManualClock, lock: IdleLock) -> None:
    clock.suspend(600)
    assert is_locked(lock)


def test_once_unlocked_the_time_begins_anew(clock: ManualClock, lock: IdleLock) -> None:
    clock.advance(10_000)
    assert is_locked(lock)
    lock.unlock()
    clock.advance(599)
    assert not is_locked(lock)
    clock.advance(1)
    assert is_locked(lock)


def test_where_no_time_is_set_it_never_locks(clock: ManualClock) -> None:
    lock = IdleLock(clock, None)
    clock.advance(10_000_000)
    assert not is_locked(lock)
