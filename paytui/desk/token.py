"""The one token of a client id for all seats of a desk, on any number of hosts.

One seat at a time requests a token: it holds the *flight*, a right that it prolongs while it waits
for the service. A token of an overtaken flight is not used. The database holds tokens encrypted,
under a key that every seat derives from the client secret. The database counts the age of a token,
then the boot clock of its reader does: the clocks of two hosts are never compared.
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from threading import Event, Thread

import psycopg

from paytui import __version__
from paytui.api.errors import ApiError, TokenLost
from paytui.api.http.token import Check, HeldToken, TokenCell
from paytui.api.http.token_file import token_as_text, token_of_text
from paytui.desk.database import Connection, Database, DeskAway, connect, cut, wait_readable
from paytui.desk.seal import Seal
from paytui.domain.models import Problem
from paytui.platform.clock import Clock
from paytui.platform.text import clean

LEASE = 12.0  # Seconds after which the flight of a seat that died can be taken over
HOLD_EVERY = 4.0  # Seconds between prolongations
LOOK_AGAIN = 0.25  # Seconds between looks while another seat holds the flight
LONGEST_WAIT = 40.0  # Seconds for which a seat waits for another's flight
NEWS_EVERY = 2.0  # Seconds between looks for a newer token: notifications are hints alone
RELIEVED_EVERY = 60.0  # The same while others look for it, too
STAY_EVERY = 10.0  # Seconds between two signs of life
CHANNEL = "paytui_token"
RETRY_AFTER = 5.0  # Seconds until a desk that is away is tried again; requests do not wait for it


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The token's row as read.

    Attributes:
        generation: grows with each token; 0: there never was one.
        age: seconds since the token was requested, by the database's clock.
        read_at: boot time in seconds just before the read.
        flight_seat: the seat that holds the flight, 0 if it is not known; None if none does.
    """

    generation: int
    sealed: bytes | None
    age: float | None
    life: float | None
    read_at: float
    flight_seat: int | None = None


