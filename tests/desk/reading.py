"""Seats of a desk that read one service, in virtual time, by a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from typing import TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from starlette.types import ASGIApp

from paytui.api.http.token import TokenCell
from paytui.desk.database import Connection, Database, as_away, connect
from paytui.desk.shared_reads import RowExchange
from paytui.desk.token import DeskTokenCell
from paytui.domain.models import Kind
from paytui.platform.secret import Secret
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop
from tests.worker.desk import INTERVALS, Desk

T = TypeVar("T")

CLIENT = "service-and-client"

OFTEN = {
    Kind.WALLETS: "/v2/wallets",
    Kind.PAYMENTS: "/v2/payments",
    Kind.TRADES: "/v2/trades",
}
"""The kinds that are read every five seconds, a tenth more or less, and their paths."""

SETTLED = 15
"""Seconds after which all seats but one follow in these kinds."""

BRISK = {kind: min(seconds, 20) for kind, seconds in INTERVALS.items()} | {Kind.PAYINS: 5}
"""Intervals with which no list takes longer than half a minute to be read again."""

ALL_SETTLED = 70
"""Seconds after which all seats but one follow in all kinds then."""

VIRTUAL_CLOCK = """
CREATE OR REPLACE FUNCTION paytui.instant() RETURNS timestamptz LANGUAGE sql AS
$$ SELECT current_setting('paytui.now')::timestamptz $$
"""


AHEAD = timedelta(hours=5)
"""The database's clock, compared with those of its seats' first host."""


class DatabaseInLoop(Database):
    """A database whose calls run in the loop, and whose clock is virtual, like all others.

    Attributes:
        go_on: a call waits for it.
    """

    def __init__(self, dsn: str, clock: ManualClock) -> None:
        super().__init__(dsn)
        self.go_on = asyncio.Event()
        self.go_on.set()
        self._clock = clock
        self._link: Connection | None = None

    async def call(self, use: Callable[[Connection], T]) -> T:
        await self.go_on.wait()
        try:
            if self._link is None or self._link.closed:
                self._link = connect(self._dsn)
            now = self._clock.now() + AHEAD
            self._link.execute("SELECT set_config('paytui.now', %s, false)", (now.isoformat(),))
            return use(self._link)
        except psycopg.Error as error:
            raise as_away(error) from None

    def close(self) -> None:
        if self._link is not None:
            self._link.close()


class HostClock:
    """The clock of another host, which was started at another time and whose wall clock is off."""

    def __init__(self, clock: ManualClock, host: int) -> None:
        self._clock = clock
        self._host = host
        self._looks = 0

    def now(self) -> datetime:
        return self._clock.now() + timedelta(hours=self._host)

    def monotonic(self) -> float:
        return self._clock.monotonic()

    def boot(self) -> float:
        self._looks += 1  # no two looks at a real clock show the same
        return self._clock.boot() + 100_000 * self._host + 1e-9 * self._looks


class UnheardCell(DeskTokenCell):
    """A cell through a pooler, which no notification passes."""

    def listen(self, channel: str, hint: Callable[[], object]) -> None: ...


class Seat(Desk):
    """A worker on a host of its own, at a desk. No notification reaches it."""

    def __init__(
        self,
        floor: Floor,
        host: int,
        secret: str = SECRET,
        intervals: Mapping[Kind, int] = INTERVALS,
    ) -> None:
        here, dsn = HostClock(floor.clock, host), floor.traders[host % 2]
        self.database = DatabaseInLoop(dsn, floor.clock)
        token = UnheardCell(self.database, floor.listen_dsn or dsn, CLIENT, here)
        self.exchange = RowExchange(token)
        super().__init__(
            floor.app,
            here,
            intervals=intervals,
            cell=floor.cell or token,
            exchange=self.exchange,
        )
        token.secret = lambda: _known(secret)

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Run the worker inside, beside those of other seats."""
        self._task = asyncio.create_task(self.worker.run(self.inbox))
        try:
            yield
        finally:
            await self.kill()
            self.database.close()

    async def kill(self) -> None:
        """End the worker at once; the desk is not told."""
        self._task.cancel()
        await asyncio.wait([self._task])

    def age(self, kind: Kind) -> float:
        """Return the seconds by which a list may be old."""
        return self.clock.boot() - (self.store.feed(kind).read_at or 0)

    @property
    def reads(self) -> int:
        """Return the number of reads of the lists that are read often."""
        return sum(self.network.counts[path] for path in OFTEN.values())


