"""Traders see who is there and what they are about to do, and share notes; nothing rests on it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest

from paytui.desk.colleagues import DeskColleagues
from paytui.desk.database import Connection, Database
from paytui.desk.token import DeskTokenCell
from paytui.domain.colleagues import AttentionNote, OpenTicket
from paytui.domain.intent import Standing
from paytui.domain.models import Kind, RecipientId, WalletId
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.store.colleagues import at_the_same, notes_on
from paytui.store.health import Feed
from paytui.store.store import Store
from paytui.worker.sync.book_recorder import HistoryRecorder
from paytui.worker.sync.colleagues import ColleagueLink
from tests.desk.reading import CLIENT, DatabaseInLoop, Floor, HostClock, UnheardCell
from tests.desk.server import owner_does
from tests.support.clock import NOON, ManualClock
from tests.support.deadline import Deadline
from tests.support.intents import intent_row
from tests.support.virtual import at_once

T = TypeVar("T")

PAYOUT = OpenTicket("payout", RecipientId("rec-1"), (WalletId("wal-1"),))
IN_DOUBT = intent_row(1)
HOSTILE = (
    "ALTER TABLE paytui.notes DROP CONSTRAINT notes_words_check",
    "INSERT INTO paytui.note_heads VALUES ('service-and-client', 1)",
    (
        "INSERT INTO paytui.notes VALUES ('service-and-client', 1, repeat('0', 24), 'note', "
        "'payments/pay-1', E'\\x1b[2Jgone\\u202e', NULL, 'anna', E'h\\x07', now())"
    ),
    (
        "UPDATE paytui.presence SET host = E'a\\nb', recipient = E'r\\x1b', ticket = 'trade' "
        "WHERE who = 'anna'"
    ),
)
"""Statements of the database's owner, who can write what no trader can."""
ADD = "SELECT paytui.add_note('x', NULL, %s, %s, %s, %s, NULL, NULL)"


class CountingDatabase(DatabaseInLoop):
    """A database that counts its calls."""

    calls = 0

    async def call(self, use: Callable[[Connection], T]) -> T:
        self.calls += 1
        return await super().call(use)


