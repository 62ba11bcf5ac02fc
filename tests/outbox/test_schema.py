"""Files of other versions are refused unchanged; migrated rows are read."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paytui.domain.intent import IntentId
from paytui.outbox.entry import Event, EventKind, RecordedIntent
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox, OutboxReader, set_aside
from tests.outbox.made import ALL_TERMS, NOON, entry, event

BODY = b'{"amount":1200.00,"n":1}'
TERMS = (
    '{"amount": "99999999999999.990", "currency": "AUD", "source_wallet_id": "w1",'
    ' "destination_wallet_id": "w2", "recipient_id": "r1", "payment_address_id": "a1",'
    ' "account_id": "acc", "sell_currency": "AUD", "buy_currency": "USD", "rate": "0.6512300",'
    ' "rate_sheet_id": "s1", "expires_at": "2026-03-02T12:01:59.000007+00:00",'
    ' "reference": "PT-7K3QX9WD"}'
)
INTENT_COLUMNS = (
    "intent_id, key, profile, base_url, client_id, action, method, path, key_header, body, title,"
    " terms, confirmed_at, user, host, replay_safe, resend_until, body_hash"
)
EVENT_COLUMNS = (
    "intent_id, kind, at, method, path, status, object_id, problem, words, candidates, user"
)
INTENT: list[object] = [
    "PT-00000001", "key-1", "acme", "https://api.example.com", "", "create_payout", "POST",
    "/v1/payments/payout", "Idempotency-Key", BODY, "Payout 1,200.00 USD to Acme Pty Ltd", TERMS,
    "2026-03-02T12:00:01+00:00", "jo", "desk-4", 1, "2026-03-02T12:10:00+00:00",
    hashlib.sha256(BODY).hexdigest(),
]  # fmt: skip
EVENT: list[object] = [
    "PT-00000001", "sending", "2026-03-02T12:00:01+00:00", None, None, None, None, None, "", "[]",
    "",
]  # fmt: skip


def row_hash(values: list[object]) -> str:
    """The hash of an older row: an intent's fifth value is its client, which had no column."""
    said = [value for value in values if not isinstance(value, bytes)]
    return linked([*said[:4], *said[5:]] if said[4] == "" else said)


def linked(values: list[object]) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


@pytest.fixture
def migrated(path: Path) -> Path:
    """A file with rows of before the chain: without a client, and without the host's times."""
    Outbox(path).close()
    file = sqlite3.connect(path)
    file.execute("DROP TRIGGER chain_DELETE")
    file.execute("DELETE FROM chain")
    for table, columns, row in (
        ("intents", INTENT_COLUMNS, INTENT),
        ("events", EVENT_COLUMNS, EVENT),
    ):
        marks = ", ".join("?" * (len(row) + 1))
        sql = f"INSERT INTO {table} ({columns}, row_hash) VALUES ({marks})"  # noqa: S608
        file.execute(sql, [*row, row_hash(row)])
    unlinked: list[object] = [["intents", 1, row_hash(INTENT)], ["events", 1, row_hash(EVENT)]]
    link = linked(["begins", *unlinked])
    file.execute("INSERT INTO chain (number, of, row, hash) VALUES (1, 'begins', 2, ?)", [link])
    file.commit()
    file.close()
    return path


HELD = [RecordedIntent(entry(1, terms=ALL_TERMS, client_id=""), (event(EventKind.SENDING),))]


def test_rows_of_before_the_chain_are_read_and_written_on(migrated: Path) -> None:
    outbox = Outbox(migrated)
    assert outbox.read() == HELD
    outbox.record(replace(entry(2), host_time=NOON))
    outbox.add(entry(1).intent_id, replace(event(EventKind.ACCEPTED), host_time=NOON))
    outbox.close()
    history = OutboxReader(migrated)
    assert (history.verify().adopted, history.verify().head) == (2, outbox.head)
    first, second = history.read()
    assert (first.entry, second.entry) == (HELD[0].entry, replace(entry(2), host_time=NOON))
    assert [each.host_time for each in first.events] == [None, NOON]
    history.close()


def test_rows_of_before_the_chain_cannot_go_unseen(migrated: Path) -> None:
    file = sqlite3.connect(migrated)
    file.execute("DROP TRIGGER events_DELETE")
    file.execute("DELETE FROM events")
    file.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'events'")
    file.commit()
    file.close()
    with pytest.raises(OutboxError, match="rows were removed, changed or added"):
        Outbox(migrated)


@pytest.mark.parametrize("found", [1, 7])
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
    later.execute("PRAGMA user_version = 9")
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
    later.executescript("ALTER TABLE events ADD COLUMN note TEXT; PRAGMA user_version = 9")
    marks = ", ".join("?" * (len(EVENT) + 2))
    sql = f"INSERT INTO events ({EVENT_COLUMNS}, row_hash, note) VALUES ({marks})"  # noqa: S608
    later.execute(sql, [*EVENT, row_hash([*EVENT, None, None, None, "new"]), "new"])
    later.commit()
    later.close()
    for use in (history.read, history.verify, outbox.read, lambda: outbox.record(entry(2))):
        with pytest.raises(OutboxError, match="was written by a later paytui"):
            use()
    history.close()
    outbox.close()
