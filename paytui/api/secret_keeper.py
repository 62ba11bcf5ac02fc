"""The client secret between two requests to `/auth`: when to ask its source, and when to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

from paytui.api.errors import AuthRefused, NoSecret
from paytui.domain.models import Problem
from paytui.platform.clock import Clock
from paytui.platform.secret import Secret, SecretError

REREAD = 30.0
"""Seconds between looks at the source of a secret that is refused, or cannot be had."""

Source: TypeAlias = Callable[[], Awaitable[Secret]]
"""Gives the secret; may take its time. Raises SecretError."""


class SecretKeeper:
    """Keeps the secret while the service accepts it.

    Its source may be a slow program, so it is asked once; and again when the service refuses what
    it gave: a secret that was changed meanwhile is tried by itself, the same one never.
    """

    def __init__(self, source: Source, clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._known: Secret | None = None
        self._again_from = 0.0
        self._asking: asyncio.Task[None] | None = None
        self.stopped: AuthRefused | NoSecret | None = None

    @property
    def at_hand(self) -> bool:
        """Whether there is a secret to send, as far as is known."""
        return self._known is not None and self.stopped is None

    async def current(self) -> Secret:
        """The secret to send.

        Raises:
            AuthRefused: the service refused it, and its source still gives the same.
            NoSecret: its source gives none.
        """
        while self._known is None or self.stopped is not None:
            self.look()
            if self._asking is not None:
                await asyncio.shield(self._asking)
            if self.stopped is not None:
                raise self.stopped.again(None)
        return self._known

    def look(self) -> None:
        """Have the source asked, unless that was just done; nobody waits for it here."""
        due = self.stopped is None or self._clock.boot() >= self._again_from
        if self._asking is None and due:
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    def refused(self, error: AuthRefused) -> None:
        """The service does not accept the secret that it was sent."""
        self.stopped = error
        self._again_from = self._clock.boot()

    def try_again(self) -> None:
        """Forget what was known: someone says that it is right now."""
        self.stopped = self._known = None

    async def aclose(self) -> None:
        """Ask no more."""
        if self._asking is not None:
            self._asking.cancel()
            with suppress(asyncio.CancelledError):
                await self._asking

    async def _ask(self) -> None:
        try:
            secret = await self._source()
        except SecretError as error:
            what = f"no secret: {error.origin} {error.message}"
            problem = Problem("sign in", what, remedy=error.remedy)
            self._known, self.stopped = None, NoSecret(problem, written=False)
        else:
            same = self._known is not None and secret.reveal() == self._known.reveal()
            if self.stopped is None or not same:
                self._known, self.stopped = secret, None
        finally:
            self._again_from = self._clock.boot() + REREAD
            self._asking = None
