"""The traders at the desk now, and the notes that they share, in the database.

A dashboard tells what it is about to do when that changes, and that it is there every
`HEARTBEAT` seconds. The answer to either has all that is new of the others. A notification makes
them look at once; it is a hint alone. Ages are by the database's clock. What colleagues' programs
wrote is cleaned like any text from outside.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from paytui.desk.database import Connection, DeskAway
from paytui.desk.token import DeskTokenCell
from paytui.domain.colleagues import Colleague, NoteKind, OpenTicket, SharedNote
from paytui.domain.models import RecipientId, WalletId
from paytui.platform.clock import ServiceTime
from paytui.platform.text import clean
from paytui.store.colleagues import Meeting
from paytui.store.shared_readings import NotShared

T = TypeVar("T")

CHANNEL = "paytui_colleagues"
LASTS = 45.0  # Seconds for which what was told counts; the schema has it too
LONGEST_ID = 100  # Characters; a longer identifier of a recipient or wallet is not told
LONGEST_NAME = 40  # Characters of a role or host on screen
MOST_WALLETS = 2
MOST_NOTES = 2_000  # Notes of a sort that are read at the start, the newest
_COLUMNS = """
    id, n, kind, subject, words, until, made_by::text, made_by = session_user, host,
    extract(epoch FROM paytui.instant() - at)::float8
"""
_SINCE = f"SELECT {_COLUMNS} FROM paytui.notes WHERE client = %s AND n > %s ORDER BY n"  # noqa: S608
_FIRST = f"""
    SELECT * FROM (
      (SELECT {_COLUMNS} FROM paytui.notes WHERE client = %(client)s AND kind = 'note'
       ORDER BY n DESC LIMIT %(most)s)
      UNION ALL
      (SELECT {_COLUMNS} FROM paytui.notes AS one
       WHERE client = %(client)s AND kind <> 'note' AND NOT EXISTS (
         SELECT FROM paytui.notes AS later
         WHERE later.client = one.client AND md5(later.subject) = md5(one.subject)
           AND later.subject = one.subject AND later.kind <> 'note' AND later.n > one.n
       ) ORDER BY n DESC LIMIT %(most)s)
    ) AS found ORDER BY n
