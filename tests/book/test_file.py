"""The book's file keeps what was recorded, and one process writes it."""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest

from paytui.book.file import BookError, BookReader, BookWriter, NoBook, book_path, connect
from paytui.book.history import Balance, Bar, DayBalances, Millis, Watch, millis
from paytui.domain.colleagues import AttentionKey, AttentionNote
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair
from tests.support.spoilt_files import a_link, open_to_others

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
EUR_USD = Pair(CurrencyCode("EUR"), CurrencyCode("USD"))
DESK = WalletId("wal-1")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return book_path("acme", tmp_path / "state")


@pytest.fixture
def book(path: Path) -> Iterator[BookWriter]:
    with closing(BookWriter(path)) as book:
        yield book


@pytest.fixture
def reader(book: BookWriter) -> Iterator[BookReader]:
    with closing(BookReader(book.path)) as reader:
        yield reader


def after(**period: float) -> datetime:
    return NOON + timedelta(**period)


def at(**period: float) -> Millis:
    return millis(after(**period))


def test_rates_come_back_with_every_digit_and_in_order_of_time(
    book: BookWriter, reader: BookReader
) -> None:
    book.add_rates("b", after(seconds=150), {AUD_USD: Decimal("0.65120"), EUR_USD: Decimal(1)})
    book.add_rates("a", NOON, {AUD_USD: Decimal("0.6511900")})
    book.add_rates("a", after(seconds=9), {AUD_USD: Decimal(9)})  # the same sheet again

    found = reader.rates([AUD_USD], at())[AUD_USD]

    assert [(one.began, str(one.last)) for one in found] == [
        (at(), "0.6511900"),
        (at(seconds=150), "0.65120"),
    ]
    assert reader.rates([AUD_USD, EUR_USD], at(seconds=150)) == {
        AUD_USD: [Bar.at(at(seconds=150), Decimal("0.65120"))],
        EUR_USD: [Bar.at(at(seconds=150), Decimal(1))],
    }
    assert reader.rates([AUD_USD.reverse], at()) == {}


def test_old_rates_become_one_bar_a_minute_then_one_an_hour(
    book: BookWriter, reader: BookReader
) -> None:
    rng = random.Random(3)  # noqa: S311 - a test repeats itself
    rates = [Decimal(rng.randrange(60_000, 70_000)) / 100_000 for _ in range(720)]
    for number, rate in enumerate(rates):
        book.add_rates(f"s{number}", after(seconds=20 * number), {AUD_USD: rate})  # four hours

    def thin(**later: float) -> list[Bar]:
        while book.thin(after(**later)):
            pass
        return reader.rates([AUD_USD], at())[AUD_USD]

    def by(count: int) -> list[tuple[Decimal, ...]]:
        parts = [rates[place : place + count] for place in range(0, 720, count)]
        return [(part[0], min(part), max(part), part[-1]) for part in parts]

    def figures(bars: list[Bar]) -> list[tuple[Decimal, ...]]:
        return [(one.first, one.low, one.high, one.last) for one in bars]

    assert figures(thin(days=2)) == by(1)
    assert figures(thin(days=2, hours=12)) == by(3)
    assert figures(thin(days=90)) == by(3)
    assert figures(thin(days=90, hours=12)) == by(180)
    assert [one.began for one in thin(days=100)] == [at(hours=hour) for hour in range(4)]


def test_a_late_rate_of_a_thinned_day_is_added_to_it(book: BookWriter, reader: BookReader) -> None:
    for name, minutes in (("b", 10), ("a", 0)):
        book.add_rates(name, after(minutes=minutes), {AUD_USD: Decimal(1)})
        while book.thin(after(days=3)):
            pass
    assert [one.began for one in reader.rates([AUD_USD], at())[AUD_USD]] == [at(), at(minutes=10)]


def test_a_late_rate_within_a_bar_is_neither_out_of_order_nor_its_last(
    book: BookWriter, reader: BookReader
) -> None:
    for seconds, rate in ((0, "1.0"), (30, "1.1"), (60, "1.2")):
        book.add_rates(f"s{seconds}", after(seconds=seconds), {AUD_USD: Decimal(rate)})
    while book.thin(after(days=3)):
        pass
    book.add_rates("late", after(seconds=10), {AUD_USD: Decimal("0.9")})
    times = [one.began for one in reader.rates([AUD_USD], at())[AUD_USD]]
    assert times == [at(), at(seconds=10), at(seconds=60)]
    while book.thin(after(days=3)):
        pass
    first, low, high, last = map(Decimal, ("1.0", "0.9", "1.1", "1.1"))
    assert reader.rates([AUD_USD], at())[AUD_USD] == [
        Bar(at(), at(seconds=30), first, low, high, last),
        Bar.at(at(seconds=60), Decimal("1.2")),
    ]


