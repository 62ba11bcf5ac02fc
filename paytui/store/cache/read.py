"""The reader of a cache, and the restoration of a store from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from paytui.domain.models import Kind, Record
from paytui.platform.clock import Clock
from paytui.store.cache.file import CacheUnusable, explained, open_to_read
from paytui.store.cache.records import KEPT, codec_of
from paytui.store.health import Feed
from paytui.store.model_json import Unreadable, read_moment
from paytui.store.store import GROWING, Store
from paytui.store.table import SLICE

_FEEDS = "SELECT kind, as_of, read_at, total, tracked, skipped, cut FROM feeds LIMIT 100"
_ROWS = (
    "SELECT body FROM records WHERE kind = ? AND open <= 1 AND (open, at) >= (0, ?) "
    "ORDER BY open DESC, at DESC"
)
_NEWEST = "SELECT at FROM records WHERE kind = ? AND open = 0 ORDER BY at DESC LIMIT 1 OFFSET ?"

BEFORE_ALL, AFTER_ALL = -(2**62), 2**62  # Times before and after that of any row


class CacheReader:
    """A reader of one cache. An altered cache counts as none: all methods raise CacheUnusable."""

    def __init__(self, path: Path) -> None:
        self._connection = open_to_read(path)
        self.close = self._connection.close

    def feeds(self) -> dict[Kind, tuple[Feed, datetime]]:
        """Return each list at its last complete read, and that moment by the host's wall clock."""
        with explained():
            found = [_feed(row) for row in self._connection.execute(_FEEDS).fetchall()]
        return {feed.kind: (feed, read_at) for feed, read_at in found}

    def records(
        self, kind: Kind, most: int | None, recent: timedelta = timedelta(0)
    ) -> Iterator[list[Record]]:
        """Yield open rows, then the newest `most` of the others, slice by slice; None: all.

        The others of the period `recent` before the newest come, too.
        """
        read, since = codec_of(kind).read, AFTER_ALL if most == 0 else BEFORE_ALL
        with explained():
            if most:
                newest, last = (
                    self._connection.execute(_NEWEST, (kind.value, place)).fetchone()
                    for place in (0, most - 1)
                )
                if newest and last:
                    since = min(last[0], newest[0] - recent // timedelta(milliseconds=1))
            found = self._connection.execute(_ROWS, (kind.value, since))
        while True:
            with explained():
                rows = [read(body) for (body,) in found.fetchmany(SLICE)]
            if not rows:
                return
            yield rows


def _feed(row: object) -> tuple[Feed, datetime]:
    match row:
        case (str(kind), str(as_of), str(read_at), total, int(tracked), int(skipped), int(cut)) if (
            kind in {kept.value for kept in KEPT} and isinstance(total, int | None)
        ):
            feed = Feed(
                Kind(kind),
                as_of=read_moment(as_of),
                total=total,
                tracked=tracked,
                skipped=skipped,
                cut=bool(cut),
            )
            return feed, read_moment(read_at)
    raise Unreadable


ORDER = (Kind.WALLETS, Kind.ACCOUNTS, Kind.TRADES, Kind.PAYMENTS, Kind.RECIPIENTS, Kind.PAYINS)
"""The order of restoration: what a trader looks for first."""

TOLERANCE = timedelta(minutes=1)
"""Longest time in the future at which a read may seem to lie if a clock was set; beyond that its
age is unknown."""


AT_ONCE = 4  # Maximum of slices that the first paint waits for: about 2,000 wallets


class CacheRestore:
    """A restoration of a store from a cache. Lists that were read since are not touched.

    Args:
        store: not written by others until `at_once` returns.
        clock: the host's.
        most: how many settled rows of a growing list to restore.
        recent: the period of which all rows are restored besides.

    Attributes:
        failed: the cache cannot be used; restored rows were removed again.
        has_wallets: all cached wallets are restored.
    """

    def __init__(
        self,
        path: Path,
        store: Store,
        clock: Clock,
        most: int,
        recent: timedelta = timedelta(0),
    ) -> None:
        self.failed = False
        self.has_wallets = False
        self._path = path
        self._store = store
        self._clock = clock
        self._most = most
        self._recent = recent
        self._slices = self._all()

    def at_once(self) -> None:
        """Restore the wallets, if they are not too many, for the first paint."""
        for _ in range(AT_ONCE):
            if next(self._slices, None) is not ORDER[0]:
                self.has_wallets = not self.failed
                return

    def rest(self) -> Iterator[Kind]:
        """Restore the rest, one slice of a kind at each step, in the thread that writes the store.

        At the end `failed` tells if all of it was restored.
        """
        return self._slices

    def _all(self) -> Iterator[Kind]:
        try:
            with closing(CacheReader(self._path)) as reader:
                yield from self._read(reader)
        except CacheUnusable:
            self.failed = True
            self._forget()

    def _read(self, reader: CacheReader) -> Iterator[Kind]:
        kept = reader.feeds()
        for kind in ORDER:
            if kind not in kept or self._store.feed(kind).was_read:
                continue
            # Set first: rows are marked as cached while the rest is still being restored.
            self._store.set_feed(self._feed(*kept[kind]))
            table = self._store.table(kind)
            most = self._most if kind in GROWING else None
            for rows in reader.records(kind, most, self._recent):
                if self._store.feed(kind).was_read:
                    break
                table.recall(rows)
                yield kind
            retention = self._store.retention(kind)
            if retention is not None and (kept[kind][0].total or 0) > len(table):
                retention.resume()

    def _feed(self, kept: Feed, read_at: datetime) -> Feed:
        """Return the health of a cached list; a problem found meanwhile is kept."""
        before = self._store.feed(kept.kind)
        age = self._clock.now() - read_at
        is_known = age > -TOLERANCE
        return replace(
            before,
            as_of=kept.as_of,
            read_at=self._clock.boot() - max(age.total_seconds(), 0.0) if is_known else None,
            total=kept.total,
            offered=before.offered and not kept.tracked,
            tracked=kept.tracked,
            skipped=kept.skipped,
            cut=kept.cut,
            cached=True,
        )

    def _forget(self) -> None:
        for kind in ORDER:
            feed = self._store.feed(kind)
            self._store.table(kind).remove_unconfirmed()
            if feed.cached:
                problem, since = feed.problem, feed.failing_since
                self._store.set_feed(Feed(kind, problem=problem, failing_since=since))
