"""Errors of the book, each with its cause and a remedy."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from paytui.domain.models import Problem
from paytui.platform.files import NotPrivate


class BookError(Exception):
    """A book that cannot be used; `problem` explains it to the trader."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(str(problem))


class BookLocked(BookError):
    """A book that another process writes."""


class NoBook(BookError):
    """A book without a file: nothing was recorded yet."""


class ForeignFile(Exception):
    """A database that is no book of this version; the message says what it is."""


_ASIDE = "Move it elsewhere: a new one is begun at the next start."
_MEANINGS = {
    sqlite3.SQLITE_FULL: ("the disk is full", "Free disk space, then start again."),
    sqlite3.SQLITE_CORRUPT: ("the file is damaged", _ASIDE),
    sqlite3.SQLITE_NOTADB: ("the file is damaged", _ASIDE),
    sqlite3.SQLITE_IOERR: ("the disk failed", "Check the disk, its quota and its mount."),
    sqlite3.SQLITE_BUSY: ("another program keeps it locked", "End that program."),
}
_UNWRITABLE = "it cannot be written", "Make the file and its folder writable for you."


@contextmanager
def explained(attempted: str, path: Path) -> Iterator[None]:
    """Raise BookError for what goes wrong with a file, with its cause and a remedy."""
    try:
        yield
    except BlockingIOError:
        what = "another dashboard of this profile keeps it"
        remedy = "This one goes on once that one has ended."
        raise BookLocked(Problem(attempted, what, remedy=remedy)) from None
    except NotPrivate as error:
        raise BookError(
            Problem(attempted, f"{path} {error.message}", remedy=error.remedy)
        ) from None
    except ForeignFile as error:
        raise BookError(Problem(attempted, f"{path} {error}", remedy=_ASIDE)) from None
    except OSError as error:
        what, remedy = _UNWRITABLE
        raise BookError(Problem(attempted, what, str(error), remedy)) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        what, remedy = _MEANINGS.get(code, _UNWRITABLE)
        raise BookError(Problem(attempted, what, f"{path}: {error}", remedy)) from None
    except (ValueError, ArithmeticError, TypeError, RecursionError, MemoryError, zlib.error):
        raise BookError(Problem(attempted, f"{path} is damaged", remedy=_ASIDE)) from None
