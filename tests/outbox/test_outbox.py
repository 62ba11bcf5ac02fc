"""Recorded intents are read back unchanged, whatever they hold."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest

from paytui.domain.intent import IntentId
from paytui.outbox.database import Cursor, connect
from paytui.outbox.entry import Event, EventKind, RecordedIntent, Value
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from tests.outbox.made import ALL_TERMS, ASKED, NOON, PROBLEM, entry, event
from tests.support.commands import ROOT


def read_again(path: Path) -> list[RecordedIntent]:
    outbox = Outbox(path)
    try:
        return outbox.read()
    finally:
        outbox.close()


def test_what_is_recorded_is_read_after_a_restart_oldest_first(path: Path) -> None:
    outbox = Outbox(path)
    assert outbox.read() == []
    outbox.record(entry(2))
    outbox.record(entry(1))
    sending, accepted = event(EventKind.SENDING), event(EventKind.ACCEPTED, 2, object_id="p1")
    outbox.add(entry(1).intent_id, sending)
    outbox.add(entry(2).intent_id, sending)
    outbox.add(entry(1).intent_id, accepted)
    outbox.close()
    assert read_again(path) == [
        RecordedIntent(entry(2), (sending,)),
        RecordedIntent(entry(1), (sending, accepted)),
    ]


def test_every_detail_is_kept(path: Path) -> None:
    terms = replace(ALL_TERMS, asked=ASKED, before=("w8", "w9"), paid_at="9f" * 32)
    terms = replace(terms, mandate_id=IntentId("PT-MMMMMMMM"))
    full = replace(entry(terms=terms), host_time=NOON)
    bare = replace(entry(2), resend_until=None, replay_safe=False, body=b"")
    happened = Event(
        kind=EventKind.SIGHTED,
        at=NOON,
        method="POST",
        path="/v1/payments",
        status=503,
        object_id="p1",
        problem=PROBLEM,
        words="two that may be it",
        candidates=("p1", "p2"),
        user="jo",
        may_arrive_until=NOON,
        not_before=NOON,
        host_time=NOON,
    )
    for whole in (full, full.terms, happened):
        assert all(getattr(whole, field.name) not in (None, "", ()) for field in fields(whole))
    outbox = Outbox(path)
    outbox.record(full)
    outbox.record(bare)
    outbox.add(full.intent_id, happened)
    outbox.close()
    assert read_again(path) == [RecordedIntent(full, (happened,)), RecordedIntent(bare)]


def test_amounts_keep_every_digit_that_was_confirmed(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(entry(terms=replace(ALL_TERMS, asked=ASKED, before=("w8", "w9"))))
    [recorded] = outbox.read()
    assert str(recorded.entry.terms.amount) == "99999999999999.990"
    assert str(recorded.entry.terms.rate) == "0.6512300"


AWKWARD = (
    "",
    "a\0b",
    'O\'Brien "x" `y`; DROP TABLE intents; --',
    "\x1b[31m\r\n\t\x85\u2028",
    "名 🏦 é e\u0301 \u202e",
)


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_text_comes_back_as_it_was(path: Path, text: str) -> None:
    awkward = entry(
        terms=replace(ALL_TERMS, reference=text), title=text, user=text, host=text, profile=text
    )
    awkward = replace(awkward, body=text.encode() + bytes(range(256)))
    happened = replace(
        event(EventKind.ALERT, words=text), candidates=(text,), problem=replace(PROBLEM, said=text)
    )
    outbox = Outbox(path)
    outbox.record(awkward)
    outbox.add(awkward.intent_id, happened)
    outbox.close()
    assert read_again(path) == [RecordedIntent(awkward, (happened,))]


def test_text_that_no_file_can_hold_is_refused_and_the_outbox_works_on(path: Path) -> None:
    outbox = Outbox(path)
    with pytest.raises(OutboxError, match="a text cannot be written"):
        outbox.record(entry(title="\udcff"))
    outbox.record(entry())
    assert outbox.read() == [RecordedIntent(entry())]


def test_an_intent_is_recorded_once(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(entry())
    with pytest.raises(OutboxError, match="refuses to change existing rows"):
        outbox.record(replace(entry(), body=b"other"))
    with pytest.raises(OutboxError, match="refuses to change existing rows"):
        outbox.record(replace(entry(2), key=entry().key))
    assert outbox.read() == [RecordedIntent(entry())]


def test_nothing_happens_to_an_intent_that_was_never_recorded(path: Path) -> None:
    outbox = Outbox(path)
    with pytest.raises(OutboxError, match="PT-00000001"):
        outbox.add(entry().intent_id, event(EventKind.SENDING))
    assert outbox.read() == []


_FORKS = """
import os, sys
from pathlib import Path
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import Outbox
from paytui.outbox.entry import Value
from tests.outbox.made import entry

outbox = Outbox(Path(sys.argv[1]))
if os.fork() == 0:
    try:
        outbox.record(entry(2))
    except OutboxError as error:
        print(error, flush=True)
    os._exit(0)
os.wait()
outbox.record(entry(1))
"""


def test_a_child_that_was_forked_cannot_write_through_its_parents_outbox(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FORKS, path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "the outbox was opened by another process" in done.stdout
    assert read_again(path) == [RecordedIntent(entry(1))]


def test_nothing_is_written_after_the_end(path: Path) -> None:
    outbox = Outbox(path)
    outbox.close()
    with pytest.raises(OutboxError, match="Could not record PT-00000001"):
        outbox.record(entry())


def test_it_is_committed_in_the_way_that_survives_a_loss_of_power(path: Path) -> None:
    said: list[str] = []

    class Listening:
        def __init__(self, path: Path) -> None:
            self._connection = connect(path)

        def execute(self, sql: str, parameters: Sequence[Value] = (), /) -> Cursor:
            said.append(sql)
            return self._connection.execute(sql, parameters)

        def close(self) -> None:
            self._connection.close()

    outbox = Outbox(path, Listening)
    [[synchronous]] = outbox._connection.execute("PRAGMA synchronous").fetchall()
    [[journal]] = outbox._connection.execute("PRAGMA journal_mode").fetchall()
    assert (synchronous, journal) == (3, "delete")
    said.clear()
    outbox.record(entry())
    assert said.pop(0) == "PRAGMA data_version"
    assert [sql.split()[0] for sql in said][:2] == ["BEGIN", "INSERT"]
    assert (said[0], said[-1]) == ("BEGIN IMMEDIATE", "COMMIT")
    assert [sql.split()[0] for sql in said].count("COMMIT") == 1


@pytest.mark.slow
def test_two_thousand_intents_are_read(path: Path) -> None:
    outbox = Outbox(path)
    outbox._connection.execute("PRAGMA synchronous = OFF")  # no test needs thousands of them
    for number in range(2_000):
        outbox.record(entry(number))
    assert [recorded.entry for recorded in outbox.read()] == [entry(n) for n in range(2_000)]
