"""Reads of the cache for the screens: one at a time, also if nobody waits for one any more."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

from paytui.domain.models import Kind
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import TimeContext
from paytui.store.store import CacheFile
from paytui.tui.store_bridge import WindowReader
from tests.support.clock import NOON
from tests.tui.book import payment


def test_a_read_that_is_cancelled_ends_before_the_next_begins(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, [payment(number, "1") for number in range(50)], [])
    writer.close()
    begun, may_end, log = Event(), Event(), []

    def slow(_: ListReader) -> None:
        log.append("begins")
        begun.set()
        may_end.wait(10)
        log.append("ends")

    def total(reader: ListReader) -> int:
        log.append("next")
        return reader.window(ListQuery(Kind.PAYMENTS), TimeContext(lambda: NOON), Anchor(), 1).total

    async def scenario() -> int:
        reader, file = WindowReader(), CacheFile(path, 1)
        cancelled = asyncio.create_task(reader.read(file, slow))
        await asyncio.to_thread(begun.wait, 10)
        cancelled.cancel()
        following = asyncio.create_task(reader.read(file, total))
        for _ in range(5):
            await asyncio.sleep(0)
        may_end.set()
        try:
            return await following
        except Interrupted:  # by the end of the one before
            return await reader.read(file, total)

    assert asyncio.run(scenario()) == 50
    assert log[:3] == ["begins", "ends", "next"]
