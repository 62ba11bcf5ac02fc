"""All seats of a desk use one token: one of them requests it, and the others learn it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Event

import psycopg
import pytest

from paytui.api.errors import NoSecret, ServiceUnreachable, TokenLost
from paytui.api.http.token import HeldToken
from paytui.desk.database import Database, DeskAway, connect
from paytui.desk.token import DeskTokenCell
from paytui.platform.clock import SystemClock
from paytui.platform.secret import Secret
from tests.api.desk import PROBLEM, Desk, Service
from tests.support.clock import NOON, ManualClock

CLIENT = "service-and-client"


class Seat(Desk):
    """A process of one trader, on a host whose clocks are its own.

    Args:
        asked: the requests for tokens of all seats.
        hears: False to have no notification reach it.
    """

    def __init__(
        self,
        dsn: str,
        asked: list[str],
        host: int,
        service: type[Service] = Service,
        *,
        hears: bool = True,
    ) -> None:
        clock = HostClock(NOON + timedelta(hours=host), 1_000.0 * host)
        serving = service(clock)
        serving.secrets = asked
        listens = dsn if hears else f"{dsn} host=127.0.0.1 port=1"
        cell = DeskTokenCell(Database(dsn), listens, CLIENT, clock)
        super().__init__(clock, host, service=serving, cell=cell)


class SlowService(Service):
    """A service that answers when it is told to."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.go_on = asyncio.Event()

    async def __call__(self, secret: Secret) -> HeldToken:
        held = await super().__call__(secret)
        await self.go_on.wait()
        return replace(held, token=replace(held.token, access_token="late"))


@asynccontextmanager
async def seats(dsns: Sequence[str], asked: list[str]) -> AsyncIterator[list[Seat]]:
    them = [Seat(dsn, asked, host) for host, dsn in enumerate(dsns)]
    try:
        yield them
    finally:
        for seat in them:
            await seat.auth.aclose()


class HostClock(ManualClock):
    """The clock of a host, which runs as the database's does, and can be moved on."""

    def __init__(self, now: datetime, booted_before: float) -> None:
        super().__init__(now)
        self.suspend(booted_before)
        self.set_wall(now)
        self._real = SystemClock()
        self._began = self._real.boot()

    def boot(self) -> float:
        return super().boot() + self._real.boot() - self._began


async def tokens(them: Sequence[Seat]) -> set[str]:
    return set(await asyncio.gather(*(seat.token() for seat in them)))


@pytest.fixture
def asked() -> list[str]:
    return []


