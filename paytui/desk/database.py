"""The desk's database: PostgreSQL, by a connection in a thread of its own, and its schema.

`pip install 'paytui[desk]'` brings psycopg. Calls have a time limit: one that lasts longer ends the
connection. It is never cancelled, because a cancelled commit reads as a success while a standby is
gone.
"""

from __future__ import annotations

import asyncio
import os
import select
import socket
from collections.abc import Callable, Iterator, Sequence, Set
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from importlib.resources import files
from queue import SimpleQueue
from threading import Thread, Timer
from typing import Any, TypeVar

import psycopg
from psycopg import pq, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import Diagnostic, LockNotAvailable, error_from_result

from paytui.domain.models import Problem
from paytui.outbox.shared_log import TRIED_AGAIN, Epoch

T = TypeVar("T")
Connection = psycopg.Connection[tuple[object, ...]]
Use = Callable[[Connection], Any]

CALL_LIMIT = 5.0  # Seconds for one call; its transaction takes some milliseconds
CONNECT_LIMIT = 8.0  # Seconds for a call that has to connect first

LINK = {
    "connect_timeout": "2",
    "keepalives": "1",
    "keepalives_idle": "3",
    "keepalives_interval": "1",
    "keepalives_count": "3",
    "tcp_user_timeout": "6000",
    "target_session_attrs": "read-write",
    "application_name": "paytui",
    "client_encoding": "UTF8",
}
"""Options of libpq. Most end a connection some seconds after the network does; the default is two
hours."""

OWNER, TRADER = "paytui_owner", "paytui_trader"
"""The roles that own the schema, and that each trader's role is a member of."""


class DeskAway(Exception):
    """A desk that cannot be used now; `problem` says why and what to do."""

    def __init__(self, what: str, said: str = "", remedy: str = "") -> None:
        self.problem = Problem("use the desk", what, said, remedy)
        super().__init__(str(self.problem))


def without_standby() -> DeskAway:
    """Return why nothing can be written while a synchronous standby is away."""
    remedy = "Its administrator starts the standby, or takes it out of synchronous_standby_names."
    return DeskAway(UNCONFIRMED, "its synchronous standby is away", remedy)


RUN_INIT = "The administrator runs: paytui desk init --dsn …"
SILENT = "the desk's database does not answer"
UNCONFIRMED = "the desk's database confirms no commit"
_TOLD_BY_STATUS = "paytui desk status tells if it waits for a standby."
_WAITS = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = session_user"


class Database:
    """A connection to the desk's database, opened when it is needed, and again after a failure.

    Args:
        dsn: libpq's connection string, without a password.
        limit: seconds for one call on an open connection.
    """

    def __init__(self, dsn: str, limit: float = CALL_LIMIT) -> None:
        self._dsn = dsn
        self._limit = limit
        self._calls: SimpleQueue[tuple[Future[Any], Use] | None] = SimpleQueue()
        self._connection: Connection | None = None
        self._thread: Thread | None = None
        self._is_cut = False

    async def call(self, use: Callable[[Connection], T]) -> T:
        """Return what `use` returns, called with the connection in its thread, one at a time.

        Raises:
            DeskAway: it failed, or took too long. What it would have written may be there.
        """
        if self._thread is None:
            self._thread = Thread(target=self._work, name="paytui-desk", daemon=True)
            self._thread.start()
        answer: Future[T] = Future()
        limit = CONNECT_LIMIT if self._connection is None else self._limit
        self._calls.put((answer, use))
        try:
            async with asyncio.timeout(limit):
                return await asyncio.wrap_future(answer)
        except TimeoutError:
            self._is_cut = True
            cut(self._connection)
            raise DeskAway(SILENT) from None

    def close(self) -> None:
        """End the connection and its thread."""
        self._calls.put(None)
        cut(self._connection)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            answer, use = call
            if not answer.set_running_or_notify_cancel():
                continue  # nobody would use the flight that it takes
            try:
                if self._connection is None:
                    self._connection = connect(self._dsn)
                result = use(self._connection)
            except BaseException as error:  # noqa: BLE001 - the caller gets it
                told = self._reason(error)
                self._drop()
                answer.set_exception(told)
            else:
                answer.set_result(result)
        self._drop()

    def _reason(self, error: BaseException) -> BaseException:
        """Return the error as DeskAway; of a lock, the standby that its holder waits for."""
        if self._is_cut:  # as another call took too long
            return DeskAway(SILENT)
        if isinstance(error, LockNotAvailable) and self._connection is not None:
            with suppress(psycopg.Error):
                if self._connection.execute(_WAITS).fetchall():
                    return without_standby()
            return DeskAway(UNCONFIRMED, "another transaction is not finished", _TOLD_BY_STATUS)
        return as_away(error)

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        self._is_cut = False
        if connection is not None:
            connection.close()


