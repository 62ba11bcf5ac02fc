"""Error responses in an unsupported content encoding count as ones without a message."""

from __future__ import annotations

import asyncio

import pytest

from paytui.api.errors import ApiError, AuthRefused, RateLimited, TokenLost, Unreadable
from paytui.outbox.entry import EventKind
from paytui.worker.intents.submit import failure_outcome
from tests.api.scene import KEY, PAID, PAYOUT, Scene
from tests.support.scripted import AUTH, Reply

PATH = "/v2/payments/payout"
AGAIN = {"retry-after": "120"}
BEFORE = {"idempotency-replayed": "true"}


def brotli(status: int, headers: dict[str, str] | None = None) -> Reply:
    """Compress a response with Brotli, as a front end may regardless of the request."""
    return Reply(b"\x1b\x0e\x00\x00", status, {"content-encoding": "br", **(headers or {})})


def paying(reply: Reply) -> ApiError:
    """Return the outcome of a payout with this response."""
    with pytest.raises(ApiError) as caught:
        asyncio.run(Scene({PATH: reply}).client.create_payout(PAYOUT, KEY))
    return caught.value


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (302, {}),
        (400, {}),
        (401, {}),
        (409, AGAIN),
        (422, BEFORE),
        (429, AGAIN),
        (500, {}),
        (201, {}),
    ],
)
def test_what_it_means_for_money_is_told_by_its_status(
    status: int, headers: dict[str, str]
) -> None:
    packed, plain = paying(brotli(status, headers)), paying(Reply(b"", status, headers))
    assert type(packed) is type(plain)
    for error in (packed, plain):
        assert error.status == status
        for first in (True, False):
            assert failure_outcome(error, first=first) is EventKind.IN_DOUBT


def test_what_is_missing_is_not_guessed() -> None:
    """A wallet that is gone is not taken for a list that the service does not have."""
    scene = Scene({PATH: brotli(404)})
    with pytest.raises(Unreadable, match="compressed otherwise"):
        asyncio.run(scene.client.create_payout(PAYOUT, KEY))
    assert len(scene.service.seen(PATH)) == 1


def test_a_payout_is_not_repeated_after_a_401_whose_words_cannot_be_read() -> None:
    scene = Scene({PATH: [brotli(401), PAID]})
    with pytest.raises(TokenLost):
        asyncio.run(scene.client.create_payout(PAYOUT, KEY))
    assert len(scene.service.seen(PATH)) == 1


@pytest.mark.parametrize("status", [400, 401])
def test_credentials_are_not_sent_again(status: int) -> None:
    scene = Scene({AUTH: brotli(status)})

    async def an_hour_of_polls() -> None:
        for _ in range(720):
            with pytest.raises(AuthRefused):
                await scene.client.list_wallets()
            scene.clock.advance(5)

    asyncio.run(an_hour_of_polls())
    assert len(scene.service.seen(AUTH)) == 1


def test_a_poll_waits_for_as_long_as_it_is_told() -> None:
    with pytest.raises(RateLimited) as caught:
        asyncio.run(Scene({"/v2/wallets": brotli(429, AGAIN)}).client.list_wallets())
    assert caught.value.retry_after == 120
