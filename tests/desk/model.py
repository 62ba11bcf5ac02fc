"""A desk in memory: seats of our own, on a model of the log that can lose its last rows.

    python -m tests.desk.model 5000

Each seed is a story of three seats: outbox, journal, attempt and desk link are the product's. They
are killed, stopped and cut off; standbys take over without the last rows; an old primary comes
back; people repeat and decide. The service ignores keys. What must hold is in `Story.check`.
"""

# ruff: noqa: S311 - chances need be no secret

from __future__ import annotations

import random
import sqlite3
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from paytui.api.errors import ApiError
from paytui.domain.intent import Decision, IntentId, Standing, Verdict
from paytui.domain.models import Problem
from paytui.domain.requests import PreparedRequest
from paytui.outbox.database import Connection
from paytui.outbox.desk_memory import DeskMemory
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import (
    RECORDED,
)
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.desk_link import DeskLink
from paytui.worker.intents.journal import Journal, stands
from paytui.worker.intents.submit import Attempt, Withdrawn, failure_outcome
from tests.desk.modelled_log import IN_TRANSIT, SEATS, ModelLog, Server
from tests.outbox.made import entry
from tests.support.clock import ManualClock

T = TypeVar("T")

SHORT, LONG = 80, 200  # Steps of a story
INTENTS = 3  # So few that each of them meets a lot


class Broken(AssertionError):
    """A story in which something happened that must not."""


