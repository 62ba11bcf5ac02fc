"""Readers see the outbox of the sender and never block it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from paytui.outbox.entry import EventKind, RecordedIntent
from paytui.outbox.file import NoOutbox, OutboxDamaged, OutboxError
from paytui.outbox.outbox import Outbox, OutboxReader, open_outbox
from tests.outbox.made import NOON, entry, event


def test_a_second_dashboard_sees_what_the_first_one_writes(path: Path) -> None:
    owned = open_outbox(path, host="desk-4", since=NOON)
    history = OutboxReader(path)
    assert history.changed()
    assert not history.changed()
    assert history.read() == []
    owned.record(entry())
    assert history.changed()
    assert history.read() == [RecordedIntent(entry())]
    assert not history.changed()
    owned.add(entry().intent_id, event(EventKind.SENDING))
    assert history.changed()
    assert history.read() == [RecordedIntent(entry(), (event(EventKind.SENDING),))]
    history.close()
    owned.close()


def test_looking_writes_nothing(path: Path) -> None:
    Outbox(path).close()
    content = path.read_bytes()
    history = OutboxReader(path)
    history.read()
    history.close()
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_nothing_can_be_written_through_it(path: Path) -> None:
    Outbox(path).close()
    history = OutboxReader(path)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        history._connection.execute("PRAGMA user_version = 10")


def test_where_nothing_was_recorded_nothing_is_made(path: Path) -> None:
    with pytest.raises(NoOutbox):
        OutboxReader(path)
    assert list(path.parent.iterdir()) == []


def test_damage_is_said(path: Path) -> None:
    Outbox(path).close()
    path.write_bytes(b"")
    with pytest.raises(OutboxDamaged):
        OutboxReader(path)


def test_what_others_can_read_is_refused(path: Path) -> None:
    Outbox(path).close()
    path.chmod(0o644)
    with pytest.raises(OutboxError, match="Run: chmod 600"):
        OutboxReader(path)