def cut(connection: Connection | None) -> None:
    """Shut down the socket of a connection that a thread uses; its call fails then."""
    with suppress(OSError, psycopg.Error):
        if connection is not None:
            with socket.socket(fileno=os.dup(connection.fileno())) as link:
                link.shutdown(socket.SHUT_RDWR)


def wait_readable(connection: Connection, seconds: float) -> None:
    """Wait until there is something to read; psycopg's own wait wakes up ten times a second."""
    link = select.poll()
    link.register(connection.fileno(), select.POLLIN)
    link.poll(seconds * 1000)


def ask(connection: Connection, query: str, *values: str | int | None) -> str:
    """Return the one value of a query, as text, for a third of the CPU time that psycopg takes.

    It is not for a connection that listens: psycopg would not notice a notification that comes.
    """
    given = [None if value is None else str(value).encode() for value in values]
    answer = connection.pgconn.exec_params(query.encode(), given)
    if answer.status != pq.ExecStatus.TUPLES_OK:
        raise error_from_result(answer)
    return (answer.get_value(0, 0) or b"").decode(errors="replace")


@contextmanager
def limited(connection: Connection, seconds: float = CALL_LIMIT) -> Iterator[None]:
    """Cut the connection if the block takes longer; raise DeskAway for what then fails, or else."""
    timer = Timer(seconds, cut, [connection])
    timer.daemon = True
    timer.start()
    try:
        yield
    except psycopg.Error as error:
        raise as_away(error) from None
    finally:
        timer.cancel()


def connect(dsn: str, limit: float = CALL_LIMIT) -> Connection:
    """Connect to a primary with the schema of this version; raise DeskAway otherwise.

    Of the servers that `dsn` names, an old primary may have come back: the newest one is used.

    Args:
        limit: seconds for the checks; libpq limits the time to connect.
    """
    found, refused = [], DeskAway("no server is named")
    for server in _servers(dsn):
        try:
            found.append(_connect(server, limit))
        except DeskAway as error:
            refused = error
    if not found:
        raise refused
    newest = found[0]
    for other in found[1:]:
        with suppress(DeskAway), limited(newest, limit), limited(other, limit):
            if epoch_of(newest).is_before(epoch_of(other)):
                newest, other = other, newest  # noqa: PLW2901
        other.close()
    return newest


def _servers(dsn: str) -> list[dict[str, str]]:
    """Return the options for each server that a connection string names, in its order."""
    try:
        named = {name: str(value) for name, value in conninfo_to_dict(dsn).items()}
    except psycopg.Error as error:
        raise as_away(error) from None
    lists = {name: named[name].split(",") for name in ("host", "hostaddr", "port") if name in named}
    return [
        named | {name: each[place % len(each)] for name, each in lists.items()}  # one port for all
        for place in range(max(map(len, lists.values()), default=1))
    ]


def epoch_of(connection: Connection) -> Epoch:
    """Return the epoch of a server, on its timeline: perhaps no program has begun the next one."""
    sql = "SELECT number, paytui.server(), paytui.timeline() FROM paytui.epoch"
    [[number, server, timeline]] = connection.execute(sql).fetchall()
    assert isinstance(number, int)
    assert isinstance(timeline, int)
    return Epoch(number, str(server), timeline)


