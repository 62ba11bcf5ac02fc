"""Events cause reads of the objects they name, soon and at a bounded rate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from starlette.applications import Starlette

from paytui.api.wire.codec import Event
from paytui.domain.models import Kind, Payment, PaymentId, State
from paytui.store.screen_rows import EventRow, Trust
from paytui.worker.sync.shared import Shared
from paytui.worker.webhook_intake import Classification, EventLog, EventReads
from tests.support.clock import ManualClock
from tests.support.scripted import Reply, ScriptedService
from tests.worker.conftest import Run
from tests.worker.desk import INTERVALS, Desk

SELDOM = dict.fromkeys(INTERVALS, 3600)
"""Polls that nobody waits for: what is seen sooner was told by an event."""


class Told:
    """Takes the place of the listener: a test says which events arrive."""

    def __init__(self, shared: Shared, look: Callable[[Kind], None]) -> None:
        self.log = EventLog(shared.store)
        self.reads = EventReads(shared, self.log, look)
        self._time = shared.service_time

    async def run(self) -> None:
        await self.reads.run()

    def hear(self, kind: Kind | None, object_id: str | None) -> EventRow:
        """A verified event arrives."""
        judgement = Classification(Trust.VERIFIED, Event(kind, object_id))
        row = self.log.add(judgement, self._time.latest(), "")
        self.reads.ask(row)
        return row


class News:
    """A desk that hears of events and else polls hardly ever."""

    def __init__(self, service: Starlette | ScriptedService, clock: ManualClock) -> None:
        self.desk = Desk(service, clock, intervals=SELDOM, listener=self._listener)

    def _listener(self, shared: Shared, look: Callable[[Kind], None]) -> Told:
        self.told = Told(shared, look)
        return self.told

    def caused(self, row: EventRow) -> str:
        kept = self.desk.store.events.get(row.number)
        assert kept is not None
        return kept.caused

    async def settled(self, row: EventRow, within: float = 1.0) -> str:
        """Return the effect of an event once it is known: within a second of virtual time."""
        await self.desk.until(lambda: bool(self.caused(row)), within=within)
        return self.caused(row)

    def asked(self, path: str) -> int:
        return self.desk.network.counts[f"/v2/{path}"]


@pytest.fixture
def news(service: Starlette, clock: ManualClock) -> News:
    return News(service, clock)


def on_its_way(desk: Desk) -> Payment:
    """A payment that can go on to be released."""
    return next(
        row for row in desk.store.payments.rows() if row.status and row.status.name == "processing"
    )


def state_of(desk: Desk, payment_id: str) -> State | None:
    row = desk.store.payments.get(PaymentId(payment_id))
    assert row is not None
    return row.status


def test_what_an_event_names_is_read_within_a_second(news: News, run: Run) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            key = on_its_way(desk).payment_transaction_id
            await desk.control("states", kind="payment", id=key, status="released")
            wallets = news.asked("wallets")
            row = news.told.hear(Kind.PAYMENTS, key)
            assert await news.settled(row) == "processing → released"
            assert state_of(desk, key) == State("released")
            await desk.until(lambda: news.asked("wallets") > wallets, within=3)

    run(story())


def test_an_event_that_tells_nothing_new_changes_nothing(news: News, run: Run) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            key = on_its_way(desk).payment_transaction_id
            before, wallets = desk.store.payments.version, news.asked("wallets")
            assert await news.settled(news.told.hear(Kind.PAYMENTS, key)) == "no change"
            await desk.wait(30)
            assert (desk.store.payments.version, news.asked("wallets")) == (before, wallets)

    run(story())


def test_an_object_that_was_not_known_is_new(run: Run, clock: ManualClock) -> None:
    replies = {"/v2/trades/tr-1": Reply({"item": {"tradeTransactionId": "tr-1"}})}
    news = News(ScriptedService(replies), clock)

    async def story() -> None:
        async with news.desk.at_work():
            assert await news.settled(news.told.hear(Kind.TRADES, "tr-1")) == "new: —"
            assert news.desk.store.trades.keys() == {"tr-1"}

    run(story())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "object_id", "words"),
    [
        (Kind.PAYMENTS, "no-such", "not found, its list is read again"),
        (Kind.TRADES, "no-such", "not found, its list is read again"),
        (None, None, "names no readable object"),
    ],
)
def test_an_event_of_what_is_not_there_says_so(
    news: News, run: Run, kind: Kind | None, object_id: str | None, words: str
) -> None:
    async def story() -> None:
        async with news.desk.at_work():
            await news.desk.until(news.desk.all_ok)
            assert await news.settled(news.told.hear(kind, object_id)) == words

    run(story())


def test_what_cannot_be_read_alone_is_read_with_its_list(run: Run, clock: ManualClock) -> None:
    replies: dict[str, Reply | list[Reply]] = {
        "/v2/trades": Reply({"items": [], "total": 0}),
        "/v2/trades/tr-1": Reply(b"Not Implemented", 501),
    }
    news = News(ScriptedService(replies), clock)

    async def story() -> None:
        async with news.desk.at_work():
            await news.desk.until(lambda: news.desk.store.feed(Kind.TRADES).ok)
            before = news.asked("trades")
            row = news.told.hear(Kind.TRADES, "tr-1")
            assert await news.settled(row) == "its list is read again"
            await news.desk.until(lambda: news.asked("trades") > before, within=3)

    run(story())


def test_an_event_that_comes_while_its_object_is_read_has_it_read_once_more(
    news: News, run: Run
) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            key = on_its_way(desk).payment_transaction_id
            asked = news.asked("payments")
            news.told.hear(Kind.PAYMENTS, key)
            while news.asked("payments") == asked:  # noqa: ASYNC110 - seen while it is on its way
                await asyncio.sleep(desk.network.LATENCY / 10)
            # The answer on its way was perhaps given before what the next event tells of.
            later = news.told.hear(Kind.PAYMENTS, key)
            await news.settled(later)
            assert news.asked("payments") >= asked + 2

    run(story())


def test_many_events_of_one_object_are_few_reads(news: News, run: Run) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            key, asked = on_its_way(desk).payment_transaction_id, news.asked("payments")
            rows = [news.told.hear(Kind.PAYMENTS, key) for _ in range(500)]
            assert {await news.settled(row) for row in rows} == {"no change"}
            assert news.asked("payments") == asked + 1

    run(story())


def test_a_flood_of_objects_is_read_in_lists_and_five_a_second(news: News, run: Run) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            asked = len(desk.network.requests)
            rows = [news.told.hear(Kind.TRADES, f"tr-{number}") for number in range(700)]
            assert news.caused(rows[-1]) == "its list is read again"
            await desk.wait(10)
            assert len(desk.network.requests) - asked <= 10 * 5 + 10
            assert all(map(news.caused, rows))

    run(story())


def test_a_service_in_trouble_is_not_pressed(news: News, run: Run) -> None:
    async def story() -> None:
        desk = news.desk
        async with desk.at_work():
            await desk.until(desk.all_ok)
            await desk.fault("list_payments", "500", times=1000)
            asked = news.asked("payments")
            rows = [news.told.hear(Kind.PAYMENTS, f"pay-{number}") for number in range(20)]
            for row in rows:
                assert (await news.settled(row)).startswith("not read: HTTP 500")
            more = [news.told.hear(Kind.PAYMENTS, f"more-{number}") for number in range(20)]
            assert (await news.settled(more[-1], within=5)).startswith("not read: HTTP 500")
            assert news.asked("payments") - asked < 5

    run(story())


def test_a_refused_object_does_not_hold_up_the_others(run: Run, clock: ManualClock) -> None:
    replies: dict[str, Reply | list[Reply]] = {
        "/v2/trades/odd": Reply({"error": {"code": "invalid", "message": "no"}}, 400),
        "/v2/trades/tr-1": Reply({"item": {"tradeTransactionId": "tr-1"}}),
    }
    news = News(ScriptedService(replies), clock)

    async def story() -> None:
        async with news.desk.at_work():
            odd, good = news.told.hear(Kind.TRADES, "odd"), news.told.hear(Kind.TRADES, "tr-1")
            assert (await news.settled(odd)).startswith("not read: HTTP 400")
            assert await news.settled(good) == "new: —"

    run(story())
