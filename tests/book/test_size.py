"""A year of ten pairs takes at most 20 MB."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from paytui.book.file import BookWriter
from tests.book.days import Days, directions

MINUTES, HOURS = 90, 275  # Days of a year with one bar a minute, and with one an hour
SLACK = 1.5  # Pages are not full


def test_a_year_of_ten_pairs_fits(tmp_path: Path) -> None:
    path = tmp_path / "state" / "x.book.sqlite"

    def packed() -> int:
        with closing(sqlite3.connect(path)) as connection:
            [count, length] = connection.execute(
                "SELECT count(*), sum(length(bars)) FROM days"
            ).fetchone()
        assert count == 2 * 10
        return int(length)

    with closing(BookWriter(path)) as book:
        running = Days(book, directions(10))
        running.pass_day()
        singles = path.stat().st_size + path.with_name(f"{path.name}-wal").stat().st_size
        while book.thin(running.now + timedelta(days=3)):
            pass
        minutes = packed()
        while book.thin(running.now + timedelta(days=100)):
            pass
        hours = packed()
    assert 3 * singles + SLACK * (MINUTES * minutes + HOURS * hours) <= 20_000_000
