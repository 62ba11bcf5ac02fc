"""Reading once for all: the lists that one seat reads from the service, for all seats of a desk.

Each kind has a lease. Its holder, the *reader*, polls the service and publishes what changed; the
other seats follow, and poll nothing of that kind. A reader that dies is replaced after five
seconds, and one whose reads fail gives up the lease; see `paytui.worker.sync.desk_reads`.

What is published, and why:

- **Changes, not lists.** A history of 100,000 payments never goes through the database: each seat
  has read it once, into its cache. A seat follows a reader after a complete read of its own that
  began after it had learnt of that reader, so that nothing falls between the two. Thus a new reader
  costs each seat one read. Publications are numbered without gaps under the reader's *fence*; a
  seat that finds one missing reads by itself again. They are kept for ten minutes.
- **Encrypted** by AES-GCM under a key that every seat derives from the client secret, and bound to
  service, client, kind, fence and number: database, replicas and dumps hold nothing usable, and a
  publication cannot be altered, moved or repeated. An administrator can withhold them: then the age
  of the lists grows on all screens.
- **Ages by the database's clock.** A reader tells the time of its read by the database's clock, as
  of the answer to its last look: that is never too young. A follower counts from there by its own
  boot clock. The clocks of two hosts are never compared.

A stopped reader that wakes publishes nothing under a fence that was overtaken: the database refuses
it. Notifications are hints; each seat looks every two seconds, and that look prolongs its leases.
It comes from the loop that reads, so that a loop that hangs holds no lease. If a seat gives up a
lease under which it has read nothing, nobody takes the kind for a while, longer each time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

from paytui.api.errors import ApiError
from paytui.desk.database import Connection, DeskAway, ask
from paytui.desk.encoding import decode, encode
from paytui.desk.seal import Seal
from paytui.desk.token import DeskTokenCell
from paytui.domain.models import Kind, Problem
from paytui.store.model_json import Unreadable
from paytui.store.shared_readings import Cursor, Look, NotShared, Publication, Reading, Standing

T = TypeVar("T")

CHANNEL = "paytui_rows"
LARGEST = 4_000_000  # Maximum of bytes of a publication
TOO_MUCH = Reading(is_too_much=True)


class RowExchange:
    """The exchange of readings, by the connections and seat of the token's cell; see `Exchange`."""

    def __init__(self, cell: DeskTokenCell) -> None:
        self._cell = cell
        self._client = cell.client
        self._clock = cell.clock
        self._since = 0
        self._ahead: float | None = None
        self._standings: dict[Kind, Standing] = {}
        self._reads: dict[Kind, tuple[int, int, float]] = {}
        self._seal: tuple[str, Seal] | None = None

    def listen(self, hint: Callable[[], object]) -> None:
        self._cell.listen(CHANNEL, hint)

    async def look(
        self,
        wants: Collection[Kind],
        cursors: Mapping[Kind, Cursor],
        reads: Mapping[Kind, tuple[int, float]],
    ) -> Look:
        seal = await self._sealed()
        words = ",".join(kind.value for kind in wants)
        return await self._call(
            lambda link: self._look(link, seal, cursors, (self._told(reads), f"{{{words}}}"))
        )

    async def publish(
        self, kind: Kind, fence: int, number: int, read_at: float, reading: Reading
    ) -> bool:
        if self._ahead is None:
            raise NotShared(Problem("use the desk", "it was not looked at yet"))
        seal, was_read = await self._sealed(), read_at + self._ahead

        def publish(link: Connection) -> bool:
            sealed = seal.seal(encode(kind, reading), kind, fence, number)
            if len(sealed) > LARGEST:
                told = replace(TOO_MUCH, feed=reading.feed)
                sealed = seal.seal(encode(kind, told), kind, fence, number)
            health = reading.feed is not None
            [[is_ours]] = link.execute(
                "SELECT paytui.publish(%s, %s, %s, %s, %s, %s, %s)",
                (self._client, kind.value, fence, number, was_read, health, sealed),
            ).fetchall()
            return bool(is_ours)

        return await self._call(publish)

    async def ask(self, kind: Kind) -> None:
        asked = (self._client, kind.value)
        await self._call(lambda link: link.execute("SELECT paytui.ask_reader(%s, %s)", asked))

    async def release(self, kinds: Mapping[Kind, bool]) -> None:
        names = [kind.value for kind in kinds]
        silent = [kind.value for kind, is_silent in kinds.items() if is_silent]

        def release(link: Connection) -> None:
            given = (self._client, self._cell.enter(link), names, silent)
            link.execute("SELECT paytui.release(%s, %s, %s, %s)", given)

        await self._call(release)

    async def _sealed(self) -> Seal:
        assert self._cell.secret is not None  # the client's `Auth` set it
        try:
            secret = (await self._cell.secret()).reveal()
        except ApiError as error:
            raise NotShared(error.problem) from None
        if self._seal is None or self._seal[0] != secret:
            self._seal = secret, Seal(self._client, secret, "paytui desk rows")
        return self._seal[1]

    async def _call(self, use: Callable[[Connection], T]) -> T:
        try:
            return await self._cell.database.call(use)
        except DeskAway as error:
            # The next server may have another clock, and may have lost changes.
            self._ahead, self._since = None, 0
            raise NotShared(error.problem) from None

    def _told(self, reads: Mapping[Kind, tuple[int, float]]) -> str:
        """Return reads as the database takes them, by its clock."""
        if self._ahead is None:
            return ""
        told = ((kind, fence, read_at + self._ahead) for kind, (fence, read_at) in reads.items())
        return "".join(f"{kind},{fence},{read_at:.3f} " for kind, fence, read_at in told)

    def _look(
        self,
        link: Connection,
        seal: Seal,
        cursors: Mapping[Kind, Cursor],
        told: tuple[str, str],
    ) -> Look:
        seat, began = self._cell.enter(link), self._clock.boot()
        asked = (self._client, seat, self._since, *told)
        said = ask(link, "SELECT paytui.take_turn($1, $2, $3, $4, $5)", *asked)
        now, stamp, generation, free, ends_in, *changed = said.split(" ")
        self._ahead = int(now) / 1000 - self._clock.boot()
        if not self._since:  # all leases are told, and one of another server may be gone
            self._standings.clear()
        self._since = int(stamp)
        known = {kind.value: kind for kind in Kind}
        for name, *figures in (words.split(",") for words in changed):
            if name in known:
                self._standings[known[name]] = self._standing(known[name], figures, int(now), began)
        self._cell.note_generation(link, int(generation))
        news = {
            kind: tuple(self._news(link, seal, kind, cursor, lease))
            for kind, cursor in cursors.items()
            if (lease := self._standings.get(kind)) and _is_behind(cursor, lease)
        }
        nobodys = frozenset(known[name] for name in free.split(",") if name in known)
        return Look(dict(self._standings), nobodys, int(ends_in) / 1000, news)

    def _standing(self, kind: Kind, figures: list[str], now: int, began: float) -> Standing:
        """Return a lease; the boot time of the same read is the same each time."""
        fence, is_ours, number, _, asked, unanswered = (int(figure or 0) for figure in figures)
        read_at, age = None, figures[3]
        if age:
            was_read = now - int(age)  # by the database's clock
            if (fence, was_read) != self._reads.get(kind, (0, 0, 0.0))[:2]:
                self._reads[kind] = fence, was_read, began - int(age) / 1000
            read_at = self._reads[kind][2]
        return Standing(fence, bool(is_ours), number, read_at, asked, unanswered)

    def _news(
        self, link: Connection, seal: Seal, kind: Kind, cursor: Cursor, standing: Standing
    ) -> Iterator[Publication]:
        """Yield the publications after the cursor, and before those the newest with health."""
        began, fence = self._clock.boot(), standing.fence
        rows = link.execute(
            "SELECT number, sealed, extract(epoch FROM paytui.instant() - read_at)::float8 "
            "FROM paytui.publications AS p WHERE client = %(client)s AND kind = %(kind)s "
            "AND fence = %(fence)s AND (number BETWEEN %(after)s + 1 AND %(newest)s OR NOT %(has)s "
            "AND number = (SELECT max(number) FROM paytui.publications WHERE client = p.client "
            "AND kind = p.kind AND fence = p.fence AND has_health AND number <= %(after)s)) "
            "ORDER BY number",
            {
                "client": self._client,
                "kind": kind.value,
                "fence": fence,
                "after": cursor.number,
                "newest": standing.number,
                "has": cursor.has_health,
            },
        )
        for number, sealed, age in rows:
            assert isinstance(number, int)
            assert isinstance(sealed, bytes)
            assert isinstance(age, float)
            data = seal.unseal(sealed, kind, fence, number)
            yield Publication(number, began - age, _decoded(kind, data))