class DeskTokenCell(TokenCell):
    """A token in memory, and in the desk's database for all seats.

    Args:
        listen_dsn: a direct connection for notifications, if `database` goes through a pooler.
        client: identifies service and client id; see `owner_key`. Others have seats of their own.
    """

    def __init__(self, database: Database, listen_dsn: str, client: str, clock: Clock) -> None:
        super().__init__()
        self.database = database
        self.client = client
        self.clock = clock
        self._news = _News(listen_dsn, self)
        self._seal: Seal | None = None
        self._run = os.urandom(6).hex()
        self._entered: tuple[Connection | None, int | None] = None, None
        self._generation = 0
        self._away: Problem | None = None
        self._probing: asyncio.Task[None] | None = None
        self._found: HeldToken | None = None
        self._given: HeldToken | None = None

    def look(self) -> HeldToken | None:
        self._news.start(self._offer)
        found, self._found = self._found, None
        return found

    def share(self, held: HeldToken) -> None:
        """Publish a token once its flight ends; see `renewing`."""
        self._given = held

    def close(self) -> None:
        if self._probing is not None:
            self._probing.cancel()
        self._news.close()
        self.database.close()

    @asynccontextmanager
    async def renewing(self, check: Check = lambda: None) -> AsyncIterator[bool]:
        """Hold the flight; False: `look` has a newer token of another seat instead.

        Raises:
            TokenLost: the desk is away, or no seat gets a token in time.
            ApiError: there is no secret to seal a token with, or `check` raised it.
        """
        if self._away is not None:
            raise self._lost(self._away)
        try:
            flight = await self._flight(check)
        except DeskAway as error:
            self._away = error.problem
            self._probing = asyncio.create_task(self._probe())
            raise self._lost(error.problem) from None
        if flight is None:
            yield False
            return
        holding = asyncio.create_task(self._hold(flight))
        self._given = None
        has_left = True
        try:
            yield True
        except ApiError as error:
            has_left = error.written
            raise
        finally:
            holding.cancel()
            await self._land(flight, has_left=has_left)

    async def _probe(self) -> None:
        """Try the desk again until it answers. Requests fail at once meanwhile, and never wait."""
        while self._away is not None:
            await asyncio.sleep(RETRY_AFTER)
            try:
                await self.database.call(self._read)
            except DeskAway as error:
                self._away = error.problem
            else:
                self._away = None

    async def _flight(self, check: Check) -> int | None:
        """Take the flight; None: another seat's token has come meanwhile.

        Raises:
            DeskAway: neither within the longest wait.
        """
        assert self.secret is not None  # `Auth` set it
        secret = (await self.secret()).reveal()
        self._seal = Seal(self.client, secret, "paytui desk token")
        give_up = self.clock.boot() + LONGEST_WAIT
        while self.clock.boot() < give_up:
            row = await self.database.call(self._read)
            self._generation = min(self._generation, row.generation)  # as after a restored backup
            self._offer(row)
            if self._found is not None:  # perhaps the news brought it
                return None
            if row.flight_seat is None:
                check()  # the database counts the flights of all seats
                if (flight := await self.database.call(self._take)) is not None:
                    return flight
            await asyncio.sleep(LOOK_AGAIN)
        raise DeskAway("no seat gets a token from the service")

    async def _hold(self, flight: int) -> None:
        while True:
            await asyncio.sleep(HOLD_EVERY)
            with suppress(DeskAway):
                await self.database.call(
                    lambda link: link.execute(
                        "SELECT paytui.hold_flight(%s, %s, make_interval(secs => %s))",
                        (self.client, flight, LEASE),
                    )
                )

    async def _land(self, flight: int, *, has_left: bool) -> None:
        """Publish the token that the flight brought, or end it without one."""
        held, self._given = self._given, None
        if held is not None:
            self._generation += 1  # from here on, news of this token are none
        try:
            if held is None:
                sql, ended = (
                    "SELECT paytui.drop_flight(%s, %s, %s)",
                    (self.client, flight, has_left),
                )
                await self.database.call(lambda link: link.execute(sql, ended))
                return
            given = await self.database.call(lambda link: self._give(link, flight, held))
        except DeskAway as error:
            # Perhaps it was published; it is the newest token that this seat knows of.
            self._generation -= held is not None
            self.unshared = error.problem.happened
            return
        self.unshared = None
        if given is None:
            self._generation -= 1
            self.held = None  # another seat's request came later: it ended this token, or will

    def listen(self, channel: str, hint: Callable[[], object]) -> None:
        """Call `hint`, in another thread, after each notification and when the connection is lost.

        Who listens also looks, and calls `note_generation`: the news look less often then.
        """
        self._news.hints[channel] = hint

    # In the database's thread

    def enter(self, connection: Connection) -> int | None:
        """Return the number of this process's seat; it enters the desk first.

        Another connection may lead to another server, where the seat has another number or none.
        """
        if connection is not self._entered[0]:
            process = (self._run, platform.node(), os.getpid(), __version__)
            sql = "SELECT paytui.enter(%s, %s, %s, %s)"
            self._entered = connection, _number(connection.execute(sql, process).fetchone())
        return self._entered[1]

    def note_generation(self, connection: Connection, generation: int) -> None:
        """Read the token if its generation is another than the known one."""
        if generation != self._generation:
            self._news.read(connection)

    def stay(self, connection: Connection) -> None:
        """Tell the desk that this seat is there, from the thread of the news."""
        seat = _number(connection.execute("SELECT paytui.stay(%s)", (self._run,)).fetchone())
        if seat != self._entered[1]:  # a pooler leads to another server since
            self._entered = None, None

    def _read(self, connection: Connection) -> TokenRow:
        self.enter(connection)
        return read_token(connection, self.client, self.clock.boot)

    def _take(self, connection: Connection) -> int | None:
        row = connection.execute(
            "SELECT paytui.take_flight(%s, %s, %s, make_interval(secs => %s))",
            (self.client, self.enter(connection), self._generation, LEASE),
        ).fetchone()
        return _number(row)

    def _give(self, connection: Connection, flight: int, held: HeldToken) -> int | None:
        assert self._seal is not None
        sealed = self._seal.seal(token_as_text(held.token).encode(), self._generation)
        row = connection.execute(
            "SELECT paytui.give_token(%s, %s, %s, %s)", (self.client, flight, sealed, held.life)
        ).fetchone()
        return _number(row)

    # On the loop

    def _offer(self, row: TokenRow) -> None:
        """Take in a row as read, for `look` to find, if its token is newer and can be used."""
        if row.generation <= self._generation or self._seal is None:
            return
        self._generation = row.generation
        if row.sealed is None or row.age is None or row.life is None:
            return
        if not 0 <= row.age < row.life:  # it has ended, or the database's clock was set
            return
        text = self._seal.unseal(row.sealed, row.generation)
        token = None if text is None else token_of_text(text.decode(errors="replace"))
        if token is None:
            what = "its token was sealed with another client secret"
            self.unshared = Problem("use the desk", what).happened
            return
        self.unshared = None
        self._found = HeldToken(token, row.read_at - row.age, life=row.life)

    def _lost(self, problem: Problem) -> TokenLost:
        self.unshared = problem.happened
        sign_in = replace(problem, attempted="sign in")
        return TokenLost(sign_in, written=False, retry_after=RETRY_AFTER)


