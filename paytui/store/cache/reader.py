"""Reading what was known last time; where it is not as it was written, there is no cache."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from paytui.domain.models import Kind, Record
from paytui.domain.older_rows import Reach
from paytui.store.cache.codec import KEPT, Unreadable, codec_of
from paytui.store.cache.place import Unusable, check_place
from paytui.store.cache.schema import NotOurs, check_schema, connect
from paytui.store.table import SLICE

_FEEDS = "SELECT kind, as_of, read_at, total, tracked, skipped, cut FROM feeds LIMIT 100"
_OPEN = "SELECT body FROM records WHERE kind = ? AND open = 1 ORDER BY at DESC"
_FINAL = "SELECT body FROM records WHERE kind = ? AND open = 0 ORDER BY at DESC LIMIT ?"

_NAMED = "SELECT body FROM records WHERE kind = ? AND id = ? LIMIT ?"
_MADE_WITHIN = (
    "SELECT body FROM records WHERE kind = ? AND open = 0 AND at BETWEEN ? AND ? "
    "ORDER BY at DESC LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class KeptFeed:
    """What was known of a list when it was last read whole.

    Attributes:
        as_of: service time of that read.
        read_at: the host's wall clock at the same moment.
        total: how many the service said there are.
        tracked: how many known identifiers were read one by one instead of a list.
        skipped: records of it that could not be read at all.
        cut: whether it did not bring all that there was.
    """

    kind: Kind
    as_of: datetime
    read_at: datetime
    total: int | None
    tracked: int
    skipped: int
    cut: bool


class CacheReader:
    """Reads one cache.

    Raises:
        Unusable: there is none that can be used; from here and from all that it does.
    """

    def __init__(self, path: Path) -> None:
        check_place(path)
        with _explained():
            self._connection = connect(path)
        try:
            with _explained():
                check_schema(self._connection)
        except Unusable:
            self.close()
            raise

    def feeds(self) -> list[KeptFeed]:
        """The lists of which something is kept."""
        with _explained():
            return [_feed(*row) for row in self._connection.execute(_FEEDS).fetchall()]

    def records(self, kind: Kind, most: int) -> Iterator[list[Record]]:
        """What is open, then the newest so many of the rest, slice by slice."""
        read = codec_of(kind).read
        for sql, parameters in ((_OPEN, (kind.value,)), (_FINAL, (kind.value, most))):
            yield from self._slices(read, sql, parameters)

    def reach(self, kind: Kind, reach: Reach, most: int) -> list[Record]:
        """Of what a filter reaches for, the newest so many."""
        read = codec_of(kind).read
        sql = _NAMED if reach.identifier else _MADE_WITHIN
        span = (_at(reach.since, 0), _at(reach.until, sys.maxsize))
        wanted = (reach.identifier,) if reach.identifier else span
        with _explained():
            found = self._connection.execute(sql, (kind.value, *wanted, most)).fetchall()
            return [read(body) for (body,) in found]

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()

    def _slices(
        self, read: Callable[[object], Record], sql: str, parameters: tuple[str | int, ...]
    ) -> Iterator[list[Record]]:
        with _explained():
            found = self._connection.execute(sql, parameters)
        more = True
        while more:
            with _explained():
                rows = [read(body) for (body,) in found.fetchmany(SLICE)]
            more = bool(rows)
            if more:
                yield rows


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, NotOurs, Unreadable):
        raise Unusable from None


def _at(moment: datetime | None, otherwise: int) -> int:
    """As the cache counts time: in milliseconds."""
    return otherwise if moment is None else int(moment.timestamp() * 1000)


def _feed(kind: object, as_of: object, read_at: object, total: object, *more: object) -> KeptFeed:
    if kind not in {kept.value for kept in KEPT} or not isinstance(total, int | None):
        raise Unreadable
    tracked, skipped, cut = map(_number, more)
    when = _moment(as_of), _moment(read_at)
    return KeptFeed(Kind(str(kind)), *when, total, tracked, skipped, bool(cut))


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise Unreadable
    return value


def _moment(value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise Unreadable from None
    if moment.tzinfo is not UTC:
        raise Unreadable
    return moment
