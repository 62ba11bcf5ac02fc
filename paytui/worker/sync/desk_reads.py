"""The seat's part in reading once for all: which kinds it reads for the desk, and which it follows.

`paytui.desk.shared_reads` tells the protocol. Here are its rules for one seat:

- It wants the lease of each kind that it has read. From the moment before it asks for a lease, all
  that its reads change is collected, and then published; at first only if a recent read succeeded.
- It gives the lease up when no read has succeeded for about one and a half intervals, or when its
  link to the service is down. It then leaves the lease to others for a while. A new reader has one
  try. All other seats wait for its outcome, so that all together try no more often than one.
- It follows another reader once its own read, which began after it had learnt of that reader, is
  complete. Then it polls nothing of the kind, and asks the reader if a person or an intent waits.
  A list that it could not read and the reader can, it reads again by itself; likewise if its own
  read found changes that the reader's next read did not.
- It reads by itself while the desk is away, while an intent of the kind is in doubt, and when a
  person asks for a refresh. What it reads then it does not publish.
- Of a list that is longer than memory it also makes its own full reads: a reader cannot tell which
  old rows its full read has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from paytui.domain.models import Kind, Problem
from paytui.platform.clock import ServiceTime
from paytui.store.health import RETRIED, Feed, LinkState
from paytui.store.shared_readings import (
    Cursor,
    Exchange,
    Look,
    NotShared,
    Publication,
    Reading,
    Standing,
    as_read_at,
    timeless,
)
from paytui.store.store import Store
from paytui.worker.sync.desk_turn import Followed, Turn, lacking
from paytui.worker.sync.ingest import Changed
from paytui.worker.sync.list_reads import SWEEP
from paytui.worker.sync.shared import (
    FLOOR,
    JITTER,
    Failure,
    LinkKeeper,
    PollSchedule,
    reading,
    unexpected,
)

LOOK_EVERY = 2.0  # Seconds between two looks: notifications are hints alone
TELL_WITHIN = 1.0  # Seconds until a look that tells of a read without news
AFTER_END = 0.05  # Seconds from the end of a lease to a look that finds it free
SILENT_AFTER = 8.0  # Seconds without any read after which the service counts as unreachable
GRACE = 1.0  # Seconds that a reader's read may take until it counts as late
AWAY_AFTER = 5.0  # Seconds since the last look after which the desk counts as away
PATIENCE = 1.4  # Pauses between two reads, within which a reader's next read must succeed
REST = 5.0  # Seconds for which a seat leaves to others what it could not read

ALONE = "desk away: read by this seat alone"
UNREAD = "no seat of the desk could read it"
UNREADABLE = "read by this seat alone: the reader has another secret or version of paytui"


class DeskReads:
    """The exchange of one seat's reads with the other seats of its desk: a task of the worker."""

    def __init__(
        self,
        exchange: Exchange,
        store: Store,
        time: ServiceTime,
        schedule: PollSchedule,
        link: LinkKeeper,
    ) -> None:
        self._exchange = exchange
        self._store = store
        self._link = link
        self._time = time
        self._clock = time.clock
        self._schedule = schedule
        self._turns: dict[Kind, Turn] = {}
        self._wake = asyncio.Event()
        self._last: Look | None = None
        self._looked_at = 0.0
        self._look_by = 0.0
        self._reads: dict[Kind, tuple[int, float]] = {}
        self._problem: Problem | None = None
        self._to_ask: set[Kind] = set()

    # For the pollers

    def join(
        self, kind: Kind, wake: Callable[[], None], can_read: Callable[[], bool] = lambda: True
    ) -> Callable[[Changed], None]:
        """Add a kind, whose poller `wake` wakes; return the function that collects its news.

        The seat wants to be its reader only while `can_read` returns True.
        """

        def wake_unless_paused() -> None:
            if not self._schedule.pauses(kind):
                wake()

        turn = self._turns[kind] = Turn(wake_unless_paused, can_read)
        return turn.collect

    def follow(self, kind: Kind, interval: float, *, is_urgent: bool) -> Followed | None:
        """Return what another seat has read; None: this seat reads by itself.

        With `is_urgent` the reader is asked to read at once, and otherwise once it is late.
        """
        turn, now = self._turns[kind], self._clock.boot()
        turn.waits = self._waits(kind, turn)
        if turn.waits:
            return Followed((), self._unread_feed(kind, interval), interval)
        if not self._follows(kind, turn):
            return None
        queue, turn.queue = turn.queue, []
        feed = self._followed_feed(kind, turn, queue)
        if self._has_missed(kind, turn):
            assert turn.standing is not None
            turn.follow_anew(turn.standing, now)
            return None
        age = now - (feed.read_at or 0.0)
        late = interval * (1 + JITTER) + TELL_WITHIN + LOOK_EVERY + GRACE
        if age >= (FLOOR if is_urgent else late):
            self._ask(kind, turn)
        readings = tuple(each.reading for each in queue if each.reading is not None)
        return Followed(readings, feed, late - age if age < late else interval)

    def will_read(self, kind: Kind) -> None:
        """Note the beginning of an own read."""
        self._turns[kind].is_silent = True

    def was_read(
        self,
        kind: Kind,
        feed: Feed,
        failures: Collection[Failure],
        took: float = 0.0,
        wait: float | None = None,
    ) -> Feed:
        """Note an own read; return its health, with a remark if the desk is of no use.

        Args:
            took: its seconds.
            wait: seconds until the next one; None: it is made when it is needed.
        """
        turn, now = self._turns[kind], self._clock.boot()
        turn.was_read_at, turn.took, turn.lacks = now, took, lacking(feed)
        turn.whole_at = feed.read_at if feed.whole_at is None else feed.whole_at
        turn.is_silent = bool(failures) and all(failure.is_silent for failure in failures)
        is_first = turn.told_at is None
        is_put_off = bool(failures) and all(failure.is_put_off for failure in failures)
        concerns_all = any(failure.concerns_all for failure in failures)
        turn.is_read = feed.others_read_at is not None and not concerns_all
        if turn.is_read or is_put_off:
            turn.is_read |= not is_first
            turn.late_at = None if wait is None else now + PATIENCE * wait
        elif is_first or wait is None:
            turn.late_at = now  # the new reader has one try
        before = self._store.feed(kind)
        if failures and before.was_read and (before.read_at or 0.0) > (feed.read_at or 0.0):
            feed = replace(feed, read_at=before.read_at, as_of=before.as_of)  # by another reader
        if turn.is_ours:
            is_soon = self._look_by - now <= TELL_WITHIN
            if turn.news or turn.is_too_much or not (turn.is_read and is_soon):
                self._wake.set()
        elif failures:  # the reader's health is to replace it
            turn.cursor = replace(turn.cursor, has_health=False)
        if feed.remark:
            return feed
        is_unreadable = turn.standing is not None and turn.standing.fence == turn.unreadable
        unread = UNREADABLE if is_unreadable else ""
        return replace(feed, remark=unread if self._problem is None else ALONE)

    def _waits(self, kind: Kind, turn: Turn) -> bool:
        """Return True if this seat leaves it to another to try whether a kind can be read."""
        standing = turn.standing
        if self._reads_alone(kind) or not self._can_read(kind, turn) or kind is Kind.RATE_SHEETS:
            return False  # a rate sheet that is late is requested by each seat
        if standing is None:
            return self._clock.boot() < self._may_try_at(turn) + 2 * LOOK_EVERY
        is_known = standing.is_ours or standing.fence == turn.unreadable
        return not is_known and standing.read_at is None

    def _unread_feed(self, kind: Kind, interval: float) -> Feed:
        """Return the health of a list that no seat can read; once it is old, it says so."""
        feed, now = self._store.feed(kind), self._clock.boot()
        if feed.problem is not None or now - (feed.read_at or now) < 2 * interval + GRACE:
            return feed
        problem = Problem(reading(kind), UNREAD, remedy=RETRIED)
        return replace(feed, problem=problem, failing_since=self._time.earliest())

    def _reads_alone(self, kind: Kind) -> bool:
        is_away = self._problem is not None or self._clock.boot() - self._looked_at > AWAY_AFTER
        return is_away or kind in self._schedule.in_doubt

    def _follows(self, kind: Kind, turn: Turn) -> bool:
        """Return True if another seat reads a kind, and this one has all that came before."""
        standing, now = turn.standing, self._clock.boot()
        if standing is None or standing.is_ours or standing.fence == turn.unreadable:
            return False
        is_due = self._store.is_long(kind) and now - turn.was_read_at >= SWEEP
        if is_due or self._reads_alone(kind) or not turn.can_read():
            return False
        if not turn.is_followed and self._is_read_since(kind, turn.learnt_at):
            turn.is_followed = True
            self._wake.set()  # for what was published meanwhile
        return turn.is_followed

    def _is_read_since(self, kind: Kind, since: float) -> bool:
        feed = self._store.feed(kind)
        return feed.was_read and feed.others_read_at is not None and feed.others_read_at >= since

    def _has_missed(self, kind: Kind, turn: Turn) -> bool:
        """Return True if the reader has rows that this seat lacks, and will not publish them."""
        assert turn.standing is not None
        if turn.health is not None and not turn.lacks <= lacking(turn.health):
            return True
        is_read_again = (turn.standing.read_at or 0.0) > turn.was_read_at
        return is_read_again and bool(turn.differs) and kind is not Kind.RATE_SHEETS

    def _followed_feed(self, kind: Kind, turn: Turn, queue: list[Publication]) -> Feed:
        """Return the reader's health of a kind, with this host's boot times."""
        feed, standing, key = self._store.feed(kind), turn.standing, self._store.table(kind).key
        feed = _of_all(feed)
        for each in queue:
            if each.reading is None:
                continue
            turn.differs.difference_update(each.reading.gone, map(key, each.reading.rows))
            if each.reading.feed is not None:
                feed = as_read_at(each.reading.feed, each.read_at, self._as_of(each.read_at))
                turn.health = feed
        read_at = None if standing is None else standing.read_at
        if read_at is not None and (queue or feed.read_at is None or read_at > feed.read_at):
            others = read_at if feed.others_read_at == feed.read_at else feed.others_read_at
            as_of = self._as_of(read_at)
            feed = replace(feed, read_at=read_at, as_of=as_of, others_read_at=others)
        return replace(feed, whole_at=turn.whole_at) if self._store.is_long(kind) else feed

    def _as_of(self, boot: float) -> datetime:
        return self._time.earliest() - timedelta(seconds=self._clock.boot() - boot)

    def _ask(self, kind: Kind, turn: Turn) -> None:
        """Ask the reader to read soon, once after each of its reads."""
        assert turn.standing is not None
        if turn.asked_after is None or turn.asked_after != turn.standing.read_at:
            turn.asked_after = turn.standing.read_at
            self._to_ask.add(kind)
            self._wake.set()

    # The task

    async def run(self) -> None:
        """Publish, look and ask, until cancelled. Pollers never wait for it."""
        loop = asyncio.get_running_loop()
        self._exchange.listen(partial(loop.call_soon_threadsafe, self._look_now))
        while True:
            try:
                await self._exchange_all()
            except NotShared as error:
                self._note_away(error.problem)
            except Exception as error:  # noqa: BLE001 - a bug must not stop the feeds
                self._note_away(unexpected("use the desk", error).problem)
            now = self._clock.boot()
            lates = (turn.late_at or 0.0 for turn in self._turns.values() if turn.is_ours)
            due = min([self._look_by, *(late_at for late_at in lates if late_at > now)])
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - now)):
                    await self._wake.wait()
            self._wake.clear()

    def _look_now(self) -> None:
        self._look_by = 0.0
        self._wake.set()

    def _note_away(self, problem: Problem) -> None:
        was_there, self._problem = self._problem is None, problem
        self._look_by = self._clock.boot() + LOOK_EVERY
        for turn in self._turns.values():
            if was_there and (turn.is_followed or turn.waits):
                turn.wake()  # to read by itself

    async def _exchange_all(self) -> None:
        if self._problem is None and self._last is not None:
            lost = dict[Kind, bool]()
            for kind, turn in self._turns.items():
                if not turn.is_ours:
                    continue
                if turn.news is None or not self._may_hold(kind, turn):
                    lost[kind] = turn.is_silent and self._can_read(kind, turn)
                elif turn.is_read and self._has_news(kind, turn):
                    await self._publish(kind, turn)
            if lost:
                await self._release(lost)
            while self._to_ask:
                await self._exchange.ask(kind := next(iter(self._to_ask)))
                self._to_ask.discard(kind)
        if self._clock.boot() >= self._look_by or self._has_followed_anew():
            await self._look()
            if self._wanted():
                await self._look()  # their lease has just ended

    async def _look(self) -> None:
        began, wants = self._clock.boot(), self._wanted()
        self._look_by = began + LOOK_EVERY
        reads, self._reads = self._reads, {}
        for kind in wants:  # from before the lease can be ours
            turn = self._turns[kind]
            turn.news = {} if turn.news is None else turn.news
        cursors = {kind: turn.cursor for kind, turn in self._turns.items() if turn.is_followed}
        look = await self._exchange.look(wants, cursors, reads)
        self._last, self._looked_at, self._problem = look, began, None
        self._look_by = min(self._look_by, self._clock.boot() + look.ends_in + AFTER_END)
        for kind, turn in self._turns.items():
            standing = look.standings.get(kind)
            self._learn(kind, turn, None if kind in look.free else standing)
            if not turn.is_ours:
                turn.news, turn.is_too_much = None, False
        for kind, news in look.news.items():
            self._take_in(self._turns[kind], news)
        self._link.note_others(are_unanswered=self._is_silent(look))

    def _is_silent(self, look: Look) -> bool:
        """Return True if seats have tried in vain to get an answer, and none has got one lately."""
        if not any(standing.unanswered for standing in look.standings.values()):
            return False
        theirs = (standing.read_at for standing in look.standings.values())
        own = (self._store.feed(kind).read_at for kind in self._turns)
        newest = max((read_at or 0.0 for read_at in (*theirs, *own)), default=0.0)
        return self._clock.boot() - newest >= SILENT_AFTER

    def _wanted(self) -> list[Kind]:
        """Return the kinds that nobody reads, and that this seat may be able to read for all."""
        if self._last is None:
            return []
        return [
            kind
            for kind, turn in self._turns.items()
            if turn.standing is None
            and self._can_read(kind, turn)
            and self._clock.boot() >= self._may_try_at(turn)
        ]

    def _may_try_at(self, turn: Turn) -> float:
        """Return the boot time from which this seat wants a lease that nobody holds."""
        return max(turn.may_try_at, turn.free_at + (0.0 if self._link.is_sure else REST))

    def _can_read(self, kind: Kind, turn: Turn) -> bool:
        """Return True unless this seat reads nothing of a kind, even if the service answers."""
        feed, is_refused = self._store.feed(kind), self._store.link.state is LinkState.REFUSED
        can_read = feed.was_read and feed.offered and turn.can_read() and not is_refused
        return can_read and not self._schedule.paused

    def _may_hold(self, kind: Kind, turn: Turn) -> bool:
        """Return True if this seat can go on as the reader; a new one has its first read to do."""
        if not self._can_read(kind, turn):
            return False
        if turn.late_at is not None and self._clock.boot() >= turn.late_at:
            return False
        is_first = turn.told_at is None and turn.late_at is not None
        return is_first or self._store.link.state is LinkState.UP

    def _has_followed_anew(self) -> bool:
        return any(turn.is_followed and not turn.cursor.has_health for turn in self._turns.values())

    def _learn(self, kind: Kind, turn: Turn, standing: Standing | None) -> None:
        """Take in the state of a lease."""
        before, turn.standing = turn.standing, standing
        was_followed, now = turn.is_followed, self._clock.boot()
        if standing is None:
            turn.free_at = now if before is not None else turn.free_at
            return
        known = turn.number if standing.is_ours else turn.cursor.number
        if standing.fence == turn.fence and standing.number < known:
            self._lose(turn, standing)
        elif standing.fence != turn.fence:
            if standing.is_ours:
                turn.begin(standing, now)
                self._wake.set()  # to publish
            else:
                turn.follow_anew(standing, now)
            if was_followed:
                turn.wake()
        elif standing.is_ours:
            is_recent = now - turn.was_read_at < FLOOR
            if standing.asked != turn.asked and not is_recent:
                turn.must_read(now)
            turn.asked = standing.asked
        elif was_followed and (before is None or standing.read_at != before.read_at):
            turn.wake()
        if turn.waits and not self._waits(kind, turn):
            turn.wake()

    def _lose(self, turn: Turn, standing: Standing) -> None:
        """Begin anew after a failover that lost publications: others may never have had them."""
        if standing.is_ours:
            turn.news = None
            self._wake.set()  # to give the lease up
        else:
            turn.follow_anew(standing, self._clock.boot())
            turn.wake()

    def _take_in(self, turn: Turn, news: tuple[Publication, ...]) -> None:
        """Queue publications for the poller. If one is missing, this seat reads by itself again."""
        standing = turn.standing
        if standing is None or standing.is_ours or standing.fence != turn.fence:
            return
        for each in news:
            reading, cursor = each.reading, turn.cursor
            if reading is None:
                turn.unreadable = turn.fence
                break
            if each.number > cursor.number + 1 or reading.is_too_much:
                break
            is_new = each.number > cursor.number
            turn.queue.append(each if is_new else replace(each, reading=_without_rows(reading)))
            number = max(each.number, cursor.number)
            has_health = cursor.has_health or reading.feed is not None
            turn.cursor = Cursor(turn.fence, number, has_health=has_health)
        if turn.cursor.number < standing.number or turn.unreadable == turn.fence:
            turn.follow_anew(standing, self._clock.boot())
        turn.wake()

    # As the reader

    async def _publish(self, kind: Kind, turn: Turn) -> None:
        """Publish what own reads changed. Of one that changed nothing the next look tells."""
        turn.unsent = turn.unsent or self._next(kind, turn)
        while turn.unsent is not None and turn.standing is not None:
            number, read_at, reading = turn.unsent
            fence = turn.standing.fence
            if not await self._exchange.publish(kind, fence, number, read_at, reading):
                turn.standing = turn.news = turn.unsent = None
                self._look_now()  # to learn of the new reader
                # As after a failover that lost publications
                await self._exchange.release({kind: False})
                return
            turn.number = number
            self._reads.pop(kind, None)  # it is older
            turn.unsent = self._next(kind, turn)

    def _next(self, kind: Kind, turn: Turn) -> tuple[int, float, Reading] | None:
        """Return the next publication, with its number and the time of the read; None: no news."""
        read = self._store.feed(kind)
        if read.read_at is None or turn.news is None or not self._has_news(kind, turn):
            return None
        feed, turn.seen = _of_all(read), read
        news, turn.news = turn.news, {}
        is_too_much, turn.is_too_much = turn.is_too_much, False
        health = timeless(feed)
        reading = Reading(
            feed if health != turn.told else None,
            tuple(row for row in news.values() if row is not None),
            gone=tuple(key for key, row in news.items() if row is None),
            is_too_much=is_too_much,
        )
        is_new, turn.told_at, turn.told = read.read_at != turn.told_at, read.read_at, health
        if reading:
            return turn.number + 1, read.read_at, reading
        if is_new:
            self._reads[kind] = turn.fence, read.read_at
            self._look_by = min(self._look_by, self._clock.boot() + TELL_WITHIN)
        return None

    def _has_news(self, kind: Kind, turn: Turn) -> bool:
        is_seen = self._store.feed(kind) is turn.seen and turn.unsent is None
        return not is_seen or bool(turn.news) or turn.is_too_much

    async def _release(self, kinds: Mapping[Kind, bool]) -> None:
        """Give up what this seat cannot read now, or has not collected, for all to try.

        Each kind is mapped to True if no answer came.
        """
        await self._exchange.release(kinds)
        for turn in (self._turns[kind] for kind in kinds):
            turn.standing = turn.news = None
            turn.free_at = self._clock.boot()
            turn.may_try_at = turn.free_at + REST


def _without_rows(reading: Reading) -> Reading:
    return replace(reading, rows=(), gone=())


def _of_all(feed: Feed) -> Feed:
    """Return a feed without the remarks that concern one seat."""
    return replace(feed, remark="") if feed.remark in (ALONE, UNREADABLE) else feed
