"""A seat of a modelled desk: outbox, journal and desk link of the product, on a disk in memory."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Coroutine, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from paytui.domain.intent import Action, IntentId, Standing
from paytui.domain.models import Problem
from paytui.outbox.database import Connection
from paytui.outbox.desk_record import DeskRecord
from paytui.outbox.entry import Event, EventKind
from paytui.outbox.outbox import Outbox
from paytui.platform.clock import ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.desk_link import DeskLink
from paytui.worker.intents.journal import Journal, stands
from tests.desk.modelled_log import ModelLog, World

T = TypeVar("T")


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
        DeskRecord(outbox)
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
    """A program of a trader on a disk."""

    def __init__(self, world: World, name: str, run: str, disk: Disk, trader: str) -> None:
        self.name, self.trader = name, trader
        outbox = Outbox(Path(__file__), disk.connect)
        memory = DeskRecord(outbox)
        if "forget" in world.bugs:
            memory.seen = None
        if "keep" in world.bugs:
            memory.keep = list  # type: ignore[assignment, method-assign]
        time = ServiceTime(world.clock)
        self.log = ModelLog(world, name, run, memory, trader)
        self.store = Store()
        self.journal = Journal(outbox, self.store, None, world.clock)
        self.link = DeskLink(self.log, memory, self.journal, self.store, time)
        self.time = time
        self.attempts: list[Iterator[None]] = []
        self.under_way: set[IntentId] = set()
        self.is_stopped_until = 0.0
        self.journal.load()  # as `Resolver.take_over` does
        for recorded in self.journal.standing(Standing.SENDING):
            self.note(recorded.entry.intent_id, EventKind.IN_DOUBT)
        for recorded in self.journal.standing(Standing.RECORDED):
            if recorded.entry.action is Action.MANDATE and not recorded.events:
                self.note(recorded.entry.intent_id, EventKind.NOT_EXECUTED)

    def note(self, intent: IntentId, kind: EventKind) -> None:
        recorded = self.journal.get(intent)
        assert recorded is not None
        if stands(recorded).open:
            problem = Problem("send it", "it failed")
            self.journal.note(intent, Event(kind=kind, at=self.time.latest(), problem=problem))
