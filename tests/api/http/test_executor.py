"""Calls of operations: path spellings, operations not offered, and what is sent."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from paytui.api.dialect import Dialect, load_dialect
from paytui.api.errors import (
    ApiError,
    Effect,
    NotFound,
    NotOffered,
    NotSent,
)
from paytui.api.http.request_sender import NO_HOOKS
from paytui.domain.models import AccountId, RecipientId, WalletId
from paytui.domain.money import Pair
from paytui.domain.requests import PaymentAddressRequest, RateSheetRequest, WalletRequest
from tests.api.scene import (
    AUD,
    KEY,
    NO_WALLETS,
    PAID,
    PAYOUT,
    PLAIN_404,
    SHAPED_404,
    TRADE,
    USD,
    W1,
    Scene,
)
from tests.support.client import client_of
from tests.support.scripted import AUTH, Reply, token_reply

# Spellings of a path


POST_ONLY = Reply(b"", 405, {"allow": "POST"})
GET_ONLY = Reply(b"", 405, {"allow": "GET, HEAD"})


@pytest.mark.parametrize(
    ("published", "other", "goes_to"),
    [
        (POST_ONLY, PLAIN_404, "/v2/tradess"),
        (PLAIN_404, POST_ONLY, "/v2/trades"),
        (PLAIN_404, Reply({"items": []}), "/v2/trades"),
        (PLAIN_404, SHAPED_404, "/v2/trades"),
        (GET_ONLY, POST_ONLY, "/v2/trades"),
        (Reply(b"", 503), POST_ONLY, "/v2/trades"),
        (SHAPED_404, Reply({"items": []}), "/v2/trades"),
        (PLAIN_404, PLAIN_404, "/v2/tradess"),
        (Reply(b"", 503), Reply(b"", 429), "/v2/tradess"),
    ],
)
def test_a_trade_goes_to_the_spelling_that_reads_tell_to_be_there(
    published: Reply, other: Reply, goes_to: str
) -> None:
    scene = Scene({"/v2/tradess": published, "/v2/trades": other})

    async def likeliest() -> str:
        sender = scene.client.sender
        letters = sender.prepare("book_trade", TRADE, KEY)
        return (await sender.likeliest(letters, "book_trade")).path

    assert asyncio.run(likeliest()) == goes_to
    assert {seen.method for seen in scene.service.requests if seen.path != AUTH} == {"GET"}


@pytest.mark.parametrize(
    "refusal",
    [
        SHAPED_404,
        PLAIN_404,
        Reply(b"", 405),
        Reply(b"", 503),
        Reply(b"", 302),
    ],
    ids=lambda reply: str(reply.status),
)
def test_a_trade_that_was_sent_is_sent_to_no_other_path(refusal: Reply) -> None:
    scene = Scene({"/v2/tradess": refusal, "/v2/trades": PAID})
    with pytest.raises(ApiError):
        asyncio.run(scene.client.book_trade(TRADE, KEY))
    assert scene.paths == ["/v2/tradess"]


def test_a_404_that_no_service_wrote_may_mean_that_there_is_no_such_read() -> None:
    scene = Scene({"/v2/wallets/w1": PLAIN_404})
    with pytest.raises(NotFound) as caught:
        asyncio.run(scene.client.get_wallet(W1))
    assert "seems to have no such read" in caught.value.problem.remedy
    assert "[paths] get_wallet" in caught.value.problem.remedy


def test_a_read_that_has_worked_is_there_and_its_404_concerns_the_identifier() -> None:
    there = Reply({"item": {"walletId": "w1", "currency": "AUD"}})
    scene = Scene({"/v2/wallets/w1": [there, PLAIN_404]})

    async def twice() -> None:
        await scene.client.get_wallet(W1)
        await scene.client.get_wallet(W1)

    with pytest.raises(NotFound) as caught:
        asyncio.run(twice())
    assert caught.value.problem.remedy == "Check the identifier."


def test_a_service_that_says_that_an_object_is_missing_is_believed() -> None:
    scene = Scene({"/v2/wallets/w1": SHAPED_404})
    with pytest.raises(NotFound) as caught:
        asyncio.run(scene.client.get_wallet(W1))
    assert caught.value.problem.remedy == "Check the identifier."


def test_a_path_that_moved_is_looked_for_again(tmp_path: Path) -> None:
    override = tmp_path / "acme.toml"
    override.write_text('[paths]\nlist_wallets = ["GET /purses", "GET /wallets"]')
    scene = Scene(
        {"/v2/purses": [PLAIN_404, NO_WALLETS], "/v2/wallets": [NO_WALLETS, PLAIN_404]},
        load_dialect(override),
    )

    async def three_times() -> None:
        await scene.client.list_wallets()
        with pytest.raises(NotOffered):
            await scene.client.list_wallets()
        await scene.client.list_wallets()

    asyncio.run(three_times())
    assert scene.paths == ["/v2/purses", "/v2/wallets", "/v2/wallets", "/v2/purses"]


def test_signing_in_tries_the_spellings_of_its_path_too(tmp_path: Path) -> None:
    override = tmp_path / "acme.toml"
    override.write_text('[paths]\nauth = ["POST /auth", "POST /token", "POST /login"]')
    nowhere = Reply(b"Not Found", 404)
    scene = Scene({AUTH: nowhere, "/v2/token": token_reply(1)}, load_dialect(override))
    asyncio.run(scene.client.sign_in())
    assert [seen.path for seen in scene.service.requests] == [AUTH, "/v2/token"]


# What a service does not have


@pytest.mark.parametrize("reply", [PLAIN_404, SHAPED_404, Reply(b"", 405), Reply(b"", 501)])
def test_a_list_that_is_not_there_is_not_offered(reply: Reply) -> None:
    scene = Scene({"/v2/wallets": reply})
    with pytest.raises(NotOffered):
        asyncio.run(scene.client.list_wallets())


def test_a_list_that_the_dialect_does_not_have_is_not_asked_for(dialect: Dialect) -> None:
    scene = Scene({}, replace(dialect, paths={**dialect.paths, "list_wallets": ()}))
    with pytest.raises(NotOffered, match="list_wallets") as caught:
        asyncio.run(scene.client.list_wallets())
    assert caught.value.effect is Effect.NONE
    assert scene.service.requests == []


@pytest.mark.parametrize("reply", [PLAIN_404, SHAPED_404])
def test_a_404_on_one_object_concerns_that_object(reply: Reply) -> None:
    with pytest.raises(NotFound):
        asyncio.run(Scene({"/v2/wallets/w1": reply}).client.get_wallet(W1))


def test_a_404_on_the_parent_of_a_list_concerns_that_parent() -> None:
    scene = Scene({"/v2/payins": SHAPED_404, "/v2/recipients/r1/payment-addresses": SHAPED_404})
    with pytest.raises(NotFound):
        asyncio.run(scene.client.list_payins(W1))
    with pytest.raises(NotFound):
        asyncio.run(scene.client.list_payment_addresses(RecipientId("r1")))


def test_a_list_that_comes_back_is_read_again() -> None:
    scene = Scene({"/v2/wallets": [NO_WALLETS, PLAIN_404, NO_WALLETS]})

    async def three_times() -> None:
        await scene.client.list_wallets()
        with pytest.raises(NotOffered):
            await scene.client.list_wallets()
        await scene.client.list_wallets()

    asyncio.run(three_times())


# What is sent along


def test_a_read_sends_the_filters_that_it_is_given_in_the_words_of_the_service() -> None:
    scene = Scene({"/v2/payments": Reply({"items": [], "total": 0})})
    asyncio.run(scene.client.list_payments(wallet_id=W1, status="released"))
    assert scene.service.requests[-1].query == {
        "walletId": "w1", "status": "released", "page": "1", "pageSize": "500",
    }  # fmt: skip
    assert "idempotency" not in scene.service.requests[-1].headers


def test_a_rate_sheet_has_a_fresh_key_each_time() -> None:
    sheet = Reply({"item": {"rateSheetId": "s1", "expiresAt": "2026-03-02T12:02:30Z"}}, 201)
    scene = Scene({"/v2/rate-sheets": sheet})
    request = RateSheetRequest(currency_pairs=(Pair(AUD, USD),))

    async def twice() -> None:
        await scene.client.create_rate_sheet(request)
        await scene.client.create_rate_sheet(request)

    asyncio.run(twice())
    keys = [seen.headers["idempotency"] for seen in scene.service.seen("/v2/rate-sheets")]
    assert len(set(keys)) == 2
    assert {key[14] for key in keys} == {"4"}  # UUIDv4


def test_a_rate_sheet_remembers_when_it_was_asked_for() -> None:
    sheet = Reply({"item": {"rateSheetId": "s1", "expiresAt": "2026-03-02T12:02:30Z"}}, 201)
    scene = Scene({"/v2/rate-sheets": sheet})
    request = RateSheetRequest(currency_pairs=(Pair(AUD, USD),))
    assert asyncio.run(scene.client.create_rate_sheet(request)).sent_at == scene.clock.boot()


def test_an_identifier_from_outside_stays_one_segment_of_the_path() -> None:
    scene = Scene({"/v2/wallets/..%2Faccounts%3Fx%3D1": Reply({"walletId": "w1"})})
    asyncio.run(scene.client.get_wallet(WalletId("../accounts?x=1")))
    assert scene.paths == ["/v2/wallets/..%2Faccounts%3Fx%3D1"]


@pytest.mark.parametrize("identifier", ["", ".", ".."])
def test_what_is_no_identifier_is_not_sent(identifier: str) -> None:
    scene = Scene({})
    with pytest.raises(NotSent) as caught:
        asyncio.run(scene.client.get_wallet(WalletId(identifier)))
    assert caught.value.effect is Effect.NONE
    assert scene.paths == []


def test_a_removed_account_type_is_not_sent() -> None:
    scene = Scene({})
    request = PaymentAddressRequest(account_type="electronic_deposit")
    with pytest.raises(NotSent, match="cacc"):
        asyncio.run(scene.client.add_payment_address(RecipientId("r1"), request, KEY))
    assert scene.service.requests == []


def test_a_service_spelled_otherwise_is_spoken_to_in_its_words(tmp_path: Path) -> None:
    override = tmp_path / "acme.toml"
    override.write_text(
        """
        prefix = "/api"
        auth_prefix = "/login/v1"
        headers = { x-tenant = "acme" }
        paths.auth = ["POST /token"]
        paths.create_wallet = ["POST /purses"]
        fields.wallet_request.currency = ["money.code"]
        fields.wallet.wallet_id = ["id"]
        idempotency.header = "Idempotency-Key"
        envelope.one = ["data.purse", "item"]
        """
    )
    scene = Scene(
        {
            "/login/v1/token": token_reply(1),
            "/api/purses": Reply({"data": {"purse": {"id": "w9"}}}, 201),
        },
        load_dialect(override),
    )
    request = WalletRequest(account_id=AccountId("a1"), currency=AUD)
    assert asyncio.run(scene.client.create_wallet(request, KEY)).wallet_id == "w9"
    auth, create = scene.service.requests
    assert auth.headers["x-tenant"] == create.headers["x-tenant"] == "acme"
    assert create.headers["idempotency-key"] == KEY
    assert create.body == b'{"accountId":"a1","money":{"code":"AUD"}}'


@pytest.mark.parametrize("recorded", ["X-Request-Key", "x-request-key", "X-REQUEST-KEY"])
def test_the_key_of_a_letter_goes_out_alone_whatever_the_dialect_has_come_to_say(
    tmp_path: Path, recorded: str
) -> None:
    """A repeat under two keys may be a second payment."""
    override, sent = tmp_path / "acme.toml", list[tuple[bytes, bytes]]()
    override.write_text('headers = { X-Request-Key = "fixed" }')
    scene = Scene({"/v2/payments/payout": PAID})

    async def listening(asgi: Scope, receive: Receive, send: Send) -> None:
        if asgi["path"] == "/v2/payments/payout":
            sent.extend(asgi["headers"])
        await scene.service(asgi, receive, send)

    async def repeat() -> None:
        sender = client_of(listening, scene.clock, load_dialect(override)).sender
        [letter] = sender.prepare("create_payout", PAYOUT, KEY)
        await sender.send(replace(letter, key_header=recorded), "create_payout", NO_HOOKS)

    asyncio.run(repeat())
    assert [value for name, value in sent if name == b"x-request-key"] == [KEY.encode()]
