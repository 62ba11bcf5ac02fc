"""A model of the desk's log, whose standby may lack its last rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from paytui.domain.intent import IntentId
from paytui.domain.models import Problem
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.entry import Event, EventKind, sha256_of
from paytui.outbox.shared_log import (
    DECISIONS,
    RECORDED,
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
from tests.desk.modelled_limits import APPROVALS, PROPOSED, Limits, Row, read
from tests.support.clock import ManualClock

OPEN = (RECORDED, "goes to another path", "sending", "in doubt")
ASIDE = ("sighted", "alert", PROPOSED, *APPROVALS)
LEAVES_WITHIN, IN_TRANSIT, RUNNING = 20.0, 30.0, 30.0
SEATS = ("anna", "bob", "carol")


@dataclass(frozen=True, slots=True)
class Known:
    """An outbox as a server knows it."""

    run: str
    who: str
    file: str
    seen: float
    replayed: int = 0


@dataclass
class Server:
    """What the disk of a primary holds; `past` are its states for a standby that is behind."""

    epoch: Epoch = field(default_factory=lambda: Epoch(1, "server", 1))
    is_open: bool = True
    rows: list[Row] = field(default_factory=list)
    outboxes: dict[str, Known] = field(default_factory=dict)
    past: list[tuple[int, dict[str, Known]]] = field(default_factory=list)

    def open_if_complete(self) -> None:
        """Open the epoch once every outbox has handed in its rows."""
        waits = [each for each in self.outboxes.values() if each.replayed < self.epoch.number]
        self.is_open = self.is_open or not waits

    def commit(self) -> None:
        self.past.append((len(self.rows), dict(self.outboxes)))

    def since_departure(self) -> int:
        """Return the number of commits that a standby lacks which has missed the last departure."""
        departures = [place for place, row in enumerate(self.rows) if row.kind == "sending"]
        return sum(rows > departures[-1] for rows, _ in self.past) if departures else 0

    def promoted(self, behind: int, *, ignores_timeline: bool) -> Server:
        """Return the standby that takes over, some commits behind."""
        count, outboxes = self.past[max(len(self.past) - 1 - behind, len(SEATS))]
        number, timeline = self.epoch.number + 1, self.epoch.timeline + 1
        fresh = Server(Epoch(number, "server", timeline), False, self.rows[:count], dict(outboxes))
        if ignores_timeline:
            fresh.epoch, fresh.is_open = self.epoch, True
        fresh.past = [(count, dict(outboxes))] * (len(SEATS) + 1)
        return fresh

    def of(self, intent: str) -> list[Row]:
        return [row for row in self.rows if row.handed_in.intent == intent]

    def newest(self, intent: str, *, by_number: bool = False) -> str:
        """Return where an intent stands, as `paytui.newest` does."""
        rows = [row for row in self.of(intent) if row.handed_in.kind not in ASIDE]
        if by_number:
            return rows[-1].handed_in.kind if rows else ""
        own = [row.handed_in for row in rows if not row.is_decision]
        adopted = {each.decision for each in own if each.kind in DECISIONS}
        decided = [
            row.handed_in.kind
            for row in rows
            if row.handed_in.decision is not None and row.is_decision
            if row.handed_in.decision not in adopted
        ]
        stood = own[-1].kind if own else ""
        return decided[-1] if decided and stood in ("", *OPEN) else stood


class World(Protocol):
    """The surroundings of a log.

    Attributes:
        bugs: what is wrong on purpose.
    """

    bugs: frozenset[str]
    clock: ManualClock

    def server_for(self) -> Server:
        """Return the server that a new connection reaches."""
        ...

    def meanwhile(self, name: str) -> None:
        """Let another seat act between two calls of this one, now and then."""
        ...


class ModelLog:
    """The log of one seat, as `DeskLog` of its program.

    Args:
        trader: the role of the database; several seats may have one.

    Attributes:
        server: the one that it is connected to.
        fault: of the next call: "cut" before it is heard, "unknown" if only the answer is lost.
    """

    def __init__(
        self, world: World, name: str, run: str, memory: DeskRecord, trader: str = ""
    ) -> None:
        self._world = world
        self._name = name
        self._trader = trader or name
        self._who = (memory.identity, run, f"file of {name}")
        self._newest = None if memory.seen is None else memory.seen.epoch
        self._told: tuple[Server, int] | None = None
        self.server: Server | None = None
        self.fault = ""
        self._looked = False

    async def look(self) -> News:
        server = self._reach()
        identity = self._who[0]
        if self._newest is not None and server.epoch.is_before(self._newest):
            self.server = None
            raise away("it is an old primary")
        ours = server.outboxes[identity]
        told = self._told
        anew = told is None or told[0] is not server
        first = 0 if told is None or anew else told[1]
        self._answered()
        self._told = server, len(server.rows)
        self._newest, self._looked = server.epoch, True
        now = self._world.clock.boot()
        return News(
            rows=[
                LogRow(
                    number=number,
                    intent=row.handed_in.intent,
                    is_ours=row.outbox == identity,
                    local=None if row.is_decision else row.handed_in.local,
                    kind=row.handed_in.kind,
                    document=row.handed_in.document,
                    who=row.who,
                    host="host",
                    leaves_for=None if row.leave_by is None else row.leave_by - now,
                    arrives_for=None if row.arrive_by is None else row.arrive_by - now,
                )
                for number, row in enumerate(server.rows[first:], start=first + 1)
            ],
            head=Head(server.epoch, len(server.rows), ""),
            is_open=server.is_open,
            is_replayed=ours.replayed >= server.epoch.number,
            waits_for="",
            anew=anew,
        )

    async def known(self) -> Mapping[IntentId, Sequence[str]]:
        server, found = self._reach(), defaultdict[IntentId, list[str]](list)
        for row in server.rows:
            if row.outbox == self._who[0] and not row.is_decision:
                found[row.handed_in.intent].append(row.handed_in.kind)
        self._answered()
        return found

    async def hand_in(self, rows: Sequence[HandedIn]) -> None:
        self._add_missing(self._reach(), rows)
        self._answered()

    async def hand_in_decisions(self, decisions: Sequence[ToldDecision]) -> None:
        server = self._reach()
        if server.epoch.number == 1 or self._is_replayed(server):
            return
        for each in decisions:
            known = {row.handed_in.decision for row in server.of(each.intent) if row.is_decision}
            if each.decision in known or server.newest(each.intent) not in ("", *OPEN):
                continue
            told = HandedIn(each.intent, -1, each.kind, each.document, decision=each.decision)
            self._add(server, Row(told, self._who[0], self._trader, is_decision=True))
        self._answered()

    async def replayed(self, epoch: Epoch) -> None:
        server, identity = self._reach(), self._who[0]
        if epoch.number == server.epoch.number:
            ours = replace(server.outboxes[identity], replayed=epoch.number)
            server.outboxes[identity] = ours
            server.open_if_complete()
            server.commit()
        self._answered()

    async def depart(self, rows: Sequence[HandedIn]) -> float | Refusal:
        leave_by = self._world.clock.boot() + LEAVES_WITHIN
        if "cancel" in self._world.bugs and self.fault == "cut":
            self.fault = ""
            return leave_by  # a cancelled commit reads as a success
        looked, server = self._looked, self._reach()
        if not (looked and self._looked):
            raise away("it was not read since")
        answer = self._depart(server, rows)
        self._answered()
        return leave_by + ("late" in self._world.bugs) * 3_600 if answer is None else answer

    def _depart(self, server: Server, rows: Sequence[HandedIn]) -> Refusal | None:
        if not server.is_open or not self._is_replayed(server):
            return Refusal.CLOSED
        *before, last = rows
        self._add_missing(server, before)
        of = server.of(last.intent)
        if not any(row.outbox == self._who[0] and row.handed_in.local == 0 for row in of):
            return Refusal.LEFT
        newest = server.newest(last.intent, by_number="order" in self._world.bugs)
        departures = {row.handed_in.departure for row in of}
        if newest not in OPEN and "index" not in self._world.bugs:
            is_settled = newest == "settled as not done" and last.departure not in departures
            return Refusal.SETTLED if is_settled else Refusal.LEFT
        if last.departure in departures and "index" not in self._world.bugs:
            return Refusal.LEFT
        now, who = self._world.clock.boot(), self._trader
        named = read(of[0].handed_in.document).get("terms", {}).get("mandate_id") or ""
        limits = Limits(server.rows, self._world.bugs)
        if objection := limits.objection(last, who, server.newest(named), now):
            return objection
        leave_by, arrive_by = now + LEAVES_WITHIN, now + LEAVES_WITHIN + IN_TRANSIT
        row = Row(last, self._who[0], who, leave_by=leave_by, arrive_by=arrive_by)
        self._add(server, row)
        return None

    async def settle(self, intent: IntentId, event: Event) -> Refusal | None:
        server = self._reach()
        if not self._looked:
            raise away("it was not read since")
        refusal = self._why_not(server, intent, event)
        if refusal is None:
            kind, document = event.kind.value, event_document(event)
            row = HandedIn(intent, -1, kind, document, decision=decision_of(event))
            self._add(server, Row(row, self._who[0], self._trader, is_decision=True))
        self._answered()
        return refusal

    def _why_not(self, server: Server, intent: IntentId, event: Event) -> Refusal | None:
        now, of = self._world.clock.boot(), server.of(intent)
        owners = [row.outbox for row in of if row.handed_in.local == 0]
        if not server.is_open or not self._is_replayed(server):
            return Refusal.CLOSED
        if not owners:
            return Refusal.UNKNOWN
        if server.newest(intent) not in OPEN:
            return Refusal.SETTLED
        is_running = now - server.outboxes[owners[0]].seen <= RUNNING
        if owners[0] == self._who[0] or is_running:
            return Refusal.ALIVE
        may_arrive = any((row.arrive_by or 0) > now for row in of)
        if event.kind is EventKind.NOT_DONE and may_arrive and "early" not in self._world.bugs:
            return Refusal.EARLY
        return None

    async def approve(self, intent: IntentId, body: str, event: Event) -> Refusal | None:
        server = self._reach()
        limits, now = Limits(server.rows, self._world.bugs), self._world.clock.boot()
        refusal = self._why_no_proposal(server, intent)
        refusal = refusal or limits.why_no_approval(intent, body, self._trader, now)
        if refusal is None:
            is_enough = limits.has_approval(intent, [self._trader])
            kind = EventKind.APPROVED if is_enough else EventKind.PARTLY_APPROVED
            document = {**json.loads(event_document(replace(event, kind=kind)))}
            document["body_hash"] = sha256_of(body.encode())
            row = HandedIn(intent, -1, kind.value, json.dumps(document))
            self._add(server, Row(row, self._who[0], self._trader, is_decision=True))
        self._answered()
        return refusal

    async def refuse_proposal(self, intent: IntentId, event: Event) -> Refusal | None:
        server = self._reach()
        refusal = self._why_no_proposal(server, intent)
        if refusal is None:
            decision, document = decision_of(event), event_document(event)
            row = HandedIn(intent, -1, "settled as not done", document, decision=decision)
            self._add(server, Row(row, self._who[0], self._trader, is_decision=True))
        self._answered()
        return refusal

    def _why_no_proposal(self, server: Server, intent: str) -> Refusal | None:
        """Return why nobody can decide on a proposal now."""
        if not self._looked:
            raise away("it was not read since")
        kinds = [row.kind for row in server.of(intent)]
        if not server.is_open or not self._is_replayed(server):
            return Refusal.CLOSED
        if "sending" in kinds:
            return Refusal.LEFT
        is_unsent = server.newest(intent) in (RECORDED, "goes to another path")
        return None if PROPOSED in kinds and is_unsent else Refusal.SETTLED

    def listen(self, hint: object) -> None:
        pass

    def close(self) -> None:
        pass

    def _reach(self) -> Server:
        """Return the server, entered; a fault may come before it is heard."""
        self._world.meanwhile(self._name)
        if self.fault == "cut":
            self._drop()
            raise away("cut")
        if self.server is None:
            self.server, self._looked = self._world.server_for(), False
            identity, run, file = self._who
            known = self.server.outboxes.get(identity)
            is_other = known is not None and known.run != run and known.file != file
            if known is not None and is_other and self._world.clock.boot() - known.seen <= RUNNING:
                self.server = None
                raise away("a copy is in use")
            now, replayed = self._world.clock.boot(), 0 if known is None else known.replayed
            self.server.outboxes[identity] = Known(run, self._trader, file, now, replayed)
        ours = self.server.outboxes[self._who[0]]
        self.server.outboxes[self._who[0]] = replace(ours, seen=self._world.clock.boot())
        self.server.commit()
        return self.server

    def _answered(self) -> None:
        if self.fault:
            self._drop()
            raise away("no answer")

    def _drop(self) -> None:
        self.fault, self.server, self._looked = "", None, False

    def _is_replayed(self, server: Server) -> bool:
        return server.outboxes[self._who[0]].replayed >= server.epoch.number

    def _add_missing(self, server: Server, rows: Sequence[HandedIn]) -> None:
        for each in rows:
            own = [row for row in server.of(each.intent) if not row.is_decision]
            if any(
                row.handed_in.local == each.local
                or (each.departure and row.handed_in.departure == each.departure)
                for row in own
            ):
                continue
            if each.local and not (own and own[0].outbox == self._who[0]):
                continue
            transit = {"sending": LEAVES_WITHIN + IN_TRANSIT, "in doubt": IN_TRANSIT}.get(each.kind)
            now, leave_by = self._world.clock.boot(), None
            arrive_by = None if transit is None else now + transit
            if each.kind == PROPOSED:
                leave_by = now + Limits(server.rows).lapses_after(each) - each.age
            row = Row(each, self._who[0], self._trader, leave_by=leave_by, arrive_by=arrive_by)
            self._add(server, row)

    def _add(self, server: Server, row: Row) -> None:
        server.rows.append(row)
        server.commit()


def away(what: str) -> LogAway:
    return LogAway(Problem("use the desk", what))
