"""One process sends from an outbox; a second one is told which."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from paytui.outbox.entry import EventKind
from paytui.outbox.file import OutboxError
from paytui.outbox.outbox import LockedElsewhere, OutboxLock, open_outbox
from tests.outbox.made import NOON, entry, event
from tests.support.commands import ROOT

_HOLDS = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from paytui.outbox.outbox import OutboxLock

owner = OutboxLock(Path(sys.argv[1]), "desk-9", datetime(2026, 3, 2, 12, tzinfo=UTC))
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def another_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that owns the outbox until it is killed, or the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def test_a_second_process_is_told_who_sends(path: Path) -> None:
    with another_process(path) as first, pytest.raises(LockedElsewhere) as caught:
        OutboxLock(path, "desk-4", NOON)
    assert str(caught.value) == (
        f"Could not own the outbox: process {first.pid} on desk-9, since 2026-03-02 12:00 UTC, "
        "sends from it. End it and start again to send here."
    )


def test_the_end_of_a_process_frees_the_outbox_whatever_it_left(path: Path) -> None:
    with another_process(path) as first:
        first.kill()
        first.wait()
        assert list(path.parent.iterdir()) != []
        OutboxLock(path, "desk-4", NOON).release()


def test_it_can_be_released_and_owned_again(path: Path) -> None:
    OutboxLock(path, "desk-4", NOON).release()
    with another_process(path):
        pass


def test_two_owners_in_one_process_are_one_too_many(path: Path) -> None:
    first = OutboxLock(path, "desk-4", NOON)
    with pytest.raises(LockedElsewhere, match=rf"process {os.getpid()} on desk-4"):
        OutboxLock(path, "desk-4", NOON)
    first.release()


def test_a_child_of_the_owner_does_not_keep_it_owned(path: Path) -> None:
    first = OutboxLock(path, "desk-4", NOON)
    child = subprocess.Popen(["sleep", "60"])
    try:
        first.release()
        OutboxLock(path, "desk-4", NOON).release()
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("words", [b"", b"\x00\xff", b'{"pid": 1}', b"[]", b'{"pid": "x' * 500])
def test_an_owner_that_says_nothing_readable_is_another_process(path: Path, words: bytes) -> None:
    with another_process(path):
        path.with_name(f"{path.name}.lock").write_bytes(words)
        with pytest.raises(LockedElsewhere, match="another process sends from it"):
            OutboxLock(path, "desk-4", NOON)


def test_words_of_an_owner_cannot_move_the_cursor(path: Path) -> None:
    with another_process(path):
        path.with_name(f"{path.name}.lock").write_text(
            '{"pid": 7, "host": "\\u001b[2J", "since": "2026-03-02T12:00:00+00:00"}'
        )
        with pytest.raises(LockedElsewhere) as caught:
            OutboxLock(path, "desk-4", NOON)
    assert "\x1b" not in str(caught.value)


def grants_everybody(_handle: int, _operation: int) -> None:
    """A file system that takes locks and keeps none."""


def knows_no_locks(_handle: int, _operation: int) -> None:
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


def has_no_such_call(_handle: int, _operation: int) -> None:
    raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))


@pytest.mark.parametrize("flock", [grants_everybody, knows_no_locks, has_no_such_call])
def test_a_folder_where_locks_do_not_work_is_refused_with_the_setting_that_mends_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, flock: Callable[[int, int], None]
) -> None:
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OutboxError, match=r"cannot be locked.*Set outbox\.folder"):
        OutboxLock(path, "desk-4", NOON)


def test_a_folder_that_calls_a_lock_of_another_a_lack_of_permission_serves(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As some network file systems do."""
    flock = fcntl.flock

    def forbids(handle: int, operation: int) -> None:
        try:
            flock(handle, operation)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES)) from None

    monkeypatch.setattr(fcntl, "flock", forbids)
    lock = OutboxLock(path, "desk-4", NOON)
    with pytest.raises(LockedElsewhere, match="on desk-4"):
        OutboxLock(path, "desk-5", NOON)
    lock.release()
    OutboxLock(path, "desk-5", NOON).release()


@pytest.mark.parametrize("replaced", [False, True])
def test_an_owner_whose_lock_file_is_removed_writes_nothing_more(
    path: Path, replaced: bool
) -> None:
    first = open_outbox(path, host="desk-4", since=NOON)
    first.record(entry(1))
    path.with_name(f"{path.name}.lock").unlink()
    second = open_outbox(path, host="desk-5", since=NOON) if replaced else None
    with pytest.raises(OutboxError, match=r"was removed or replaced.*start again"):
        first.record(entry(2))
    with pytest.raises(OutboxError, match="was removed or replaced"):
        first.check_ours()
    with pytest.raises(OutboxError, match="was removed or replaced"):
        first.add(entry(1).intent_id, event(EventKind.SENDING))
    if second is not None:
        second.add(entry(1).intent_id, event(EventKind.SENDING))
        second.close()
    assert first.read()[0].entry == entry(1)
    first.close()
