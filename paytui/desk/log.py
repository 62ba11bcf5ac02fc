"""The log of intents that all outboxes of a desk share, in its database.

An intent leaves only after `depart` has committed cleanly: the commit was acknowledged, without a
warning, on an unbroken connection. After anything else the row may be there, and nothing has left.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from paytui import __version__
from paytui.desk.database import Connection, Database, DeskAway, ask, epoch_of, without_warning
from paytui.domain.desk_limits import Charge
from paytui.domain.intent import IntentId
from paytui.domain.models import Problem
from paytui.outbox.entry import Event, sha256_of
from paytui.outbox.shared_log import (
    Epoch,
    HandedIn,
    Head,
    LogAway,
    LogRow,
    News,
    Refusal,
    ToldDecision,
    decision_of,
    event_document,
)
from paytui.platform.clock import Clock
from paytui.platform.text import clean

T = TypeVar("T")

CHANNEL = "paytui_log"
LEAVES_WITHIN = 20.0  # Seconds from the call of `depart` to the first byte; the schema has it too
RECENT = timedelta(days=7)  # The age of intents that are told at the first look, beside open ones
AT_ONCE = 200  # Rows in one call
_CONFIRM = "confirm it by the desk's log"

_COLUMNS = (
    "before, n, intent, outbox, local, kind, departure, decision, leave_by, arrive_by, document, "
    "made_by::text, at, epoch, hash"
)
_ROWS = f"""
    SELECT {_COLUMNS}, client = %s, identity = %s, made_by::text, host,
      extract(epoch FROM leave_by - clock_timestamp())::float8,
      extract(epoch FROM arrive_by - clock_timestamp())::float8
    FROM paytui.log JOIN paytui.outboxes USING (outbox)
"""  # noqa: S608 - our own text
_HASHED = slice(0, 14)
_BEFORE, _HASH, _IS_OF_CLIENT = 0, 14, 15
_SINCE = _ROWS + "WHERE n > %s AND n <= %s ORDER BY n"
_OPEN = "SELECT intent FROM paytui.open_intents"
_FIRST = f"""
    {_ROWS} WHERE n <= %s AND intent = ANY (ARRAY(
      {_OPEN} UNION SELECT ''  -- the intent of limits
      UNION SELECT intent FROM paytui.log WHERE local = 0 AND at > now() - %s
      UNION SELECT intent FROM paytui.log
        WHERE local IS NULL AND decision IS NOT NULL AND at > now() - %s
    )) ORDER BY n
"""  # noqa: S608 - our own text
_KNOWN = """
    SELECT intent, array_agg(kind ORDER BY local) FROM paytui.log
    WHERE intent IN (
      SELECT intent FROM paytui.log JOIN paytui.outboxes USING (outbox)
      WHERE local = 0 AND run = %s
    )
      AND local IS NOT NULL
    GROUP BY intent
