"""Missing, changed and moved rows are detected; the system log reveals the rest."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from paytui.domain.intent import Action
from paytui.outbox.database import Chain
from paytui.outbox.entry import EventKind
from paytui.outbox.file import OutboxDamaged
from paytui.outbox.outbox import Outbox, OutboxReader
from tests.outbox.made import entry, event

Tamper = Callable[[sqlite3.Connection], object]


def fill(path: Path) -> Outbox:
    """Three payouts; links 2 to 10 of the chain, of which the last three are the third one's."""
    outbox = Outbox(path)
    for number in (1, 2, 3):
        outbox.record(entry(number))
        outbox.add(entry(number).intent_id, event(EventKind.SENDING))
        outbox.add(entry(number).intent_id, event(EventKind.ACCEPTED, 2, object_id=f"p-{number}"))
    return outbox


def tamper_with(path: Path, tamper: Tamper) -> None:
    """Do something to a file as somebody who can write it, and knows no key."""
    file = sqlite3.connect(path)
    triggers = file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for (name,) in triggers:
        file.execute(f"DROP TRIGGER {name}")
    tamper(file)
    file.commit()
    file.close()


def verified(path: Path) -> Chain:
    history = OutboxReader(path)
    try:
        return history.verify()
    finally:
        history.close()