class Trader:
    """A dashboard's link to its colleagues. No notification reaches it."""

    def __init__(self, floor: Floor, host: int, book: Path) -> None:
        self.clock = HostClock(floor.clock, host)
        dsn = floor.traders[host % 2]
        self.database = CountingDatabase(dsn, floor.clock)
        cell = UnheardCell(self.database, dsn, CLIENT, self.clock)
        self.time = time = ServiceTime(self.clock)
        self.hear(floor.clock.now())
        exchange = DeskColleagues(cell, time)
        self.store = Store()
        for kind in Kind:
            self.store.set_feed(Feed(kind, as_of=NOON, read_at=self.clock.boot()))
        self.store.intents.put([IN_DOUBT])
        self.history = HistoryRecorder(self.store, time, book, {}, in_thread=at_once)
        rng = random.Random(host)  # noqa: S311 - a test repeats itself
        self.link = ColleagueLink(exchange, self.store, time, rng, self.history)
        self._tasks: list[asyncio.Task[None]] = []

    def hear(self, date: datetime) -> None:
        """Hear of the service's time."""
        self.time.observe(date, self.clock.boot(), self.clock.boot())

    def begin(self) -> None:
        self._tasks = [asyncio.create_task(each.run()) for each in (self.history, self.link)]

    async def kill(self) -> None:
        """End the process; the desk is not told."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self._tasks = []
        self.database.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self.link.leave()
        await self.kill()
        self.history.close()

    @property
    def here(self) -> list[str]:
        return [colleague.who for colleague in self.store.colleagues.rows()]

    @property
    def item(self) -> AttentionNote:
        [note] = self.store.attention.rows()
        return note

    def press(self, **changes: object) -> None:
        """Set the item aside, or not, as the Overview does."""
        note = replace(self.item, by="", at=None, **changes)  # type: ignore[arg-type]
        self.history.note(note)
        self.link.note_attention(note)


@pytest.fixture
def floor(admin: str, anna: str, bob: str) -> Floor:
    return Floor(admin, (anna, bob), None, ManualClock())  # type: ignore[arg-type]  # no service


@asynccontextmanager
async def traders(floor: Floor, folder: Path) -> AsyncIterator[tuple[Trader, Trader]]:
    """Run the dashboards of anna and bob; they know of each other then."""
    them = Trader(floor, 0, folder / "anna"), Trader(floor, 1, folder / "bob")
    try:
        for trader in them:
            trader.begin()
            await asyncio.sleep(1)
        await asyncio.sleep(21)
        yield them
    finally:
        for trader in them:
            await trader.close()


def test_a_colleague_sees_what_is_filled_in_until_the_dashboard_closes_or_dies(
    floor: Floor, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (anna, bob):
            assert (anna.here, bob.here) == (["bob"], ["anna"])
            anna.link.tell_ticket(PAYOUT)
            await asyncio.sleep(21)
            [seen] = bob.store.colleagues.rows()
            assert (seen.who, seen.is_own, seen.ticket) == ("anna", False, PAYOUT)
            assert abs(seen.since - NOON) < timedelta(seconds=2)  # no host's clock is right
            for ticket, same in (
                (replace(PAYOUT, wallet_ids=()), [True]),
                (OpenTicket("trade", None, (WalletId("wal-1"),)), [False]),
                (OpenTicket("trade", None, (WalletId("wal-2"),)), []),
                (None, []),
            ):
                assert [is_payee for *_, is_payee in at_the_same(bob.store, ticket)] == same
            await anna.close()
            await asyncio.sleep(21)
            assert bob.here == []
            await bob.kill()
            later = Trader(floor, 0, tmp_path / "later")
            later.begin()
            await asyncio.sleep(22)  # bob was seen 22 to 42 seconds ago
            assert later.here == ["bob"]
            await asyncio.sleep(24)
            assert later.here == []
            await later.close()

    floor.run(scene())


def test_while_nothing_changes_there_is_a_look_every_20_seconds_and_no_repaint(
    floor: Floor, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (anna, bob):
            anna.link.tell_ticket(PAYOUT)
            await asyncio.sleep(25)
            bob.hear(floor.clock.now() - timedelta(seconds=0.5))  # more exactly
            before, looks = (bob.store.changes, bob.store.health_version), bob.database.calls
            await asyncio.sleep(600)
            assert (bob.store.changes, bob.store.health_version) == before
            assert bob.here == ["anna"]
            assert 29 <= bob.database.calls - looks <= 31

    floor.run(scene())


def test_a_change_and_a_lost_connection_are_hinted_at_once(admin: str, anna: str, bob: str) -> None:
    async def scene() -> None:
        clock, loop = SystemClock(), asyncio.get_running_loop()
        hinted = asyncio.Event()
        cells = [DeskTokenCell(Database(dsn), dsn, CLIENT, clock) for dsn in (anna, bob)]
        hers, his = (DeskColleagues(cell, ServiceTime(clock)) for cell in cells)
        his.listen(lambda: loop.call_soon_threadsafe(hinted.set))
        cells[1].look()  # its news begin
        read = "SELECT 1 FROM pg_stat_activity WHERE usename = 'bob' AND query LIKE '%generation%'"
        deadline = Deadline(20)
        while not owner_does(admin, read):  # it listens before
            assert not deadline.over
            await asyncio.sleep(0.01)

        async def is_hinted() -> None:
            async with asyncio.timeout(deadline.left):
                await hinted.wait()
            hinted.clear()

        await his.meet(None)
        await is_hinted()
        await hers.meet(PAYOUT)
        await is_hinted()
        assert [each.ticket for each in (await his.meet(None)).colleagues or ()] == [PAYOUT]
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bob'"
        owner_does(admin, ends)
        await is_hinted()
        for cell in cells:
            cell.close()

    asyncio.run(scene())


def test_what_one_sets_aside_is_set_aside_for_all_until_one_undoes_it(
    floor: Floor, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (anna, bob):
            anna.press(acknowledged=True)
            await asyncio.sleep(21)
            for note in (anna.item, bob.item):
                assert (note.acknowledged, note.by) == (True, "anna")
                assert note.at is not None
                assert abs(note.at - NOON - timedelta(seconds=23)) < timedelta(seconds=2)
            bob.press(acknowledged=False)
            await asyncio.sleep(21)
            assert (anna.item.acknowledged, anna.item.by) == (False, "bob")
            until = NOON + timedelta(hours=1)
            bob.press(snoozed_until=until)
            await asyncio.sleep(21)
            assert (anna.item.snoozed_until, anna.item.by) == (until, "bob")
            later = Trader(floor, 0, tmp_path / "later")
            later.begin()
            await asyncio.sleep(6)
            assert (later.item.snoozed_until, later.item.by) == (until, "bob")
            await later.close()

    floor.run(scene())


def test_an_item_that_comes_back_needs_attention_again(floor: Floor, tmp_path: Path) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (anna, bob):
            anna.press(acknowledged=True)
            await asyncio.sleep(21)
            gone = replace(IN_DOUBT, standing=Standing.ACCEPTED, problem=None)
            anna.store.intents.put([gone])  # bob's list is a little older
            await asyncio.sleep(26)
            assert bob.item.acknowledged
            bob.store.intents.put([gone])
            await asyncio.sleep(6)
            for trader in (anna, bob):
                trader.store.intents.put([IN_DOUBT])
            later = Trader(floor, 1, tmp_path / "later")
            later.begin()
            await asyncio.sleep(26)
            for trader in (anna, bob, later):
                assert not trader.item.acknowledged
            await later.close()

    floor.run(scene())


def test_while_the_desk_is_away_nothing_is_lost_even_by_a_restart(
    floor: Floor, tmp_path: Path
) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (anna, bob):
            floor.allow_connections(allowed=False)
            anna.press(acknowledged=True)
            anna.link.add_note("payments/pay-1", "chased by phone")
            await asyncio.sleep(30)
            assert bob.here == ["anna"]  # as was heard of within 45 s
            desk = bob.store.desk
            assert desk is not None
            assert desk.problem is not None
            await asyncio.sleep(30)
            assert bob.here == []
            assert bob.store.desk is not None
            assert bob.store.desk.as_of == desk.as_of
            await anna.close()
            again = Trader(floor, 0, tmp_path / "anna")
            again.begin()
            await asyncio.sleep(10)
            assert again.item.acknowledged
            [note] = notes_on(again.store, "payments/pay-1")
            assert note.number is None
            floor.allow_connections(allowed=True)
            await asyncio.sleep(30)
            assert (bob.item.acknowledged, bob.item.by) == (True, "anna")
            for trader in (again, bob):
                [note] = notes_on(trader.store, "payments/pay-1")
                assert (note.words, note.who, note.number is None) == (
                    "chased by phone",
                    "anna",
                    False,
                )
            assert floor.sql("SELECT count(*) FROM paytui.notes") == [(2,)]
            await again.close()

    floor.run(scene())


def test_no_trader_writes_in_anothers_name_and_none_changes_a_note(
    floor: Floor, admin: str, anna: str, bob: str
) -> None:
    with (
        psycopg.connect(anna, autocommit=True) as hers,
        psycopg.connect(bob, autocommit=True) as his,
    ):
        hers.execute("SELECT set_config('paytui.now', '2026-03-02Z', false)")
        his.execute("SELECT set_config('paytui.now', '2026-03-02Z', false)")
        [[seat]] = hers.execute("SELECT paytui.enter('run', 'desk-1', 1, '1')").fetchall()
        meet = "SELECT paytui.meet('x', %s, 'payout', %s, '{}', '')"
        hers.execute(meet, (seat, "rec-1"))
        his.execute(meet, (seat, "rec-2"))  # it is not his
        his.execute("SELECT paytui.leave(%s)", (seat,))
        assert floor.sql("SELECT who::text, host, recipient FROM paytui.presence") == [
            ("anna", "desk-1", "rec-1")
        ]
        for number in ("0" * 24, "0" * 24):  # handed in twice
            his.execute(ADD, (number, "note", "payments/pay-1", "seen"))
        hers.execute(ADD, ("0" * 24, "note", "payments/pay-1", "hers"))
        rows = floor.sql("SELECT n, made_by::text, words FROM paytui.notes ORDER BY n")
        assert rows == [(1, "bob", "seen"), (2, "anna", "hers")]
        for refused in (
            ("1" * 24, "note", "payments/pay-1", "x" * 281),
            ("1" * 24, "note", "payments/pay-1", "\x1b]0;x"),
            ("1" * 24, "note", "payments/pay-1", ""),
            ("1" * 24, "note", "x" * 4001, "words"),
            ("1" * 24, "snoozed", "item", ""),
            ("1" * 24, "approved", "item", ""),
        ):
            with pytest.raises(psycopg.errors.CheckViolation):
                his.execute(ADD, refused)
        for table in ("notes", "presence", "note_heads"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                his.execute(f"DELETE FROM paytui.{table}".encode())  # noqa: S608
    with psycopg.connect(admin) as owner, pytest.raises(psycopg.errors.RaiseException):
        owner.execute("UPDATE paytui.notes SET made_by = 'anna'")


def test_what_colleagues_wrote_is_cleaned(floor: Floor, tmp_path: Path) -> None:
    async def scene() -> None:
        async with traders(floor, tmp_path) as (_, bob):
            for statement in HOSTILE:
                floor.sql(statement)
            bob.link.tell_ticket(PAYOUT)  # so that he looks before anna tells again
            await asyncio.sleep(1)
            [note] = notes_on(bob.store, "payments/pay-1")
            [anna] = bob.store.colleagues.rows()
            assert anna.ticket is not None
            said = (note.words, note.host, anna.host, anna.ticket.recipient_id)
            assert said == ("\ufffd[2Jgone", "h\ufffd", "a b", "r\ufffd")

    floor.run(scene())
