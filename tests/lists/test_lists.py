"""A short run of random queries; `python -m tests.lists` makes a long one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Timer

import pytest

from paytui.domain.models import Kind
from paytui.store.cache.list_query import Anchor, Interrupted, ListQuery
from paytui.store.cache.list_reader import ListReader
from paytui.store.cache.write import CacheWriter
from paytui.store.filter import FilterError, TimeContext
from tests.lists.cases import A_BOOK, run
from tests.support.clock import NOON
from tests.tui.book import payment

BOOKS = 12


@pytest.mark.parametrize("seed", range(BOOKS))
def test_a_list_holds_the_rows_of_its_query_in_their_order(seed: int, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    assert run(tmp_path, seed) > A_BOOK / 10


def test_a_row_that_follows_a_deleted_one_is_found_by_its_own_words(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path, text_batch=1)
    first = replace(payment(1, "1"), reference="acme")
    second = replace(payment(2, "2"), reference="globex")
    writer.keep(Kind.PAYMENTS, [first], [])
    writer.keep(Kind.PAYMENTS, [], ["pay-1"])
    writer.keep(Kind.PAYMENTS, [second], [])
    writer.close()
    reader = ListReader(path)
    when = TimeContext(lambda: NOON)
    assert list(reader.rows(ListQuery(Kind.PAYMENTS, filter="globex"), when)) == [second]
    assert list(reader.rows(ListQuery(Kind.PAYMENTS, filter="acme"), when)) == []
    reader.close()


def test_rows_of_an_earlier_run_are_deleted_only_if_the_total_proves_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    rows = [payment(number, "1") for number in range(20)]
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, rows, [])
    writer.close()
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, rows[:11], [])
    assert not writer.drop_others(Kind.PAYMENTS, {"pay-15"}, total=13, delete=True)
    assert len(writer.ids(Kind.PAYMENTS)) == 20
    assert writer.drop_others(Kind.PAYMENTS, {"pay-15"}, total=12, delete=True)
    assert set(writer.ids(Kind.PAYMENTS)) == {"pay-15", *(f"pay-{n}" for n in range(11))}
    writer.close()


@pytest.mark.parametrize(
    ("text", "total"),
    [("re*", 0), ("r[e", 0), ("r?f", 0), ("x" * 60_000, 0), ("ref " * 500, 3), ("[1]", 1)],
)
def test_a_filter_has_no_patterns_and_any_length(tmp_path: Path, text: str, total: int) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path)
    rows = [replace(payment(number, "1"), reference=f"ref [{number}]") for number in range(3)]
    writer.keep(Kind.PAYMENTS, rows, [])
    writer.close()
    reader, when = ListReader(path), TimeContext(lambda: NOON)
    assert reader.window(ListQuery(Kind.PAYMENTS, filter=text), when, Anchor(), 1).total == total
    with pytest.raises(FilterError, match="more than 500 words"):
        reader.window(ListQuery(Kind.PAYMENTS, filter="ref " * 501), when, Anchor(), 1)
    reader.close()


def test_a_read_that_is_interrupted_at_any_moment_harms_no_later_one(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, [payment(number, "1") for number in range(3_000)], [])
    writer.close()
    reader, when, ended = ListReader(path), TimeContext(lambda: NOON), 0
    for attempt in range(60):
        query = ListQuery(Kind.PAYMENTS, filter=f"ref {attempt % 10}")
        interrupting = Timer(attempt / 20_000, reader.interrupt)
        interrupting.start()
        try:
            reader.window(query, when, Anchor(), 1)
        except Interrupted:
            ended += 1
        interrupting.join()
        assert reader.window(query, when, Anchor(), 1).total > 0
    assert ended
    reader.close()


def test_what_a_read_found_counts_only_if_it_came_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path)
    references = [*("acme",) * 2, *("globex",) * 3]
    rows = [replace(payment(n, "1"), reference=each) for n, each in enumerate(references)]
    writer.keep(Kind.PAYMENTS, rows, [])
    writer.close()
    reader, when = ListReader(path), TimeContext(lambda: NOON)
    first, second = (ListQuery(Kind.PAYMENTS, filter=each) for each in ("acme", "globex"))
    assert reader.window(first, when, Anchor(), 1).total == 2

    def end(*_: object) -> None:
        raise Interrupted

    for next_query, total in ((first, 2), (second, 3)):
        with monkeypatch.context() as patched:
            patched.setattr(reader, "_records", end)
            with pytest.raises(Interrupted):
                reader.window(second, when, Anchor(), 1)
        assert reader.sums(next_query, when).rows == total
    for query, total in ((second, 3), (first, 2)):
        assert reader.sums(query, when).rows == total
    reader.close()


def test_a_row_that_is_in_two_windows_is_read_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path)
    writer.keep(Kind.PAYMENTS, [payment(number, "1") for number in range(9)], [])
    reader, when = ListReader(path), TimeContext(lambda: NOON)
    first, second = (
        reader.window(ListQuery(Kind.PAYMENTS), when, Anchor(position=at), 3).rows for at in (3, 5)
    )
    assert len(first) == len(second) == 7
    assert list(map(id, first[2:])) == list(map(id, second[:5]))
    reader.close()
    writer.close()


def test_a_query_that_is_found_at_once_is_so_each_time(tmp_path: Path) -> None:
    """SQLite counts on the instructions of a statement that runs again."""
    tmp_path.chmod(0o700)
    path = tmp_path / "x.cache.sqlite"
    writer = CacheWriter(path, text_batch=1)
    references = [*("acme",) * 100, *("globex",) * 3_000]
    rows = [replace(payment(n, "1"), reference=each) for n, each in enumerate(references)]
    writer.keep(Kind.PAYMENTS, rows, [])
    writer.close()
    reader, when = ListReader(path), TimeContext(lambda: NOON)
    query = ListQuery(Kind.PAYMENTS, filter="acme")
    assert not any(reader.glance(query, when, 5) for _ in range(100))
    reader.close()
