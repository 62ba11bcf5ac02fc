"""Creations in any order, under any failure: done once, or in doubt."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paytui.domain.intent import Action, Intent, Standing
from paytui.domain.models import Record
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop
from tests.worker.conftest import still_service
from tests.worker.creating import Creating

KNOWN_BY = {
    Action.CREATE_CORPORATE_ACCOUNT: "company_name",
    Action.CREATE_INDIVIDUAL_ACCOUNT: "email",
    Action.CREATE_WALLET: "wallet_name",
    Action.CREATE_RECIPIENT: "company_name",
    Action.CREATE_PAYMENT_ADDRESS: "account_number",
}
"""The field that identifies each creation: `Creating` gives no two of them the same."""

NOTHING_MADE = (Standing.REFUSED, Standing.NOT_EXECUTED, Standing.NOT_RECORDED, Standing.RECORDED)
FAULTS = ["", "500", "503", "429", "cut", "commit-then-cut", "commit-then-500", "malformed"]


@dataclass(frozen=True)
class Step:
    """The confirmation of one intent.

    Attributes:
        fault: what the service does with it.
        crash: seconds after which the process is gone, if it goes.
        pause: seconds until the next.
    """

    what: Action
    fault: str
    crash: float | None
    pause: float


STEPS = st.builds(
    Step,
    what=st.sampled_from(sorted(KNOWN_BY)),
    fault=st.sampled_from(FAULTS),
    crash=st.sampled_from([None, None, 0.0, 0.005, 0.015, 0.025, 0.1, 4.0]),
    pause=st.sampled_from([0.0, 1.0, 90.0]),
)


class Office:
    """A service, and one process after another on copies of one outbox."""

    def __init__(self, folder: Path, clock: ManualClock, *, replay_safe: bool) -> None:
        self._folder = folder
        self._clock = clock
        self._replay_safe = replay_safe
        self._service = still_service(clock)
        self._processes = 0
        self._path = folder / "0.outbox.sqlite"
        self.intents: list[Intent] = []
        self.desk = self._started()

    def _started(self) -> Creating:
        return Creating(self._service, self._clock, self._path, replay_safe=self._replay_safe)

    async def go_through(self, steps: list[Step]) -> None:
        """All of it, and then time in which doubts may be settled."""
        left = list(steps)
        while left:
            await self.desk.worker.sync_once()
            async with self.desk.at_work():
                await self._until_a_crash(left)
            await self.desk.worker.aclose()
            self.desk = self._started()
        await self.desk.worker.sync_once()
        async with self.desk.at_work():
            await self.desk.wait(200)
            await self._check()
        await self.desk.worker.aclose()

    async def _until_a_crash(self, left: list[Step]) -> None:
        while left:
            step = left.pop(0)
            intent = self.desk.creation(step.what)
            self.intents.append(intent)
            if step.fault:
                await self.desk.spoil(step.what, step.fault)
            self.desk.submit(intent)
            if step.crash is not None:
                await self.desk.wait(step.crash)
                self._keep_what_is_on_disk()
                return
            await self.desk.wait(step.pause)
        self._keep_what_is_on_disk()

    def _keep_what_is_on_disk(self) -> None:
        """Keep the files on disk, without the effects of the process while it ends."""
        self._processes += 1
        before, self._path = self._path, self._folder / f"{self._processes}.outbox.sqlite"
        shutil.copy(before, self._path)

    async def _check(self) -> None:
        for intent in self.intents:
            made = [row for row in await self._listed(intent) if _is_it(intent, row)]
            assert len(made) <= 1, f"{intent.title} {intent.action} was made {len(made)} times"
            row = self.desk.row(intent)
            if row is None or row.standing in NOTHING_MADE:
                assert not made
            elif row.standing is Standing.ACCEPTED:
                assert [_id_of(each) for each in made] == [row.object_id]
            else:
                assert row.standing is Standing.IN_DOUBT

    async def _listed(self, intent: Intent) -> list[Record]:
        parent = intent.terms.recipient_id
        pages = self.desk.client.pages(intent.action.becomes, parent)
        return [row async for page in pages for row in page.records]


def _is_it(intent: Intent, row: Record) -> bool:
    name = KNOWN_BY[intent.action]
    return bool(getattr(row, name) == getattr(intent.request, name))


def _id_of(row: Record) -> str:
    identifier: str = getattr(row, row.__slots__[0])
    return identifier


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(steps=st.lists(STEPS, min_size=1, max_size=4), replay_safe=st.booleans())
def test_each_is_made_once_or_shown_in_doubt(steps: list[Step], replay_safe: bool) -> None:
    clock = ManualClock()
    loop = VirtualLoop(clock)
    with folder() as place:
        office = Office(place, clock, replay_safe=replay_safe)
        loop.run_until_complete(office.go_through(steps))
        loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
