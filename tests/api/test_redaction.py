"""Secrets that a service repeats do not reach the screen."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from urllib.parse import quote

import pytest

from paytui.api.errors import ApiError, AuthRefused, Refused, ServiceFailed, TokenLost
from paytui.api.http.request_sender import NO_HOOKS
from paytui.api.http.response import Redactor
from paytui.domain.models import AccountId, IdempotencyKey
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import WalletRequest
from tests.api.scene import NO_WALLETS, Scene
from tests.support.client import SECRET
from tests.support.scripted import AUTH, Reply

HARD = 'p"a\\s/s+w&ö rd-7Q'
KEY = "7f3a9c52-1b0e-4c1d-9d53-0a6be2c41f88"
TOKEN = "aaaaBBBB1111.ccccDDDD2222eeeeFFFF.gggg"
MASK = "••••"
OPENED = {"item": {"accessToken": TOKEN, "expiresAt": "2026-03-02T12:05:00Z"}}


def redactor() -> Redactor:
    made = Redactor()
    made.hide("secret", HARD)
    made.hide("token", TOKEN)
    made.hide("key", KEY)
    return made


@pytest.mark.parametrize(
    "quoted",
    [
        HARD,
        json.dumps(HARD)[1:-1],
        json.dumps(HARD, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(HARD))[3:-3],
        quote(HARD, safe=""),
        "p%22a%5cs%2fs%2bw%26%c3%b6%20rd-7Q",
        "p&quot;a\\s/s+w&amp;ö rd-7Q",
        HARD[:10],
        TOKEN,
        TOKEN[:-3],
        "ccccDDDD2222eeeeFFFF",
        KEY,
        base64.b64encode(KEY.encode()).decode().rstrip("="),
    ],
)
def test_a_word_or_a_piece_of_it_becomes_the_mask(quoted: str) -> None:
    assert redactor()(f"got <{quoted}> here") == f"got <{MASK}> here"


@pytest.mark.parametrize("client_id", ["a", "ab", "abc", "demo"])
@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
def test_a_secret_in_base64_is_found_wherever_it_begins(
    client_id: str, encode: Callable[[bytes], bytes]
) -> None:
    shown = redactor()(f"Basic {encode(f'{client_id}:{HARD}'.encode()).decode()}")
    left = shown.removeprefix("Basic ").split(MASK)
    assert len(left) == 2
    assert len(left[0]) <= 8  # what stands for `demo:` and no whole character of the secret
    assert len(left[1]) <= 4


def test_other_words_are_left_as_they_are() -> None:
    words = "The amount must be positive, café 100 % of it."
    assert redactor()(words) == words
    assert Redactor()(words) == words


def test_a_short_secret_is_hidden_whole() -> None:
    short = Redactor()
    short.hide("secret", "s3cr")
    assert short("not s3cr again, s3c") == f"not {MASK} again, s3c"


def test_the_last_token_is_hidden_too_and_the_secret_always() -> None:
    made = redactor()
    made.hide("token", "second-token-0002")
    assert made(f"{TOKEN} second-token-0002 {HARD}") == f"{MASK} {MASK} {MASK}"
    made.hide("token", "third-token-00003")
    assert made(f"{HARD} third-token-00003") == f"{MASK} {MASK}"


def test_a_flood_is_not_looked_through() -> None:
    assert len(redactor()("x" * 10_000_000)) == 20_000


@pytest.mark.parametrize(
    "said",
    [
        {"error": {"code": "invalid", "message": f'bad body {{"clientSecret": "{SECRET}"}}'}},
        {"error": {"code": "invalid", "message": "no", "traceId": SECRET}},
        {"error": {"code": "x", "message": "no", "details": [{"field": "f", "message": SECRET}]}},
        {"errors": [SECRET]},
        [SECRET],
        SECRET.encode(),
        f"<title>{SECRET}</title>".encode(),
    ],
)
def test_a_sign_in_whose_secret_is_quoted_does_not_show_it(said: object) -> None:
    scene = Scene({AUTH: Reply(said, 400, {"x-request-id": f"req {SECRET}"})})
    with pytest.raises(AuthRefused) as caught:
        asyncio.run(scene.client.list_wallets())
    assert SECRET not in f"{caught.value} {caught.value.problem!r}"
    assert MASK in repr(caught.value.problem)


def test_a_failure_that_quotes_the_authorization_header_does_not_show_the_token() -> None:
    echo = Reply({"message": f"upstream said no to Authorization: Bearer {TOKEN}"}, 500)
    scene = Scene({AUTH: Reply(OPENED, 201), "/v2/wallets": echo})
    with pytest.raises(ServiceFailed) as caught:
        asyncio.run(scene.client.list_wallets())
    assert caught.value.problem.said == f"upstream said no to Authorization: Bearer {MASK}"


def test_a_read_that_quotes_the_secret_of_the_sign_in_does_not_show_it() -> None:
    scene = Scene({"/v2/wallets": [NO_WALLETS, Reply({"message": SECRET}, 401)]})

    async def read_twice() -> None:
        await scene.client.list_wallets()
        await scene.client.list_wallets()

    with pytest.raises(ApiError) as caught:
        asyncio.run(read_twice())
    assert isinstance(caught.value, TokenLost)
    assert SECRET not in str(caught.value)


def test_a_refusal_that_quotes_the_idempotency_key_does_not_show_it() -> None:
    echo = Reply({"error": {"code": "no", "message": f"idempotency {KEY} was used"}}, 422)
    scene = Scene({AUTH: Reply(OPENED, 201), "/v2/wallets": echo})
    sender = scene.client.sender
    request = WalletRequest(account_id=AccountId("a1"), currency=CurrencyCode("AUD"))

    async def create() -> None:
        [letter] = sender.prepare("create_wallet", request, IdempotencyKey(KEY))
        await sender.send(letter, "create_wallet", NO_HOOKS)

    with pytest.raises(Refused) as caught:
        asyncio.run(create())
    assert caught.value.problem.said == f"idempotency {MASK} was used"
