"""Listening for the service's webhooks: each is judged, written down, and at most causes a read."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus

from paytui.api.events import EventReader
from paytui.domain.models import Kind, Problem
from paytui.platform.clock import Clock
from paytui.platform.secret import Secret, SecretError
from paytui.store.health import LinkState
from paytui.store.reports import Listening, Trust
from paytui.worker.event_log import EventLog
from paytui.worker.event_reads import WAITS, EventReads
from paytui.worker.polling import Shared
from paytui.worker.webhook_door import Door
from paytui.worker.webhook_judge import Judge, Message
from paytui.worker.webhook_seal import NoSeal, Seal

TRY_AGAIN = 30.0
"""Seconds until listening is tried again where it could not be."""

RENEW_EVERY = 60.0
"""Seconds between two times that forgeries have the secret read again."""

AT_ONCE, EACH_SECOND = 100.0, 20.0
"""Messages that are judged in a burst, and for long; what comes beyond is told to come later."""

_ANSWERS = {
    Trust.FORGED: HTTPStatus.UNAUTHORIZED,
    Trust.TOO_OLD: HTTPStatus.UNAUTHORIZED,
    Trust.UNREADABLE: HTTPStatus.BAD_REQUEST,
}
"""What is not here is taken: who is told so sends it no more."""


@dataclass(frozen=True, slots=True)
class WebhookOptions:
    """What listening takes.

    Attributes:
        host: a literal address of this machine.
        path: where events are posted.
        reader: reads them.
        secret: gets what they are signed with, raising SecretError; None where nothing signs them.
    """

    host: str
    port: int
    path: str = field(repr=False)
    reader: EventReader
    secret: Callable[[], Awaitable[Secret]] | None = None


class Webhooks:
    """Listens, and says in the store where it does or why it does not.

    Args:
        options: where to listen.
        shared: what pollers work with.
        look: has the list of a kind read now.
    """

    def __init__(
        self, options: WebhookOptions, shared: Shared, look: Callable[[Kind], None]
    ) -> None:
        self._options = options
        self._store = shared.store
        self._time = shared.service_time
        self._log = EventLog(shared.store)
        self._reads = EventReads(shared, self._log, look)
        self._allowance = Allowance(shared.service_time.clock)
        self._doubted = asyncio.Event()

    async def run(self) -> None:
        """Listen, and read what is hinted at, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._reads.run())
            group.create_task(self._listen_again())

    async def _listen_again(self) -> None:
        """Listen; where that cannot be, try again later."""
        while True:
            try:
                await self._listen()
            except SecretError as error:
                self._say(problem=self._problem(str(error).rstrip(".")))
            except NoSeal as error:
                self._say(problem=self._problem(f"the webhook secret {error}"))
            except OSError as error:
                what = os.strerror(error.errno) if error.errno else "unknown reason"
                self._say(problem=self._problem(what))
            await asyncio.sleep(TRY_AGAIN)

    async def _listen(self) -> None:
        options = self._options
        seal = None if options.secret is None else Seal(await options.secret())
        judge = Judge(seal, options.reader.read, self._time)
        door = Door(options.path, lambda message: self._take(judge, message))
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        with socket.create_server((options.host, options.port), family=family) as listener:
            self._say(_address(listener), signed=seal is not None)
            renewing = asyncio.create_task(self._renew(judge))
            try:
                await door.serve(listener)
            finally:
                renewing.cancel()
                self._say()

    async def _renew(self, judge: Judge) -> None:
        """Read the secret again where a signature does not fit it: it may have been rotated."""
        while self._options.secret is not None:
            await self._doubted.wait()
            with suppress(SecretError, NoSeal):  # the one before stands in
                judge.renew(Seal(await self._options.secret()))
            await asyncio.sleep(RENEW_EVERY)
            self._doubted.clear()

    def _take(self, judge: Judge, message: Message) -> HTTPStatus:
        """Judge a message, and have what it names read."""
        if not self._knows_time() or not self._allowance.has_room():
            return HTTPStatus.SERVICE_UNAVAILABLE
        judgement = judge.judge(message)
        heeded = judgement.trust.heeded
        row = self._log.add(judgement, self._time.latest(), WAITS if heeded else "")
        if heeded:
            self._reads.ask(row)
        if judgement.trust is Trust.FORGED:
            self._doubted.set()
        return _ANSWERS.get(judgement.trust, HTTPStatus.NO_CONTENT)

    def _knows_time(self) -> bool:
        """Whether the service's time is known, or it answers without telling it."""
        return self._time.known or self._store.link.state is LinkState.UP

    def _problem(self, what: str) -> Problem:
        where = f"{self._options.host} port {self._options.port}"
        remedy = f"It is tried again in {TRY_AGAIN:g} s; lists are polled all the same."
        return Problem(f"listen for webhooks on {where}", what, remedy=remedy)

    def _say(
        self, address: str = "", *, signed: bool = False, problem: Problem | None = None
    ) -> None:
        self._store.set_listening(Listening(address, signed, problem))
        self._store.notify()


class Allowance:
    """How many messages may still be judged now: a bucket that fills with time."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._room = AT_ONCE
        self._at = clock.monotonic()

    def has_room(self) -> bool:
        """Whether there is room for one more, which is taken."""
        now = self._clock.monotonic()
        self._room = min(AT_ONCE, self._room + (now - self._at) * EACH_SECOND)
        self._at = now
        if self._room < 1:
            return False
        self._room -= 1
        return True


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