def read_token(connection: Connection, client: str, boot: Callable[[], float]) -> TokenRow:
    """Read a client's token; a row that is not there has generation 0."""
    before = boot()
    row = connection.execute(
        "SELECT generation, sealed, extract(epoch FROM clock_timestamp() - asked_at)::float8, "
        "life, CASE WHEN flight_until BETWEEN clock_timestamp() AND clock_timestamp() "
        "+ interval '1 minute' THEN coalesce(flight_seat, 0) END "
        "FROM paytui.tokens WHERE client = %s",
        (client,),
    ).fetchone()
    if row is None:
        return TokenRow(0, None, None, None, before)
    generation, sealed, age, life, flight_seat = row
    assert isinstance(generation, int)
    return TokenRow(
        generation,
        sealed if isinstance(sealed, bytes) else None,
        age if isinstance(age, float) else None,
        life if isinstance(life, float) else None,
        before,
        flight_seat if isinstance(flight_seat, int) else None,
    )


def _number(row: tuple[object, ...] | None) -> int | None:
    value = row[0] if row else None
    return value if isinstance(value, int) else None


class _News:
    """A thread with a connection of its own that reads the token when it changes.

    PostgreSQL's notifications come at once; a look every two seconds serves where a pooler drops
    them. While the database is away, it tries again at the same pace.
    """

    def __init__(self, dsn: str, cell: DeskTokenCell) -> None:
        self.hints: dict[str, Callable[[], object]] = {}
        self._dsn = dsn
        self._cell = cell
        self._boot = cell.clock.boot
        self._ended = Event()
        self._connection: Connection | None = None
        self._thread: Thread | None = None
        self._offer: Callable[[TokenRow], object] = lambda _: None

    def start(self, offer: Callable[[TokenRow], object]) -> None:
        """Call `offer` on the running loop with each row that is read, from now on."""
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._offer = lambda row: loop.call_soon_threadsafe(offer, row)
            self._thread = Thread(target=self._follow, name="paytui-desk-news", daemon=True)
            self._thread.start()

    def read(self, connection: Connection) -> None:
        """Read the token, and offer it. For any thread."""
        self._offer(read_token(connection, self._cell.client, self._boot))

    def close(self) -> None:
        self._ended.set()
        cut(self._connection)

    def _follow(self) -> None:
        while not self._ended.is_set():
            with suppress(DeskAway, psycopg.Error, RuntimeError):  # the last: the loop is closed
                connection = self._connection = connect(self._dsn)
                try:
                    self._follow_by(connection)
                finally:
                    self._connection = None
                    connection.close()
                    for hint in self.hints.values():  # so that it is soon known if the desk is away
                        hint()
            self._ended.wait(NEWS_EVERY)

    def _follow_by(self, connection: Connection) -> None:
        heard: set[str] = set()
        stay_at = look_at = self._boot()
        settled_at = stay_at + STAY_EVERY  # until then channels may be added
        while not self._ended.is_set():
            for channel in {CHANNEL, *self.hints} - heard:
                connection.execute(f"LISTEN {channel}".encode())
                heard.add(channel)
            if self._boot() >= stay_at:
                self._cell.stay(connection)
                stay_at = self._boot() + STAY_EVERY
            if self._boot() >= look_at:
                self.read(connection)
                look_at = self._boot() + (RELIEVED_EVERY if self.hints else NEWS_EVERY)
            for notice in connection.notifies(timeout=0):
                if (hint := self.hints.get(notice.channel)) is not None:
                    hint()
                if notice.channel == CHANNEL:
                    look_at = self._boot()
            now = self._boot()
            longest = NEWS_EVERY if now < settled_at else STAY_EVERY
            wait_readable(connection, min(max(0.0, min(look_at, stay_at) - now), longest))


# What `paytui desk status` prints


@dataclass(frozen=True, slots=True)
class Seat:
    """A process of a trader that has used the desk."""

    number: int
    who: str
    host: str
    pid: int
    version: str
    seen_ago: timedelta


def read_seats(connection: Connection) -> list[Seat]:
    """Return the seats of the last day, the newest first."""
    rows = connection.execute(
        "SELECT seat, who::text, host, pid, version, clock_timestamp() - seen FROM paytui.seats "
        "WHERE seen > clock_timestamp() - interval '1 day' ORDER BY seat DESC"
    ).fetchall()
    found = [Seat(*row) for row in rows]  # type: ignore[arg-type]  # as the schema has them
    return [  # another trader chose the words
        replace(seat, who=clean(seat.who), host=clean(seat.host), version=clean(seat.version))
        for seat in found
    ]
