"""A desk in memory: seats of our own, on a model of the log that can lose its last rows.

    python -m tests.desk.model 5000

Each seed is a story of three seats: outbox, journal, attempt and desk link are the product's. They
are killed, stopped and cut off; standbys take over without the last rows; an old primary comes
back; people repeat and decide. Payouts above a limit and mandates are proposed, approved, refused
and withdrawn, and end; trades name mandates, within them or not. A fifth of the stories is of one
mandate, and of standbys that lack what was booked within it. Two seats may be of one trader. The
service ignores keys. What must hold is in `modelled_truth.py`.
"""

# ruff: noqa: S311 - chances need be no secret

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from paytui.api.errors import ApiError
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import (
    Action,
    Decision,
    IntentId,
    IntentTerms,
    Standing,
    Verdict,
    intent_terms,
)
from paytui.domain.mandate import Mandate
from paytui.domain.money import Money, Pair
from paytui.domain.requests import PreparedRequest
from paytui.outbox.entry import Entry, Event, EventKind
from paytui.outbox.shared_log import LIMITS, HandedIn, LogAway, limits_document, rows_of
from paytui.store.mandates import why_not_named
from paytui.worker.intents.submit import Attempt, Withdrawn, failure_outcome
from tests.desk.modelled_limits import NOT_DONE, PROPOSED, Row, first
from tests.desk.modelled_log import IN_TRANSIT, SEATS, Server
from tests.desk.modelled_seat import Disk, Seat, done
from tests.desk.modelled_truth import ABOVE, AUD, UP_TO, USD, WORST, Broken, Truth
from tests.outbox.made import TERMS, entry
from tests.support.clock import ManualClock

SHORT, LONG = 80, 200  # Steps of a story
INTENTS, TRADES = 3, 6  # So few that each of them meets a lot