def test_eight_seats_sign_in_once_and_once_more_when_the_token_is_rejected(
    anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([anna, bob] * 4, asked) as them:
            for seat in them:
                seat.service.takes = 0.2
            assert await tokens(them) == {"token-1"}
            assert await tokens(them) == {"token-1"}
            assert len(asked) == 1
            for seat in them:
                async with seat.auth.lease(post=False, urgent=False) as held:
                    pass
                seat.auth.rejected(held, gone=True)
            assert await tokens(them) == {"token-2"}
            assert len(asked) == 2
            assert not any(seat.auth.health.contested for seat in them)

    asyncio.run(scene())


def test_a_renewal_reaches_the_others_without_a_request(
    anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([anna, bob], asked) as (one, other):
            assert await one.token() == await other.token() == "token-1"
            one.clock.advance(280)
            async with asyncio.timeout(30):
                for seat in (one, other):  # the other one is told by a notification
                    while await seat.token() != "token-2":  # noqa: ASYNC110
                        await asyncio.sleep(0)
            assert len(asked) == 2

    asyncio.run(scene())


def test_a_dead_seats_flight_is_taken_over_and_its_late_token_is_not_used(
    admin: str, anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([bob], asked) as [other]:
            stopped = Seat(anna, asked, 1, SlowService, hears=False)
            assert isinstance(stopped.service, SlowService)
            late = asyncio.create_task(stopped.token())
            await stopped.service.reached.wait()
            _expire_flights(admin)
            assert await other.token() == "token-2"
            stopped.service.go_on.set()
            assert await late == "late"  # the service refuses it, and it is renewed
            assert await tokens([stopped, other]) == {"token-2"}
            await stopped.auth.aclose()

    asyncio.run(scene())


def test_a_seat_that_lost_the_database_before_it_published_goes_on(
    admin: str, anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([bob], asked) as [other]:
            cut_off = Seat(anna, asked, 1, SlowService)
            assert isinstance(cut_off.service, SlowService)
            signing_in = asyncio.create_task(cut_off.token())
            await cut_off.service.reached.wait()
            with psycopg.connect(admin, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'anna'"
                )
            cut_off.service.go_on.set()
            assert await signing_in == "late"
            assert cut_off.auth.health.unshared is not None
            _expire_flights(admin)
            assert await other.token() == "token-2"
            cut_off.clock.advance(301)
            assert await cut_off.token() == "token-2"
            await cut_off.auth.aclose()

    asyncio.run(scene())


def _expire_flights(admin: str) -> None:
    """End the lease of the seat that holds the flight, as time does."""
    sql = "UPDATE paytui.tokens SET flight_until = clock_timestamp() - interval '1 s'"
    with psycopg.connect(admin, autocommit=True) as connection:
        assert connection.execute(f"{sql} WHERE flight IS NOT NULL".encode()).rowcount == 1


def test_the_database_holds_nothing_usable_and_a_changed_row_is_not_used(
    admin: str, anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([anna, bob], asked) as (one, other):
            await one.token()
            with psycopg.connect(admin, autocommit=True) as connection:
                [(sealed,)] = connection.execute("SELECT sealed FROM paytui.tokens").fetchall()
                assert b"token" not in sealed
                connection.execute(
                    "UPDATE paytui.tokens SET generation = generation + 1, sealed = %s", (sealed,)
                )
            assert await other.token() == "token-2"
            assert len(asked) == 2

    asyncio.run(scene())


def test_while_the_desk_is_away_the_token_is_used_to_its_end(
    admin: str, anna: str, asked: list[str]
) -> None:
    name = psycopg.conninfo.conninfo_to_dict(admin)["dbname"]

    async def scene() -> None:
        async with seats([anna], asked) as [seat]:
            await seat.token()
            with psycopg.connect(admin, dbname="postgres", autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                    (name,),
                )
            seat.clock.advance(270)
            assert await seat.token() == "token-1"
            seat.clock.advance(31)
            with pytest.raises(TokenLost, match="sign in: the desk's database is away"):
                await seat.token()
            assert seat.auth.health.unshared is not None
            with psycopg.connect(admin, dbname="postgres", autocommit=True) as connection:
                connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
            seat.clock.advance(60)
            with pytest.raises(TokenLost):  # requests do not wait for it, until it was found again
                await seat.token()
            assert len(asked) == 1

    asyncio.run(scene())


def test_the_secret_is_read_once_and_a_missing_one_is_told(anna: str, asked: list[str]) -> None:
    async def scene() -> None:
        async with seats([anna], asked) as [seat]:
            seat.secret = ""
            with pytest.raises(NoSecret):
                await seat.token()
            seat.secret = "here"
            seat.clock.advance(31)
            await seat.token()
            seat.clock.advance(280)
            assert await seat.token() == "token-2"
            assert seat.sources_asked == 2

    asyncio.run(scene())


def test_a_token_under_an_earlier_client_secret_is_replaced(
    anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([anna, bob], asked) as [earlier, later]:
            await earlier.token()
            later.secret = "new"
            assert await later.token() == "token-2"
            assert len(asked) == 2
            assert later.auth.health.unshared is None

    asyncio.run(scene())


def test_a_seat_that_has_to_wait_does_not_use_up_the_desks_requests(
    admin: str, anna: str, bob: str, asked: list[str]
) -> None:
    async def scene() -> None:
        async with seats([anna, bob], asked) as (one, other):
            one.service.failures = [ServiceUnreachable(PROBLEM, written=True)]
            for _ in range(7):
                with pytest.raises(ServiceUnreachable):
                    await one.token()
            assert len(asked) == 1
            one.clock.advance(31)
            one.service.failures = [ServiceUnreachable(PROBLEM, written=False)]
            with pytest.raises(ServiceUnreachable):
                await one.token()
            with psycopg.connect(admin) as connection:
                assert connection.execute(
                    "SELECT cardinality(requests) FROM paytui.tokens"
                ).fetchall() == [(1,)]
            assert await other.token() == "token-3"

    asyncio.run(scene())


def test_a_call_that_was_given_up_is_not_made_later(anna: str) -> None:
    go_on, made = Event(), list[str]()

    async def scene() -> None:
        database = Database(anna)
        first = asyncio.create_task(database.call(lambda _: go_on.wait()))
        second = asyncio.create_task(database.call(lambda _: made.append("late")))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        go_on.set()
        await first
        await database.call(lambda _: made.append("next"))
        database.close()

    asyncio.run(scene())
    assert made == ["next"]


def test_a_database_that_hangs_after_the_login_counts_as_away(admin: str, anna: str) -> None:
    with psycopg.connect(admin) as connection:
        connection.execute("LOCK paytui.migrations")
        with pytest.raises(DeskAway):
            connect(anna, limit=0.05)


def test_a_trader_changes_no_table(anna: str) -> None:
    with psycopg.connect(anna, autocommit=True) as connection:
        for statement in (
            "UPDATE paytui.tokens SET generation = 9",
            "DELETE FROM paytui.seats",
            "INSERT INTO paytui.migrations (number, name) VALUES (9, 'x')",
            "CREATE TABLE paytui.mine ()",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_a_trader_neither_ends_nor_forges_the_flight_of_another(anna: str, bob: str) -> None:
    take = "SELECT paytui.take_flight('c', %s, 0, interval '100 years')"
    state = "SELECT flight, flight_seat, generation, flight_until FROM paytui.tokens"
    with (
        psycopg.connect(anna, autocommit=True) as hers,
        psycopg.connect(bob, autocommit=True) as his,
    ):
        [[seat]] = hers.execute("SELECT paytui.enter('run', 'host', 1, '1')").fetchall()
        [[flight]] = hers.execute(take, (seat,)).fetchall()
        [before] = hers.execute(state).fetchall()
        assert before[:3] == (flight, seat, 0)
        his.execute("SELECT paytui.drop_flight('c', %s, true)", (flight,))
        his.execute("SELECT paytui.hold_flight('c', %s, interval '1 day')", (flight,))
        assert his.execute("SELECT paytui.give_token('c', %s, 'x', 300)", (flight,)).fetchall() == [
            (None,)
        ]
        assert hers.execute(state).fetchall() == [before]
        [[lease]] = hers.execute(
            "SELECT flight_until - clock_timestamp() FROM paytui.tokens"
        ).fetchall()
        assert lease <= timedelta(minutes=1)
        hers.execute("SELECT paytui.drop_flight('c', %s, true)", (flight,))
        assert his.execute(take, (seat,)).fetchall() != [(None,)]
        [(_, forged, *_)] = hers.execute(state).fetchall()
        assert forged is None


def test_a_traders_temporary_types_do_not_run_as_the_owner(anna: str) -> None:
    with psycopg.connect(anna, autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION pg_temp.tell(pg_catalog.timestamptz) RETURNS boolean "
            "LANGUAGE plpgsql AS $$ BEGIN RAISE 'as %', current_user; END $$"
        )
        connection.execute(
            "CREATE DOMAIN pg_temp.timestamptz AS pg_catalog.timestamptz "
            "CHECK (pg_temp.tell(VALUE))"
        )
        for _ in range(2):  # the second call reads a time that the first wrote
            connection.execute("SELECT paytui.take_flight('c', 1, 0, interval '-1 s')")


def test_a_database_whose_clock_was_set_back_does_not_block_the_desk(admin: str, anna: str) -> None:
    take = "SELECT paytui.take_flight('c', 1, 0, interval '12 s')"
    with (
        psycopg.connect(admin, autocommit=True) as owner,
        psycopg.connect(anna, autocommit=True) as connection,
    ):
        connection.execute(take)
        owner.execute(
            "UPDATE paytui.tokens SET flight_until = flight_until + interval '1 hour', "
            "requests = array_fill(clock_timestamp() + interval '1 hour', ARRAY[6])"
        )
        assert connection.execute(take).fetchall() != [(None,)]


def test_seats_that_were_not_seen_for_a_month_are_forgotten(admin: str, anna: str) -> None:
    enter = "SELECT paytui.enter('run', 'host', 1, '1')"
    with psycopg.connect(admin, autocommit=True) as owner:
        owner.execute(enter)
        owner.execute("UPDATE paytui.seats SET seen = seen - interval '31 days'")
        with psycopg.connect(anna, autocommit=True) as connection:
            connection.execute(enter)
        assert owner.execute("SELECT who FROM paytui.seats").fetchall() == [("anna",)]


@pytest.mark.parametrize("through_a_pooler", [False, True])
def test_a_seat_enters_a_restored_database_again_and_shares_its_number_with_no_other(
    admin: str, anna: str, *, through_a_pooler: bool
) -> None:
    """The backup lacks the seat, whose number another program of the same trader has got since."""
    cells = [DeskTokenCell(Database(anna), anna, CLIENT, SystemClock()) for _ in range(2)]
    known = "SELECT count(*) FROM paytui.seats WHERE seat = ANY (%s)"
    with connect(anna) as one, connect(anna) as other:
        assert cells[0].enter(one) == cells[0].enter(one) == 1
        with psycopg.connect(admin, autocommit=True) as owner:
            owner.execute("TRUNCATE paytui.seats RESTART IDENTITY")
            assert cells[1].enter(other) == 1
            link = one
            if through_a_pooler:
                cells[0].stay(other)
            else:
                link = other
            seats = [cells[0].enter(link), cells[1].enter(other)]
            assert owner.execute(known, (seats,)).fetchall() == [(2,)]
