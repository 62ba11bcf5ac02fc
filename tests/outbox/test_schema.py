"""Files of other versions are refused unchanged."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.domain.intent import IntentId
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox, OutboxReader, set_aside
from tests.outbox.made import NOON, entry, event

EVENT_COLUMNS = (
    "intent_id, kind, at, method, path, status, object_id, problem, words, candidates, user,"
    " may_arrive_until, not_before, host_time"
)
EVENT: list[object] = [
    "PT-00000001", "sending", "2026-03-02T12:00:01+00:00", None, None, None, None, None, "", "[]",
    "", None, None, None,
]  # fmt: skip


def row_hash(values: list[object]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


@pytest.mark.parametrize("found", [1, 8])
@pytest.mark.parametrize("opened", [Outbox, OutboxReader])
def test_a_file_of_an_earlier_version_is_refused_and_left_as_it_is(
    path: Path, opened: Callable[[Path], object], found: int
) -> None:
    outbox = Outbox(path)
    outbox.record(entry(1))
    outbox.close()
    file = sqlite3.connect(path)
    file.execute(f"PRAGMA user_version = {found}")
    file.close()
    content = path.read_bytes()
    with pytest.raises(OutboxError, match="was written by an earlier paytui") as refused:
        opened(path)
    assert "Settle open intents with that version" in refused.value.problem.remedy
    assert path.read_bytes() == content
    with pytest.raises(OutboxError, match="was written by an earlier paytui"):
        set_aside(path, "desk-4", NOON)
    assert path.read_bytes() == content


MAY_ARRIVE = replace(event(EventKind.IN_DOUBT), may_arrive_until=NOON)


@pytest.mark.parametrize(
    ("told", "change"),
    [
        (MAY_ARRIVE, "may_arrive_until = NULL"),
        (replace(event(EventKind.SENDING), not_before=NOON), "not_before = NULL"),
        (MAY_ARRIVE, "not_before = may_arrive_until, may_arrive_until = NULL"),
        (replace(event(EventKind.SENDING), host_time=NOON), "host_time = NULL"),
        (
            replace(event(EventKind.SENDING), host_time=NOON),
            "not_before = host_time, host_time = NULL",
        ),
    ],
)
def test_a_time_that_was_wiped_out_or_moved_is_damage(path: Path, told: Event, change: str) -> None:
    outbox = Outbox(path)
    outbox.record(entry(1))
    outbox.add(IntentId("PT-00000001"), told)
    outbox.close()
    file = sqlite3.connect(path)
    file.execute("DROP TRIGGER events_UPDATE")
    file.execute(f"UPDATE events SET {change}")  # noqa: S608 - our names
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="not as it was written"):
        Outbox(path)


@pytest.mark.parametrize("change", ["NULL", "'2027-03-02T12:00:00+00:00'", "resend_until"])
def test_a_hosts_time_of_an_intent_that_was_wiped_out_or_changed_is_damage(
    path: Path, change: str
) -> None:
    outbox = Outbox(path)
    outbox.record(replace(entry(1), host_time=NOON))
    outbox.close()
    file = sqlite3.connect(path)
    file.execute("DROP TRIGGER intents_UPDATE")
    file.execute(f"UPDATE intents SET host_time = {change}")  # noqa: S608 - our names
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="not as it was written"):
        Outbox(path)


def test_a_client_that_was_wiped_out_is_damage(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(entry(1, client_id="desk"))
    outbox.close()
    file = sqlite3.connect(path)
    file.execute("DROP TRIGGER intents_UPDATE")
    file.execute("UPDATE intents SET client_id = ''")
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="is damaged"):
        Outbox(path)


def test_a_reader_refuses_a_file_of_a_later_version(path: Path) -> None:
    Outbox(path).close()
    later = sqlite3.connect(path)
    later.execute("PRAGMA user_version = 10")
    later.close()
    with pytest.raises(OutboxError, match="was written by a later paytui"):
        OutboxReader(path)


def test_an_unknown_kind_of_event_is_not_taken_for_damage(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(entry(1))
    outbox.close()
    row: list[object] = [*EVENT]
    row[1] = "netted"
    file = sqlite3.connect(path)
    marks = ", ".join("?" * (len(row) + 1))
    sql = f"INSERT INTO events ({EVENT_COLUMNS}, row_hash) VALUES ({marks})"  # noqa: S608
    file.execute(sql, [*row, row_hash(row)])
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="was written by a later paytui"):
        Outbox(path)


def test_a_file_that_a_later_version_changes_while_it_is_open_is_not_taken_for_damage(
    path: Path,
) -> None:
    """Its rows have hashes over columns that this version does not know."""
    outbox, history = Outbox(path), OutboxReader(path)
    outbox.record(entry(1))
    later = sqlite3.connect(path)
    later.executescript("ALTER TABLE events ADD COLUMN note TEXT; PRAGMA user_version = 10")
    marks = ", ".join("?" * (len(EVENT) + 2))
    sql = f"INSERT INTO events ({EVENT_COLUMNS}, row_hash, note) VALUES ({marks})"  # noqa: S608
    later.execute(sql, [*EVENT, row_hash([*EVENT, "new"]), "new"])
    later.commit()
    later.close()
    for use in (history.read, history.verify, outbox.read, lambda: outbox.record(entry(2))):
        with pytest.raises(OutboxError, match="was written by a later paytui"):
            use()
    history.close()
    outbox.close()