def take_the_last_intent(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM events WHERE intent_id = 'PT-00000003'")
    file.execute("DELETE FROM intents WHERE intent_id = 'PT-00000003'")


def take_the_last_intent_with_its_links(file: sqlite3.Connection) -> None:
    take_the_last_intent(file)
    file.execute("DELETE FROM chain WHERE number >= 8")


def take_the_last_intent_and_set_back_the_counters(file: sqlite3.Connection) -> None:
    take_the_last_intent_with_its_links(file)
    file.execute("UPDATE sqlite_sequence SET seq = 7 WHERE name = 'chain'")
    file.execute("UPDATE sqlite_sequence SET seq = 2 WHERE name = 'intents'")
    file.execute("UPDATE sqlite_sequence SET seq = 4 WHERE name = 'events'")


def take_an_event(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM events WHERE number = 4")


def take_an_event_and_its_link(file: sqlite3.Connection) -> None:
    take_an_event(file)
    file.execute("DELETE FROM chain WHERE of = 'events' AND row = 4")


def close_the_gap(file: sqlite3.Connection) -> None:
    """Renumber the links after it; their hashes then do not fit."""
    take_an_event_and_its_link(file)
    for number in range(8, 11):
        file.execute("UPDATE chain SET number = ? WHERE number = ?", (number - 1, number))
    file.execute("UPDATE sqlite_sequence SET seq = 9 WHERE name = 'chain'")


def put_events_in_another_order(file: sqlite3.Connection) -> None:
    for before, after in ((1, 99), (3, 1), (99, 3)):
        file.execute("UPDATE events SET number = ? WHERE number = ?", (after, before))
    file.execute("UPDATE sqlite_sequence SET seq = 6 WHERE name = 'events'")


def write_an_event_anew(file: sqlite3.Connection) -> None:
    """Another object, with a hash of its own row that fits."""
    file.execute("UPDATE events SET object_id = 'p-9' WHERE number = 2")
    found = file.execute("SELECT * FROM events WHERE number = 2")
    said = dict(zip([each[0] for each in found.description], found.fetchone(), strict=True))
    values = [value for name, value in said.items() if name not in ("number", "row_hash")]
    fits = hashlib.sha256(json.dumps(values).encode()).hexdigest()
    file.execute("UPDATE events SET row_hash = ? WHERE number = 2", (fits,))


def write_an_event_and_its_link_anew(file: sqlite3.Connection) -> None:
    """The next link covers this one."""
    write_an_event_anew(file)
    [[row_hash]] = file.execute("SELECT row_hash FROM events WHERE number = 2").fetchall()
    [[before]] = file.execute("SELECT hash FROM chain WHERE number = 3").fetchall()
    link = hashlib.sha256(json.dumps([before, 4, "events", 2, row_hash]).encode()).hexdigest()
    file.execute("UPDATE chain SET hash = ? WHERE number = 4", (link,))


def add_an_event(file: sqlite3.Connection) -> None:
    """A copy of a row that is there, so that its own hash fits."""
    [row] = file.execute("SELECT * FROM events WHERE number = 6").fetchall()
    marks = ", ".join("?" * len(row))
    file.execute(f"INSERT INTO events VALUES ({marks})", (7, *row[1:]))  # noqa: S608 - marks


def take_the_beginning(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM chain WHERE number = 1")


def take_the_chain(file: sqlite3.Connection) -> None:
    file.execute("DELETE FROM chain")


TOLD: dict[Tamper, str] = {
    take_the_last_intent: "the last rows of its intents are missing",
    take_the_last_intent_with_its_links: "the last rows of its intents are missing",
    take_an_event: "row 4 of its events is missing",
    take_an_event_and_its_link: "link 7 of its chain is missing",
    close_the_gap: "its chain is broken at link 7",
    put_events_in_another_order: "its chain is broken at link 3",
    write_an_event_anew: "its chain is broken at link 4",
    write_an_event_and_its_link_anew: "its chain is broken at link 5",
    add_an_event: "rows were added outside its chain",
    take_the_beginning: "the beginning of its chain is missing",
    take_the_chain: "the last rows of its chain are missing",
}


@pytest.mark.parametrize("tamper", TOLD, ids=lambda tamper: tamper.__name__)
def test_what_is_gone_changed_or_moved_is_damage(path: Path, tamper: Tamper) -> None:
    """Whoever looks is told, and whoever would send does not."""
    said = TOLD[tamper]
    fill(path).close()
    tamper_with(path, tamper)
    with pytest.raises(OutboxDamaged, match=said):
        verified(path)
    with pytest.raises(OutboxDamaged, match=said):
        Outbox(path)


@pytest.mark.parametrize(
    "tamper",
    [take_an_event, take_the_chain, take_the_last_intent_and_set_back_the_counters],
    ids=lambda each: each.__name__,
)
def test_what_happens_to_it_while_it_is_open_is_damage(path: Path, tamper: Tamper) -> None:
    """Whoever sends from it writes down first that it is sent, and cannot."""
    outbox = fill(path)
    tamper_with(path, tamper)
    for _ in range(2):
        with pytest.raises(OutboxDamaged, match=TOLD.get(tamper, "its last rows were removed")):
            outbox.record(entry(4))


def test_a_file_that_was_only_tidied_up_while_it_was_open_is_written_on(path: Path) -> None:
    outbox = fill(path)
    other = sqlite3.connect(path)
    other.execute("VACUUM")
    other.close()
    outbox.record(entry(4))
    assert verified(path).head == outbox.head


def test_what_is_left_of_a_broken_record_can_be_seen(path: Path) -> None:
    fill(path).close()
    tamper_with(path, take_the_last_intent)
    history = OutboxReader(path)
    assert [each.entry.intent_id for each in history.read()] == ["PT-00000001", "PT-00000002"]
    assert history.damage is not None
    assert "Nothing can be sent" in str(history.damage)
    history.close()


def test_an_end_that_was_cut_off_is_told_by_the_head_in_the_hosts_log(path: Path) -> None:
    outbox = fill(path)
    outbox.close()
    whole = verified(path)
    assert outbox.head == whole.head
    assert outbox.head.startswith("10.")
    tamper_with(path, take_the_last_intent_and_set_back_the_counters)
    cut = verified(path)
    assert cut.head.startswith("7.")
    assert whole.holds(cut.head)
    assert not cut.holds(whole.head)


def test_two_files_have_no_head_in_common_once_something_is_in_them(
    path: Path, tmp_path: Path
) -> None:
    fill(path)
    other = Outbox(path.with_name("other"))
    other.record(entry(2))
    assert not verified(path).holds(other.head)


def test_a_purged_body_leaves_the_chain_whole(path: Path) -> None:
    outbox = Outbox(path)
    account = entry(1, action=Action.CREATE_INDIVIDUAL_ACCOUNT, body=b'{"firstName":"Zoraida"}')
    outbox.record(account)
    before = outbox.head
    outbox.add(account.intent_id, event(EventKind.ACCEPTED))
    assert b"oraida" not in path.read_bytes()
    assert verified(path).holds(before)


def test_what_could_not_be_written_is_in_no_chain(path: Path) -> None:
    outbox = fill(path)
    before = outbox.head
    with pytest.raises(Exception, match="UNIQUE"):
        outbox.record(entry(3))
    assert outbox.head == before
    outbox.record(entry(4))
    assert verified(path).head == outbox.head
