"""An older file becomes one of today; nothing in it is lost on the way."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.domain.intent import Action, IntentId
from paytui.outbox.database import MIGRATIONS, migrate, version
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.outbox.errors import NewerSchema, OutboxError
from paytui.outbox.history import OutboxReader
from paytui.outbox.outbox import Outbox
from paytui.outbox.rows import connect
from tests.outbox.made import ALL_TERMS, NOON, entry, event

V1 = """
CREATE TABLE intents (
    number INTEGER PRIMARY KEY AUTOINCREMENT, intent_id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE, profile TEXT NOT NULL, base_url TEXT NOT NULL, action TEXT NOT NULL,
    method TEXT NOT NULL, path TEXT NOT NULL, key_header TEXT NOT NULL, body BLOB NOT NULL,
    title TEXT NOT NULL, terms TEXT NOT NULL, confirmed_at TEXT NOT NULL, user TEXT NOT NULL,
    host TEXT NOT NULL, replay_safe INTEGER NOT NULL, resend_until TEXT, body_hash TEXT NOT NULL,
    row_hash TEXT NOT NULL
);
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    intent_id TEXT NOT NULL REFERENCES intents (intent_id), kind TEXT NOT NULL, at TEXT NOT NULL,
    method TEXT, path TEXT, status INTEGER, object_id TEXT, problem TEXT, words TEXT NOT NULL,
    candidates TEXT NOT NULL, user TEXT NOT NULL, row_hash TEXT NOT NULL
);
CREATE TRIGGER intents_UPDATE BEFORE UPDATE ON intents
    BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END;
CREATE TRIGGER intents_DELETE BEFORE DELETE ON intents
    BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END;
