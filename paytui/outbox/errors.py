"""What goes wrong with the outbox, and what to do about it. Nothing was sent in any of these."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from paytui.api.models import Problem


class OutboxError(Exception):
    """The outbox did not do what it was asked; `problem` is what a person is told."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class OutboxDamaged(OutboxError):
    """The file does not hold what was written into it. It is left as it is."""

    def __init__(self, attempted: str, path: Path, found: str) -> None:
        what = f"{path} is damaged"
        remedy = (
            "Nothing can be sent while it is there. Restore it from a copy, or put it aside with "
            "`paytui audit --set-aside`, after settling with the service what it may hold."
        )
        super().__init__(Problem(attempted, what, said=found, remedy=remedy))


def outbox_error(error: sqlite3.Error, attempted: str, path: Path) -> OutboxError:
    """What an error of SQLite means for the outbox.

    Args:
        error: as SQLite raised it.
        attempted: what was tried, as a verb phrase.
        path: the outbox's file.
    """
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return OutboxDamaged(attempted, path, str(error))
    what, remedy = _MEANINGS.get(code, ("SQLite failed", "Nothing was sent."))
    return OutboxError(Problem(attempted, what, said=f"{path}: {error}", remedy=remedy))


_UNWRITABLE = (
    "it cannot be written",
    "Make the file and its folder yours to write, or set outbox.folder to another place.",
)
_MEANINGS = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Make room; nothing is sent before there is."),
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_BUSY: (
        "another program keeps it locked",
        "End whatever has the file open; nothing is sent before that.",
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk failed",
        "Check the disk, its quota and its mount; nothing is sent before it works.",
    ),
    sqlite3.SQLITE_CONSTRAINT: (
        "it refuses to change what was written",
        "This is a mistake of paytui: please report it.",
    ),
}