def _connect(named: dict[str, str], limit: float) -> Connection:
    try:
        options = make_conninfo(**(LINK | named))
        # Nothing is prepared: a pooler may use another server for the next statement.
        connection = psycopg.connect(options, autocommit=True, prepare_threshold=None)
        try:
            with limited(connection, limit):
                check(connection)
        except BaseException:
            connection.close()
            raise
    except psycopg.Error as error:
        raise as_away(error) from None
    return connection


def check(connection: Connection) -> None:
    """Raise DeskAway unless the server is a primary with the schema of this version."""
    # To compile a query takes longer than any of ours. A pooler may use other connections later.
    once = "SELECT pg_is_in_recovery(), set_config('jit', 'off', false)"
    [[is_standby, _]] = connection.execute(once).fetchall()
    if is_standby:
        raise DeskAway("it is a standby", remedy="Name the primary in desk.dsn.")
    applied, ours = _applied(connection), migrations().keys()
    if not applied:
        raise DeskAway("its database has no desk", remedy=RUN_INIT)
    if applied != ours:
        remedy = "Update paytui." if applied - ours else RUN_INIT
        what = f"its schema is {max(applied)}, and this paytui needs {max(ours)}"
        raise DeskAway(what, remedy=remedy)


def has_pooler(connection: Connection) -> bool | None:
    """Return True if a pooler is between this program and the server; None if that is not known.

    Most poolers tell a process number of their own. One that passes on the number of a server may
    use another server for the next transaction, so that comparing numbers again proves nothing.
    But it has its own connection to the server, which then sees another port than this program
    uses. So it is with a relay, or where addresses are translated. With Unix sockets on both sides
    only the number tells.
    """
    asked = "SELECT pg_backend_pid(), inet_client_port()"
    [[pid, seen_port]] = connection.execute(asked).fetchall()
    if pid != connection.info.backend_pid:
        return True
    with socket.socket(fileno=os.dup(connection.fileno())) as link:
        is_local = link.family not in (socket.AF_INET, socket.AF_INET6)
        port = None if is_local else link.getsockname()[1]
    return False if port == seen_port else None


@contextmanager
def without_warning(connection: Connection) -> Iterator[None]:
    """Raise DeskAway if the server warns meanwhile.

    A commit that a standby did not confirm, as it was cancelled, ends with a warning alone.
    """
    warnings: list[str] = []

    def note(diagnostic: Diagnostic) -> None:
        if (diagnostic.sqlstate or "01").startswith("01"):
            warnings.append(diagnostic.message_primary or "a warning")

    connection.add_notice_handler(note)
    try:
        yield
    finally:
        connection.remove_notice_handler(note)
    if warnings:
        raise DeskAway("the desk's database did not confirm", warnings[0])


_AUTHORITY = "Name its certificate authority in desk.dsn: sslrootcert=FILE"
_REMEDIES = {
    "no password supplied": "Put the role's password into ~/.pgpass (chmod 600).",
    "password authentication failed": "Check desk.dsn, and the role's password in ~/.pgpass.",
    "root certificate": _AUTHORITY,
    "certificate verify failed": _AUTHORITY,
    "permission denied for schema": "An administrator adds it: paytui desk init --trader ROLE",
    'role "': "Create it first: createuser --pwprompt ROLE",
    "another program uses this outbox": "End one of both programs.",
}
"""Remedies by a part of libpq's or the server's message."""


def as_away(error: BaseException) -> BaseException:
    """Return DeskAway for an error of the database, and any other error as it is."""
    if not isinstance(error, psycopg.Error):
        return error
    said = [*str(error).strip().splitlines(), ""][0]
    said = said.removeprefix("connection failed: ").removeprefix("connection is bad: ")
    if "session is read-only" in said:
        said = "a standby answers, and no primary"
    # Of these classes: the connection was lost, or an administrator ended it.
    is_away = error.sqlstate is None or error.sqlstate[:2] in ("08", "57")
    what = "the desk's database is away" if is_away else "the desk's database failed"
    remedies = (remedy for part, remedy in _REMEDIES.items() if part in said)
    return DeskAway(what, said, next(remedies, TRIED_AGAIN))


