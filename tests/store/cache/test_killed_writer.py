"""A writer that is killed leaves a file that is whole as far as it goes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from paytui.domain.models import Kind
from paytui.store.cache.list_query import Anchor, ListQuery, SortBy
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import TimeContext
from tests.lists.cases import check_index
from tests.support.clock import NOON
from tests.tui.book import payment

COUNT = 400
A_SLICE = 5

ENDLESS = """
import sys
from pathlib import Path
from paytui.domain.models import Kind
from paytui.store.cache.write import CacheWriter
from tests.tui.book import payment
writer = CacheWriter(Path(sys.argv[1]), text_batch=20)
writer.index_orders(Kind.PAYMENTS)
while True:
    for start in range(0, {count}, {a_slice}):
        rows = [payment(n, str(n), minutes_ago=n) for n in range(start, start + {a_slice})]
        writer.keep(Kind.PAYMENTS, rows, ["pay-7"])
        print(start, flush=True)
"""


def test_what_was_written_before_is_listed_and_the_next_run_goes_on(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    program = ENDLESS.format(count=COUNT, a_slice=A_SLICE)
    with subprocess.Popen(
        (sys.executable, "-c", program, str(path)), stdout=subprocess.PIPE, text=True
    ) as writing:
        assert writing.stdout is not None
        told = [int(next(writing.stdout)) for _ in range(30)]
        writing.kill()
    when = TimeContext(lambda: NOON)
    query = ListQuery(Kind.PAYMENTS, (SortBy("amount"),))
    reader = ListReader(path)
    left = [str(row.amount) for row in reader.rows(query, when)]  # type: ignore[union-attr]
    assert len(left) % A_SLICE in (0, A_SLICE - 1), "each slice is there as a whole, but for pay-7"
    assert len(left) >= told[-1]
    assert left == [str(n) for n in range(len(left) + 1) if n != 7]
    reader.close()

    writer = CacheWriter(path, text_batch=1)
    writer.keep(Kind.PAYMENTS, [payment(n, str(n), minutes_ago=n) for n in range(COUNT)], [])
    check_index(path, "payments_text")
    reader = ListReader(path)
    assert reader.window(query, when, Anchor(), 1).total == COUNT
    found = reader.window(ListQuery(Kind.PAYMENTS, filter='"ref 39"'), when, Anchor(), 1)
    assert found.total == 11  # 39 and 390 to 399
    reader.close()
    writer.close()
