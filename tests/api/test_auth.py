"""The one token: one request at a time, early renewal, and no fight over it."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from datetime import timedelta

import pytest

from paytui.api.auth import Auth, Held, TokenCell
from paytui.api.errors import (
    ApiError,
    AuthRefused,
    NoSecret,
    RateLimited,
    ServiceFailed,
    ServiceUnreachable,
    TimedOut,
    TokenLost,
)
from paytui.api.models import Problem, Token
from paytui.clock import ServiceTime
from paytui.secret import Secret, SecretError
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

    @property
    def asked(self) -> int:
        return len(self.secrets)

    async def __call__(self, secret: Secret) -> Held:
        self.secrets.append(secret.reveal())
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        if self.failures:
            raise self.failures.pop(0)
        expires_at = self._clock.now() + self.ahead + self._lifetime
        token = Token(f"token-{self.asked}", expires_at)
        return Held(token, self._clock.boot())


class Desk:
    """Auth with all that is around it."""

    def __init__(
        self, clock: ManualClock, seed: int = 1, lifetime: timedelta = FIVE_MINUTES
    ) -> None:
        self.clock = clock
        self.secret = "first"
        self.sources_asked = 0
        self.service = Service(clock, lifetime)
        self.auth = Auth(
            post_auth=self.service,
            secret=self.read_secret,
            service_time=ServiceTime(clock),
            rng=random.Random(seed),  # noqa: S311 - a test repeats itself
            lifetime=FIVE_MINUTES,
            cell=TokenCell(),
        )

    def read_secret(self) -> Secret:
        self.sources_asked += 1
        if not self.secret:
            raise SecretError("secret_command (op)", "timed out", "Run it by hand.")
        return Secret(self.secret)

    async def token(self, *, post: bool = False, urgent: bool = False) -> str:
        async with self.auth.lease(post=post, urgent=urgent) as held:
            return held.token.access_token

    async def lose(self) -> None:
        """The service answers 401 to a read."""
        async with self.auth.lease(post=False, urgent=True) as held:
            self.auth.rejected(held)


@pytest.fixture
def desk(clock: ManualClock) -> Desk:
    return Desk(clock)


def test_all_callers_wait_for_one_request(desk: Desk) -> None:
    async def many() -> list[str]:
        return await asyncio.gather(*(desk.token() for _ in range(20)))

    assert set(asyncio.run(many())) == {"token-1"}
    assert desk.service.asked == 1


@pytest.mark.parametrize("seed", range(10))
def test_a_token_is_kept_for_most_of_its_life_and_renewed_before_its_end(
    clock: ManualClock, seed: int
) -> None:
    desk = Desk(clock, seed)

    async def over_time() -> list[str]:
        tokens = [await desk.token()]
        clock.advance(200)
        tokens.append(await desk.token())
        clock.advance(70)  # 30 s are left of five minutes
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(over_time()) == ["token-1", "token-1", "token-2"]


def test_two_programs_started_together_do_not_renew_together(clock: ManualClock) -> None:
    def renewed_after(seed: int) -> float:
        own_clock = ManualClock()
        desk = Desk(own_clock, seed)

        async def wait() -> float:
            while await desk.token() == "token-1":
                own_clock.advance(1)
            return own_clock.boot()

        return asyncio.run(wait())

    assert len({renewed_after(seed) for seed in range(8)}) > 4


def test_a_short_lived_token_is_used_and_not_renewed_at_every_call(clock: ManualClock) -> None:
    desk = Desk(clock, lifetime=timedelta(seconds=10))

    async def calls() -> list[str]:
        tokens = []
        for _ in range(10):
            tokens.append(await desk.token(post=True))
            clock.advance(1)
        return tokens

    assert asyncio.run(calls()) == ["token-1"] * 8 + ["token-2"] * 2


def test_a_host_clock_ten_minutes_off_does_no_harm(clock: ManualClock) -> None:
    """Without any `Date` seen, the token's age alone bounds it (contract.md)."""
    desk = Desk(clock)

    async def calls() -> list[str]:
        tokens = [await desk.token()]
        clock.set_wall(clock.now() - timedelta(minutes=10))
        clock.advance(299)
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(calls()) == ["token-1", "token-2"]


def test_a_renewal_waits_for_a_post_in_flight(desk: Desk) -> None:
    async def scene() -> list[str]:
        order: list[str] = []

        async def read() -> None:
            order.append(await desk.token())

        async with desk.auth.lease(post=True, urgent=True):
            desk.clock.advance(310)
            reading = asyncio.create_task(read())
            for _ in range(10):
                await asyncio.sleep(0)
            order.append("post answered")
        await reading
        return order

    assert asyncio.run(scene()) == ["post answered", "token-2"]