def done(work: Coroutine[object, object, T]) -> T:
    """Return the result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("it waits")


@cache
def _template() -> sqlite3.Connection:
    with tempfile.TemporaryDirectory() as folder:
        outbox = Outbox(Path(folder) / "template")
        DeskMemory(outbox)
        outbox.close()
        made = sqlite3.connect(":memory:", isolation_level=None)
        with sqlite3.connect(Path(folder) / "template") as file:
            file.backup(made)
        file.close()
    return made


class Disk:
    """The file of an outbox, which outlives its program; on a full disk nothing is added to it."""

    def __init__(self, identity: str) -> None:
        self.identity = identity
        self.is_full = False
        self._kept = sqlite3.connect(":memory:", isolation_level=None)
        _template().backup(self._kept)
        self._kept.execute("UPDATE desk SET identity = ?", (identity,))

    def connect(self, _: Path) -> Connection:
        return self

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        if self.is_full and "INSERT" in str(arguments[0]):
            raise sqlite3.OperationalError("database or disk is full")
        return self._kept.execute(*arguments)  # type: ignore[arg-type]

    def close(self) -> None:
        """Keep the content."""


class Seat:
    """A program on a disk."""

    def __init__(self, story: Story, name: str, disk: Disk) -> None:
        self.name = name
        outbox = Outbox(Path(__file__), disk.connect)
        memory = DeskMemory(outbox)
        if "forget" in story.bugs:
            memory.newest = None
        if "keep" in story.bugs:
            memory.keep = list  # type: ignore[assignment, method-assign]
        time = ServiceTime(story.clock)
        self.log = ModelLog(story, name, f"run {story.runs}", memory)
        self.store = Store()
        self.journal = Journal(outbox, self.store, None, story.clock)
        self.link = DeskLink(self.log, memory, self.journal, self.store, time)
        self.time = time
        self.attempts: list[Iterator[None]] = []
        self.under_way: set[IntentId] = set()
        self.is_stopped_until = 0.0
        self.journal.load()
        for recorded in self.journal.standing(Standing.SENDING):
            self.note(recorded.entry.intent_id, EventKind.IN_DOUBT)

    def note(self, intent: IntentId, kind: EventKind) -> None:
        recorded = self.journal.get(intent)
        assert recorded is not None
        if stands(recorded).open:
            problem = Problem("send it", "it failed")
            self.journal.note(intent, Event(kind=kind, at=self.time.latest(), problem=problem))


class Story:
    """One seed.

    Args:
        bugs: what is wrong on purpose; see `BUGS`.
    """

    def __init__(self, seed: int, bugs: frozenset[str] = frozenset()) -> None:
        self.rng = random.Random(seed)
        self.bugs = bugs
        self.clock = ManualClock()
        self.server = Server()
        self.old: Server | None = None
        self.runs = 0
        self.disks = {name: Disk(f"{name} {seed}") for name in SEATS}
        self.seats: dict[str, Seat] = {}
        self.arrived: Counter[IntentId] = Counter()
        self.allowed: Counter[IntentId] = Counter()
        self.decided: dict[IntentId, set[str]] = defaultdict(set)  # The seats that were told
        self.undone: dict[IntentId, set[str]] = defaultdict(set)
        self.transit: list[tuple[float, IntentId]] = []
        self.numbers = 0
        self.is_meanwhile = False
        for name in SEATS:
            self.start(name)
        for seat in self.seats.values():
            done(seat.link.take_turn())

    # What a seat needs of it

    def server_for(self) -> Server:
        """Return the server that a new connection reaches: now and then one that came back."""
        return self.old if self.old and self.rng.random() < 0.4 else self.server

    def meanwhile(self, name: str) -> None:
        """Let another seat act between two calls of a seat, now and then."""
        others = [seat for seat in self._awake() if seat.name != name]
        if others and not self.is_meanwhile and self.rng.random() < 0.1:
            self.is_meanwhile = True
            self.rng.choice((self.turn, self.repeat, self.decide, self.go_on))(
                self.rng.choice(others)
            )
            self.is_meanwhile = False

    # What happens

    def start(self, name: str) -> None:
        self.runs += 1
        self.seats[name] = Seat(self, name, self.disks[name])

    def run(self, steps: int) -> None:
        happenings = (
            (self.turn, 24),
            (self.confirm, 8),
            (self.go_on, 20),
            (self.pass_time, 14),
            (self.repeat, 12),
            (self.decide, 20),
            (self.send_slowly, 3),
            (self.kill, 3),
            (self.restart, 4),
            (self.stop, 5),
            (self.fail, 3),
            (self.fail_over, 3),
        )
        acts, weights = zip(*happenings, strict=True)
        for act in self.rng.choices(acts, weights, k=steps):
            seat = self._one()
            if seat is not None:
                act(seat)
            self.check()
        self.heal()

    def _awake(self) -> list[Seat]:
        now = self.clock.boot()
        return [seat for seat in self.seats.values() if now >= seat.is_stopped_until]

    def _one(self) -> Seat | None:
        awake = self._awake()
        return self.rng.choice(awake) if awake else None

    def turn(self, seat: Seat) -> None:
        done(seat.link.take_turn())
        self._hear(seat)

    def confirm(self, seat: Seat) -> None:
        """A person confirms an intent, past a screen that may be behind."""
        if self.numbers < INTENTS:
            self.numbers += 1
            intent = entry(self.numbers)
            seat.journal.record(intent)
            self.allowed[intent.intent_id] = 1
            self._begin(seat, intent.intent_id)

    def repeat(self, seat: Seat) -> None:
        """A person sends an intent in doubt again."""
        doubted = [each.entry.intent_id for each in seat.journal.standing(Standing.IN_DOUBT)]
        free = [each for each in doubted if each not in seat.under_way]
        if free:
            intent = self.rng.choice(free)
            self.allowed[intent] += 1
            self._begin(seat, intent)

    def decide(self, seat: Seat) -> None:
        """A person settles a colleague's intent."""
        rows = [row for row in seat.store.intents.rows() if row.is_colleagues and row.standing.open]
        if rows:
            verdict = self.rng.choice((Verdict.DONE, Verdict.NOT_DONE, Verdict.NOT_DONE))
            row = self.rng.choice(rows)
            seat.link.decide(Decision(intent_id=row.intent_id, verdict=verdict))
            self.turn(seat)

    def go_on(self, seat: Seat) -> None:
        if seat.attempts:
            attempt = seat.attempts.pop(self.rng.randrange(len(seat.attempts)))
            with suppress(StopIteration):
                next(attempt)
                seat.attempts.append(attempt)

    def send_slowly(self, seat: Seat) -> None:
        """A seat takes long to connect, and is killed behind its last byte."""
        self.go_on(seat)
        self._pass(19)
        self.go_on(seat)
        self.kill(seat)
        self._pass(19)

    def pass_time(self, _: Seat) -> None:
        self._pass(self.rng.choice((0.5, 2, 9, 19, 31, 55)))

    def _pass(self, seconds: float) -> None:
        self.clock.advance(seconds)
        now = self.clock.boot()
        for at, intent in [each for each in self.transit if each[0] <= now]:
            self.transit.remove((at, intent))
            self._arrives(intent)

    def kill(self, seat: Seat) -> None:
        if len(self.seats) > 1:
            del self.seats[seat.name]

    def restart(self, _: Seat) -> None:
        gone = [name for name in SEATS if name not in self.seats]
        if gone:
            self.start(self.rng.choice(gone))

    def stop(self, seat: Seat) -> None:
        seat.is_stopped_until = self.clock.boot() + self.rng.choice((5, 25, 70))

    def fail(self, seat: Seat) -> None:
        seat.log.fault = self.rng.choice(("cut", "unknown"))

    def fail_over(self, _: Seat) -> None:
        self.old = self.server if self.rng.random() < 0.5 else None
        behind = self.rng.randrange(12)
        self.server = self.server.promoted(behind, ignores_timeline="timeline" in self.bugs)
        for seat in self.seats.values():
            seat.log.server = None

    def heal(self) -> None:
        """End all faults, and compare what everybody sees."""
        self.old = None
        for name in SEATS:
            if name not in self.seats:
                self.start(name)
        self.is_meanwhile = True
        for seat in self.seats.values():
            seat.is_stopped_until, seat.log.fault, seat.log.server = 0.0, "", None
            for attempt in seat.attempts:
                list(attempt)
        self.clock.advance(60)
        for _, intent in self.transit:
            self._arrives(intent)
        self.transit.clear()
        for _ in range(3):
            for seat in self.seats.values():
                done(seat.link.take_turn())
                self._hear(seat)
        self.check()
        for owner in self.seats.values():
            for recorded in owner.journal.all():
                self._compare(owner, recorded.entry.intent_id)

    # An attempt

    def _begin(self, seat: Seat, intent: IntentId) -> None:
        seat.under_way.add(intent)
        seat.attempts.append(self._attempt(seat, intent))

    def _attempt(self, seat: Seat, intent: IntentId) -> Iterator[None]:
        try:
            yield from self._send(seat, intent)
        finally:
            seat.under_way.discard(intent)

    def _send(self, seat: Seat, intent: IntentId) -> Iterator[None]:
        """Yield where the program may be killed or stopped."""
        attempt = Attempt(
            seat.journal, intent, PREPARED, lambda: None, seat.time, depart=seat.link.depart
        )
        yield
        try:
            done(attempt.before_send())
            if self.decided[intent]:
                raise Broken(f"{intent} leaves although {self.decided[intent]} were told its end")
            yield
            attempt.connected()
        except Withdrawn:
            return
        except ApiError as error:
            kind = EventKind.NOT_EXECUTED if attempt.is_first else EventKind.IN_DOUBT
            if attempt.may_have_arrived:
                kind = failure_outcome(error, first=attempt.is_first)
            seat.note(intent, kind)
            return
        if self.rng.random() < 0.3:
            self._arrives(intent)
            yield
            seat.note(intent, self.rng.choice((EventKind.ACCEPTED, *[EventKind.IN_DOUBT] * 3)))
        else:  # it is given up, and arrives late, or never
            if self.rng.random() < 0.7:
                late = self.rng.choice((1, 15, IN_TRANSIT - 1))
                self.transit.append((self.clock.boot() + late, intent))
            yield
            seat.note(intent, EventKind.IN_DOUBT)

    # What must hold

    def _arrives(self, intent: IntentId) -> None:
        self.arrived[intent] += 1
        if self.undone[intent]:
            raise Broken(
                f"{intent} arrives although {self.undone[intent]} were told that it cannot"
            )

    def _hear(self, seat: Seat) -> None:
        """Note what a person at a seat is shown of decisions."""
        for row in seat.store.intents.rows():
            if row.standing in (Standing.DONE, Standing.NOT_DONE):
                self.decided[row.intent_id].add(seat.name)
            if row.standing is Standing.NOT_DONE:
                self.undone[row.intent_id].add(seat.name)

    def check(self) -> None:
        """Nothing arrives more often than a person said so, or after a person was told its end."""
        for intent, times in self.arrived.items():
            if times > self.allowed[intent]:
                raise Broken(f"{intent} arrived {times} times")

    def _compare(self, owner: Seat, intent: IntentId) -> None:
        """The log has all rows, an executed intent is not called unsent, and all see the same."""
        recorded = owner.journal.get(intent)
        assert recorded is not None
        kinds = [RECORDED, *(event.kind for event in recorded.events)]
        logged = [row.handed_in for row in self.server.of(intent) if not row.is_decision]
        if [each.kind for each in logged] != kinds:
            raise Broken(f"{intent} has {len(kinds)} rows, and the log {len(logged)}")
        stood = stands(recorded)
        if self.arrived[intent] and stood in (Standing.NOT_EXECUTED, Standing.RECORDED):
            raise Broken(f"{intent} arrived and is {stood}")
        if self.decided.get(intent) and stood.open:
            raise Broken(f"{intent} was decided, and its outbox does not know")
        for seat in self.seats.values():
            row = seat.store.intents.get(intent)
            if row is None or row.standing is not stood:
                raise Broken(f"{seat.name} sees {intent} as {row and row.standing}, not {stood}")


