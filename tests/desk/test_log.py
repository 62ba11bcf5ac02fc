"""The log of intents: append-only, one departure each, told to all outboxes."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from paytui.desk.database import Database
from paytui.desk.log import DeskLog
from paytui.domain.intent import IntentId
from paytui.outbox.shared_log import HandedIn, Refusal
from paytui.platform.clock import SystemClock

INTENT = IntentId("PT-AAAAAAAA")
RECORDED = HandedIn(INTENT, 0, "recorded", '{"title": "Überweisung"}')
SENDING = HandedIn(INTENT, 1, "sending", "{}", departure=1)


def log_of(dsn: str, host: str = "desk-1") -> DeskLog:
    return DeskLog(Database(dsn), host, "/outbox", timedelta(0), SystemClock())


async def ready(log: DeskLog) -> DeskLog:
    news = await log.look()
    await log.replayed(news.epoch)
    return log


def test_one_departure(anna: str, bob: str) -> None:
    async def scene() -> None:
        hers, his = await ready(log_of(anna)), await ready(log_of(bob))
        assert isinstance(await hers.depart([RECORDED, SENDING]), float)
        assert await hers.depart([RECORDED, SENDING]) is Refusal.LEFT
        assert await his.depart([RECORDED, SENDING]) is Refusal.LEFT
        news = await his.look()
        assert [(row.local, row.kind, row.who) for row in news.rows] == [
            (0, "recorded", "anna"),
            (1, "sending", "anna"),
        ]
        await hers.hand_in([HandedIn(INTENT, 2, "in doubt", "{}")])
        [row] = (await his.look()).rows
        assert row.arrives_for is not None
        assert 29 < row.arrives_for <= 30
        hers.close()
        his.close()

    asyncio.run(scene())
