"""What an outbox keeps of its desk: an identity made once, the newest row, and decisions."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

from paytui.domain.intent import IntentId
from paytui.outbox.desk_record import DeskRecord, read_record
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import Epoch, Head, ToldDecision
from tests.outbox.made import entry

DONE = ToldDecision(IntentId("PT-1"), "settled as done", "settled as done at noon", "{}")


def test_it_is_kept_in_the_file_and_in_copies_of_it(path: Path) -> None:
    outbox = Outbox(path)
    assert read_record(path)[0] == ""
    made = DeskRecord(outbox, random.Random(1))  # noqa: S311 - a test repeats itself
    made.note(Head(Epoch(1, "a", 1), 3, "c"))
    made.note(Head(Epoch(2, "a", 2), 2, "b"))
    made.keep([DONE, DONE])
    made.keep([DONE, replace(DONE, intent=IntentId("PT-2"))])
    outbox.close()
    shutil.copy(path, copied := path.with_name("copy"))
    for each in (path, copied):
        outbox = Outbox(each)
        found = DeskRecord(outbox)
        assert found.identity == read_record(each)[0] == made.identity
        assert found.seen == Head(Epoch(2, "a", 2), 2, "b")
        assert found.decisions() == [DONE, replace(DONE, intent=IntentId("PT-2"))]
        assert outbox.read() == []
        outbox.close()
    assert DeskRecord(Outbox(path.with_name("other"))).identity != made.identity
    assert read_record(path.with_name("none")) == ("", None)


def test_a_newer_row_is_kept_with_what_is_written_next(path: Path) -> None:
    outbox = Outbox(path)
    memory, heads = DeskRecord(outbox), [Head(Epoch(1, "a", 1), number, "") for number in range(3)]
    kept = []
    for head in heads:
        memory.note(head)
        kept.append(_kept(path))
    outbox.record(entry(1))
    assert [*kept, _kept(path)] == [heads[0], heads[0], heads[0], heads[2]]
    outbox.close()


def _kept(path: Path) -> Head | None:
    shutil.copy(path, copied := path.with_name("copy"))
    outbox = Outbox(copied)
    try:
        return DeskRecord(outbox).seen
    finally:
        outbox.close()
