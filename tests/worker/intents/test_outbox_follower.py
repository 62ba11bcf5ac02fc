"""A read-only dashboard shows another one's intents, and their age."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from paytui.domain.intent import IntentId, Standing
from paytui.outbox.database import Cursor, connect
from paytui.outbox.entry import EventKind, Value
from paytui.outbox.outbox import Outbox, OutboxReader, open_outbox
from paytui.store.store import Store
from paytui.worker.intents.intent_service import OutboxFollower, ReadOnlyIntents, SendingDisabled
from tests.outbox.busy import impatient, kept_for_itself
from tests.outbox.made import NOON, entry, event
from tests.outbox.test_chain import tamper_with
from tests.support.clock import ManualClock

FIRST = IntentId("PT-00000001")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "acme.outbox.sqlite"


@pytest.fixture
def owner(path: Path) -> Iterator[Outbox]:
    """Another process: it sends an intent."""
    outbox = open_outbox(path, host="desk-4", since=NOON)
    outbox.record(entry(1))
    outbox.add(FIRST, event(EventKind.SENDING))
    yield outbox
    outbox.close()


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def follower(owner: Outbox, store: Store) -> Iterator[OutboxFollower]:
    follower = OutboxFollower(OutboxReader(owner.path, impatient), store, ManualClock(NOON))
    yield follower
    follower.close()


def standing(store: Store) -> Standing:
    row = store.intents.get(FIRST)
    assert row is not None
    return row.standing


def test_what_another_process_does_is_shown_as_it_goes_on(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    follower.poll()
    assert standing(store) is Standing.SENDING
    owner.add(FIRST, event(EventKind.ACCEPTED, object_id="p1"))
    follower.poll()
    assert standing(store) is Standing.ACCEPTED


def test_what_was_on_its_way_when_its_sender_ended_is_in_doubt(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    follower.poll()
    owner.close()
    follower.poll()
    assert standing(store) is Standing.IN_DOUBT
    row = store.intents.get(FIRST)
    assert row is not None
    assert "paytui ended while it was being sent" in str(row.problem)


def test_what_its_sender_wrote_at_its_end_is_believed(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    follower.poll()
    owner.add(FIRST, event(EventKind.ACCEPTED, object_id="p1"))
    owner.close()
    follower.poll()
    assert standing(store) is Standing.ACCEPTED


def test_a_broken_record_is_shown_and_said_to_be_broken(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    owner.close()
    tamper_with(owner.path, lambda file: file.execute("DELETE FROM chain WHERE number = 2"))
    assert "is damaged (link 2 of its chain is missing)" in follower.poll()
    assert standing(store) is Standing.IN_DOUBT
    closed = SendingDisabled("This program only reads.", OutboxReader(owner.path, impatient))
    away = ReadOnlyIntents(store, closed, ManualClock(NOON))
    away.open()
    assert store.sending.damaged
    assert store.sending.why.startswith("This program only reads. Could not read the outbox")
    away.close()


def test_looking_whether_somebody_sends_makes_nothing_and_keeps_nobody_out(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    owner.close()
    lock = owner.path.with_name(f"{owner.path.name}.lock")
    lock.unlink(missing_ok=True)
    follower.poll()
    assert standing(store) is Standing.IN_DOUBT
    assert not lock.exists()
    open_outbox(owner.path, host="desk-5", since=NOON).close()


def test_a_busy_moment_is_gone_at_the_next_look(
    follower: OutboxFollower, owner: Outbox, store: Store
) -> None:
    follower.poll()
    owner.add(FIRST, event(EventKind.ACCEPTED, object_id="p1"))
    with kept_for_itself(owner.path):
        assert follower.poll() == ""
    assert standing(store) is Standing.SENDING
    assert follower.poll() == ""
    assert standing(store) is Standing.ACCEPTED


class Stumbling:
    """A connection on which one read fails when told to."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self.stumbles = False

    def execute(self, sql: str, parameters: Sequence[Value] = (), /) -> Cursor:
        if self.stumbles and "FROM events" in sql:
            self.stumbles = False
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(sql, parameters)

    def close(self) -> None:
        self._connection.close()


def test_news_that_were_noticed_and_could_not_be_read_are_read_at_the_next_look(
    owner: Outbox, store: Store
) -> None:
    connection = Stumbling(owner.path)
    follower = OutboxFollower(
        OutboxReader(owner.path, lambda _: connection), store, ManualClock(NOON)
    )
    follower.poll()
    owner.add(FIRST, event(EventKind.ACCEPTED, object_id="p1"))
    connection.stumbles = True
    follower.poll()
    assert standing(store) is Standing.SENDING
    follower.poll()
    assert standing(store) is Standing.ACCEPTED
    follower.close()


def test_the_process_that_owns_the_outbox_now_is_named(owner: Outbox, store: Store) -> None:
    closed = SendingDisabled("An older one.", OutboxReader(owner.path), is_owned=True)
    stand_in = ReadOnlyIntents(store, closed, ManualClock(NOON))
    stand_in.open()
    assert f"process {os.getpid()} on desk-4, since" in store.sending.why
    assert store.sending.brief == f"end process {os.getpid()} on desk-4 to send here"
    owner.close()
    stand_in.open()
    assert store.sending.why == (
        "Could not own the outbox: the process that sent from it has ended. "
        "Start again to send here."
    )
    next_one = open_outbox(owner.path, host="desk-5", since=NOON)
    stand_in.open()
    assert f"process {os.getpid()} on desk-5, since" in store.sending.why
    next_one.close()
    stand_in.close()


def test_what_cannot_be_read_for_long_says_how_old_what_is_shown_is(
    owner: Outbox, store: Store
) -> None:
    clock = ManualClock(NOON)
    closed = SendingDisabled("Another process sends.", OutboxReader(owner.path, impatient))
    stand_in = ReadOnlyIntents(store, closed, clock)
    stand_in.open()
    with kept_for_itself(owner.path):
        for _ in range(3):
            clock.advance(5)
            stand_in.open()
        assert store.sending.why.startswith(
            "Another process sends. Intents are shown as they were at 12:00:00 UTC. "
        )
        assert "another program keeps it locked" in store.sending.why
    stand_in.open()
    assert store.sending.why == "Another process sends."
    stand_in.close()
