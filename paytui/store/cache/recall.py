"""Bringing back what was known last time: balances at once, and the rest slice by slice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from paytui.domain.models import Kind
from paytui.platform.clock import Clock
from paytui.store.cache.place import Unusable
from paytui.store.cache.reader import CacheReader, KeptFeed
from paytui.store.health import Feed
from paytui.store.store import Store

ORDER = (
    Kind.WALLETS,
    Kind.ACCOUNTS,
    Kind.TRADES,
    Kind.PAYMENTS,
    Kind.RECIPIENTS,
    Kind.PAYINS,
)
"""What a trader looks for first, first."""

TOLERANCE = timedelta(minutes=1)
"""How far in the future a read may seem to lie: a clock was set. By more, nobody knows its age."""

AT_ONCE = 4
"""Slices that the first paint waits for at the most: some 2,000 wallets."""


class Recall:
    """Fills a store from a cache. Nothing that was read since is touched.

    Args:
        path: of the cache.
        store: which nobody else writes until `at_once` is over.
        clock: the host's.
        most: how many rows of a list to bring back, beside those that are open.

    Attributes:
        failed: whether there is no cache that can be used; what was brought back is gone again.
        has_wallets: whether all wallets that were kept are back.
    """

    def __init__(self, path: Path, store: Store, clock: Clock, most: int) -> None:
        self.failed = False
        self.has_wallets = False
        self._path = path
        self._store = store
        self._clock = clock
        self._most = most
        self._slices = self._all()

    def at_once(self) -> None:
        """Bring back the wallets, if they are not too many, for the first paint."""
        for _ in range(AT_ONCE):
            if next(self._slices, None) is not ORDER[0]:
                self.has_wallets = not self.failed
                return

    def rest(self) -> Iterator[Kind]:
        """Bring back the rest, a slice of a kind a step; in the thread that writes the store.

        Whether that is all of it, or it `failed`, is known at the end.
        """
        return self._slices

    def reader(self) -> CacheReader:
        """Another look into the cache.

        Raises:
            Unusable: there is none.
        """
        return CacheReader(self._path)

    def _all(self) -> Iterator[Kind]:
        try:
            reader = self.reader()
            try:
                yield from self._read(reader)
            finally:
                reader.close()
        except Unusable:
            self.failed = True
            self._forget()

    def _read(self, reader: CacheReader) -> Iterator[Kind]:
        kept = {feed.kind: feed for feed in reader.feeds()}
        for kind in ORDER:
            if kind not in kept or self._store.feed(kind).was_read:
                continue
            # First: what came is marked while the rest is still coming.
            self._store.set_feed(self._feed(kept[kind]))
            table = self._store.table(kind)
            for rows in reader.records(kind, self._most):
                if self._store.feed(kind).was_read:
                    break
                table.recall(rows)
                yield kind

    def _feed(self, kept: KeptFeed) -> Feed:
        """Its health until it is read; what failed meanwhile goes on to be said."""
        before = self._store.feed(kept.kind)
        age = self._clock.now() - kept.read_at
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
