"""The token on calls, and the single repeat after a 401."""

from __future__ import annotations

import asyncio

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from paytui.api.errors import (
    AuthRefused,
    Effect,
    NotFound,
    Refused,
    ServiceUnreachable,
    TokenLost,
    Unreadable,
)
from paytui.domain.models import WalletId
from tests.api.scene import (
    KEY,
    NO_WALLETS,
    PAID,
    PAYOUT,
    UNAUTHORISED,
    Scene,
)
from tests.support.client import client_of
from tests.support.scripted import AUTH, Reply


@pytest.mark.covers("bearer")
def test_every_request_but_the_first_carries_the_token() -> None:
    scene = Scene({"/v2/wallets": NO_WALLETS})
    asyncio.run(scene.client.list_wallets())
    first, second = scene.service.requests
    assert (first.method, first.path, first.token) == ("POST", "/v2/auth", "")
    assert "idempotency" not in first.headers  # service.md §4, rule 2
    assert first.body == b'{"clientId":"demo","clientSecret":"not-to-be-shown"}'
    assert second.headers["authorization"] == "Bearer token-1"


def test_a_payout_that_meets_a_401_is_repeated_once_with_a_new_token_and_the_same_key() -> None:
    scene = Scene({"/v2/payments/payout": [UNAUTHORISED, PAID]})
    payment = asyncio.run(scene.client.create_payout(PAYOUT, KEY))
    assert payment.payment_transaction_id == "p1"
    first, second = scene.service.seen("/v2/payments/payout")
    assert (first.token, second.token) == ("token-1", "token-2")
    assert first.headers["idempotency"] == second.headers["idempotency"] == KEY
    assert first.body == second.body


def test_a_second_401_is_an_error_and_means_not_executed() -> None:
    scene = Scene({"/v2/payments/payout": UNAUTHORISED})
    with pytest.raises(TokenLost) as caught:
        asyncio.run(scene.client.create_payout(PAYOUT, KEY))
    assert caught.value.effect is Effect.NONE
    assert len(scene.service.seen("/v2/payments/payout")) == 2


@pytest.mark.parametrize("code", [{}, {"error": {"code": "not_found"}}], ids=["plain", "shaped"])
def test_a_404_of_the_login_says_nothing_of_the_object_that_was_to_be_read(code: object) -> None:
    scene = Scene({AUTH: Reply(code, 404)})
    with pytest.raises(Refused) as caught:
        asyncio.run(scene.client.get_wallet(WalletId("w1")))
    assert not isinstance(caught.value, NotFound)
    assert caught.value.problem.attempted == "sign in"
    assert "auth_prefix" in caught.value.problem.remedy


def test_a_poll_that_meets_a_401_leaves_the_token_to_the_other_program_for_a_while() -> None:
    scene = Scene({"/v2/wallets": [UNAUTHORISED, NO_WALLETS]})

    async def poll() -> None:
        with pytest.raises(TokenLost) as caught:
            await scene.client.list_wallets()
        assert caught.value.retry_after is not None
        assert 30 <= caught.value.retry_after <= 60
        scene.clock.advance(caught.value.retry_after)
        await scene.client.list_wallets()

    asyncio.run(poll())
    assert [seen.token for seen in scene.service.seen("/v2/wallets")] == ["token-1", "token-2"]


def test_a_poll_whose_token_ends_on_the_way_is_repeated_at_once() -> None:
    scene = Scene({"/v2/wallets": [UNAUTHORISED, NO_WALLETS]})

    async def slow_line(asgi: Scope, receive: Receive, send: Send) -> None:
        if asgi["path"] == "/v2/wallets":
            scene.clock.advance(200)
        await scene.service(asgi, receive, send)

    async def poll() -> None:
        client = client_of(slow_line, scene.clock)
        await client.sign_in()
        scene.clock.advance(200)
        await client.list_wallets()

    asyncio.run(poll())
    assert [seen.token for seen in scene.service.seen("/v2/wallets")] == ["token-1", "token-2"]


def test_reads_that_start_together_share_one_token() -> None:
    scene = Scene({"/v2/wallets": NO_WALLETS})

    async def together() -> None:
        await asyncio.gather(*(scene.client.list_wallets() for _ in range(20)))

    asyncio.run(together())
    assert len(scene.service.seen(AUTH)) == 1
    assert {seen.token for seen in scene.service.seen("/v2/wallets")} == {"token-1"}


def test_a_token_that_a_restarted_service_has_forgotten_is_replaced_at_once() -> None:
    scene = Scene({"/v2/wallets": [NO_WALLETS, UNAUTHORISED, NO_WALLETS]})
    away = False

    async def restarting(asgi: Scope, receive: Receive, send: Send) -> None:
        if away:
            raise httpx.ConnectError("connection refused")
        await scene.service(asgi, receive, send)

    async def polls() -> None:
        nonlocal away
        client = client_of(restarting, scene.clock)
        await client.list_wallets()
        away = True
        with pytest.raises(ServiceUnreachable):
            await client.list_wallets()
        away = False
        await client.list_wallets()

    asyncio.run(polls())
    tokens = [seen.token for seen in scene.service.seen("/v2/wallets")]
    assert tokens == ["token-1", "token-1", "token-2"]


@pytest.mark.parametrize("status", [400, 401])
def test_credentials_that_are_refused_are_sent_once(status: int) -> None:
    scene = Scene({AUTH: Reply({"message": "who are you?"}, status)})

    async def keep_trying() -> None:
        for _ in range(5):
            with pytest.raises(AuthRefused, match=r"who are you.*secret"):
                await scene.client.list_wallets()
            scene.clock.advance(100)

    asyncio.run(keep_trying())
    assert len(scene.service.seen(AUTH)) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"item": {"accessToken": "t", "expiresAt": "later"}}, 201),
        Reply({"item": {"accessToken": "a b", "expiresAt": "2026-03-02T12:05:00Z"}}, 201),
        Reply({"item": {"accessToken": "a\r\nx: y", "expiresAt": "2026-03-02T12:05:00Z"}}, 201),
        Reply({"item": {"accessToken": "t" * 20_000, "expiresAt": "2026-03-02T12:05:00Z"}}, 201),
        Reply({"item": {"accessToken": 5, "expiresAt": "2026-03-02T12:05:00Z"}}, 201),
        Reply({"item": {}}, 201),
        Reply(b"<html>Sign in</html>", 200),
        Reply(b"", 201),
    ],
)
def test_a_token_that_cannot_be_used_is_unreadable(reply: Reply) -> None:
    with pytest.raises(Unreadable, match="sign in"):
        asyncio.run(Scene({AUTH: reply}).client.sign_in())


def test_a_long_token_is_sent_whole() -> None:
    token = "x" * 5_000
    reply = Reply({"item": {"accessToken": token, "expiresAt": "2026-03-02T12:05:00Z"}}, 201)
    scene = Scene({AUTH: reply, "/v2/wallets": NO_WALLETS})
    asyncio.run(scene.client.list_wallets())
    assert scene.service.requests[-1].token == token
