"""The file of an outbox: one a profile, in a private folder; and errors, with cause and remedy."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paytui.domain.models import Problem, ProblemError
from paytui.platform import files
from paytui.platform.files import NotPrivate, check_private, state_path


class OutboxError(ProblemError):
    """A failed operation on the outbox; `problem` explains it to the trader."""


class OutboxDamaged(OutboxError):
    """A file that does not hold what was written into it. It is left unchanged."""

    def __init__(self, attempted: str, path: Path, found: str) -> None:
        what = f"{path} is damaged"
        remedy = (
            "Nothing can be sent while it is there. Restore it from a copy, or put it aside with "
            "`paytui audit --set-aside`, after settling its open intents with the service."
        )
        super().__init__(Problem(attempted, what, said=found, remedy=remedy))


class NoOutbox(OutboxError):
    """An outbox without a file: nothing was ever recorded."""

    def __init__(self, attempted: str, path: Path) -> None:
        remedy = (
            "Nothing was confirmed here with this profile, or the file was moved: check "
            "--profile and outbox.folder, or restore the file from a copy."
        )
        super().__init__(Problem(attempted, f"there is no {path}", remedy=remedy))


class AlteredFile(ValueError):
    """A file that was altered after it was written; the message says where."""


class OtherVersion(Exception):
    """A file that another version of paytui wrote; its arguments are a clause and a remedy."""


NEWER = ("was written by a later paytui", "Use that version; nothing is sent by this one.")
OLDER = (
    "was written by an earlier paytui",
    (
        "Nothing in it was changed. Settle open intents with that version, then move the file "
        "elsewhere: this version creates a new one."
    ),
)


@contextmanager
def as_outbox_error(attempted: str, path: Path) -> Iterator[None]:
    """Raise OutboxError for what goes wrong in this block; `attempted` is a verb phrase."""
    try:
        yield
    except AlteredFile as error:
        raise OutboxDamaged(attempted, path, str(error)) from None
    except OtherVersion as error:
        what, remedy = error.args
        raise OutboxError(Problem(attempted, f"{path} {what}", remedy=remedy)) from None
    except UnicodeEncodeError as error:
        raise OutboxError(Problem(attempted, "a text cannot be written", str(error))) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise OutboxDamaged(attempted, path, str(error)) from error
        what, remedy = _MEANINGS.get(code, ("SQLite failed", "Nothing is sent before it works."))
        raise OutboxError(Problem(attempted, what, f"{path}: {error}", remedy)) from error
    except OSError as error:
        what = f"{path.parent} cannot be used"
        raise OutboxError(Problem(attempted, what, str(error), _UNWRITABLE[1])) from None


_UNWRITABLE = (
    "it cannot be written",
    "Make the file and its folder writable for you, or set outbox.folder to another place.",
)
_MEANINGS = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Free disk space; nothing is sent before."),
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_BUSY: (
        "another program keeps it locked",
        "End the program that has the file open; nothing is sent before.",
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk failed",
        "Check the disk, its quota and its mount; nothing is sent before it works.",
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        "it refuses to change existing rows",
        "This is a bug in paytui: please report it.",
    ),
}


# Its place

SUFFIX = ".outbox.sqlite"


def outbox_path(profile: str, folder: Path | None) -> Path:
    """Return the path of a profile's outbox; see `state_path`."""
    return state_path(f"{profile}{SUFFIX}", folder)


def make_folder(path: Path) -> None:
    """Create the folder of an outbox, private to the user, if it does not exist.

    Raise OutboxError if it cannot be created.
    """
    with as_outbox_error("make a folder for the outbox", path):
        files.make_folder(path.parent)


def check_place(path: Path) -> None:
    """Check the permissions and types of an outbox's folder and, if it exists, its file.

    Raise OutboxError if other users have access, or they are not a folder and a regular file.
    """
    with as_outbox_error("open the outbox", path):
        folder = path.parent.stat()
        file = path.lstat() if os.path.lexists(path) else None
    if not stat.S_ISDIR(folder.st_mode):
        raise _refused(path.parent, "is not a folder", "Set outbox.folder to one.")
    _refuse_shared(folder, path.parent)
    if file is None:
        return
    if not stat.S_ISREG(file.st_mode):
        # A symbolic link is refused too: it may point elsewhere at the next start.
        raise _refused(path, "is not a regular file", "Put the outbox itself there.")
    if file.st_nlink > 1:
        # The lock is beside the file: another process could lock it under its other name.
        remedy = f"Remove its other name. To find it: find / -xdev -samefile {path}"
        raise _refused(path, "has a second name, a hard link", remedy)
    _refuse_shared(file, path)


def _refuse_shared(status: os.stat_result, path: Path) -> None:
    try:
        check_private(status, path, os.geteuid())
    except NotPrivate as error:
        raise _refused(path, error.message, error.remedy) from None


def _refused(path: Path, message: str, remedy: str) -> OutboxError:
    return OutboxError(Problem("open the outbox", f"{path} {message}", remedy=remedy))
