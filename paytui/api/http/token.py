"""The one token of a client id (service.md §5).

A new token ends the one before, so a single caller requests it while all others wait. It is renewed
before it expires, but not while a POST is in flight. After another program has taken the token,
background reads wait before they take it back. Otherwise two hosts would end each other's tokens
at polling rate.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import TypeAlias

from paytui.api.errors import ApiError, AuthRefused, Effect, NoSecret, ServiceUnreachable, TokenLost
from paytui.domain.models import Problem, Token
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.secret import Secret, SecretError

REREAD = 30.0  # Seconds between reads of the source while the secret is refused or unavailable

Source: TypeAlias = Callable[[], Awaitable[Secret]]
"""Returns the secret; may be slow. Raises SecretError."""


class CredentialProvider:
    """A cache of the client secret, valid while the service accepts it.

    The source may be a slow program, so it is read once, and again after the service refused the
    secret. A changed secret is then tried automatically, the same one never.
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
        """Return True if there is a secret that the service has not refused."""
        return self._known is not None and self.stopped is None

    async def current(self) -> Secret:
        """Return the secret. Raises AuthRefused if it is still the refused one, or NoSecret."""
        while self._known is None or self.stopped is not None:
            self.look()
            if self._asking is not None:
                await asyncio.shield(self._asking)
            if self.stopped is not None:
                raise self.stopped.again(None)
        return self._known

    def look(self) -> None:
        """Start to read the source, unless it was read recently. Does not wait for it."""
        due = self.stopped is None or self._clock.boot() >= self._again_from
        if self._asking is None and due:
            self._asking = asyncio.get_running_loop().create_task(self._ask())

    def refused(self, error: AuthRefused) -> None:
        """Note that the service refused the secret."""
        self.stopped = error
        self._again_from = self._clock.boot()

    def try_again(self) -> None:
        """Forget the secret and its refusal, on the user's word that it is right now."""
        self.stopped = self._known = None

    async def aclose(self) -> None:
        """Cancel a read of the source."""
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


POST_NEEDS = 30.0  # Seconds of life that a token needs for a POST (service.md)

RENEW_BEFORE = (45.0, 75.0)
"""Seconds before its end at which a token is renewed; random for each token."""

RENEW_SHARE = 0.25
"""Last part of a short-lived token's life in which it is renewed; a POST needs no more either."""

REQUESTS_A_MINUTE = 6  # Requests for tokens, besides renewals at the end of a token's life
SHORTEST_LIFE = 5.0  # Age in seconds from which a token's renewal does not count as a request

LATE = 120.0
"""Seconds within which the service may still execute a request for a token that we gave up."""

BACKGROUND_WAIT = (30.0, 60.0)
"""Seconds for which background reads leave the token to the program that took it."""

CONTESTED_AFTER = 3
CONTESTED_WITHIN = 300.0
FIRST_BACKOFF = 1.0
LONGEST_BACKOFF = 30.0
ATTEMPTED = "sign in"


@dataclass(frozen=True, slots=True)
class HeldToken:
    """A token and the data to judge its age.

    Attributes:
        sent: boot time in seconds just before its request.
        renew_at: remaining seconds of life at which it is renewed.
        post_needs: remaining seconds of life that a POST needs.
        end_is_trusted: True if `expires_at` is plausible by the service's clock.
        life: its longest life in seconds from `sent`, as the requesting process judged.
    """

    token: Token = field(repr=False)
    sent: float
    renew_at: float = 0.0
    post_needs: float = 0.0
    end_is_trusted: bool = True
    life: float = math.inf


Check: TypeAlias = Callable[[], None]
"""Raises ApiError if no token may be requested yet."""


class TokenCell:
    """The token of one process, in memory; `unshared` is the reason why it cannot be shared.

    `secret` returns the client secret that `Auth` knows; see `CredentialProvider.current`.
    """

    secret: Source | None = None

    def __init__(self) -> None:
        self.held: HeldToken | None = None
        self.unshared: str | None = None

    def look(self) -> HeldToken | None:
        """Read a token that another process may have stored meanwhile."""
        return None

    def share(self, held: HeldToken) -> None:
        """Let other processes have a new token."""

    def discard(self, held: HeldToken) -> None:
        """Remove a token that the service rejected, so that no other process uses it."""

    def close(self) -> None:
        """End what shares the token with other processes."""

    @asynccontextmanager
    async def renewing(self, check: Check = lambda: None) -> AsyncIterator[bool]:  # noqa: ARG002 - a desk calls it
        """Hold the right to renew the token; one process at a time has it.

        A cell that counts how often the right is taken calls `check` just before.

        False: another process has renewed it meanwhile, and `look` returns that token.
        """
        yield True


PostAuth = Callable[[Secret], Awaitable[HeldToken]]
"""Requests a token from the service. Raises ApiError."""


