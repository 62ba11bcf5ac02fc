"""Events are recorded in order, even through a full or busy disk."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from paytui.domain.intent import IntentId, IntentRow, SendPermission, Standing
from paytui.domain.models import Problem
from paytui.outbox.entry import EventKind, RecordedIntent
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from paytui.outbox.syslog import Syslog
from paytui.store.store import Store
from paytui.worker.intents.journal import Journal
from tests.outbox.busy import impatient, kept_for_itself, kept_locked
from tests.outbox.made import entry, event
from tests.outbox.test_syslog import Log
from tests.support.clock import NOON, ManualClock

FIRST = IntentId("PT-00000001")
SENDING, ACCEPTED, ALERT = (
    replace(happened, host_time=NOON)
    for happened in (
        event(EventKind.SENDING),
        event(EventKind.ACCEPTED, 2, object_id="p1"),
        event(EventKind.ALERT, 3, words="another amount"),
    )
)


@pytest.fixture
def outbox(path: Path) -> Outbox:
    return Outbox(path, impatient)


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def journal(outbox: Outbox, store: Store) -> Journal:
    """A journal with an intent in progress."""
    journal = Journal(outbox, store, None, ManualClock())
    journal.load()
    journal.record(entry(1))
    journal.add(FIRST, SENDING)
    return journal


def shown(store: Store) -> IntentRow:
    row = store.intents.get(FIRST)
    assert row is not None
    return row


def test_what_cannot_be_written_is_shown_and_nothing_more_is_sent(
    journal: Journal, store: Store, path: Path
) -> None:
    with kept_locked(path):
        journal.note(FIRST, ACCEPTED)
    assert shown(store).standing is Standing.ACCEPTED
    assert not store.sending.allowed
    assert "another program keeps it locked" in store.sending.why


@pytest.mark.parametrize("kind", [EventKind.NOT_EXECUTED, EventKind.REFUSED])
def test_that_nothing_came_of_it_is_shown_once_the_next_process_would_know_it_too(
    journal: Journal, outbox: Outbox, store: Store, path: Path, kind: EventKind
) -> None:
    with kept_locked(path):
        journal.note(FIRST, event(kind))
        assert shown(store).standing is Standing.SENDING
    journal.catch_up()
    assert shown(store).standing.value == kind.value
    assert outbox.read() == [
        RecordedIntent(entry(1), (SENDING, replace(event(kind), host_time=NOON)))
    ]


def test_before_it_is_known_what_the_outbox_holds_nothing_is_recorded(
    outbox: Outbox, store: Store, path: Path
) -> None:
    outbox.record(entry(1))
    journal = Journal(outbox, store, None, ManualClock())
    with kept_for_itself(path):
        journal.load()
        assert "another program keeps it locked" in store.sending.why
    with pytest.raises(OutboxError):
        journal.record(entry(2))
    journal.load()
    journal.record(entry(2))
    assert outbox.read() == [RecordedIntent(entry(1)), RecordedIntent(entry(2))]
    assert store.sending.allowed


def test_what_could_not_be_written_is_written_later_in_its_order(
    journal: Journal, outbox: Outbox, store: Store, path: Path
) -> None:
    with kept_locked(path):
        journal.note(FIRST, ACCEPTED)
        journal.note(FIRST, ALERT)
        journal.catch_up()
        assert not store.sending.allowed
    journal.catch_up()
    assert outbox.read() == [RecordedIntent(entry(1), (SENDING, ACCEPTED, ALERT))]
    assert shown(store).object_id == "p1"
    assert store.sending == SendPermission(allowed=True, why="")


def test_the_hosts_time_is_that_at_which_it_happened_however_late_it_is_written(
    outbox: Outbox, store: Store, path: Path
) -> None:
    clock = ManualClock()
    journal = Journal(outbox, store, None, clock)
    journal.load()
    journal.record(entry(1))
    clock.advance(5)
    with kept_locked(path):
        journal.note(FIRST, event(EventKind.ALERT))
    clock.advance(600)
    journal.catch_up()
    assert [each.host_time for each in outbox.read()[0].events] == [NOON + timedelta(seconds=5)]


def test_what_could_not_be_written_is_written_before_anything_new(
    journal: Journal, outbox: Outbox, store: Store, path: Path
) -> None:
    with kept_locked(path):
        journal.note(FIRST, ACCEPTED)
    journal.record(entry(2))
    assert outbox.read() == [
        RecordedIntent(entry(1), (SENDING, ACCEPTED)),
        RecordedIntent(entry(2)),
    ]
    assert store.sending.allowed


def test_what_is_about_to_happen_must_not_while_earlier_things_are_unwritten(
    journal: Journal, outbox: Outbox, path: Path
) -> None:
    with kept_locked(path):
        journal.note(FIRST, ACCEPTED)
        with pytest.raises(OutboxError):
            journal.add(FIRST, SENDING)
    journal.catch_up()
    assert outbox.read() == [RecordedIntent(entry(1), (SENDING, ACCEPTED))]


def test_a_busy_moment_passes_although_nothing_was_left_to_write(
    journal: Journal, outbox: Outbox, store: Store, path: Path
) -> None:
    with kept_locked(path):
        with pytest.raises(OutboxError):
            journal.record(entry(2))
        journal.catch_up()
        assert not store.sending.allowed
    journal.catch_up()
    assert store.sending == SendPermission(allowed=True, why="")
    assert outbox.read() == [RecordedIntent(entry(1), (SENDING,))]


def test_each_line_in_the_log_has_a_head_that_the_outbox_held(
    outbox: Outbox, store: Store, tmp_path: Path
) -> None:
    with TemporaryDirectory() as folder:  # short enough for the name of a socket
        place = Path(folder) / "log"
        log, syslog = Log(place), Syslog(place)
        journal = Journal(outbox, store, syslog, ManualClock())
        journal.load()
        journal.record(entry(1))
        heads = [outbox.head]
        journal.add(FIRST, SENDING)
        heads.append(outbox.head)
        journal.note(FIRST, ACCEPTED)
        heads.append(outbox.head)
        lines = [log.line() for _ in range(3)]
        log.close()
        syslog.close()
    assert len({*heads}) == 3
    assert [line.partition(" chain=")[2].partition(" ")[0] for line in lines] == heads


def test_a_log_that_takes_no_copies_is_told_once(
    outbox: Outbox, store: Store, tmp_path: Path
) -> None:
    journal = Journal(outbox, store, Syslog(tmp_path / "nobody"), ManualClock())
    journal.load()
    journal.record(entry(1))
    journal.add(FIRST, SENDING)
    journal.note(FIRST, ACCEPTED)
    [words] = shown(store).alerts
    assert words.startswith("The system log does not get a copy of all events: ")
    assert str(tmp_path / "nobody") in words
    assert shown(store).standing is Standing.ACCEPTED
    assert store.sending.allowed


def test_a_mistake_of_ours_is_not_forgotten_because_the_disk_works(
    journal: Journal, store: Store
) -> None:
    journal.stop(Problem("track sent intents", "KeyError"))
    journal.catch_up()
    journal.record(entry(2))
    assert not store.sending.allowed
