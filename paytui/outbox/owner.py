"""The right to send from an outbox: one process has it, and its end frees it."""

from __future__ import annotations

import fcntl
import json
import os
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from paytui.domain.models import Problem
from paytui.outbox.encoding import write_time
from paytui.outbox.errors import OutboxError
from paytui.platform.text import clean

_LONGEST = 1_000
"""Bytes read of what an owner says of itself."""


class OwnedElsewhere(OutboxError):
    """Another process sends from this outbox."""


class Owner:
    """The operating system's lock on an outbox, held from the start until `release`.

    A file that is left over means nothing: the lock is the system's, and is gone with the process
    that held it, however that ended.

    Args:
        path: the outbox's file.
        host: ours, told to whoever comes second.
        since: now.

    Raises:
        OwnedElsewhere: another process holds it.
        OutboxError: nobody can hold it here.
    """

    def __init__(self, path: Path, host: str, since: datetime) -> None:
        self._said = {"pid": os.getpid(), "host": host, "since": write_time(since)}
        self._path = _lock_path(path)
        self._lock = self._new_lock()
        if not self._taken(self._lock):
            raise OwnedElsewhere(_owned(self._path))
        rival = self._new_lock()
        if self._taken(rival):
            rival.release()
            self.release()
            raise self._no_locks("it is granted twice")

    def check(self) -> None:
        """Make sure that nobody else can own it: the lock is on a file, not on its name.

        Raises:
            OutboxError: the file that is locked is not the one that others find.
        """
        try:
            found = self._path.stat()
        except OSError as error:
            raise self._gone(error.strerror or str(error)) from None
        if (found.st_dev, found.st_ino) != self._file:
            raise self._gone("another file is in its place")

    def release(self) -> None:
        """Let another process send."""
        self._lock.release()

    def _new_lock(self) -> FileLock:
        return FileLock(
            self._path,
            mode=0o600,
            thread_local=False,
            fallback_to_soft=False,  # a file that says "locked" outlives who wrote it
            on_acquired=self._say_who,
        )

    def _taken(self, lock: FileLock) -> bool:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError) as error:
            raise self._no_locks(str(error)) from None
        return True

    def _say_who(self, handle: int) -> None:
        held = os.fstat(handle)
        self._file = (held.st_dev, held.st_ino)
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(self._said).encode(), 0)

    def _gone(self, said: str) -> OutboxError:
        what = f"{self._path}, by which this process owns the outbox, was removed or replaced"
        remedy = "Leave, and start again: another process may send from the outbox by now."
        return OutboxError(Problem("own the outbox", what, said, remedy))

    def _no_locks(self, said: str) -> OutboxError:
        what = f"{self._path} cannot be locked"
        remedy = "Set outbox.folder to a folder on a disk of this machine."
        return OutboxError(Problem("own the outbox", what, said, remedy))


def is_owned(path: Path) -> bool:
    """Whether some process is known to own an outbox now; nothing is made, and nothing kept."""
    try:
        handle = os.open(_lock_path(path), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    else:
        return False
    finally:
        os.close(handle)


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _owned(path: Path) -> Problem:
    what = f"{_who(path)} sends from it"
    remedy = "End that one, or go on here without sending."
    return Problem("own the outbox", what, remedy=remedy)


def _who(path: Path) -> str:
    """Who holds the lock, as far as it says so: it may have died while it wrote."""
    try:
        with path.open("rb") as file:
            said = json.loads(file.read(_LONGEST))
        since = datetime.fromisoformat(said["since"])
        return (
            f"process {int(said['pid'])} on {clean(said['host'], 80)}, "
            f"since {since:%Y-%m-%d %H:%M %Z},"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
