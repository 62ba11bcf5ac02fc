"""A cache in a folder of the test's own."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.api.resources import KIND_OF
from paytui.domain.models import Kind, Record
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.write import CacheWriter
from paytui.store.health import Feed
from paytui.store.store import Store
from tests.support.clock import ManualClock


class CacheFile:
    """A cache that a run has left, and what the next one makes of it."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "paytui" / "acme.cache.sqlite"
        self.clock = ManualClock()

    def left_with(self, *records: Record, read: Iterable[Kind] = ()) -> None:
        """A run ends that knew these; their lists were read whole just now."""
        writer = CacheWriter(self.path)
        for record in records:
            writer.keep(KIND_OF[type(record)], [record], [])
        for kind in {*read, *(KIND_OF[type(record)] for record in records)}:
            now = self.clock.now()
            writer.note(Feed(kind, as_of=now, read_at=self.clock.boot()), now)
        writer.close()

    def recalled(
        self, most: int = 1_000, recent: timedelta = timedelta(0)
    ) -> tuple[Store, CacheRestore]:
        """Return the data of the next run before it reads anything."""
        store = Store()
        recall = CacheRestore(self.path, store, self.clock, most, recent)
        recall.at_once()
        for _ in recall.rest():
            pass
        return store, recall


@pytest.fixture
def cache(tmp_path: Path) -> CacheFile:
    (tmp_path / "paytui").mkdir(mode=0o700)
    return CacheFile(tmp_path)