def test_reads_go_on_with_a_token_that_still_lives_while_a_post_is_in_flight(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=True, urgent=True):
            desk.clock.advance(280)  # due for renewal, 20 s left
            return await asyncio.wait_for(desk.token(), 5)

    assert asyncio.run(scene()) == "token-1"


def test_a_post_goes_out_with_thirty_seconds_of_token_left(desk: Desk) -> None:
    """Even where renewal fails: a token that dies on the way is worse than an error."""

    async def scene() -> None:
        await desk.token()
        desk.clock.advance(265)  # 35 s left
        desk.service.failures = [refused_connection(), refused_connection()]
        assert await desk.token(post=True, urgent=True) == "token-1"
        desk.clock.advance(10)
        with pytest.raises(ServiceUnreachable):
            await desk.token(post=True, urgent=True)
        assert await desk.token() == "token-1"

    asyncio.run(scene())


def refused_connection() -> ApiError:
    return ServiceUnreachable(PROBLEM, written=False)


def test_after_a_time_out_the_old_token_is_taken_for_dead(desk: Desk) -> None:
    async def scene() -> list[str]:
        tokens = [await desk.token()]
        desk.clock.advance(280)
        desk.service.failures = [TimedOut(PROBLEM)]
        with pytest.raises(TimedOut):
            await desk.token()
        desk.clock.advance(1)
        tokens.append(await desk.token())
        return tokens

    assert asyncio.run(scene()) == ["token-1", "token-3"]


@pytest.mark.parametrize("error", [ServiceFailed(PROBLEM), TimedOut(PROBLEM), RateLimited(PROBLEM)])
def test_failures_back_off_longer_and_longer(desk: Desk, error: ApiError) -> None:
    async def scene() -> None:
        desk.service.failures = [error.again(None) for _ in range(100)]
        for _ in range(600):
            with pytest.raises(ApiError) as caught:
                await desk.token(urgent=True)
            assert caught.value.retry_after is not None
            assert 0 < caught.value.retry_after <= 60
            desk.clock.advance(1)

    asyncio.run(scene())
    assert 15 <= desk.service.asked <= 45  # ten minutes at 15 to 30 s, after a quick start