"""


@dataclass(frozen=True, slots=True)
class OpenOutbox:
    """An outbox as a program tells the desk of it.

    Attributes:
        identity: the random text in its file, which the database knows by its hash.
        run: a random text of this program; None if it only looks, as another one owns the outbox.
        file: tells the file from its copies, as boot, device and inode do.
    """

    identity: str
    run: str | None
    file: str
    host: str
    path: str


class DeskLog:
    """The log for one outbox; see `SharedLog`.

    Args:
        client: identifies service and client id; see `owner_key`. Others have intents of their own.
        patience: for how long a gateway may hold a request.
        seen: the newest epoch and row that the outbox has seen.

    `heard_by`, if it is set, has hints called when a notification comes on a channel.
    """

    def __init__(
        self,
        database: Database,
        client: str,
        outbox: OpenOutbox,
        *,
        patience: timedelta,
        clock: Clock,
        seen: Head | None = None,
    ) -> None:
        self._database = database
        self._client = client
        self._outbox = outbox
        self._run = outbox.run
        self._whose = (client, _hash_of([outbox.identity]))
        self._patience = patience
        self._clock = clock
        self._seen = seen
        # The last row that was told, and the beginning of its epoch.
        self._told: tuple[Head, str] | None = None
        # Both are of one connection: another one may lead to another server.
        self._entered: Connection | None = None
        self._looked: Connection | None = None
        self.heard_by: Callable[[str, Callable[[], object]], None] | None = None

    def listen(self, hint: Callable[[], object]) -> None:
        if self.heard_by is not None:
            self.heard_by(CHANNEL, hint)

    async def look(self) -> News:
        news, self._told = await self._call("look at the desk's log", self._look)
        return news

    async def known(self) -> Mapping[IntentId, Sequence[str]]:
        def read(connection: Connection) -> dict[IntentId, Sequence[str]]:
            rows = connection.execute(_KNOWN, (self._run,)).fetchall()
            return {
                IntentId(str(intent)): kinds for intent, kinds in rows if isinstance(kinds, list)
            }

        return await self._call("read the desk's log", read)

    async def hand_in(self, rows: Sequence[HandedIn]) -> None:
        for start in range(0, len(rows), AT_ONCE):
            some = _as_json(rows[start : start + AT_ONCE])
            await self._do("SELECT paytui.hand_in(%s, %s, %s)", some, self._patience)

    async def hand_in_decisions(self, decisions: Sequence[ToldDecision]) -> None:
        for start in range(0, len(decisions), AT_ONCE):
            some = _as_json(decisions[start : start + AT_ONCE])
            await self._do("SELECT paytui.hand_in_decisions(%s, %s)", some)

    async def replayed(self, epoch: Epoch) -> None:
        await self._do("SELECT paytui.replayed(%s, %s)", epoch.number)

    async def depart(self, rows: Sequence[HandedIn]) -> float | Refusal:
        leave_by = self._clock.boot() + LEAVES_WITHIN
        epoch = None if self._told is None else self._told[0].epoch.number
        sql = "SELECT paytui.depart(%s, %s, %s, %s)"
        refusal = await self._refused(sql, epoch, _as_json(rows), self._patience)
        return leave_by if refusal is None else refusal

    async def settle(self, intent: IntentId, event: Event) -> Refusal | None:
        sql = "SELECT paytui.settle(%s, %s, %s, %s, %s)"
        document = event_document(event)
        return await self._refused(sql, intent, event.kind.value, decision_of(event), document)

    async def approve(self, intent: IntentId, body: str, event: Event) -> Refusal | None:
        sql = "SELECT paytui.approve(%s, %s, %s, %s)"
        return await self._refused(sql, intent, sha256_of(body.encode()), event_document(event))

    async def refuse_proposal(self, intent: IntentId, event: Event) -> Refusal | None:
        sql = "SELECT paytui.refuse_proposal(%s, %s, %s, %s)"
        return await self._refused(sql, intent, decision_of(event), event_document(event))

    def close(self) -> None:
        self._database.close()

    async def _do(self, sql: str, *values: object) -> None:
        await self._call(
            "write to the desk's log", lambda link: link.execute(sql, (self._run, *values))
        )

    async def _refused(self, sql: str, *values: object) -> Refusal | None:
        """Return a function's refusal, once its transaction has committed cleanly.

        Raises:
            LogAway: it has not, as far as is known.
        """

        def ask(connection: Connection) -> Refusal | None:
            if connection is not self._looked:
                raise DeskAway("the desk's log was not read since it was away")
            with without_warning(connection):
                [[answer]] = connection.execute(sql, (self._run, *values)).fetchall()
            return None if answer is None else Refusal(str(answer))

        return await self._call(_CONFIRM, ask)

    async def _call(self, attempted: str, use: Callable[[Connection], T]) -> T:
        def entered(connection: Connection) -> T:
            if connection is not self._entered:
                self._enter(connection)
            return use(connection)

        try:
            return await self._database.call(entered)
        except DeskAway as error:
            problem = error.problem
            raise LogAway(Problem(attempted, problem.what, problem.said, problem.remedy)) from None

    # In the database's thread

    def _enter(self, connection: Connection) -> None:
        self._check_head(connection)
        ours = self._outbox
        if self._run is not None:
            sql = "SELECT paytui.enter_outbox(%s, %s, %s, %s, %s, %s, %s)"
            place = (ours.identity, ours.run, ours.file, ours.host, ours.path)
            [[user]] = connection.execute(sql, (self._client, *place, __version__)).fetchall()
            if user is not None:
                what = f"a copy of this outbox is in use, by {clean(str(user))}"
                raise DeskAway(what, remedy=_IN_USE)
        self._entered = connection

    def _check_head(self, connection: Connection) -> None:
        """Check that the log has the row that was seen last, if that is of the log's epoch."""
        if (seen := self._seen) is None:
            return
        epoch = (seen.epoch.number, seen.epoch.server, seen.epoch.timeline)
        sql = "SELECT paytui.check_head(%s, %s, %s, %s, %s)"
        [[ends]] = connection.execute(sql, (*epoch, seen.number, seen.hash)).fetchall()
        if isinstance(ends, int):
            said = f"row {seen.number} is not the one that was seen"
            if ends < seen.number:
                said = f"it ends at row {ends}, and row {seen.number} was seen"
            raise DeskAway("the desk's log was set back or changed", said, _SET_BACK)

    def _look(self, connection: Connection) -> tuple[News, tuple[Head, str]]:
        told = ask(connection, "SELECT paytui.look($1)", self._run)
        number, began, is_open, is_replayed, newest_number, head, *waits_for = told.split(" ", 6)
        before, began_before = self._told or (None, "")
        seen = self._seen
        anew = before is None or (int(number), began) != (before.epoch.number, began_before)
        epoch = epoch_of(connection) if before is None or anew else before.epoch
        newest = Head(epoch, int(newest_number), head)
        if seen is not None and epoch.is_before(seen.epoch):
            said = f"its epoch is {epoch.number}, and {seen.epoch.number} was seen"
            raise DeskAway("it is an old primary", said, _OLD_PRIMARY)
        rows: list[tuple[object, ...]] = []
        if before is None or anew:
            of_recent = (*self._whose, newest.number, RECENT, RECENT)
            rows = connection.execute(_FIRST, of_recent).fetchall()
        elif before != newest:
            since = (*self._whose, before.number, newest.number)
            rows = connection.execute(_SINCE, since).fetchall()
            if _link(before.hash, rows) != newest.hash:
                raise DeskAway("rows of its log were removed or changed", remedy=VERIFY)
        news = News(
            rows=[_row(row) for row in rows if row[_IS_OF_CLIENT]],
            head=newest,
            is_open=is_open == "true",
            is_replayed=is_replayed == "true",
            waits_for=clean("".join(waits_for)),
            anew=anew,
            charges=read_charges(connection, self._client) if rows else None,
        )
        self._looked, self._seen = connection, newest
        return news, (newest, began)


