"""One attempt to send an intent: whether it may leave, when it did, and what may have arrived.

A letter leaves after a last look, and is on disk before its first byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from paytui.domain.intent import IntentId, Standing
from paytui.domain.requests import Letter
from paytui.outbox.entry import Event, EventKind
from paytui.platform.clock import ServiceTime
from paytui.worker.intent_rows import stands
from paytui.worker.journal import Journal

PATIENCE = 20.0
"""Seconds that a letter waits for its token: a trader who waits for longer wants to be told."""


class Withdrawn(Exception):
    """A trader has settled the intent while the attempt had not left yet: it does not leave."""


class Attempt:
    """An attempt of one intent, as a `Passage` of its letters.

    Its departures are dated when the token is at hand: only then has the service told its time.

    Args:
        letter: what goes out; `moves_on` changes it.
        last_look: raises `NotSent` where the letter must not leave.

    Attributes:
        is_first: whether no earlier attempt may have arrived.
        may_have_arrived: whether a letter of this one may have; not one that came back.
        is_written: whether any departure of it is on disk.
    """

    def __init__(
        self,
        journal: Journal,
        intent_id: IntentId,
        letter: Letter,
        last_look: Callable[[], None],
        time: ServiceTime,
    ) -> None:
        self._journal = journal
        self._intent_id = intent_id
        self._last_look = last_look
        self._time = time
        self._letter = letter
        self._patience: asyncio.Timeout | None = None
        self._stands = self._standing()
        self.is_first = self._stands is Standing.RECORDED
        self.may_have_arrived = False
        self.is_written = False

    @asynccontextmanager
    async def patience(self) -> AsyncIterator[None]:
        """Inside, it has so long to leave; once it has, the answer has all the time that it takes.

        Raises:
            TimeoutError: it has not left in time, and will not.
        """
        async with asyncio.timeout(PATIENCE) as self._patience:
            yield

    def leaves(self) -> None:
        """Let it leave.

        Raises:
            NotSent: it must not.
            OutboxError: it cannot be written down.
            Withdrawn: it is settled.
        """
        if not self._stands.open or self._standing() is not self._stands:
            raise Withdrawn
        self._last_look()
        sending = Event(
            kind=EventKind.SENDING,
            at=self._time.latest(),
            not_before=self._time.earliest(),
            method=self._letter.method,
            path=self._letter.path,
        )
        self._journal.add(self._intent_id, sending)
        self._stands = Standing.SENDING
        self.is_written = True
        self._last_look()  # a disk may have taken its time
        self.may_have_arrived = True
        self._give(None)

    def connected(self) -> None:
        """Look once more: connecting takes seconds, and the first byte is next.

        Raises:
            NotSent, OutboxError: it must not leave.
        """
        self._journal.check_ours()
        self._last_look()

    def came_back(self) -> None:
        """The service refused its token, and did nothing with it."""
        self.may_have_arrived = False
        self._give(PATIENCE)

    def moves_on(self, letter: Letter) -> None:
        """Send this letter instead, before anything has left; a later process will know it too."""
        elsewhere = Event(
            kind=EventKind.ELSEWHERE,
            at=self._time.latest(),
            method=letter.method,
            path=letter.path,
        )
        self._journal.note(self._intent_id, elsewhere)
        self._stands = self._standing()
        self._letter = letter

    def _give(self, seconds: float | None) -> None:
        if self._patience is not None:
            now = asyncio.get_running_loop().time()
            self._patience.reschedule(None if seconds is None else now + seconds)

    def _standing(self) -> Standing:
        recorded = self._journal.get(self._intent_id)
        assert recorded is not None
        return stands(recorded)