def test_what_the_service_says_about_waiting_is_kept_to(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [RateLimited(PROBLEM, retry_after=100)]
        for _ in range(100):
            with pytest.raises(RateLimited):
                await desk.token(urgent=True)
            desk.clock.advance(1)
        assert await desk.token() == "token-2"

    asyncio.run(scene())


def test_refused_credentials_are_not_tried_again_by_themselves(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        for _ in range(100):
            with pytest.raises(AuthRefused):
                await desk.token(urgent=True)
            desk.clock.advance(60)
        assert desk.service.asked == 1
        desk.auth.try_again()
        assert await desk.token() == "token-2"
        assert desk.auth.stopped is None

    asyncio.run(scene())


def test_a_rotated_secret_is_tried_by_itself(desk: Desk) -> None:
    async def scene() -> None:
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        with pytest.raises(AuthRefused):
            await desk.token()
        with pytest.raises(AuthRefused):
            await desk.token()
        desk.secret = "second"
        desk.clock.advance(31)
        assert await desk.token() == "token-2"

    asyncio.run(scene())
    assert desk.service.secrets == ["first", "second"]


def test_a_secret_rotated_while_running_costs_one_failed_read(desk: Desk) -> None:
    async def scene() -> None:
        await desk.token()
        desk.secret = "second"
        desk.clock.advance(301)
        desk.service.failures = [AuthRefused(PROBLEM, status=401)]
        with pytest.raises(AuthRefused):
            await desk.token()
        assert await desk.token() == "token-3"

    asyncio.run(scene())
    assert desk.service.secrets == ["first", "first", "second"]


def test_the_source_of_a_secret_that_works_is_asked_once(desk: Desk) -> None:
    async def scene() -> None:
        for _ in range(5):
            await desk.token()
            desk.clock.advance(301)

    asyncio.run(scene())
    assert desk.service.asked == 5
    assert desk.sources_asked == 1


def test_a_secret_that_cannot_be_had_is_said_and_looked_for_again(desk: Desk) -> None:
    async def scene() -> None:
        desk.secret = ""
        for _ in range(29):
            with pytest.raises(NoSecret, match=r"secret_command.*timed out.*Run it by hand"):
                await desk.token(urgent=True)
            desk.clock.advance(1)
        assert (desk.service.asked, desk.sources_asked) == (0, 1)
        assert desk.auth.stopped is not None
        desk.secret = "second"
        desk.clock.advance(2)
        assert await desk.token() == "token-1"
        assert desk.auth.stopped is None

    asyncio.run(scene())


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_host_clock_ten_minutes_off_before_the_services_is_known_does_no_harm(
    clock: ManualClock, minutes: int
) -> None:
    desk = Desk(clock)

    async def calls() -> list[str]:
        clock.set_wall(clock.now() - timedelta(minutes=minutes))
        desk.service.ahead = timedelta(minutes=minutes)
        tokens = [await desk.token() for _ in range(3)]
        clock.advance(290)
        return [*tokens, await desk.token()]

    assert asyncio.run(calls()) == ["token-1", "token-1", "token-1", "token-2"]


def test_a_newer_token_is_used_where_one_is_known(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=False, urgent=False) as old:
            desk.clock.advance(290)
            assert await desk.token() == "token-2"
        desk.auth.rejected(old)
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"


def test_an_expired_token_is_replaced_at_once(desk: Desk) -> None:
    async def scene() -> str:
        async with desk.auth.lease(post=False, urgent=False) as held:
            desk.clock.advance(301)
            desk.auth.rejected(held)
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"


@pytest.mark.parametrize("seed", range(5))
def test_after_a_supersession_polls_wait_thirty_to_sixty_seconds(
    clock: ManualClock, seed: int
) -> None:
    desk = Desk(clock, seed)

    async def scene() -> float:
        await desk.lose()
        with pytest.raises(TokenLost) as caught:
            await desk.token()
        assert caught.value.retry_after is not None
        start = clock.boot()
        clock.advance(29)
        with pytest.raises(TokenLost):
            await desk.token()
        clock.advance(caught.value.retry_after - 29)
        assert await desk.token() == "token-2"
        return clock.boot() - start

    assert 30 <= asyncio.run(scene()) <= 60


def test_a_persons_intent_asks_at_once_after_a_supersession(desk: Desk) -> None:
    async def scene() -> str:
        await desk.lose()
        return await desk.token(urgent=True)

    assert asyncio.run(scene()) == "token-2"


def test_a_token_lost_to_a_restart_of_the_service_is_replaced_at_once(desk: Desk) -> None:
    async def scene() -> str:
        await desk.token()
        desk.auth.service_was_away()
        await desk.lose()
        return await desk.token()

    assert asyncio.run(scene()) == "token-2"
    assert not desk.auth.contested


def test_no_more_than_six_tokens_are_asked_for_in_a_minute(desk: Desk) -> None:
    async def scene() -> None:
        for _ in range(60):
            with suppress(TokenLost):
                await desk.lose()
            desk.clock.advance(1)

    asyncio.run(scene())
    assert desk.service.asked == 6


def test_three_losses_in_five_minutes_say_that_someone_else_is_there(desk: Desk) -> None:
    async def scene() -> list[bool]:
        seen = []
        for _ in range(3):
            await desk.lose()
            seen.append(desk.auth.contested)
            desk.clock.advance(100)
        desk.clock.advance(300)
        seen.append(desk.auth.contested)
        return seen

    assert asyncio.run(scene()) == [False, False, True, False]


def test_a_caller_that_gives_up_leaves_the_others_a_way(desk: Desk) -> None:
    async def scene() -> str:
        first = asyncio.create_task(desk.token())
        second = asyncio.create_task(desk.token())
        await asyncio.sleep(0)
        first.cancel()
        return await second

    assert asyncio.run(scene()) == "token-2"
    assert desk.service.most_at_once == 1


def test_an_error_inside_a_lease_ends_it(desk: Desk) -> None:
    async def scene() -> str:
        with pytest.raises(RuntimeError):
            async with desk.auth.lease(post=True, urgent=True):
                raise RuntimeError
        desk.clock.advance(310)
        return await asyncio.wait_for(desk.token(), 5)

    assert asyncio.run(scene()) == "token-2"


def test_what_is_left_of_a_token_is_told(desk: Desk) -> None:
    assert desk.auth.remaining is None
    asyncio.run(desk.token())
    desk.clock.advance(60)
    assert desk.auth.remaining == timedelta(minutes=4)