# The schema


def migrations() -> dict[int, tuple[str, str]]:
    """Return all migrations of this version by number, in order: names and SQL."""
    return {
        int(file.name[:4]): (file.name, file.read_text(encoding="utf-8"))
        for file in sorted(files("paytui.desk").joinpath("schema").iterdir(), key=str)
        if file.name.endswith(".sql")
    }


_ROLES = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN
    CREATE ROLE {role} NOLOGIN;
  END IF;
END $$;
"""
_BEGIN = """
CREATE SCHEMA IF NOT EXISTS paytui AUTHORIZATION {owner};
SET LOCAL ROLE {owner};
CREATE TABLE IF NOT EXISTS paytui.migrations (
  number integer PRIMARY KEY, name text NOT NULL, at timestamptz NOT NULL DEFAULT now()
);
"""
_GRANTS = """
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA paytui FROM PUBLIC;
GRANT USAGE ON SCHEMA paytui TO {trader};
GRANT SELECT ON ALL TABLES IN SCHEMA paytui TO {trader};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA paytui TO {trader};
RESET ROLE;
"""


def script(traders: Sequence[str], limits: tuple[str, str] | None) -> str:
    """Return the SQL that makes the schema and roles."""
    return "\n".join(("BEGIN;", *_statements(frozenset(), traders, limits), "COMMIT;"))


def install(dsn: str, traders: Sequence[str] = (), limits: tuple[str, str] | None = None) -> int:
    """Make or update the schema in one transaction; return the number of new migrations.

    Args:
        limits: a client and the document of its limits; see `owner_key`, `limits_document`.

    Raises:
        DeskAway: the role may not, or it failed; nothing is changed then.
    """
    try:
        with psycopg.connect(dsn) as connection:
            connection.execute("SELECT pg_advisory_xact_lock(20261126)")
            for statement in _roles():  # to read what is applied
                connection.execute(statement.encode())
            applied = _applied(connection)
            for statement in _statements(applied, traders, limits):
                connection.execute(statement.encode())  # files of ours, no values
    except psycopg.Error as error:
        raise as_away(error) from None
    return len(migrations().keys() - applied)


def _applied(connection: Connection) -> Set[int]:
    """Return the numbers of the migrations of a database; none without a desk."""
    if connection.execute("SELECT to_regclass('paytui.migrations')").fetchall() == [(None,)]:
        return frozenset()
    rows = connection.execute("SELECT number FROM paytui.migrations").fetchall()
    return {number for (number,) in rows if isinstance(number, int)}


def _roles() -> Iterator[str]:
    for role in (OWNER, TRADER):
        yield _ROLES.format(role=role)
    yield f"GRANT {OWNER} TO CURRENT_USER;"


def _statements(
    applied: Set[int], traders: Sequence[str], limits: tuple[str, str] | None
) -> Iterator[str]:
    yield from _roles()
    yield _BEGIN.format(owner=OWNER)
    for number, (name, text) in migrations().items():
        if number not in applied:
            yield f"-- {name}\n{text}"
            values = f"VALUES ({number}, '{name}')"
            yield f"INSERT INTO paytui.migrations (number, name) {values};"
    yield _GRANTS.format(trader=TRADER)
    for trader in traders:
        yield f"GRANT {TRADER} TO {sql.Identifier(trader).as_string()};"
    if limits is not None:
        yield f"SET LOCAL ROLE {OWNER};"
        client, document = (sql.Literal(each).as_string() for each in limits)
        yield f"SELECT paytui.set_limits({client}, {document});"
        yield "RESET ROLE;"
    yield f"REVOKE {OWNER} FROM CURRENT_USER;"  # who could set limits otherwise


def role_of(dsn: str) -> str:
    """Return the role that a connection string names, or that libpq takes without one."""
    try:
        options = [*pq.Conninfo.get_defaults(), *pq.Conninfo.parse(dsn.encode())]
    except psycopg.Error:
        return ""
    users = [each.val for each in options if each.keyword == b"user" and each.val]
    return users[-1].decode() if users else ""