class Auth:
    """A provider of the token that renews it when needed.

    Args:
        secret: reads the client secret from its source; may be slow.
        lifetime: the longest life of a token (service.md §8).
        patient: True if background reads leave a lost token to the other program for a while. A
            one-shot command requests a new one at once.

    `inherited` is True if another process requested the token.
    """

    def __init__(
        self,
        *,
        post_auth: PostAuth,
        secret: Source,
        service_time: ServiceTime,
        rng: random.Random,
        lifetime: timedelta,
        cell: TokenCell,
        patient: bool = True,
    ) -> None:
        self._post_auth = post_auth
        self._secrets = CredentialProvider(secret, service_time.clock)
        self._time = service_time
        self._rng = rng
        self._lifetime = lifetime
        self._cell = cell
        cell.secret = self._secrets.current
        self._patient = patient
        self._lock = asyncio.Lock()
        self._newest = 0.0
        self.inherited = False
        self._proven = False
        self._posts = 0
        self._no_posts = asyncio.Event()
        self._no_posts.set()
        self._asked: deque[float] = deque(maxlen=REQUESTS_A_MINUTE)
        self._taken: deque[float] = deque(maxlen=CONTESTED_AFTER)
        self._given_up: deque[float] = deque(maxlen=REQUESTS_A_MINUTE)
        self._service_was_away = False
        self._background_from = 0.0
        self._failures = 0
        self._failed: ApiError | None = None
        self._retry_from = 0.0

    @property
    def health(self) -> TokenHealth:
        """Return the health of the token, without the missing services."""
        held, recent = self._cell.held, self._now() - CONTESTED_WITHIN
        return TokenHealth(
            remaining=None if held is None else timedelta(seconds=self._left(held)),
            contested=sum(at > recent for at in self._taken) == CONTESTED_AFTER,
            services=held.token.services if held else (),
            unshared=self._cell.unshared,
        )

    def try_again(self) -> None:
        """Request a token and the secret again, on the user's word that it is right now."""
        self._secrets.try_again()
        self._retry_from = 0.0

    async def aclose(self) -> None:
        self._cell.close()
        await self._secrets.aclose()

    def service_was_away(self) -> None:
        """Note a refused connection: the next lost token was lost to a restart of the service."""
        self._service_was_away = True

    @asynccontextmanager
    async def lease(self, *, post: bool, urgent: bool) -> AsyncIterator[HeldToken]:
        """Provide a valid token for the one request inside the `async with` block.

        Args:
            post: the request creates something; the token is not renewed during it.
            urgent: a person waits for it, rather than a poll.

        Raises:
            AuthRefused, NoSecret: there is no secret that the service accepts.
            TokenLost: no token may be requested for `retry_after` seconds.
            ApiError: the request for a token failed.
        """
        async with self._lock:
            held = await self._good_token(post=post, urgent=urgent)
            self._posts += post
            if self._posts:
                self._no_posts.clear()
        try:
            yield held
        finally:
            self._posts -= post
            if not self._posts:
                self._no_posts.set()

    def accepted(self, held: HeldToken) -> None:
        """Note that the service accepted the token."""
        self._proven |= self._cell.held is held

    def rejected(self, held: HeldToken, *, gone: bool) -> None:
        """Note a 401; if the token is `gone` (unknown or expired), no other program took it."""
        if self._cell.held is not held:
            return
        self._cell.held = None
        self._cell.discard(held)
        found_dead = self.inherited and not self._proven  # lost before we began
        explained = gone or found_dead or self._service_was_away
        self._service_was_away = False
        if self._left(held) > 0 and not explained and not self._was_ended_by_us():
            self._taken.append(self._now())
            self._background_from = self._now() + self._rng.uniform(*BACKGROUND_WAIT)

    def _was_ended_by_us(self) -> bool:
        """Return True if a late request of ours, given up earlier, may have ended the token."""
        while self._given_up:
            if self._now() - self._given_up.popleft() <= LATE:
                return True
        return False

    async def _good_token(self, *, post: bool, urgent: bool) -> HeldToken:
        self._adopt(self._cell.look())
        held = self._cell.held
        if held is not None and not self._is_due(held):
            return held
        if held is not None and self._posts and self._will_do(held, post=post):
            return held  # a renewal would wait for the POST in flight, and all others for it
        if held is not None and not self._secrets.at_hand and self._will_do(held, post=post):
            self._secrets.look()
            return held  # its source may be slow, and the token still lives
        try:
            return await self._renew(urgent=urgent)
        except ApiError:
            # The old token is valid until a new one is requested (service.md §5).
            if self._cell.held is None or not self._will_do(self._cell.held, post=post):
                raise
            return self._cell.held

    def _will_do(self, held: HeldToken, *, post: bool) -> bool:
        return self._left(held) > (held.post_needs if post else 0.0)

    def _is_due(self, held: HeldToken) -> bool:
        return self._left(held) <= held.renew_at

    async def _renew(self, *, urgent: bool) -> HeldToken:
        await self._no_posts.wait()
        check = partial(self._check_pace, urgent=urgent)
        async with self._cell.renewing(check) as may_ask:
            self._adopt(self._cell.look())
            held = self._cell.held
            if held is not None and not (may_ask and self._is_due(held)):
                return held
            if not may_ask:
                raise self._wait(FIRST_BACKOFF, "the token of another process is no newer")
            return await self._ask(urgent=urgent)

    def _adopt(self, found: HeldToken | None) -> None:
        """Take over a newer token of another of our processes."""
        if found is None or found.sent <= self._newest:
            return
        self.inherited = not self._newest
        if self._taken and found.sent <= self._taken[-1]:
            self._taken.pop()  # this token ended ours, not another program's
        self._background_from = 0.0
        self._hold(found)

    def _hold(self, held: HeldToken) -> HeldToken:
        self._failures, self._failed = 0, None
        self._service_was_away = False
        self._newest, self._proven = held.sent, False
        # A token that has expired on arrival reveals an error of the clock.
        trusted = self._left(held) > 0
        left = self._left(replace(held, end_is_trusted=trusted))
        life = left + self._now() - held.sent
        short = life * RENEW_SHARE
        self._cell.held = with_margins = replace(
            held,
            end_is_trusted=trusted,
            renew_at=min(self._rng.uniform(*RENEW_BEFORE), short),
            post_needs=min(POST_NEEDS, short),
            life=life,
        )
        return with_margins

    async def _ask(self, *, urgent: bool) -> HeldToken:
        secret = await self._secrets.current()
        self._check_pace(urgent=urgent)
        if not self._is_aged():
            self._asked.append(self._now())
        held, self._cell.held = self._cell.held, None  # the request ends it in any case
        try:
            answer = await self._post_auth(secret)
        except asyncio.CancelledError:
            self._given_up.append(self._now())
            raise
        except ApiError as error:
            if error.effect is Effect.NONE:
                self._cell.held = held
            elif error.effect is Effect.UNKNOWN:
                self._given_up.append(self._now())
            self._note_failure(error)
            raise
        renewed = self._hold(answer)
        self.inherited = False
        self._cell.share(renewed)
        return renewed

    def _is_aged(self) -> bool:
        """Return True for a token of some age: its renewal limits its own rate."""
        held = self._cell.held
        return held is not None and self._now() - held.sent >= SHORTEST_LIFE

    def _check_pace(self, *, urgent: bool) -> None:
        now = self._now()
        if self._failed is not None and now < self._retry_from:
            raise self._failed.again(self._retry_from - now)
        if self._patient and not urgent and now < self._background_from:
            raise self._wait(self._background_from - now, "the service rejected the token")
        is_full = len(self._asked) == REQUESTS_A_MINUTE and now < self._asked[0] + 60
        if is_full and not self._is_aged():
            raise self._wait(self._asked[0] + 60 - now, "the service rejected token after token")

    def _note_failure(self, error: ApiError) -> None:
        if isinstance(error, AuthRefused):
            self._secrets.refused(error)
            return
        if isinstance(error, ServiceUnreachable):
            self._service_was_away = True
        backoff = min(FIRST_BACKOFF * 2**self._failures, LONGEST_BACKOFF)
        self._failures = min(self._failures + 1, 10)
        wait = max(backoff * self._rng.uniform(0.5, 1.0), error.retry_after or 0.0)
        self._failed, self._retry_from = error, self._now() + wait
        error.retry_after = wait

    def _left(self, held: HeldToken) -> float:
        life = min(self._lifetime.total_seconds(), held.life)
        if not held.end_is_trusted:
            return held.sent + life - self._now()
        left = self._time.remaining(held.token.expires_at, held.sent, timedelta(seconds=life))
        return left.total_seconds()

    def _wait(self, seconds: float, why: str) -> TokenLost:
        later = "paytui requests a new token in a while."
        then = later if self._patient else "Run the command again in a minute."
        remedy = f"Another program may be using this client id. {then}"
        problem = Problem(ATTEMPTED, why, remedy=remedy)
        return TokenLost(problem, written=False, retry_after=seconds)

    def _now(self) -> float:
        return self._time.clock.boot()


@dataclass(frozen=True, slots=True)
class TokenHealth:
    """The health of the token, for the status bar.

    Attributes:
        remaining: its life; None if there is no token.
        contested: another program is using this client id: three losses in five minutes.
        services: the services in the token's claims; not verified.
        unshared: the reason why it cannot be shared with other processes.
        missing_services: known services that the claims leave out.
    """

    remaining: timedelta | None
    contested: bool
    services: tuple[str, ...]
    unshared: str | None
    missing_services: frozenset[str] = frozenset()