def test_balances_are_kept_at_each_change_over_restarts(path: Path) -> None:
    for seconds, available in ((0, "100.00"), (5, "100.00"), (10, "250.00"), (15, "250.00")):
        with closing(BookWriter(path)) as book:
            book.add_balances(after(seconds=seconds), {DESK: (Decimal(available), None, None)})
    with closing(BookReader(path)) as reader:
        first, second = (
            Balance(at(seconds=seconds), Decimal(available), None, None)
            for seconds, available in ((0, "100.00"), (10, "250.00"))
        )
        assert reader.balances(at()) == {DESK: [first, second]}
        assert reader.balances(at(seconds=9)) == {DESK: [first, second]}  # what held then
        assert reader.balances(at(seconds=10)) == {DESK: [second]}
        assert reader.balances(at(days=-1)) == {DESK: [first, second]}


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ((-1, 0, 1, 2, 4, 5, 6, 9, 11), (0, 4, 9, 11)),
        ((2, 3, 4, 6), (2, 4, 6)),  # balances were first read within a part
    ],
)
def test_of_a_day_the_last_balance_of_each_five_minutes_is_read(
    book: BookWriter, reader: BookReader, changes: tuple[int, ...], kept: tuple[int, ...]
) -> None:
    for minutes in changes:
        book.add_balances(after(minutes=minutes), {DESK: (Decimal(minutes), None, None)})
    day = reader.day(at())
    assert day.balances == {
        DESK: [Balance(at(minutes=one), Decimal(one), None, None) for one in kept]
    }
    whole = DayBalances(at(), reader.balances(at()), reader.watches(at()))
    for most in (1, 3, 30):
        now = at(minutes=changes[-1] + 1)
        assert day.levels([DESK], now, most) == whole.levels([DESK], now, most)


def test_a_wallet_that_is_gone_has_no_amounts_from_then_on(
    book: BookWriter, reader: BookReader
) -> None:
    amounts = Decimal(1), Decimal(0), None
    other = WalletId("wal-2")
    book.add_balances(NOON, {DESK: amounts, other: amounts})
    book.add_balances(after(minutes=1), None)
    for minutes in (2, 3):
        book.add_balances(after(minutes=minutes), {other: amounts})
    assert reader.balances(at()) == {
        DESK: [Balance(at(), *amounts), Balance(at(minutes=2), None, None, None)],
        other: [Balance(at(), *amounts)],
    }
    assert reader.watches(at()) == [Watch(at(), at(minutes=3))]


def test_closing_waits_for_a_write_in_another_thread(path: Path) -> None:
    writing, note = Event(), AttentionKey("item")
    rates = {Pair(CurrencyCode(f"A{i:02}"), CurrencyCode("USD")): Decimal(i + 1) for i in range(99)}

    def write(book: BookWriter) -> None:
        with suppress(BookError):  # it is closed
            for number in count():
                book.add_rates(f"s{number}", after(minutes=number), rates)
                writing.set()

    for _ in range(5):
        writing.clear()
        book = BookWriter(path)
        thread = Thread(target=write, args=(book,))
        thread.start()
        writing.wait()
        book.add_notes({note: AttentionNote(note, NOON)}, NOON)
        book.close()
        thread.join()


def test_a_pause_of_the_reads_is_a_gap(book: BookWriter, reader: BookReader) -> None:
    for minutes in (0, 1, 2, 30, 31):
        book.add_balances(after(minutes=minutes), {DESK: (Decimal(1), None, None)})
    assert reader.watches(at()) == [
        Watch(at(), at(minutes=2)),
        Watch(at(minutes=30), at(minutes=31)),
    ]
    assert reader.watches(at(minutes=3)) == [Watch(at(minutes=30), at(minutes=31))]


def test_the_newest_note_of_an_item_counts_until_it_is_over(
    book: BookWriter, reader: BookReader
) -> None:
    one, other = (AttentionNote(AttentionKey(key), NOON) for key in ("one", "other"))
    snoozed = AttentionNote(one.key, NOON, acknowledged=True, snoozed_until=after(hours=1))
    book.add_notes({one.key: one, other.key: other}, NOON)
    book.add_notes({one.key: snoozed, other.key: None}, after(minutes=1))
    assert reader.attention() == [snoozed]


def test_prune_removes_what_ended_before(book: BookWriter, reader: BookReader) -> None:
    for days in (0, 1, 2, 200):
        book.add_rates(f"s{days}", after(days=days), {AUD_USD: Decimal(1)})
        book.add_balances(after(days=days), {DESK: (Decimal(days), None, None)})
    while book.thin(after(days=200)):
        pass
    book.prune(after(days=1, hours=6))
    assert [one.began for one in reader.rates([AUD_USD], Millis(0))[AUD_USD]] == [
        at(days=1),
        at(days=2),
        at(days=200),
    ]
    held = reader.balances(Millis(0))[DESK]
    assert [one.at for one in held] == [
        at(days=1),
        at(days=2),
        at(days=200),
    ]  # what held then stays
    assert [one.began for one in reader.watches(Millis(0))] == [at(days=2), at(days=200)]