CREATE TRIGGER events_UPDATE BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END;
CREATE TRIGGER events_DELETE BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'the outbox is append-only'); END;
PRAGMA user_version = 1;
"""
"""Files like this are out there: it stays as it is, whatever the tables of today look like."""

BODY = b'{"amount":1200.00,"n":1}'
TERMS = (
    '{"amount": "99999999999999.990", "currency": "AUD", "source_wallet_id": "w1",'
    ' "destination_wallet_id": "w2", "recipient_id": "r1", "payment_address_id": "a1",'
    ' "account_id": "acc", "sell_currency": "AUD", "buy_currency": "USD", "rate": "0.6512300",'
    ' "rate_sheet_id": "s1", "expires_at": "2026-03-02T12:01:59.000007+00:00",'
    ' "reference": "PT-7K3QX9WD"}'
)
INTENT: list[object] = [
    "PT-00000001", "key-1", "acme", "https://api.example.com", "create_payout", "POST",
    "/v1/payments/payout", "Idempotency-Key", BODY, "Payout 1,200.00 USD to Acme Pty Ltd", TERMS,
    "2026-03-02T12:00:01+00:00", "jo", "desk-4", 1, "2026-03-02T12:10:00+00:00",
    hashlib.sha256(BODY).hexdigest(),
]  # fmt: skip
EVENT: list[object] = [
    "PT-00000001", "sending", "2026-03-02T12:00:01+00:00", None, None, None, None, None, "", "[]",
    "",
]  # fmt: skip


def row_hash(values: list[object]) -> str:
    said = [value for value in values if not isinstance(value, bytes)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


@pytest.fixture
def v1(path: Path) -> Path:
    path.touch(mode=0o600)
    file = sqlite3.connect(path)
    file.executescript(V1)
    for table, row in (("intents", INTENT), ("events", EVENT)):
        marks = ", ".join("?" * (len(row) + 2))
        file.execute(f"INSERT INTO {table} VALUES ({marks})", [None, *row, row_hash(row)])  # noqa: S608
    file.commit()
    file.close()
    return path


HELD = [RecordedIntent(entry(1, terms=ALL_TERMS, client_id=""), (event(EventKind.SENDING),))]


def test_a_file_of_version_1_is_read_and_written_on(v1: Path) -> None:
    outbox = Outbox(v1)
    assert outbox.read() == HELD
    outbox.record(entry(2))
    assert outbox.read() == [*HELD, RecordedIntent(entry(2))]


V2 = """
ALTER TABLE intents ADD COLUMN client_id TEXT NOT NULL DEFAULT '';
PRAGMA user_version = 2;
"""


@pytest.fixture
def v2(v1: Path) -> Path:
    """A file of version 1 that became one of version 2, and was then written on."""
    said: list[object] = ["PT-00000002", "key-2", *INTENT[2:4], "desk", *INTENT[4:-1]]
    said[9:11] = [b'{"amount":1200.00,"n":2}', INTENT[9]]
    said[12] = "2026-03-02T12:00:02+00:00"
    said.append(hashlib.sha256(b'{"amount":1200.00,"n":2}').hexdigest())
    file = sqlite3.connect(v1)
    file.executescript(V2)
    stored = [None, *said[:4], *said[5:], row_hash(said), "desk"]
    file.execute(f"INSERT INTO intents VALUES ({', '.join('?' * len(stored))})", stored)  # noqa: S608
    file.commit()
    file.close()
    return v1


def test_a_file_of_version_2_is_read_and_written_on_and_takes_accounts(v2: Path) -> None:
    held = [*HELD, RecordedIntent(entry(2, terms=ALL_TERMS, client_id="desk"))]
    account = entry(3, action=Action.CREATE_INDIVIDUAL_ACCOUNT)
    outbox = Outbox(v2)
    assert outbox.read() == held
    outbox.record(account)
    assert outbox.read() == [*held, RecordedIntent(account)]


def test_what_an_older_file_holds_is_adopted_by_the_chain(v2: Path) -> None:
    """Two intents and an event; from then on they cannot go unseen either."""
    outbox = Outbox(v2)
    outbox.add(entry(1).intent_id, event(EventKind.ACCEPTED, object_id="p-1"))
    outbox.close()
    history = OutboxReader(v2)
    assert (history.verify().adopted, history.verify().head) == (3, outbox.head)
    history.close()
    file = sqlite3.connect(v2)
    file.execute("DROP TRIGGER intents_DELETE")
    file.execute("DELETE FROM intents WHERE intent_id = 'PT-00000002'")
    file.execute("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'intents'")
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="rows were removed, changed or added"):
        Outbox(v2)


def test_an_intent_of_version_1_does_not_know_as_which_client_it_was_sent(v1: Path) -> None:
    outbox = Outbox(v1)
    outbox.record(entry(2, client_id="desk"))
    assert [known.entry.client_id for known in outbox.read()] == ["", "desk"]


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


def test_what_was_written_before_the_hosts_time_was_kept_is_verified_with_what_is_new(
    v2: Path,
) -> None:
    outbox = Outbox(v2)
    outbox.add(entry(1).intent_id, replace(event(EventKind.ACCEPTED), host_time=NOON))
    outbox.record(replace(entry(3), host_time=NOON))
    outbox.close()
    history = OutboxReader(v2)
    assert history.verify().head == outbox.head
    assert [each.entry.host_time for each in history.read()] == [None, None, NOON]
    assert [each.host_time for each in history.read()[0].events] == [None, NOON]
    history.close()


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


def test_each_step_is_taken_once_and_what_was_written_stays(v1: Path) -> None:
    later = (*MIGRATIONS, ("ALTER TABLE events ADD COLUMN note TEXT",))
    connection = connect(v1)
    migrate(connection, later)
    migrate(connection, later)
    assert version(connection) == len(later)
    assert connection.execute("SELECT note, kind FROM events").fetchall() == [(None, "sending")]
    with pytest.raises(NewerSchema):
        migrate(connection)
    connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(v1: Path) -> None:
    Outbox(v1).close()
    content = v1.read_bytes()
    later = (*MIGRATIONS, ("ALTER TABLE events ADD COLUMN note TEXT", "no SQL"))
    connection = connect(v1)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, later)
    connection.close()
    assert v1.read_bytes() == content
    assert Outbox(v1).read() == HELD


def test_whoever_only_looks_changes_no_version(v1: Path) -> None:
    later = sqlite3.connect(v1)
    later.execute("PRAGMA user_version = 9")
    later.close()
    with pytest.raises(OutboxError, match="was written by a later paytui"):
        OutboxReader(v1)


def test_what_only_a_later_paytui_knows_is_not_taken_for_damage(v1: Path) -> None:
    row: list[object] = [*EVENT]
    row[1] = "netted"
    file = sqlite3.connect(v1)
    marks = ", ".join("?" * (len(row) + 2))
    file.execute(f"INSERT INTO events VALUES ({marks})", [None, *row, row_hash(row)])  # noqa: S608
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="was written by a later paytui"):
        Outbox(v1)