PREPARED = PreparedRequest(
    attempted="send it", method="POST", path="/", key_header="", key=entry(1).key, body=b""
)

BUGS = {
    "index": "departures that the log does not compare, as without its unique index",
    "timeline": "timeline ignored",
    "cancel": "cancel instead of close",
    "late": "a departure that never expires, as by a wall clock that is set back",
    "early": "settled as not done while it may arrive",
    "keep": "decisions that no outbox keeps",
    "order": "a decision that counts only if it comes last",
    "forget": "an old primary that a restart forgets",
}


def first_broken(
    seeds: Sequence[int], steps: int, bugs: frozenset[str] = frozenset()
) -> tuple[int, str]:
    """Return the first seed whose story is broken, and how; -1 if none is."""
    for seed in seeds:
        try:
            Story(seed, bugs).run(steps)
        except Broken as error:
            return seed, str(error)
    return -1, ""


def main(count: int) -> None:
    """Play seeds, and then each bug until it is found."""
    said = sys.stdout.write
    seed, how = first_broken(range(count), LONG)
    said(f"{count} seeds: {'all hold' if seed < 0 else f'seed {seed}: {how}'}\n")
    for bug, words in BUGS.items():
        found, how = first_broken(range(count), LONG, frozenset({bug}))
        said(f"{bug:<9} {f'seed {found}' if found >= 0 else 'NOT FOUND':<10} {words}: {how}\n")
    sys.exit(seed >= 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1_000)