def test_what_is_over_stays_over_after_prune(book: BookWriter, reader: BookReader) -> None:
    over, open_ = AttentionKey("over"), AttentionKey("open")
    book.add_notes({key: AttentionNote(key, NOON, True) for key in (over, open_)}, NOON)
    book.add_notes({over: None}, after(hours=1))
    book.prune(after(days=1))
    assert [note.key for note in reader.attention()] == [open_]


def test_one_process_writes_and_others_read(path: Path, book: BookWriter) -> None:
    with pytest.raises(BookError, match="another process writes it"):
        BookWriter(path)
    BookReader(path).close()


def test_without_a_file_there_is_no_book(path: Path) -> None:
    with pytest.raises(NoBook):
        BookReader(path)


def replaced_by_text(path: Path) -> None:
    path.write_text("Dear diary" * 1000)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def read_balances(path: Path) -> None:
    with closing(BookReader(path)) as reader:
        reader.balances(at())


def of_another_program(path: Path) -> None:
    path.unlink()
    change(path, "CREATE TABLE songs (title TEXT)")
    path.chmod(0o600)


def change(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(sql)
        connection.commit()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (replaced_by_text, "the file is damaged.*Move it elsewhere"),
        (cut_off, "the file is damaged.*Move it elsewhere"),
        (lambda path: change(path, "PRAGMA user_version = 2"), "was written by a later paytui"),
        (lambda path: change(path, "PRAGMA application_id = 7"), "belongs to another program"),
        (lambda path: change(path, "DROP TABLE balances"), "no such table: balances"),
        (lambda path: change(path, "UPDATE balances SET available = 'x'"), "is damaged"),
        (of_another_program, "belongs to another program"),
        (open_to_others, "can be read by others.*chmod 600"),
        (a_link, "is not a regular file"),
    ],
)
def test_a_file_that_is_no_book_of_ours_is_told_and_left_alone(
    path: Path, spoil: Callable[[Path], object], said: str
) -> None:
    with closing(BookWriter(path)) as book:
        for number in range(200):
            book.add_rates(f"s{number}", after(minutes=number), {AUD_USD: Decimal(1)})
        book.add_balances(NOON, {DESK: (Decimal(1), None, None)})
    spoil(path)
    before = path.read_bytes()
    for _ in range(2):  # the first attempt keeps no lock
        with pytest.raises(BookError, match=said):
            BookWriter(path)
    with pytest.raises(BookError, match=said):
        read_balances(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "bars",
    [
        b"",
        b"1",
        b'[[0, "NaN"]]',
        b'[[0, 5, "1", "sNaN", "1", "1"]]',
        b'[[86400, "1"]]',
        b"[" * 9**5,
    ],
)
def test_bars_that_are_none_are_damage(book: BookWriter, reader: BookReader, bars: bytes) -> None:
    book.add_rates("a", NOON, {AUD_USD: Decimal(1)})
    while book.thin(after(days=3)):
        pass
    with closing(sqlite3.connect(book.path)) as connection, connection:
        packed = zlib.compress(bars) if bars else b"x"
        connection.execute("UPDATE days SET bars = ?", (packed,))
    with pytest.raises(BookError, match="is damaged"):
        reader.rates([AUD_USD], Millis(0))
    book.add_rates("late", after(minutes=9), {AUD_USD: Decimal(1)})
    with pytest.raises(BookError, match="is damaged"):
        book.thin(after(days=3))
    book.add_rates("next", after(days=3), {AUD_USD: Decimal(1)})  # nothing is half done


def test_a_full_disk_is_told_and_what_is_there_stays(path: Path) -> None:
    def limited(path: Path, mode: str) -> sqlite3.Connection:
        connection = connect(path, mode)
        connection.execute("PRAGMA max_page_count = 20")
        return connection

    rates, written = {AUD_USD: Decimal(1), EUR_USD: Decimal(2)}, count()

    def fill(book: BookWriter) -> None:
        for number in written:
            book.add_rates(f"s{number}", after(minutes=number), rates)

    with closing(BookWriter(path, limited)) as book:
        with pytest.raises(BookError, match=r"the disk is full.*Free disk space"):
            fill(book)
        with closing(BookReader(path)) as reader:
            found = reader.rates(rates, at())
    assert [len(bars) for bars in found.values()] == [next(written) - 1] * 2
