"""A damaged outbox is set aside by a command of its user, and kept."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from paytui.outbox.entry import RecordedIntent
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import LockedElsewhere, Outbox, OutboxLock, open_outbox, set_aside
from tests.outbox.made import NOON, entry


def damaged(path: Path) -> bytes:
    outbox = Outbox(path)
    outbox.record(entry())
    outbox.close()
    content = path.read_bytes()[: 2 * 4096]
    path.write_bytes(content)
    return content


def test_what_it_held_is_kept_and_a_new_one_can_be_made(path: Path) -> None:
    content = damaged(path)
    aside = set_aside(path, "desk-4", NOON)
    assert aside.name == "acme.outbox.sqlite.damaged-20260302T120000000000Z"
    assert aside.read_bytes() == content
    outbox = open_outbox(path, host="desk-4", since=NOON)
    outbox.record(entry(2))
    assert outbox.read() == [RecordedIntent(entry(2))]


def test_each_one_is_kept(path: Path) -> None:
    contents = set()
    for second in range(3):
        damaged(path)
        path.write_bytes(path.read_bytes()[second:])
        contents.add(path.read_bytes())
        set_aside(path, "desk-4", NOON + timedelta(seconds=second))
    kept = {file.read_bytes() for file in path.parent.glob("*.damaged-*")}
    assert kept == contents
    assert len(kept) == 3


def test_one_that_can_be_used_is_never_put_aside(path: Path) -> None:
    outbox = Outbox(path)
    outbox.record(entry())
    outbox.close()
    with pytest.raises(OutboxError, match="is not damaged"):
        set_aside(path, "desk-4", NOON)
    assert Outbox(path).read() == [RecordedIntent(entry())]
    assert not list(path.parent.glob("*.damaged-*"))


def test_one_that_somebody_sends_from_is_left_alone(path: Path) -> None:
    content = damaged(path)
    owner = OutboxLock(path, "desk-9", NOON)
    with pytest.raises(LockedElsewhere):
        set_aside(path, "desk-4", NOON)
    owner.release()
    assert path.read_bytes() == content


def test_where_there_is_none_nothing_is_made(path: Path) -> None:
    with pytest.raises(OutboxError, match="there is no"):
        set_aside(path, "desk-4", NOON)
    assert not path.exists()
