"""Personal data is erased from the disk once it is no longer needed."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from paytui.domain.intent import Action
from paytui.outbox.entry import Entry, EventKind, PurgedBody, RecordedIntent
from paytui.outbox.file import OutboxDamaged
from paytui.outbox.outbox import Outbox, OutboxReader
from tests.outbox.made import entry, event

PERSON = b'{"firstName":"Zoraida","birthDate":"1987-06-05","email":"zoraida@example.com"}'
SENTINEL = b"oraida"
HASH = hashlib.sha256(PERSON).hexdigest()
ACCOUNTS = (Action.CREATE_INDIVIDUAL_ACCOUNT, Action.CREATE_CORPORATE_ACCOUNT)
ENDS = (
    EventKind.ACCEPTED,
    EventKind.FOUND,
    EventKind.REFUSED,
    EventKind.NOT_EXECUTED,
    EventKind.DONE,
    EventKind.NOT_DONE,
)
Spoil = Callable[[sqlite3.Connection], object]


def account(number: int = 1, action: Action = ACCOUNTS[0]) -> Entry:
    return entry(number, action=action, body=PERSON, title="Individual account")


def on_disk(path: Path) -> bytes:
    """All bytes in the folder of an outbox."""
    return b"".join(each.read_bytes() for each in path.parent.iterdir())


def held(outbox: Outbox) -> bytes | PurgedBody:
    [recorded] = outbox.read()
    return recorded.entry.body


@pytest.mark.parametrize("action", ACCOUNTS)
def test_an_account_that_is_open_can_be_sent_again_to_the_byte(path: Path, action: Action) -> None:
    outbox = Outbox(path)
    outbox.record(account(action=action))
    for kind in (EventKind.SENDING, EventKind.IN_DOUBT, EventKind.SIGHTED, EventKind.ALERT):
        outbox.add(account().intent_id, event(kind))
    outbox.close()
    assert held(Outbox(path)) == PERSON


@pytest.mark.parametrize("end", ENDS)
def test_its_body_is_gone_from_the_disk_once_it_is_settled(path: Path, end: EventKind) -> None:
    outbox = Outbox(path)
    outbox.record(account())
    outbox.add(account().intent_id, event(EventKind.SENDING))
    assert SENTINEL in on_disk(path)
    outbox.add(account().intent_id, event(end))
    assert SENTINEL not in on_disk(path)
    assert held(outbox) == PurgedBody(HASH)
    outbox.close()
    assert SENTINEL not in on_disk(path)
    assert held(Outbox(path)) == PurgedBody(HASH)


def test_the_bodies_of_others_stay(path: Path) -> None:
    outbox = Outbox(path)
    for each in (entry(1), account(2), account(3)):
        outbox.record(each)
    for number in (1, 2):
        outbox.add(entry(number).intent_id, event(EventKind.ACCEPTED))
    assert [known.entry.body for known in outbox.read()] == [
        entry(1).body,
        PurgedBody(HASH),
        PERSON,
    ]


def test_a_long_body_leaves_no_trace_either(path: Path) -> None:
    long = entry(1, action=ACCOUNTS[0], body=PERSON * 1000)
    outbox = Outbox(path)
    outbox.record(long)
    outbox.add(long.intent_id, event(EventKind.ACCEPTED))
    assert SENTINEL not in on_disk(path)


def test_an_end_that_is_not_written_leaves_the_body(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(account())
    outbox.close()
    file = sqlite3.connect(path, isolation_level=None)
    file.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.DatabaseError, match="what is open keeps its body"):
        file.execute("DELETE FROM bodies")
    file.close()
    assert Outbox(path).read() == [RecordedIntent(account())]


def test_whoever_only_looks_sees_the_same(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(account())
    assert OutboxReader(path).read() == [RecordedIntent(account())]
    outbox.add(account().intent_id, event(EventKind.ACCEPTED))
    assert [known.entry.body for known in OutboxReader(path).read()] == [PurgedBody(HASH)]


def wipe_a_body(file: sqlite3.Connection) -> object:
    file.execute("DROP TRIGGER bodies_DELETE")
    return file.execute("DELETE FROM bodies")


def change_a_body(file: sqlite3.Connection) -> object:
    file.execute("DROP TRIGGER bodies_UPDATE")
    return file.execute("UPDATE bodies SET body = replace(body, 'Z', 'M')")


def give_a_payout_an_empty_body(file: sqlite3.Connection) -> object:
    file.execute("DROP TRIGGER intents_UPDATE")
    return file.execute("UPDATE intents SET body = x'' WHERE action = 'create_payout'")


def change_the_hash_of_a_body(file: sqlite3.Connection) -> object:
    file.execute("DROP TRIGGER intents_UPDATE")
    return file.execute("UPDATE intents SET body_hash = 'ab' WHERE number = 3")


def make_a_payout_an_account(file: sqlite3.Connection) -> object:
    file.execute("DROP TRIGGER intents_UPDATE")
    return file.execute(
        "UPDATE intents SET action = 'create_corporate_account' WHERE action = 'create_payout'"
    )


def give_a_payout_a_second_body(file: sqlite3.Connection) -> object:
    return file.execute("INSERT INTO bodies VALUES ('PT-00000009', x'00')")


@pytest.mark.parametrize(
    "spoil",
    [
        wipe_a_body,
        change_a_body,
        give_a_payout_an_empty_body,
        change_the_hash_of_a_body,
        make_a_payout_an_account,
        give_a_payout_a_second_body,
    ],
)
def test_what_was_not_purged_but_changed_is_damage(path: Path, spoil: Spoil) -> None:
    outbox = Outbox(path)
    for each in (entry(1), account(2), account(3)):
        outbox.record(each)
    outbox.add(account(3).intent_id, event(EventKind.ACCEPTED))
    outbox.close()
    file = sqlite3.connect(path)
    spoil(file)
    file.commit()
    file.close()
    with pytest.raises(OutboxDamaged, match="is damaged"):
        Outbox(path)
