from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread

from hypothesis import given
from hypothesis import strategies as st

from paytui.store.table import Table


@dataclass(frozen=True)
class Row:
    name: str
    value: int


def a_table() -> Table[str, Row]:
    return Table(lambda row: row.name, Lock())


class Reader:
    """Keeps a copy of a table by applying what changed, a few rows at once."""

    def __init__(self, table: Table[str, Row], limit: int) -> None:
        self.table = table
        self.limit = limit
        self.version = 0
        self.copy: dict[str, Row] = {}

    def step(self) -> bool:
        """Apply one slice; whether there is more."""
        changes = self.table.changes(self.version, self.limit)
        assert len(changes.rows) + len(changes.removed) <= self.limit
        self.copy.update({row.name: row for row in changes.rows})
        for name in changes.removed:
            self.copy.pop(name, None)
        self.version = changes.version
        return changes.more

    def catch_up(self) -> dict[str, Row]:
        while self.step():
            pass
        return self.copy


def as_dict(table: Table[str, Row]) -> dict[str, Row]:
    return {row.name: row for row in table.rows()}


names = st.sampled_from("abcdefgh")
operations = st.lists(
    st.one_of(
        st.tuples(st.just("put"), names, st.integers(0, 3)),
        st.tuples(st.just("remove"), names, st.just(0)),
        st.tuples(st.just("read"), st.just(""), st.just(0)),
    ),
    max_size=60,
)


@given(operations, st.integers(1, 5))
def test_a_reader_that_applies_changes_in_slices_ends_equal_to_the_table(
    history: list[tuple[str, str, int]], limit: int
) -> None:
    table = a_table()
    reader = Reader(table, limit)
    expected: dict[str, Row] = {}
    for what, name, value in history:
        if what == "put":
            table.put([Row(name, value)])
            expected[name] = Row(name, value)
        elif what == "remove":
            table.remove([name])
            expected.pop(name, None)
        else:
            reader.step()
    assert reader.catch_up() == as_dict(table) == expected


def test_a_reader_who_slept_through_many_changes_still_catches_up() -> None:
    """Far more changes than rows: the log drops what is stale."""
    table = a_table()
    table.put([Row("gone", 0)])
    reader = Reader(table, limit=3)
    reader.step()
    table.remove(["gone"])
    for value in range(5_000):
        table.put([Row(f"row {value % 7}", value)])
    assert reader.catch_up() == as_dict(table)
    assert "gone" not in reader.copy


def test_the_log_of_changes_does_not_grow_with_the_number_of_changes() -> None:
    table = a_table()
    for value in range(20_000):
        table.put([Row("only", value)])
    assert len(table._versions) == 1
    assert len(table._logged) == len(table._logged_at) < 1_000


class Compared(int):
    """A version that counts how often it is compared."""

    times = 0

    def __lt__(self, other: int) -> bool:
        Compared.times += 1
        return super().__lt__(other)


def test_a_slice_looks_at_few_of_many_changes() -> None:
    table = a_table()
    table.put(Row(f"{number}", 0) for number in range(5_000))
    assert [row.name for row in table.changes(Compared(2_000), limit=2).rows] == ["2000", "2001"]
    assert Compared.times < 20


def test_a_row_that_equals_what_is_there_changes_nothing() -> None:
    table = a_table()
    table.put([Row("a", 1), Row("b", 2)])
    before = table.version
    table.put([Row("b", 2), Row("a", 1)])
    assert table.version == before
    assert not table.changes(before)


def test_removing_what_is_not_there_changes_nothing() -> None:
    table = a_table()
    table.remove(["a"])
    assert table.version == 0


def test_a_reader_is_told_which_rows_are_gone() -> None:
    table = a_table()
    table.put([Row("a", 1), Row("b", 2)])
    seen = table.changes(0).version
    table.remove(["a"])
    changes = table.changes(seen)
    assert changes.rows == ()
    assert changes.removed == ("a",)


def test_changes_come_the_least_recent_first_and_no_more_than_asked_for() -> None:
    table = a_table()
    table.put([Row("a", 1), Row("b", 1), Row("c", 1)])
    table.put([Row("a", 2)])
    first = table.changes(0, limit=2)
    assert [row.name for row in first.rows] == ["b", "c"]
    assert first.more
    rest = table.changes(first.version, limit=2)
    assert rest.rows == (Row("a", 2),)
    assert not rest.more


def test_rows_keep_the_order_in_which_they_first_came() -> None:
    table = a_table()
    table.put([Row("b", 1), Row("a", 1)])
    table.put([Row("b", 2)])
    assert [row.name for row in table.rows()] == ["b", "a"]


def test_a_thread_that_writes_and_one_that_reads_do_not_disturb_each_other() -> None:
    table, done = a_table(), Event()
    reader = Reader(table, limit=7)
    failures: list[BaseException] = []

    def write() -> None:
        for value in range(3_000):
            table.put([Row(f"row {value % 50}", value)])
            if value % 3 == 0:
                table.remove([f"row {value % 11}"])
        done.set()

    def read() -> None:
        try:
            while not done.is_set():
                reader.step()
                len(table.rows()), table.keys()
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [Thread(target=write), Thread(target=read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert reader.catch_up() == as_dict(table)


def follower(table: Table[str, Row]) -> Callable[[], dict[str, Row]]:
    """Follows a table as screens do: takes in what changed, and lets go of what is gone."""
    copy: dict[str, Row] = {}
    version = 0

    def follow() -> dict[str, Row]:
        nonlocal version
        more = True
        while more:
            changes = table.changes(version)
            copy.update({row.name: row for row in changes.rows})
            for name in list(changes.gone(copy)):
                copy.pop(name, None)
            version, more = changes.version, changes.more
        return copy

    return follow


def test_rows_that_come_and_go_leave_little_behind() -> None:
    table = a_table()
    sizes = []
    for number in range(20_000):
        table.put([Row(f"{number}", 1)])
        table.remove([f"{number - 50}"])
        sizes.append(len(table._versions))
    assert max(sizes) < 2_000
    assert len(table) == 50


def test_who_looks_after_thousands_went_knows_what_is_there_all_the_same() -> None:
    table = a_table()
    table.put([Row("stays", 1), Row("goes", 1)])
    fast, slow, late = follower(table), follower(table), follower(table)
    fast()
    slow()
    table.remove(["goes"])
    for number in range(5_000):
        table.put([Row(f"{number}", 1)])
        table.remove([f"{number - 150}"])
        if number % 100 == 0:
            assert fast() == as_dict(table)
    assert "goes" not in as_dict(table)
    assert slow() == as_dict(table)
    assert late() == as_dict(table)


def test_who_is_not_far_behind_is_told_no_more_than_what_changed() -> None:
    table = a_table()
    for number in range(5_000):
        table.put([Row(f"{number}", 1)])
        seen = table.version
        table.remove([f"{number}"])
    changes = table.changes(seen)
    assert changes.removed == ("4999",)
    assert changes.there is None
