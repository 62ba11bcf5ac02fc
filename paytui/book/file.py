"""The book's file: rates, balances and notes, in the state folder, one for each profile.

It is append-only: only the thinning of rates and `prune` remove anything. One process writes it.
Notes for a desk are in it until they are handed in. Each error has its cause and a remedy.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from threading import RLock

from paytui.book import history
from paytui.book.history import SLICES, DayBalances
from paytui.domain.colleagues import AttentionKey, AttentionNote, NoteKind, SharedNote
from paytui.domain.models import Problem, ProblemError, WalletId
from paytui.domain.money import CurrencyCode, Pair, plain
from paytui.platform.files import (
    NotPrivate,
    check_place,
    create_private,
    lock_beside,
    make_folder,
    open_sqlite,
    state_path,
)


class BookError(ProblemError):
    """A book that cannot be used; `problem` explains it to the trader."""


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
        what = "another process writes it"
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


SUFFIX = ".book.sqlite"
VERSION = 1
APPLICATION = 0x70617942  # "payB", so that another program's database is never taken for a book

SINGLE_FOR, MINUTES_FOR = 2, 90  # Days for which each sheet, then one bar a minute is kept

BUSY_TIMEOUT = 2.0  # Seconds to wait for another process that reads

_TABLES = """
CREATE TABLE pairs (pair INTEGER PRIMARY KEY, sell TEXT NOT NULL, buy TEXT NOT NULL,
  UNIQUE (sell, buy));