WITHIN = timedelta(seconds=300)


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
        self.transit: list[tuple[float, IntentId]] = []
        self.trades = 0
        self.truth = Truth(dict(zip(SEATS, SEATS, strict=True)))
        self.is_meanwhile = False
        self.has_proposals = self.rng.random() < 0.5
        self.is_of_mandate = self.has_proposals and self.rng.random() < 0.4
        if self.has_proposals:
            self.change_limits()
            self.truth.traders["carol"] = self.rng.choice(("anna", "carol"))
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
            acts = [self.turn, self.repeat, self.decide, self.go_on]
            acts += [self.approve, self.send] * self.has_proposals
            self.rng.choice(acts)(self.rng.choice(others))
            self.is_meanwhile = False

    # What happens

    def start(self, name: str) -> None:
        self.runs += 1
        self.seats[name] = Seat(
            self, name, f"run {self.runs}", self.disks[name], self.truth.traders[name]
        )

    def run(self, steps: int) -> None:
        acts, weights = zip(*self._happenings(), strict=True)
        for act in self.rng.choices(acts, weights, k=steps):
            seat = self._one()
            if seat is not None:
                act(seat)
            self.truth.check()
        self.heal()

    def _happenings(self) -> Iterator[tuple[Callable[[Seat], None], float]]:
        """Yield what happens, and how often beside the others."""
        faults = self.rng.choice((0.2, 1)) if self.has_proposals else 1
        faults = 0.2 if self.is_of_mandate else faults
        yield from (
            (self.turn, 24),
            (self.confirm, 8),
            (self.go_on, 20),
            (self.pass_time, 14),
            (self.repeat, 12),
            (self.decide, 20),
            (self.send_slowly, 3 * faults),
            (self.kill, 3 * faults),
            (self.restart, 4),
            (self.stop, 5 * faults),
            (self.fail, 3 * faults),
            (self.fail_over, 3 * faults),
        )
        if self.has_proposals:
            yield from (
                (self.turn, 24),
                (self.go_on, 24),
                (self.confirm, 4),
                (self.book, 24),
                (self.send, 16),
                (self.approve, 24),
                (self.restart, 4),
                (self.withdraw, 0.2),
                (self.change_a_byte, 2),
                (self.change_limits, 1),
            )
        if self.is_of_mandate:
            yield from ((self.book, 48), (self.turns, 48), (self.fail_over, 3))

    def _awake(self) -> list[Seat]:
        now = self.clock.boot()
        return [seat for seat in self.seats.values() if now >= seat.is_stopped_until]

    def _one(self) -> Seat | None:
        awake = self._awake()
        return self.rng.choice(awake) if awake else None

    def turn(self, seat: Seat) -> None:
        done(seat.link.take_turn())
        self.truth.hear(seat)

    def turns(self, _: Seat) -> None:
        for seat in self._awake():
            self.turn(seat)

    def confirm(self, seat: Seat) -> None:
        """A person confirms a payout or a mandate, past a screen that may be behind."""
        most = 1 if self.is_of_mandate else INTENTS
        if len(self.truth.intents) - self.trades == most or self._is_held(seat):
            return
        number, now = len(self.truth.intents) + 1, seat.time.latest()
        what = "mandate"
        if not self.is_of_mandate:
            whats = ("payout", "above", what, what)[: 4 * self.has_proposals or 1]
            what = self.rng.choice(whats)
        if what != "mandate":
            amount = TERMS.amount if what == "payout" else Decimal(5_000)
            self._record(seat, entry(number, terms=replace(TERMS, amount=amount)))
            return
        lasts = timedelta(seconds=self.rng.choice((120, 900)))
        mandate = Mandate(pair=Pair(AUD, USD), up_to=Money(UP_TO, AUD), worst=WORST, lasts=lasts)
        terms = replace(intent_terms(mandate, None), expires_at=now + lasts)
        made = entry(number, terms=terms, action=Action.MANDATE, body=mandate.body)
        self._record(seat, replace(made, confirmed_at=now))

    def book(self, seat: Seat) -> None:
        """A person confirms a trade within a mandate, as far as a screen shows that, or past it."""
        rows = [row for row in seat.store.intents.rows() if row.is_mandate]
        makers, traders = self.truth.makers, self.truth.traders
        own = [row for row in rows if traders[makers[row.intent_id]] == seat.trader]
        usable = [row for row in own if row.is_approved]
        if self.trades == TRADES or not rows or self._is_held(seat):
            return
        terms = IntentTerms(
            amount=self.rng.choice((Decimal(40), Decimal(60))),
            currency=AUD,
            sell_currency=AUD,
            buy_currency=USD,
            rate=self.rng.choice([WORST] * 6 + [Decimal("0.67"), Decimal("0.6599")]),
            mandate_id=self.rng.choice(usable or rows).intent_id,
        )
        trade = entry(len(self.truth.intents) + 1, terms=terms, action=Action.BOOK_TRADE)
        why_not = why_not_named(seat.store, terms, trade.intent_id, seat.time.latest())
        if not why_not or self.rng.random() < (0.3 if usable else 0.03):
            self.trades += 1
            self._record(seat, trade)

    def _record(self, seat: Seat, intent: Entry) -> None:
        intent_id = intent.intent_id
        self.truth.intents[intent_id], self.truth.makers[intent_id] = intent, seat.name
        self.truth.allowed[intent_id] = 1
        proposal = seat.link.proposal(intent)
        seat.journal.record(intent)
        if proposal is None:
            self._begin(seat, intent_id)
        elif self.rng.random() < 0.05:
            self.kill(seat)
        else:
            seat.journal.note(intent_id, proposal)

    def _is_held(self, seat: Seat) -> bool:
        """Return True if the screen lets nobody decide, and no program goes past it."""
        is_held = self.has_proposals and not seat.store.sending.allowed
        return is_held and self.rng.random() < 0.8

    def send(self, seat: Seat) -> None:
        """A person sends what was approved, or never left."""
        unsent = [each.entry for each in seat.journal.standing(Standing.RECORDED)]
        free = [
            each.intent_id
            for each in unsent
            if each.action is not Action.MANDATE and each.intent_id not in seat.under_way
        ]
        if free and not self._is_held(seat):
            self._begin(seat, self.rng.choice(free))

    def approve(self, seat: Seat) -> None:
        """A person approves a proposal: a colleague's, their own, or one with a byte changed."""
        rows = [row for row in seat.store.intents.rows() if row.standing is Standing.PROPOSED]
        if not rows or self._is_held(seat):
            return
        row = self.rng.choice(rows)
        if not row.is_colleagues and self.rng.random() < 0.8:
            return
        body, is_changed = self._body(row.intent_id), self.rng.random() < 0.1
        if not is_changed and self.truth.traders[self.truth.makers[row.intent_id]] != seat.trader:
            ends = self.truth.approved[row.intent_id]
            ends[seat.trader] = max(ends.get(seat.trader, 0.0), self._end(row.intent_id))
        verdict = Verdict.APPROVE
        seat.link.decide(
            Decision(intent_id=row.intent_id, verdict=verdict, body=body + " " * is_changed)
        )
        self.turn(seat)

    def _body(self, intent: IntentId) -> str:
        body = self.truth.intents[intent].body
        assert isinstance(body, bytes)
        return body.decode()

    def _end(self, intent: IntentId) -> float:
        """Return until when a proposal holds, by any primary that there is."""
        found = [first(server.of(intent), PROPOSED) for server in (self.server, self.old) if server]
        return max([row.leave_by or 0.0 for row in found if row] or [0.0])

    def withdraw(self, seat: Seat) -> None:
        """A person takes a proposal of their own back, or a mandate."""
        for recorded in seat.journal.standing(Standing.PROPOSED, Standing.RECORDED):
            intent = recorded.entry.intent_id
            if recorded.events and intent not in seat.under_way:
                seat.journal.note(intent, Event(kind=EventKind.NOT_DONE, at=seat.time.latest()))
                return

    def change_a_byte(self, seat: Seat) -> None:
        """A program sends something else than what was approved."""
        for recorded in seat.journal.standing(Standing.RECORDED):
            intent, rows = recorded.entry.intent_id, rows_of(recorded)
            if recorded.events and intent not in seat.under_way:
                rows.append(HandedIn(intent, len(rows), "sending", "{}", 1, "another"))
                with suppress(LogAway):
                    if isinstance(done(seat.log.depart(rows)), float):
                        raise Broken(f"{intent} leaves with other bytes than were approved")

    def change_limits(self, _: object = None) -> None:
        limits = DeskLimits(above=ABOVE, within=WITHIN, needs=self.rng.choice((1, 1, 1, 2)))
        told = HandedIn(IntentId(""), -1, LIMITS, limits_document(limits))
        self.server.rows.append(Row(told, "", "", is_decision=True))
        self.server.commit()

    def repeat(self, seat: Seat) -> None:
        """A person sends an intent in doubt again."""
        doubted = [each.entry.intent_id for each in seat.journal.standing(Standing.IN_DOUBT)]
        free = [each for each in doubted if each not in seat.under_way]
        if free:
            intent = self.rng.choice(free)
            self.truth.allowed[intent] += 1
            self._begin(seat, intent)

    def decide(self, seat: Seat) -> None:
        """A person settles a colleague's intent."""
        rows = [row for row in seat.store.intents.rows() if row.is_colleagues and row.standing.open]
        if rows:
            verdict = self.rng.choice((Verdict.DONE, Verdict.NOT_DONE, Verdict.NOT_DONE))
            row = self.rng.choice(rows)
            if row.is_mandate or row.is_approved or row.standing is Standing.PROPOSED:
                if self.rng.random() < 0.99:
                    return
                verdict = Verdict.NOT_DONE
            seat.link.decide(Decision(intent_id=row.intent_id, verdict=verdict))
            self.turn(seat)
            servers = [server for server in (self.server, self.old) if server]
            if any(first(server.of(row.intent_id), NOT_DONE) for server in servers):
                self.truth.given_back.add(row.intent_id)

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
            self.truth.arrives(intent)

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
        if self.is_of_mandate and self.rng.random() < 0.9:
            behind = self.server.since_departure()
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
            self.truth.arrives(intent)
        self.transit.clear()
        for _ in range(3):
            for seat in self.seats.values():
                done(seat.link.take_turn())
                self.truth.hear(seat)
        self.truth.check()
        for owner in self.seats.values():
            for recorded in owner.journal.all():
                self.truth.compare(recorded, self.server, self.seats.values())

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
            self.truth.check_departure(seat, intent, seat.log.server or self.server)
            yield
            attempt.connected()
        except Withdrawn:
            return
        except ApiError as error:
            kind = EventKind.NOT_EXECUTED if attempt.is_first else EventKind.IN_DOUBT
            if attempt.may_have_arrived:
                kind = failure_outcome(error, first=attempt.is_first)
            seat.note(intent, kind)
            if kind is EventKind.NOT_EXECUTED:
                self.truth.given_back.add(intent)
            return
        if self.rng.random() < 0.3:
            self.truth.arrives(intent)
            yield
            seat.note(intent, self.rng.choice((EventKind.ACCEPTED, *[EventKind.IN_DOUBT] * 3)))
        else:  # it is given up, and arrives late, or never
            if self.rng.random() < 0.7:
                late = self.rng.choice((1, 15, IN_TRANSIT - 1))
                self.transit.append((self.clock.boot() + late, intent))
            yield
            seat.note(intent, EventKind.IN_DOUBT)


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
    "self": "an approval of one's own",
    "bytes": "an approval of other bytes",
    "adopted": "an approval that counts as often as somebody tells it",
    "bound": "a mandate that does not count what was handed in after a failover",
    "endless": "a mandate that is used after its end",
    "revoked": "a mandate that is used after it was refused",
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