def _decoded(kind: Kind, data: bytes | None) -> Reading | None:
    with suppress(Unreadable):
        return None if data is None else decode(kind, data)
    return None


def _is_behind(cursor: Cursor, standing: Standing) -> bool:
    is_new = standing.number > cursor.number or not cursor.has_health
    return cursor.fence == standing.fence and standing.number > 0 and is_new


# What `paytui desk status` prints


@dataclass(frozen=True, slots=True)
class Reader:
    """The lease of a kind.

    Attributes:
        seat: its holder; None if its lease has ended.
        age: seconds since the last published read began; None before the first.
        kept: number of its publications in the database, of `size` bytes.
    """

    kind: str
    seat: int | None
    age: float | None
    kept: int
    size: int


def read_readers(connection: Connection, client: str) -> list[Reader]:
    """Return the leases of a client, by kind."""
    rows = connection.execute(
        "SELECT kind, CASE WHEN paytui.holds(until) THEN seat END, "
        "extract(epoch FROM paytui.instant() - r.read_at)::float8, "
        "count(sealed), coalesce(sum(octet_length(sealed)), 0)::bigint "
        "FROM paytui.readers AS r LEFT JOIN paytui.publications AS p USING (client, kind) "
        "WHERE client = %s AND r.fence > 0 "
        "GROUP BY kind, until, seat, r.read_at ORDER BY kind",
        (client,),
    ).fetchall()
    return [Reader(*row) for row in rows]  # type: ignore[arg-type]  # as the schema has them