CREATE TABLE sheets (sheet INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE rates (pair INTEGER NOT NULL, at INTEGER NOT NULL, rate TEXT NOT NULL,
  sheet INTEGER NOT NULL, PRIMARY KEY (pair, at)) WITHOUT ROWID;
CREATE TABLE days (pair INTEGER NOT NULL, day INTEGER NOT NULL, span INTEGER NOT NULL,
  bars BLOB NOT NULL, UNIQUE (pair, day));
CREATE TABLE wallets (wallet INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE balances (wallet INTEGER NOT NULL, at INTEGER NOT NULL, available TEXT,
  reserved TEXT, pending TEXT, PRIMARY KEY (wallet, at)) WITHOUT ROWID;
CREATE TABLE watches (began INTEGER PRIMARY KEY, ended INTEGER NOT NULL);
CREATE TABLE attention (number INTEGER PRIMARY KEY, key TEXT NOT NULL, first_seen INTEGER NOT NULL,
  acknowledged INTEGER NOT NULL, snoozed_until INTEGER, ended INTEGER);
CREATE INDEX attention_keys ON attention (key, number);
"""
_AMOUNTS = (
    "available, reserved, pending FROM balances JOIN wallets USING (wallet) WHERE at >= ifnull("
    "(SELECT max(at) FROM balances AS earlier WHERE earlier.wallet = wallets.wallet "
    "AND earlier.at <= ?1), 0)"
)
"""Amounts since a time, after the last ones before."""

_UNSENT = "CREATE TABLE IF NOT EXISTS unsent (id TEXT PRIMARY KEY, note TEXT NOT NULL)"
"""Added to books of any age; earlier versions ignore it."""
"""`days.bars` is JSON, compressed by zlib: a list of bars, each of seconds since the day began and
rates: [began, ended, first, low, high, last], or [began, rate] if all are equal. `days.span` is
the length of a bar, in milliseconds. The newest row of a key in `attention` counts; with `ended`,
the item is over."""


def book_path(profile: str, folder: Path | None) -> Path:
    """Return the path of a profile's book; see `state_path`."""
    return state_path(f"{profile}{SUFFIX}", folder)


Connect = Callable[[Path, str], sqlite3.Connection]


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file that exists, with a mode of SQLite's: "ro" or "rw"."""
    return open_sqlite(path, mode, BUSY_TIMEOUT)


class BookReader:
    """A read-only connection to a book, for one thread at a time.

    Raises:
        NoBook: there is no file.
        BookError: it cannot be read; so do all methods.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with explained("read the history", path):
            if not path.exists():
                raise NoBook(Problem("read the history", f"there is no {path}"))
            check_place(path)
            self._connection = connect(path, "ro")
            try:
                _check_version(self._connection)
            except BaseException:
                self._connection.close()
                raise

    def close(self) -> None:
        self._connection.close()

    def rates(self, pairs: Iterable[Pair], since: history.Millis) -> dict[Pair, list[history.Bar]]:
        """Return the bars of pairs, in order of time, that began at `since` or later.

        Bars of thinned days last a minute or an hour; of the last two days each sheet has one.
        A pair without history has no entry.
        """
        connection = self._connection
        found: dict[Pair, list[history.Bar]] = {}
        with explained("read the history", self.path):
            for pair in pairs:
                of_pair = "JOIN pairs USING (pair) WHERE sell = ? AND buy = ?"
                sql = f"SELECT day, bars FROM days {of_pair} AND day >= ? ORDER BY day"  # noqa: S608
                days = connection.execute(sql, (pair.sell, pair.buy, since // history.DAY))
                bars = [
                    bar for day, blob in days for bar in _unpacked(day, blob) if bar.began >= since
                ]
                sql = f"SELECT at, rate FROM rates {of_pair} AND at >= ? ORDER BY at"  # noqa: S608
                rows = connection.execute(sql, (pair.sell, pair.buy, since))
                bars += [history.Bar.at(history.Millis(at), _rate(rate)) for at, rate in rows]
                if bars:  # a late sheet of a thinned day is before its last bar
                    found[pair] = sorted(bars, key=attrgetter("began"))
        return found

    def pairs(self) -> list[Pair]:
        """Return the pairs whose rates were recorded."""
        with explained("read the history", self.path):
            rows = self._connection.execute("SELECT sell, buy FROM pairs").fetchall()
        return [Pair(CurrencyCode(sell), CurrencyCode(buy)) for sell, buy in rows]

    def balances(self, since: history.Millis) -> dict[WalletId, list[history.Balance]]:
        """Return each wallet's balances since then, after the last one before, if any."""
        return self._balances(f"SELECT id, at, {_AMOUNTS} ORDER BY wallet, at", (since,))

    def day(self, began: history.Millis) -> DayBalances:
        """Return the balances of a day: the last before its levels begin, and of each part of it.

        Parts are as long as the shortest that has a level: a busy wallet changes every few seconds.
        """
        empty = DayBalances(began, watches=self.watches(began))
        parts = "CASE WHEN at > ?2 THEN (at - ?1) / ?3 END"
        sql = f"SELECT id, max(at), {_AMOUNTS} GROUP BY wallet, {parts} ORDER BY wallet, max(at)"
        since = began if empty.since is None else empty.since
        return replace(empty, balances=self._balances(sql, (began, since, SLICES[0])))

    def _balances(
        self, sql: str, values: tuple[history.Millis, ...]
    ) -> dict[WalletId, list[history.Balance]]:
        found: defaultdict[WalletId, list[history.Balance]] = defaultdict(list)
        with explained("read the history", self.path):
            for key, at, *amounts in self._connection.execute(sql, values):
                available, reserved, pending = map(_decimal, amounts)
                found[WalletId(key)].append(
                    history.Balance(history.Millis(at), available, reserved, pending)
                )
        return dict(found)

    def watches(self, since: history.Millis) -> list[history.Watch]:
        """Return the periods in which balances were read, that ended since then."""
        sql = "SELECT began, ended FROM watches WHERE ended >= ? ORDER BY began"
        with explained("read the history", self.path):
            rows = self._connection.execute(sql, (since,))
            return [
                history.Watch(history.Millis(began), history.Millis(ended)) for began, ended in rows
            ]

    def attention(self) -> list[AttentionNote]:
        """Return the notes on items that are not over."""
        sql = (
            "SELECT key, first_seen, acknowledged, snoozed_until, ended FROM attention "
            "WHERE number IN (SELECT max(number) FROM attention GROUP BY key) ORDER BY number"
        )
        with explained("read the history", self.path):
            return [
                AttentionNote(
                    AttentionKey(key),
                    history.moment(history.Millis(first_seen)),
                    bool(acknowledged),
                    None if until is None else history.moment(history.Millis(until)),
                )
                for key, first_seen, acknowledged, until, ended in self._connection.execute(sql)
                if ended is None
            ]

    def unsent(self) -> list[SharedNote]:
        """Return the notes for a desk that are not handed in, the oldest first."""
        with explained("read the history", self.path):
            rows = self._connection.execute("SELECT id, note FROM unsent ORDER BY rowid")
            return [_note_of(note_id, text) for note_id, text in rows]


class BookWriter:
    """The one writer of a book, which it creates and locks. Threads wait for each other.

    Args:
        connect: opens the file; every statement goes through the connection that this returns.

    Raises:
        BookError: another process writes it, or it cannot be written; so do all methods.
    """

    def __init__(self, path: Path, connect: Connect = connect) -> None:
        self.path = path
        self._turn = RLock()  # a connection that is closed during a statement ends the process
        with explained("keep a history", path):
            make_folder(path.parent)
            with suppress(FileExistsError):  # an existing file is checked next
                os.close(create_private(path))
            check_place(path)
            self._lock = lock_beside(path)
            with ExitStack() as opened:
                opened.callback(os.close, self._lock)
                self._connection = opened.enter_context(closing(connect(path, "rw")))
                self._prepare()
                self._sheets = {key for [key] in self._connection.execute("SELECT id FROM sheets")}
                self._balances = self._last_balances()
                rows = self._connection.execute("SELECT max(began), ended FROM watches").fetchone()
                self._watch = history.Watch(*rows) if rows[0] is not None else None
                self._opened = opened.pop_all()

    def close(self) -> None:
        """Close the file and release its lock."""
        with self._turn:
            self._opened.close()

    def add_rates(self, sheet: str, time: datetime, rates: Mapping[Pair, Decimal]) -> None:
        """Add the rates of a sheet, by its identifier; a sheet that is there stays as it is."""
        if sheet in self._sheets:
            return
        with self._writing():
            connection = self._connection
            number = connection.execute("INSERT INTO sheets (id) VALUES (?)", (sheet,)).lastrowid
            pairs = [(pair.sell, pair.buy) for pair in rates]
            connection.executemany("INSERT OR IGNORE INTO pairs (sell, buy) VALUES (?, ?)", pairs)
            connection.executemany(
                "INSERT OR IGNORE INTO rates SELECT pair, ?, ?, ? FROM pairs "
                "WHERE sell = ? AND buy = ?",
                [
                    (history.millis(time), plain(rate), number, pair.sell, pair.buy)
                    for pair, rate in rates.items()
                ],
            )
        self._sheets.add(sheet)

    def add_balances(self, time: datetime, balances: Mapping[WalletId, Amounts] | None) -> None:
        """Add the balances that differ from the last ones, and that all wallets were read.

        A wallet that is not among them any more has no amounts from then on. None: all are as
        before.
        """
        new: dict[WalletId, Amounts] = {}
        if balances is not None:
            now = dict.fromkeys(self._balances, _UNKNOWN) | dict(balances)
            before = self._balances
            new = {key: held for key, held in now.items() if before.get(key, _UNKNOWN) != held}
        watch = self._extended(history.millis(time))
        if not new and watch is None:
            return
        with self._writing():
            connection = self._connection
            connection.executemany(
                "INSERT OR IGNORE INTO wallets (id) VALUES (?)", [(key,) for key in new]
            )
            connection.executemany(
                "INSERT OR REPLACE INTO balances SELECT wallet, ?, ?, ?, ? FROM wallets "
                "WHERE id = ?",
                [(history.millis(time), *map(_text, held), key) for key, held in new.items()],
            )
            if watch is not None:
                connection.execute(
                    "INSERT OR REPLACE INTO watches VALUES (?, ?)", (watch.began, watch.ended)
                )
        self._balances |= new
        self._watch = watch or self._watch

    def is_due(self, time: datetime) -> bool:
        """Return True if a read at a time is recorded even without changes."""
        return self._extended(history.millis(time)) is not None

    def add_notes(self, notes: Mapping[AttentionKey, AttentionNote | None], now: datetime) -> None:
        """Add the newest note of each item; None: the item is over."""
        if not notes:
            return
        with self._writing():
            self._connection.executemany(
                "INSERT INTO attention (key, first_seen, acknowledged, snoozed_until, ended) "
                "VALUES (?, ?, ?, ?, ?)",
                [
                    (key, history.millis(now), False, None, history.millis(now))
                    if note is None
                    else (
                        key,
                        history.millis(note.first_seen),
                        note.acknowledged,
                        None if note.snoozed_until is None else history.millis(note.snoozed_until),
                        None,
                    )
                    for key, note in notes.items()
                ],
            )

    def keep_unsent(self, notes: Mapping[str, SharedNote | None]) -> None:
        """Keep notes until they are handed in to a desk; None: it is."""
        if not notes:
            return
        with self._writing():
            for note_id, note in notes.items():
                self._connection.execute("DELETE FROM unsent WHERE id = ?", (note_id,))
                if note is not None:
                    row = (note_id, _text_of(note))
                    self._connection.execute("INSERT INTO unsent VALUES (?, ?)", row)

    def thin(self, now: datetime) -> bool:
        """Thin the oldest UTC day of rates that is due; return True if there may be more."""
        today = history.millis(now) // history.DAY
        connection = self._connection
        with self._turn, explained("keep a history", self.path):
            [day] = connection.execute("SELECT min(at) / ? FROM rates", (history.DAY,)).fetchone()
            if day is not None and day < today - SINGLE_FOR:
                with self._writing():
                    self._pack_sheets(day)
                return True
            due = "FROM days WHERE span < ? AND day < ?"
            sql = f"SELECT rowid, day, bars {due} LIMIT 100"
            rows = connection.execute(sql, (history.HOUR, today - MINUTES_FOR)).fetchall()
            if rows:
                with self._writing():
                    connection.executemany(
                        "UPDATE days SET span = ?, bars = ? WHERE rowid = ?",
                        [
                            (history.HOUR, _packed(day, _unpacked(day, bars), history.HOUR), row)
                            for row, day, bars in rows
                        ],
                    )
        return bool(rows)

    def prune(self, before: datetime) -> None:
        """Remove everything that ended before a time, rates by whole UTC days."""
        end = history.millis(before)
        with self._writing():
            connection = self._connection
            connection.execute("DELETE FROM days WHERE day < ?", (end // history.DAY,))
            connection.execute(
                "DELETE FROM rates WHERE at < ?", (end // history.DAY * history.DAY,)
            )
            connection.execute(
                "DELETE FROM balances WHERE at < (SELECT max(at) FROM balances AS later "
                "WHERE later.wallet = balances.wallet AND later.at <= ?)",
                (end,),
            )
            connection.execute("DELETE FROM watches WHERE ended < ?", (end,))
            connection.execute(  # and the older notes, or else they would count again
                "DELETE FROM attention WHERE number <= (SELECT max(number) FROM attention AS later "
                "WHERE later.key = attention.key AND later.ended < ?)",
                (end,),
            )
            self._drop_sheets()
        with self._turn, explained("keep a history", self.path):
            self._connection.execute("VACUUM")

    def _pack_sheets(self, day: int) -> None:
        """Replace the rates of one UTC day by one bar a minute."""
        connection = self._connection
        rows = connection.execute(
            "SELECT pair, at, rate FROM rates WHERE at >= ? AND at < ? ORDER BY pair, at",
            (day * history.DAY, (day + 1) * history.DAY),
        )
        by_pair: defaultdict[int, list[history.Bar]] = defaultdict(list)
        for pair, at, rate in rows:
            by_pair[pair].append(history.Bar.at(history.Millis(at), _rate(rate)))
        for pair, bars in by_pair.items():
            there = connection.execute(
                "SELECT bars FROM days WHERE pair = ? AND day = ?", (pair, day)
            ).fetchone()
            known = _unpacked(day, there[0]) if there else ()
            whole = sorted((*known, *bars), key=attrgetter("began"))
            packed = _packed(day, whole, history.MINUTE)
            connection.execute(
                "INSERT OR REPLACE INTO days (pair, day, span, bars) VALUES (?, ?, ?, ?)",
                (pair, day, history.MINUTE, packed),
            )
        connection.execute("DELETE FROM rates WHERE at < ?", ((day + 1) * history.DAY,))
        self._drop_sheets()

    def _drop_sheets(self) -> None:
        """Forget the identifiers of sheets without rates, but for those of this process."""
        self._connection.execute(
            "DELETE FROM sheets WHERE sheet < (SELECT ifnull(min(sheet), 0) FROM rates)"
        )
        self._sheets = {key for [key] in self._connection.execute("SELECT id FROM sheets")}

    def _extended(self, now: history.Millis) -> history.Watch | None:
        """Return the watch that a read now begins, or prolongs by a minute; None: neither."""
        last = self._watch
        if last is None or not 0 <= now - last.ended <= history.GAP:
            return history.Watch(now, now)
        if now - last.ended < history.MINUTE:
            return None
        return history.Watch(last.began, now)

    def _last_balances(self) -> dict[WalletId, Amounts]:
        rows = self._connection.execute(
            "SELECT id, available, reserved, pending, max(at) FROM balances "
            "JOIN wallets USING (wallet) GROUP BY wallet"
        )
        return {
            WalletId(key): (_decimal(available), _decimal(reserved), _decimal(pending))
            for key, available, reserved, pending, _ in rows
        }

    def _prepare(self) -> None:
        """Create the tables in an empty file, and check those of another."""
        connection = self._connection
        if not connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall():
            connection.executescript(
                f"BEGIN; {_TABLES} PRAGMA application_id = {APPLICATION};"
                f"PRAGMA user_version = {VERSION}; COMMIT;"
            )
        _check_version(connection)  # before anything is written: journal_mode is
        connection.execute(_UNSENT)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA wal_autocheckpoint = 200")  # pages, so that the log stays small

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._turn, explained("keep a history", self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # SQLite may have rolled back already
                    self._connection.execute("ROLLBACK")
                raise


Amounts = tuple[Decimal | None, Decimal | None, Decimal | None]
"""The available, reserved and pending balance of a wallet."""

_UNKNOWN: Amounts = (None, None, None)


def _packed(day: int, bars: Iterable[history.Bar], span: history.Millis) -> bytes:
    """Return the bars of one UTC day, thinned, as text, compressed."""
    start, rows = day * history.DAY, []
    for bar in history.thinned(bars, span):
        began, ended = (bar.began - start) // history.SECOND, (bar.ended - start) // history.SECOND
        rates = [plain(rate) for rate in (bar.first, bar.low, bar.high, bar.last)]
        is_one = began == ended and len(set(rates)) == 1
        rows.append([began, rates[0]] if is_one else [began, ended, *rates])
    return zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 9)


def _unpacked(day: int, blob: bytes) -> Iterator[history.Bar]:
    """Yield the bars of one UTC day; raise ValueError for other text."""
    start = day * history.DAY
    for began, *others in json.loads(zlib.decompress(blob)):
        ended, *rates = others if len(others) > 1 else (began, *others)
        if not 0 <= began <= ended < history.DAY // history.SECOND:
            raise ValueError("not within the day")
        first, low, high, last = [_rate(text) for text in rates] * (4 if len(rates) == 1 else 1)
        times = (
            history.Millis(start + began * history.SECOND),
            history.Millis(start + ended * history.SECOND),
        )
        yield history.Bar(*times, first, low, high, last)


def _rate(text: str) -> Decimal:
    """Return a rate; raise ValueError for a text like NaN."""
    rate = Decimal(text)
    if not rate.is_finite():
        raise ValueError(text)
    return rate


def _text_of(note: SharedNote) -> str:
    until = None if note.until is None else history.millis(note.until)
    return json.dumps(
        [note.kind, note.subject, history.millis(note.at), note.words, until, note.ends]
    )


def _note_of(note_id: str, text: str) -> SharedNote:
    kind, subject, at, words, until, ends = json.loads(text)
    return SharedNote(
        note_id=note_id,
        kind=NoteKind(kind),
        subject=subject,
        at=history.moment(at),
        words=words,
        until=None if until is None else history.moment(until),
        ends=ends,
    )


def _decimal(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _text(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)


def _check_version(connection: sqlite3.Connection) -> None:
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise ForeignFile("belongs to another program")
    if version != VERSION:
        raise ForeignFile(f"was written by a {'later' if version > VERSION else 'earlier'} paytui")
