"""The writer's pages in memory are few, except while a long list is read for the first time."""

from __future__ import annotations

import _sqlite3
import ctypes
from datetime import timedelta
from pathlib import Path

import pytest

from paytui.domain.models import Kind, Payment, PaymentId, State
from paytui.store.cache.write import CacheWriter
from tests.support.clock import NOON

DONE = State("completed", final=True)
MIB = 1024 * 1024


def held() -> int:
    """Bytes of memory that SQLite holds in this process."""
    used = ctypes.CDLL(_sqlite3.__file__).sqlite3_memory_used
    used.restype = ctypes.c_int64
    return int(used())


def write(writer: CacheWriter, first: int) -> None:
    """Write 900 payments, about 2 MB, a hundred at a time."""
    for start in range(first, first + 900, 100):
        made = (PaymentId(f"pay-{number * 7919 % 100_003}") for number in range(start, start + 100))
        at = NOON + timedelta(seconds=start)
        rows = [Payment(one, reference=one * 100, status=DONE, created_at=at) for one in made]
        writer.keep(Kind.PAYMENTS, rows, [])


@pytest.mark.slow
def test_a_list_that_grows_leaves_no_more_pages_in_memory(tmp_path: Path) -> None:
    before, writer = held(), CacheWriter(tmp_path / "paytui" / "x.cache.sqlite")
    write(writer, 0)
    assert held() - before < 2 * MIB
    writer.expect_long_list()
    write(writer, 900)
    assert held() - before > 2 * MIB
    writer.index_orders(Kind.PAYMENTS)
    assert held() - before < 2 * MIB
    writer.close()
