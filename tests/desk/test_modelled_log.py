"""The model of the log answers as the database does."""

# ruff: noqa: S311 - chances need be no secret

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace
from typing import TypeAlias, cast

import pytest
from psycopg.conninfo import make_conninfo

from paytui.desk.database import install
from paytui.desk.log import DeskLog
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.intent import IntentId
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.entry import EventKind
from paytui.outbox.shared_log import LIMITS, HandedIn, Refusal, limits_document
from tests.desk import limits
from tests.desk.limits import payout, proposed, sending
from tests.desk.modelled_limits import Row
from tests.desk.modelled_log import ModelLog, Server
from tests.desk.server import owner_does
from tests.desk.test_limits import APPROVED, AUD, OVERDUE, TAMPER, outboxes
from tests.desk.test_mandates import BODY, mandate, trade
from tests.support.clock import ManualClock

TRADERS = ("anna", "anna", "bob", "carol")
REFUSED = replace(APPROVED, kind=EventKind.NOT_DONE)
ANSWERS = {
    *(f"depart: {each}" for each in ("leaves", "outside", "unapproved", "expired", "changed")),
    *("depart: left", "approve: None", "approve: own", "approve: expired", "approve: changed"),
    *("approve: left", "approve: settled", "refuse: None", "refuse: left", "refuse: settled"),
}
OUTCOMES = ("in doubt", "refused", "not executed", "accepted", "alert")
Pair: TypeAlias = tuple[DeskLog, ModelLog]
Answer: TypeAlias = Coroutine[object, object, float | Refusal | None]


class Alone:
    """A world in which nothing else happens."""

    bugs: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.clock, self.server = ManualClock(), Server()

    def server_for(self) -> Server:
        return self.server

    def meanwhile(self, name: str) -> None:
        """Let nobody act."""

    def log_of(self, place: int, trader: str) -> ModelLog:
        memory = cast("DeskRecord", SimpleNamespace(identity=f"{place}", seen=None))
        return ModelLog(self, f"seat {place}", f"run {place}", memory, trader)

    def end_proposals(self) -> None:
        now, rows = self.clock.boot(), self.server.rows
        rows[:] = [replace(row, leave_by=now) if row.kind == "proposed" else row for row in rows]

    def limit(self, document: str) -> None:
        told = HandedIn(IntentId(""), -1, LIMITS, document)
        self.server.rows.append(Row(told, "", "", is_decision=True))


class Play:
    """Intents of four outboxes, as rows before they leave, with their bodies.

    Attributes:
        owners: the place of the outbox, the rows, and the body of each.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.owners: dict[IntentId, tuple[int, list[HandedIn], str]] = {}

    def confirm(self, number: int) -> tuple[int, list[HandedIn]]:
        rng, intent, place = self._rng, IntentId(f"PT-{number}"), self._rng.randrange(4)
        mandates = [each for each, (_, _, body) in self.owners.items() if body == BODY][-3:]
        what, body = rng.choice(("payout", "mandate", *["trade"] * 5)), limits.BODY
        if what == "payout":
            rows = [payout(intent, rng.choice(("10", "60"))), proposed(intent)]
        elif what == "mandate" or not mandates:
            rows, body = mandate(intent), BODY
        else:
            named = rng.choice(mandates)
            changes = rng.choice([{}] * 8 + [{"buy_currency": "EUR"}, {"recipient_id": "R-1"}])
            amount = rng.choice((("60", "AUD"), ("40", "AUD"), ("26.41", "USD")))
            rate = rng.choice(("0.66", "0.66", "0.66", "0.67", "0.65"))
            rows = trade(f"{number}", *amount, rate=rate, mandate_id=named, **changes)[1][:1]
            if rng.random() < 0.9:  # of the same trader, perhaps at the other outbox
                place = self.owners[named][0]
                place = rng.choice((0, 1)) if place in (0, 1) else place
        self.owners[intent] = place, rows, body
        return place, rows

    def pick(self) -> IntentId | None:
        """Return one of the last proposals, or of the last trades."""
        is_proposal = self._rng.random() < 0.4
        them = [
            each for each, (_, rows, _) in self.owners.items() if (len(rows) > 1) == is_proposal
        ]
        return self._rng.choice(them[-2:]) if them else None

    def decide(self, pairs: list[Pair], intent: IntentId) -> tuple[str, list[Answer]]:
        """Return a call of both logs: an approval, a refusal or a departure."""
        rng, (place, rows, body) = self._rng, self.owners[intent]
        typed = rng.choice([body] * 8 + [body.replace("60", "90").replace("100", "900")])
        is_proposal = len(rows) > 1
        what = rng.choice(["approve"] * 12 + ["depart"] * 4 + ["refuse"]) if is_proposal else ""
        pair = pairs[place if what != "approve" and rng.random() < 0.9 else rng.randrange(4)]
        if what == "approve":
            return what, [log.approve(intent, typed, APPROVED) for log in pair]
        if what == "refuse":
            return what, [log.refuse_proposal(intent, REFUSED) for log in pair]
        leaves = sending(intent, len(rows), typed)
        return "depart", [log.depart([leaves]) for log in pair]


class Both:
    """The database and its model, with four outboxes of three traders each."""

    def __init__(self, admin: str, logs: list[DeskLog], play: Play) -> None:
        self._admin, self._alone, self.play = admin, Alone(), play
        model = [self._alone.log_of(place, trader) for place, trader in enumerate(TRADERS)]
        self.pairs = list(zip(logs, model, strict=True))

    def limit(self, needs: int) -> None:
        made = DeskLimits(above={AUD: Decimal(10)}, needs=needs)
        self._alone.limit(limits_document(made))
        limits.set_limits(self._admin, made)

    async def hand_in(self, place: int, rows: list[HandedIn]) -> None:
        for log in self.pairs[place]:
            await log.hand_in(rows)

    async def act(self, rng: random.Random, number: int) -> str:
        """Do the same in both; return what was asked, and the answer."""
        chance, intent = rng.random(), self.play.pick()
        if chance < 0.2 or intent is None:
            await self.hand_in(*self.play.confirm(number))
        elif chance < 0.9:
            what, calls = self.play.decide(self.pairs, intent)
            told = [await each for each in calls]
            passed = ["leaves" if isinstance(each, float) else f"{each}" for each in told]
            assert passed[0] == passed[1], (what, intent)
            return f"{what}: {passed[0]}"
        elif chance < 0.97:
            place, rows, _ = self.play.owners[intent]
            ended = HandedIn(intent, len(rows) + 1, rng.choice(OUTCOMES), "{}")
            await self.hand_in(place, [ended] if len(rows) == 1 else [])
        elif chance < 0.995:
            self.limit(rng.choice((1, 1, 1, 2)))
        else:
            owner_does(self._admin, TAMPER, OVERDUE)
            self._alone.end_proposals()
        return ""


@pytest.mark.slow
def test_the_model_answers_as_the_database_does(admin: str) -> None:
    async def scene() -> None:
        dsns = [make_conninfo(admin, user=each) for each in TRADERS]
        async with outboxes(*dsns) as logs:
            both = Both(admin, logs, Play(rng))
            both.limit(1)
            for _, log in both.pairs:
                await log.replayed((await log.look()).epoch)
            assert {await both.act(rng, number) for number in range(400)} >= ANSWERS

    rng = random.Random(27)
    install(admin, ("carol",))
    asyncio.run(scene())