"""  # noqa: S608 - our own text


class DeskColleagues:
    """The colleagues of a dashboard, by the connections and the seat of its token's cell.

    See `ColleagueExchange`.
    """

    def __init__(self, cell: DeskTokenCell, service_time: ServiceTime) -> None:
        self._cell = cell
        self._client = cell.client
        self._time = service_time
        self._known = ""
        self._newest = 0
        self._since: dict[tuple[int, int], datetime] = {}

    def listen(self, hint: Callable[[], object]) -> None:
        self._cell.listen(CHANNEL, hint)

    async def meet(self, ticket: OpenTicket | None) -> Meeting:
        return await self._call(lambda link: self._meet(link, ticket))

    async def add(self, note: SharedNote) -> None:
        told = (note.note_id, note.kind, note.subject, note.words, note.until, note.ends)
        sql = "SELECT paytui.add_note(%s, %s, %s, %s, %s, %s, %s, %s)"
        await self._call(
            lambda link: link.execute(sql, (self._client, self._cell.enter(link), *told))
        )

    async def leave(self) -> None:
        await self._call(
            lambda link: link.execute("SELECT paytui.leave(%s)", (self._cell.enter(link),))
        )

    async def _call(self, use: Callable[[Connection], T]) -> T:
        try:
            return await self._cell.database.call(use)
        except DeskAway as error:
            self._known = ""  # another server may answer next time
            raise NotShared(error.problem) from None

    # In the database's thread

    def _meet(self, link: Connection, ticket: OpenTicket | None) -> Meeting:
        asked = (self._client, self._cell.enter(link), *_as_told(ticket), self._known)
        sql = "SELECT paytui.meet(%s, %s, %s, %s, %s, %s)"
        [[said]] = link.execute(sql, asked).fetchall()
        assert isinstance(said, list)
        now, newest, lasts, known, told = said
        colleagues = None if told is None else self._colleagues(json.loads(told), int(now))
        self._known = known
        if int(newest) < self._newest:  # a failover lost some
            self._newest = 0
        notes = [] if int(newest) == self._newest else self._notes(link)
        self._newest = max([int(newest), *(note.number or 0 for note in notes)])
        return Meeting(colleagues, notes, float(lasts))

    def _colleagues(self, rows: list[list[object]], now: int) -> list[Colleague]:
        """Return the colleagues; each has the same begin at each look."""
        before, self._since, found = self._since, {}, []
        for seat, who, is_own, host, since, ticket, recipient, wallets in rows:
            assert isinstance(seat, int)
            assert isinstance(since, int)
            assert isinstance(wallets, list)
            age = timedelta(milliseconds=max(0, now - since))
            began = before.get((seat, since)) or self._time.latest() - age
            self._since[seat, since] = began
            found.append(
                Colleague(
                    seat=seat,
                    who=clean(str(who), LONGEST_NAME),
                    is_own=bool(is_own),
                    host=clean(str(host), LONGEST_NAME),
                    since=began,
                    ticket=_as_read(str(ticket), str(recipient), wallets),
                )
            )
        return found

    def _notes(self, link: Connection) -> list[SharedNote]:
        """Return the notes after the last known one; at first, those that count."""
        if self._newest == 0:
            first = {"client": self._client, "most": MOST_NOTES}
            rows = link.execute(_FIRST, first).fetchall()
        else:
            rows = link.execute(_SINCE, (self._client, self._newest)).fetchall()
        found = []
        for note_id, number, kind, subject, words, until, who, is_own, host, age in rows:
            assert isinstance(number, int)
            assert isinstance(age, float)
            with suppress(ValueError):  # of a later version
                found.append(
                    SharedNote(
                        note_id=str(note_id) if is_own else f"{who}/{note_id}",
                        kind=NoteKind(str(kind)),
                        subject=str(subject),
                        at=self._time.latest() - timedelta(seconds=max(0.0, age)),
                        words=clean(str(words)),
                        until=until.astimezone(UTC) if isinstance(until, datetime) else None,
                        number=number,
                        who=clean(str(who), LONGEST_NAME),
                        host=clean(str(host), LONGEST_NAME),
                    )
                )
        return found


def _as_told(ticket: OpenTicket | None) -> tuple[str, str, list[str]]:
    """Return a ticket as the database takes it, without identifiers that are too long."""
    if ticket is None:
        return "", "", []
    recipient = ticket.recipient_id or ""
    wallets = [str(each) for each in ticket.wallet_ids if len(each) <= LONGEST_ID]
    return ticket.kind, recipient if len(recipient) <= LONGEST_ID else "", wallets[:MOST_WALLETS]


def _as_read(ticket: str, recipient: str, wallets: list[object]) -> OpenTicket | None:
    if not ticket:
        return None
    return OpenTicket(
        clean(ticket),
        RecipientId(clean(recipient)) if recipient else None,
        tuple(WalletId(clean(str(each))) for each in wallets),
    )


# What `paytui desk status` prints


def read_tickets(connection: Connection, client: str) -> dict[int, OpenTicket | None]:
    """Return the seats whose dashboard is open, each with its ticket."""
    rows = connection.execute(
        "SELECT seat, ticket, recipient, wallets FROM paytui.presence WHERE client = %s "
        "AND seen BETWEEN paytui.instant() - make_interval(secs => %s) AND paytui.instant()",
        (client, LASTS),
    ).fetchall()
    return {
        int(str(seat)): _as_read(str(ticket), str(recipient), wallets)
        for seat, ticket, recipient, wallets in rows
        if isinstance(wallets, list)
    }
