"""An `Auth` and everything around it, under the control of a test."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta

from paytui.api.errors import (
    ApiError,
)
from paytui.api.http.token import Auth, HeldToken, TokenCell
from paytui.domain.models import Problem, Token
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import Secret, SecretError
from tests.support.clock import ManualClock

FIVE_MINUTES = timedelta(minutes=5)
PROBLEM = Problem("sign in", "it does not work")


class Service:
    """Hands out `token-1`, `token-2`, …; fails as ordered; keeps count."""

    def __init__(self, clock: ManualClock, lifetime: timedelta = FIVE_MINUTES) -> None:
        self._clock = clock
        self._lifetime = lifetime
        self.failures: list[ApiError] = []
        self.ahead = timedelta(0)
        self.secrets: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self.reached = asyncio.Event()
        self.takes = 0.0

    @property
    def asked(self) -> int:
        return len(self.secrets)

    async def __call__(self, secret: Secret) -> HeldToken:
        self.secrets.append(secret.reveal())
        self.reached.set()
        sent = self._clock.boot()
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(self.takes)
        finally:
            self.at_once -= 1
        if self.failures:
            raise self.failures.pop(0)
        expires_at = self._clock.now() + self.ahead + self._lifetime
        token = Token(f"token-{self.asked}", expires_at)
        return HeldToken(token, sent)


class Desk:
    """Auth with all that is around it."""

    def __init__(
        self,
        clock: ManualClock,
        seed: int = 1,
        lifetime: timedelta = FIVE_MINUTES,
        *,
        service: Service | None = None,
        cell: TokenCell | None = None,
        patient: bool = True,
    ) -> None:
        self.clock = clock
        self.secret = "first"
        self.sources_asked = 0
        self.source_takes = 0.0
        self.service = service or Service(clock, lifetime)
        self.auth = Auth(
            post_auth=self.service,
            secret=self.read_secret,
            service_time=ServiceTime(clock),
            rng=random.Random(seed),  # noqa: S311 - a test repeats itself
            lifetime=FIVE_MINUTES,
            cell=cell or TokenCell(),
            patient=patient,
        )

    async def read_secret(self) -> Secret:
        self.sources_asked += 1
        await asyncio.sleep(self.source_takes)
        if not self.secret:
            raise SecretError("secret_command (op)", "timed out", "Run it by hand.")
        return Secret(self.secret)

    async def token(self, *, post: bool = False, urgent: bool = False) -> str:
        """The token of a request that the service carries out."""
        async with self.auth.lease(post=post, urgent=urgent) as held:
            self.auth.accepted(held)
            return held.token.access_token

    async def ask_in_vain(self) -> None:
        """A request that is answered by what stands in front of the service."""
        async with self.auth.lease(post=False, urgent=False):
            pass

    async def lose(self) -> None:
        """The service answers 401 to a read."""
        async with self.auth.lease(post=False, urgent=True) as held:
            pass
        self.auth.rejected(held, gone=False)
