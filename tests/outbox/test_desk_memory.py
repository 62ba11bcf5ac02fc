"""What an outbox keeps of its desk: an identity made once, the newest epoch, and decisions."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

from paytui.domain.intent import IntentId
from paytui.outbox.desk_memory import DeskMemory, read_identity
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import Epoch, ToldDecision

DONE = ToldDecision(IntentId("PT-1"), "settled as done", "settled as done at noon", "{}")


def test_it_is_kept_in_the_file_and_in_copies_of_it(path: Path) -> None:
    outbox = Outbox(path)
    assert read_identity(path) == ""
    made = DeskMemory(outbox, random.Random(1))  # noqa: S311 - a test repeats itself
    made.note_epoch(Epoch(1, "a", 1))
    made.note_epoch(Epoch(2, "a", 2))
    made.keep([DONE, DONE])
    made.keep([DONE, replace(DONE, intent=IntentId("PT-2"))])
    outbox.close()
    shutil.copy(path, copied := path.with_name("copy"))
    for each in (path, copied):
        outbox = Outbox(each)
        found = DeskMemory(outbox)
        assert found.identity == read_identity(each) == made.identity
        assert found.newest == Epoch(2, "a", 2)
        assert found.decisions() == [DONE, replace(DONE, intent=IntentId("PT-2"))]
        assert outbox.read() == []
        outbox.close()
    assert DeskMemory(Outbox(path.with_name("other"))).identity != made.identity
    assert read_identity(path.with_name("none")) == ""