VERIFY = "Run: paytui desk verify"
_SET_BACK = (
    "Name the newer server in desk.dsn. If it is gone: see Restoring a base backup, docs/desk.md."
)
_OLD_PRIMARY = "Stop the old server, or name only the new one in desk.dsn."
_IN_USE = "End that program and wait 30 seconds, or move one of both files elsewhere."


_CHARGES = """
    SELECT trader::text, trader = session_user, recipient, currency, sum(amount) FROM paytui.charges
    WHERE counts AND client = %s
      AND day = paytui.day_of(paytui.limits_of(client), clock_timestamp())
    GROUP BY trader, recipient, currency
"""


def read_charges(connection: Connection, client: str) -> tuple[Charge, ...]:
    """Return what counts for the limits of today."""
    rows = connection.execute(_CHARGES, (client,)).fetchall()
    cleaned = ((clean(each) if isinstance(each, str) else each for each in row) for row in rows)
    return tuple(Charge(*row) for row in cleaned)  # type: ignore[arg-type]


def _row(row: Sequence[object]) -> LogRow:
    _, number, intent, _, local, kind, *_, document, _, _, _ = row[:_HASH]
    *_, is_ours, who, host, leaves_for, arrives_for = row
    assert isinstance(number, int)
    return LogRow(
        number=number,
        intent=IntentId(str(intent)),
        is_ours=bool(is_ours),
        local=local if isinstance(local, int) else None,
        kind=str(kind),
        document=str(document),
        who=clean(str(who)),
        host=clean(str(host)),
        leaves_for=leaves_for if isinstance(leaves_for, float) else None,
        arrives_for=arrives_for if isinstance(arrives_for, float) else None,
    )


def _link(before: str, rows: Iterable[Sequence[object]]) -> str | None:
    """Return the hash of the last row, after the hash of the row before the first.

    None: a row is not as it was written, or not in its place.
    """
    for row in rows:
        if row[_BEFORE] != before or row[_HASH] != _hash_of(row[_HASHED]):
            return None
        before = str(row[_HASH])
    return before


