"""Rates, balances and attention are recorded; without a book everything else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.applications import Starlette

from paytui.book.file import BookReader, BookWriter
from paytui.book.history import Millis, millis, moment
from paytui.domain.colleagues import AttentionNote
from paytui.domain.models import Kind
from paytui.domain.money import CurrencyCode, Pair
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.sync.book_recorder import HistoryRecorder
from tests.support.clock import ManualClock
from tests.support.virtual import at_once
from tests.worker.conftest import Run
from tests.worker.desk import Desk

AUD_USD = Pair(CurrencyCode("AUD"), CurrencyCode("USD"))
EVER = Millis(0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "acme.book.sqlite"


@pytest.fixture
def desk(service: Starlette, clock: ManualClock, path: Path) -> Desk:
    return Desk(service, clock, book=path)


def test_rates_and_balances_are_recorded_and_a_suspend_is_a_gap(
    run: Run, desk: Desk, clock: ManualClock, path: Path
) -> None:
    wallet = None

    async def work() -> None:
        nonlocal wallet
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await desk.until(desk.all_ok)
            wallet = next(row for row in desk.store.wallets.rows() if row.currency == "AUD")
            await desk.wait(180)
            clock.suspend(1_200)
            await desk.control("payins", walletId=wallet.wallet_id, amount="7.50")
            await desk.wait(120)

    run(work())
    assert wallet is not None
    sheets = sorted(desk.store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at)
    with closing(BookReader(path)) as book:
        bars = book.rates([AUD_USD], EVER)[AUD_USD]
        assert [(moment(one.began), one.last) for one in bars] == [
            (sheet.created_at, sheet.rates[0].rate) for sheet in sheets
        ]
        assert len(bars) == 3
        before, after = book.watches(EVER)
        assert timedelta(seconds=1_190) < moment(after.began) - moment(before.ended)
        assert [one.pending for one in book.balances(EVER)[wallet.wallet_id]] == [
            wallet.pending_balance,
            desk.store.wallets.get(wallet.wallet_id).pending_balance,  # type: ignore[union-attr]
        ]


def test_when_an_item_was_first_seen_is_known_after_a_restart(
    run: Run, desk: Desk, service: Starlette, clock: ManualClock, path: Path
) -> None:
    found: list[datetime] = []

    async def suspended(desk: Desk, wallet: str, status: str = "suspended") -> None:
        """Change a wallet's state, and wait until that is noted."""
        await desk.control("states", kind="wallet", id=wallet, status=status, force=True)
        await noted(desk, wallet, is_held_up=status == "suspended")

    async def noted(desk: Desk, wallet: str, *, is_held_up: bool = True) -> None:
        def notes() -> list[AttentionNote]:
            return [note for note in desk.store.attention.rows() if wallet in note.key]

        await desk.until(lambda: desk.all_ok() and bool(notes()) is is_held_up)
        found.extend(note.first_seen for note in notes())

    async def work() -> None:
        async with desk.at_work():
            await desk.until(desk.all_ok)
            rows = desk.store.wallets.rows()
            wallet = next(
                row.wallet_id for row in rows if row.status and row.status.name == "active"
            )
            await suspended(desk, wallet)
            await desk.wait(60)
        await desk.worker.aclose()
        again = Desk(service, clock, book=path)
        async with again.at_work():
            await noted(again, wallet)
            await suspended(again, wallet, "active")
            await suspended(again, wallet)

    run(work())
    first, restarted, later = found
    assert millis(first) == millis(restarted)
    assert later > first


def test_reads_without_news_write_nothing_for_a_minute(run: Run, desk: Desk) -> None:
    async def work() -> None:
        async with desk.at_work():
            await desk.until(desk.all_ok)
            await desk.wait(10)
            before, read_at = desk.store.book, desk.store.feed(Kind.WALLETS).read_at
            await desk.wait(30)
            assert before is not None
            assert desk.store.book == before
            assert desk.store.feed(Kind.WALLETS).read_at != read_at

    run(work())


def test_without_a_book_everything_else_goes_on(run: Run, desk: Desk, path: Path) -> None:
    path.parent.mkdir(mode=0o700)
    path.touch(0o600)
    path.write_text("Dear diary" * 1000)

    async def work() -> None:
        desk.inbox.watch_rates((AUD_USD,))
        async with desk.at_work():
            await desk.until(lambda: desk.all_ok() and desk.count(Kind.RATE_SHEETS) == 1)
            await desk.until(lambda: len(desk.store.attention) > 0)
            await asyncio.sleep(20)

    run(work())
    book = desk.store.book
    assert book is not None
    assert book.problem is not None
    assert str(book.problem).startswith("Could not keep a history: the file is damaged")
    assert desk.all_ok()
    assert path.read_text().startswith("Dear diary")


def test_a_failure_of_any_kind_pauses_the_history_alone(
    run: Run, clock: ManualClock, path: Path
) -> None:
    async def no_thread(_: Callable[[], object]) -> None:
        raise RuntimeError("can't start new thread")

    async def work() -> None:
        store = Store()
        recorder = HistoryRecorder(store, ServiceTime(clock), path, {}, in_thread=no_thread)
        recording = asyncio.create_task(recorder.run())
        await asyncio.sleep(12)
        assert not recording.done()
        assert store.book is not None
        assert "can't start new thread" in str(store.book.problem)
        recording.cancel()

    run(work())


def test_nothing_is_thinned_by_the_clock_of_this_host(
    run: Run, clock: ManualClock, path: Path
) -> None:
    with closing(BookWriter(path)) as book:
        for second in range(3):
            made = clock.now() + timedelta(seconds=second)
            book.add_rates(f"s{second}", made, {AUD_USD: Decimal(second + 1)})
    time = ServiceTime(clock)
    real = clock.now()

    def rates() -> int:
        with closing(BookReader(path)) as reader:
            return len(reader.rates([AUD_USD], EVER)[AUD_USD])

    async def work() -> None:
        clock.set_wall(real + timedelta(days=400))
        recorder = HistoryRecorder(Store(), time, path, {}, in_thread=at_once)
        recording = asyncio.create_task(recorder.run())
        await asyncio.sleep(12)
        assert rates() == 3
        time.observe(real + timedelta(days=4), clock.boot(), clock.boot())
        await asyncio.sleep(12)
        assert rates() == 1
        recording.cancel()
        recorder.close()

    run(work())


def test_what_another_dashboard_noted_counts_after_it_has_ended(
    run: Run, desk: Desk, clock: ManualClock, path: Path
) -> None:
    earlier = clock.now() - timedelta(days=1)
    noted: list[AttentionNote] = []

    async def work() -> None:
        other = BookWriter(path)
        async with desk.at_work():
            await desk.wait(20)
            assert desk.store.book is None  # it may end soon
            await desk.until(lambda: len(desk.store.attention) > 0)
            note = next(iter(desk.store.attention.rows()))
            noted.append(AttentionNote(note.key, earlier, acknowledged=True))
            await desk.wait(20)
            assert "another process writes it" in str(desk.store.book)
            other.add_notes({note.key: noted[0]}, earlier)
            other.close()
            await desk.wait(30)
            assert desk.store.attention.get(note.key) == noted[0]
        await desk.worker.aclose()

    run(work())
    with closing(BookReader(path)) as reader:
        assert noted[0] in reader.attention()
