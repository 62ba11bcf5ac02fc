"""A killed process loses nothing committed and adds nothing uncommitted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paytui.outbox.entry import EventKind, RecordedIntent
from paytui.outbox.outbox import Outbox, OutboxReader
from tests.outbox.made import entry, event
from tests.support.commands import ROOT

_DIES = """
import os, signal, sys
from pathlib import Path
from paytui.outbox.database import connect
from paytui.outbox.entry import EventKind
from paytui.outbox.outbox import Outbox
from tests.outbox.made import entry, event

class Deadly:
    '''A connection whose process is killed before or after the nth statement like this.'''

    def __init__(self, path, when, like, nth):
        self._connection = connect(path)
        self._connection.execute("PRAGMA cache_size = 1")  # pages reach the disk before the commit
        self._when, self._like, self._left = when, like, nth

    def execute(self, sql, parameters=()):
        hit = sql.strip().startswith(self._like)
        self._left -= hit
        if hit and not self._left and self._when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        found = self._connection.execute(sql, parameters)
        if hit and not self._left and self._when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    def close(self):
        self._connection.close()

path, when, like, nth = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
outbox = Outbox(path, lambda path: Deadly(path, when, like, nth))
outbox.record(entry(1))
outbox.add(entry(1).intent_id, event(EventKind.SENDING))
outbox.record(entry(2, title="long " * 100_000))
outbox.add(entry(2).intent_id, event(EventKind.SENDING))
"""

SENDING = event(EventKind.SENDING)
LONG = entry(2, title="long " * 100_000)
FIRST = RecordedIntent(entry(1))
SENT = RecordedIntent(entry(1), (SENDING,))
OPENING = 2
"""Transactions before the first of ours: one reads all, one tries whether the disk takes more."""
STEPS: tuple[list[RecordedIntent], ...] = (
    [],
    [FIRST],
    [SENT],
    [SENT, RecordedIntent(LONG)],
    [SENT, RecordedIntent(LONG, (SENDING,))],
)
"""The contents of the disk after each number of transactions."""


def die(path: Path, when: str, like: str, nth: int) -> None:
    """Run a process that writes four transactions, and is killed on the way."""
    done = subprocess.run(
        [sys.executable, "-c", _DIES, path, when, like, str(nth)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


@pytest.fixture
def empty(path: Path) -> Path:
    Outbox(path).close()
    return path


@pytest.mark.parametrize(
    ("when", "like", "committed"),
    [
        *(("before", "COMMIT", committed) for committed in (0, 1, 2, 3)),
        ("before", "BEGIN", 2),
        ("after", "BEGIN", 2),
    ],
)
def test_what_was_not_committed_is_as_if_it_had_never_been(
    empty: Path, when: str, like: str, committed: int
) -> None:
    die(empty, when, like, OPENING + committed + 1)
    assert Outbox(empty).read() == STEPS[committed]


@pytest.mark.parametrize("committed", [1, 4])
def test_what_was_committed_is_there(empty: Path, committed: int) -> None:
    die(empty, "after", "COMMIT", OPENING + committed)
    assert Outbox(empty).read() == STEPS[committed]


def test_whoever_only_looks_sees_the_same(empty: Path) -> None:
    die(empty, "before", "COMMIT", OPENING + 3)
    assert OutboxReader(empty).read() == STEPS[2]


def test_the_long_entry_was_on_its_way_to_the_disk(empty: Path) -> None:
    """The journal of a transaction that wrote pages: what SQLite takes back afterwards."""
    die(empty, "before", "COMMIT", OPENING + 3)
    journal = empty.with_name(f"{empty.name}-journal")
    assert journal.stat().st_size > 0
    assert empty.stat().st_size > 500_000


@pytest.mark.parametrize(
    ("when", "statement"),
    [
        ("before", "PRAGMA"),
        ("after", "CREATE TABLE intents"),
        ("before", "COMMIT"),
        ("after", "COMMIT"),
    ],
)
def test_a_crash_while_the_file_is_made_leaves_none_that_looks_empty(
    path: Path, when: str, statement: str
) -> None:
    die(path, when, statement, 1)
    assert not path.exists()
    outbox = Outbox(path)
    outbox.record(entry())
    outbox.close()
    assert Outbox(path).read() == [RecordedIntent(entry())]
    assert [file.name for file in path.parent.iterdir()] == [path.name]