async def _known(secret: str) -> Secret:
    return Secret(secret)


class Floor:
    """The service, the database and the clocks that all seats share.

    Args:
        admin, traders: connection strings.
        signs_in: True if each seat gets its token from the desk. All of the desk is in virtual
            time then, and no seat listens. By default one token is at hand, without the desk.
    """

    def __init__(
        self,
        admin: str,
        traders: tuple[str, str],
        app: ASGIApp,
        clock: ManualClock,
        *,
        signs_in: bool = False,
    ) -> None:
        self.admin = admin
        self.traders = traders
        self.app = app
        self.clock = clock
        self.cell = None if signs_in else TokenCell()
        self.listen_dsn = "host=/nowhere" if signs_in else ""
        self.sql(VIRTUAL_CLOCK)
        if signs_in:
            self._be_virtual()

    def _be_virtual(self) -> None:
        """Put the virtual clock in the place of `clock_timestamp()` everywhere."""
        self.sql(VIRTUAL_CLOCK.replace("instant", "clock_timestamp"))
        path = "SET search_path = paytui, pg_catalog, pg_temp"
        for (name,) in self.sql("""
            SELECT oid::regprocedure::text FROM pg_proc
            WHERE pronamespace = 'paytui'::regnamespace AND proname <> 'clock_timestamp'"""):
            self.sql(f"ALTER FUNCTION {name} {path}")
        self.sql(f"ALTER DATABASE {conninfo_to_dict(self.admin)['dbname']} {path}")

    @asynccontextmanager
    async def seats(
        self, count: int, intervals: Mapping[Kind, int] = INTERVALS
    ) -> AsyncIterator[list[Seat]]:
        """Run workers, one second after the other; all have read everything then."""
        them = [Seat(self, host, intervals=intervals) for host in range(count)]
        async with AsyncExitStack() as stack:
            for seat in them:
                await stack.enter_async_context(seat.working())
                await asyncio.sleep(1)
            for seat in them:
                await seat.until(seat.all_ok)
            yield them

    def sql(self, statement: str, database: str | None = None) -> list[tuple[object, ...]]:
        """Run a statement as the administrator; return its rows."""
        dsn = self.admin if database is None else make_conninfo(self.admin, dbname=database)
        with psycopg.connect(dsn, autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def allow_connections(self, *, allowed: bool) -> None:
        """Let the traders use the database again, or cut them off."""
        name = conninfo_to_dict(self.admin)["dbname"]
        self.sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS {allowed}", "postgres")
        if not allowed:
            ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            self.sql(f"{ends} WHERE datname = '{name}'", "postgres")

    def readers(self) -> dict[str, int]:
        """Return the number of the seat that holds the lease of each kind."""
        rows = self.sql("SELECT kind, seat FROM paytui.readers WHERE seat IS NOT NULL")
        return {str(kind): int(str(seat)) for kind, seat in rows}

    def wallets_published_ago(self) -> float:
        """Return the seconds since the read of the wallets that was last published."""
        [(read_at,)] = self.sql("SELECT read_at FROM paytui.readers WHERE kind = 'wallets'")
        assert isinstance(read_at, datetime)
        return (self.clock.now() + AHEAD - read_at).total_seconds()

    def run(self, scene: Coroutine[object, object, None]) -> None:
        """Run a coroutine in virtual time."""
        loop = VirtualLoop(self.clock)
        try:
            loop.run_until_complete(scene)
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