def _hash_of(values: Sequence[object]) -> str:
    """Return the hash of a row as paytui.hash_of does."""
    said = ",".join("-" if each is None else _measured(each) for each in values)
    return hashlib.sha256(said.encode()).hexdigest()


def _measured(value: object) -> str:
    if isinstance(value, datetime):
        value = f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}"
    text = str(value)
    return f"{len(text)}:{text}"


def _as_json(rows: Sequence[HandedIn] | Sequence[ToldDecision]) -> str:
    return json.dumps([asdict(row) for row in rows])


# What `paytui desk verify`, `status` and `lost` print


class AlteredLog(Exception):
    """A log that is not as it was written; the message names the row."""


def verify(connection: Connection) -> str:
    """Verify all rows of the log and their order; return its head, `<number>.<hash>`.

    Raises:
        AlteredLog: a row was changed, removed or added.
    """
    number, before = 0, ""
    with connection.transaction(), connection.cursor("rows") as rows:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        [head] = connection.execute("SELECT n, hash FROM paytui.log_head").fetchall()
        rows.execute(f"SELECT {_COLUMNS} FROM paytui.log ORDER BY n".encode())  # noqa: S608
        for number, row in enumerate(rows, start=1):
            if row[1] != number:
                raise AlteredLog(f"row {number} is missing")
            if row[_BEFORE] != before:
                raise AlteredLog(f"row {number - 1} was replaced: row {number} does not follow it")
            if row[_HASH] != _hash_of(row[_HASHED]):
                raise AlteredLog(f"row {number} was changed")
            before = str(row[_HASH])
    if head != (number, before):
        raise AlteredLog(f"rows after row {number} are missing")
    return f"{number}.{before}"


@dataclass(frozen=True, slots=True)
class LogState:
    """The state of the log.

    Attributes:
        head: its last row, as `verify` returns it.
        waits_for: the outboxes that a closed epoch waits for, in words.
        open_intents: id, last event, trader and host of each, the oldest first.
    """

    head: str
    epoch: int
    timeline: int
    is_open: bool
    waits_for: Sequence[str]
    open_intents: Sequence[tuple[str, ...]]


_OPEN_INTENTS = f"""
    SELECT intent, (
      SELECT CASE
        WHEN kind = 'sending' AND coalesce(leave_by, '-infinity') < clock_timestamp()
        THEN 'in doubt' ELSE kind END
      FROM paytui.log AS newest
      WHERE newest.intent = log.intent AND kind NOT IN ('sighted', 'alert') ORDER BY n DESC LIMIT 1
    ), made_by::text, host
    FROM paytui.log JOIN paytui.outboxes USING (outbox)
    WHERE local = 0 AND intent IN ({_OPEN}) ORDER BY n
"""  # noqa: S608 - our own text


def log_state(connection: Connection) -> LogState:
    """Return the state of the log."""
    [[number, head]] = connection.execute("SELECT n, hash FROM paytui.log_head").fetchall()
    [[epoch, timeline, is_open]] = connection.execute(
        "SELECT number, timeline, is_open FROM paytui.epoch"
    ).fetchall()
    assert isinstance(epoch, int)
    assert isinstance(timeline, int)
    return LogState(
        head=f"{number}.{head}",
        epoch=epoch,
        timeline=timeline,
        is_open=bool(is_open),
        waits_for=awaited_outboxes(connection),
        open_intents=[
            tuple(clean(str(each)) for each in row)
            for row in connection.execute(_OPEN_INTENTS.encode()).fetchall()
        ],
    )


def awaited_outboxes(connection: Connection, host: str | None = None) -> list[str]:
    """Return the outboxes that the log waits for, of one host or of all, in words."""
    sql = (
        "SELECT who::text || ' on ' || host || ' (' || path || ')' FROM paytui.awaited() "
        "WHERE host = coalesce(%s, host) ORDER BY outbox"
    )
    return [clean(str(each)) for [each] in connection.execute(sql, (host,)).fetchall()]


def say_lost(connection: Connection, host: str) -> None:
    """Say that a host is lost for good."""
    connection.execute("SELECT paytui.say_lost(%s)", (host,))
