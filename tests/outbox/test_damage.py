"""Damage is detected, reported and left alone; no outbox is created over it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from paytui.outbox.entry import EventKind
from paytui.outbox.file import OutboxDamaged, OutboxError
from paytui.outbox.outbox import Outbox
from tests.outbox.made import entry, event

PAGE = 4096
"""Bytes; SQLite's own default since 3.12."""


def filled(path: Path) -> None:
    outbox = Outbox(path)
    for number in range(40):
        outbox.record(entry(number))
        outbox.add(entry(number).intent_id, event(EventKind.SENDING))
    outbox.close()


def flip(path: Path, start: int, length: int) -> None:
    content = bytearray(path.read_bytes())
    assert len(content) >= start + length
    for place in range(start, start + length):
        content[place] ^= 0xFF
    path.write_bytes(content)


def flip_the_header(path: Path) -> None:
    flip(path, 0, 16)


def flip_a_page(path: Path) -> None:
    flip(path, 5 * PAGE, 100)


def flip_an_index(path: Path) -> None:
    """Damage an index, which no reading of rows uses, but which keeps keys unique."""
    file = sqlite3.connect(path)
    [[page]] = file.execute(
        "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_intents_2'"
    ).fetchall()
    file.close()
    flip(path, (page - 1) * PAGE, 8)


def flip_an_amount(path: Path) -> None:
    """Change an amount to 9200.00 in a way that SQLite itself does not detect."""
    change(path, b'"amount": "1200.00"', b'"amount": "9200.00"')


def flip_a_body(path: Path) -> None:
    change(path, b'{"amount":1200.00,', b'{"amount":9200.00,')


def flip_a_state(path: Path) -> None:
    change(path, b"sending2026", b"refused2026")


def change(path: Path, before: bytes, after: bytes) -> None:
    content = path.read_bytes()
    assert before in content
    path.write_bytes(content.replace(before, after, 1))


def cut_to(length: int) -> Callable[[Path], None]:
    def cut(path: Path) -> None:
        path.write_bytes(path.read_bytes()[:length])

    cut.__name__ = f"cut_to_{length}_bytes"
    return cut


def replace_by_text(path: Path) -> None:
    path.write_text("amounts\n" * 1000)


def with_sql(statement: str) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        file = sqlite3.connect(path)
        file.execute(statement)
        file.close()

    run.__name__ = statement.lower().replace(" ", "_")
    return run


HARM = (
    with_sql("DROP TABLE chain"),
    with_sql("DROP TABLE bodies"),
    with_sql("ALTER TABLE events DROP COLUMN host_time"),
    flip_the_header,
    flip_a_page,
    flip_an_index,
    flip_an_amount,
    flip_a_body,
    flip_a_state,
    cut_to(0),
    cut_to(PAGE),
    cut_to(6 * PAGE + 7),
    replace_by_text,
)


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_damage_is_said_and_the_file_is_left_as_it_is(
    path: Path, harm: Callable[[Path], None]
) -> None:
    filled(path)
    harm(path)
    content = path.read_bytes()
    for _ in range(2):
        with pytest.raises(OutboxDamaged) as caught:
            Outbox(path).read()
        assert re.search(rf"{path} is damaged", str(caught.value))
        assert "paytui audit --set-aside" in caught.value.problem.remedy
        assert path.read_bytes() == content


def test_damage_while_it_is_open_is_said(path: Path) -> None:
    filled(path)
    outbox = Outbox(path)
    replace_by_text(path)
    with pytest.raises(OutboxDamaged):
        outbox.record(entry(99))


def test_an_event_whose_intent_was_lost_is_damage(path: Path) -> None:
    filled(path)
    other = sqlite3.connect(path)
    other.execute("DROP TRIGGER intents_DELETE")
    other.execute("DELETE FROM intents WHERE number = 7")
    other.commit()
    other.close()
    with pytest.raises(OutboxDamaged, match="PT-00000006 has events and was never recorded"):
        Outbox(path).read()


def test_nobody_changes_what_was_written(path: Path) -> None:
    filled(path)
    other = sqlite3.connect(path)
    for table in ("intents", "events"):
        for statement in ("UPDATE {} SET path = 'x'", "DELETE FROM {}"):
            with pytest.raises(sqlite3.IntegrityError, match="the outbox is append-only"):
                other.execute(statement.format(table))
    other.close()


def test_a_file_of_a_later_version_is_refused(path: Path) -> None:
    filled(path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA user_version = 1000")
    other.close()
    content = path.read_bytes()
    with pytest.raises(OutboxError, match="was written by a later paytui"):
        Outbox(path)
    assert path.read_bytes() == content
