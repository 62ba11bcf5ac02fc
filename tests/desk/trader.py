"""A trader of a desk: a dashboard with an outbox that hands in to the desk's log."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Self, TypeVar

import psycopg
from starlette.applications import Starlette

from paytui.config.settings import Profile
from paytui.desk.database import Connection, Database, DeskAway, as_away, connect
from paytui.desk.log import DeskLog
from paytui.domain.intent import Intent, IntentRow, Standing, Verdict
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.outbox import Outbox
from paytui.tui.ticket.decision import DecisionTask
from paytui.tui.ticket.engine import Ticket
from paytui.tui.ui_context import UiContext
from tests.desk.server import outbox_at, owner_does
from tests.support.clock import ManualClock
from tests.tui.dashboard import settings_of
from tests.worker.dealing import Dealing

T = TypeVar("T")
CLIENT = "demo at localhost"


class PromptDatabase(Database):
    """A database whose calls take no virtual time."""

    def __init__(self, dsn: str) -> None:
        super().__init__(dsn)
        self._open: Connection | None = None

    async def call(self, use: Callable[[Connection], T]) -> T:
        try:
            if self._open is None:
                self._open = connect(self._dsn)
            return use(self._open)
        except (psycopg.Error, DeskAway) as error:
            self.close()
            raise as_away(error) from None

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None


_RUNS = count()


def memory_of(path: Path) -> DeskRecord:
    """Return what an outbox keeps of its desk now."""
    outbox = Outbox(path)
    memory = DeskRecord(outbox)
    outbox.close()
    return memory


class Trader(Dealing):
    """A dashboard of a trader, with an outbox that hands in to the desk."""

    def __init__(
        self,
        app: Starlette,
        clock: ManualClock,
        path: Path,
        dsn: str,
        host: str,
        *,
        patience: float = 0.0,
        profile: Profile | None = None,
    ) -> None:
        self.path, self.dsn, self.host, self.database = path, dsn, host, PromptDatabase(dsn)
        memory = memory_of(path)
        ours = outbox_at(host, str(path), run=f"{next(_RUNS)}", identity=memory.identity)
        waits = timedelta(seconds=patience)
        self.desk = DeskLog(
            self.database, CLIENT, ours, patience=waits, clock=clock, seen=memory.seen
        )
        super().__init__(app, clock, path, profile=profile, log_of_desk=self.desk)

    def types(self, intent: Intent, verdict: Verdict, *texts: str) -> None:
        """Decide on an intent by its ticket, and type what that asks."""
        row = self.row(intent)
        assert row is not None
        ui = UiContext(
            store=self.store,
            port=self.inbox,
            time=self.service_time,
            settings=settings_of(),
            maker=self.maker,
        )
        ticket = Ticket(DecisionTask(ui, row))
        ticket.chosen(verdict)
        for text in texts:
            ticket.typed(text)
        ticket.confirm(ticket.view().confirms)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        try:
            async with super().open():
                yield self
        finally:
            self.database.close()

    async def sees(self, intent: Intent, standing: Standing, within: float = 3) -> IntentRow:
        return await self.stands(intent, standing, within)


MakeTrader = Callable[[str, str, str], Trader]  # By role, name of the outbox and host


@asynccontextmanager
async def at_work(*traders: Trader) -> AsyncIterator[None]:
    async with AsyncExitStack() as stack:
        for trader in traders:
            await stack.enter_async_context(trader.open())
        for trader in traders:
            await trader.until(lambda trader=trader: trader.store.sending.allowed, 9)  # type: ignore[misc]
        yield


async def in_doubt(trader: Trader, fault: str = "cut") -> Intent:
    await trader.fault("create_payout", fault)
    intent = trader.payout()
    trader.submit(intent)
    await trader.stands(intent, Standing.IN_DOUBT)
    return intent


def away(admin: str, *, is_away: bool) -> None:
    name = psycopg.conninfo.conninfo_to_dict(admin)["dbname"]
    with psycopg.connect(admin, dbname="postgres", autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {not is_away}".encode())
        if is_away:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )


SET_BACK = """
    SET session_replication_role = replica;
    DELETE FROM paytui.log WHERE n > {kept};
    UPDATE paytui.log_head SET (n, hash) = (SELECT n, hash FROM paytui.log WHERE n = {kept});
    DELETE FROM paytui.open_intents;
    INSERT INTO paytui.open_intents
      SELECT DISTINCT intent FROM paytui.log WHERE paytui.is_open(paytui.newest(intent));
"""


def fail_over(admin: str, kept: int) -> None:
    """Let a standby take over that has only the first rows of the log."""
    set_back(admin, kept)
    owner_does(admin, "UPDATE paytui.epoch SET timeline = timeline - 1")


def set_back(admin: str, kept: int) -> None:
    """Let the log have only its first rows, as of a disk that was restored."""
    owner_does(admin, SET_BACK.format(kept=kept))
