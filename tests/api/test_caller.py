"""Calls of operations: spellings, tokens, what is not offered, what is sent along."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from paytui.api.client import Client
from paytui.api.dialect import Dialect, load_dialect
from paytui.api.errors import (
    ApiError,
    AuthRefused,
    Effect,
    NotFound,
    NotOffered,
    NotSent,
    RateLimited,
    ServiceFailed,
    ServiceUnreachable,
    TokenLost,
    Unreadable,
)
from paytui.api.models import (
    AccountId,
    IdempotencyKey,
    Kind,
    PaymentAddressId,
    PaymentId,
    RecipientId,
    WalletId,
)
from paytui.api.requests import (
    PaymentAddressRequest,
    PayoutRequest,
    RateSheetRequest,
    TradeRequest,
    WalletRequest,
)
from paytui.money import CurrencyCode, Pair
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.scripted import AUTH, Reply, ScriptedService, token_reply

KEY = IdempotencyKey("00000000-0000-4000-8000-000000000001")
W1 = WalletId("w1")
AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
PLAIN_404 = Reply(b"Not Found", 404)
SHAPED_404 = Reply({"error": {"code": "not_found", "message": "no such wallet"}}, 404)
UNAUTHORISED = Reply({"error": {"code": "token_superseded", "message": "a newer one"}}, 401)
NO_WALLETS = Reply({"items": [], "total": 0})
TRADE = TradeRequest(
    sell_currency=AUD, buy_currency=USD, sell_amount=Decimal("10.00"), sell_wallet_id=W1,
    buy_wallet_id=WalletId("w2"),
)  # fmt: skip
PAYOUT = PayoutRequest(
    source_wallet_id=W1, recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("pa1"), amount=Decimal("1.00"),
)  # fmt: skip
PAID = Reply({"item": {"paymentTransactionId": "p1"}}, 201)

Replies = Mapping[str, Reply | list[Reply]]


class Scene:
    """A client of a scripted service."""

    def __init__(self, replies: Replies, dialect: Dialect | None = None) -> None:
        self.clock = ManualClock()
        self.service = ScriptedService(replies)
        self.client: Client = client_of(self.service, self.clock, dialect)

    @property
    def paths(self) -> list[str]:
        return [seen.path for seen in self.service.requests if seen.path != AUTH]


# Spellings of a path


def test_the_other_spelling_is_tried_after_a_plain_404_and_remembered() -> None:
    booked = Reply({"item": {"tradeTransactionId": "t1"}}, 201)
    scene = Scene({"/v2/tradess": PLAIN_404, "/v2/trades": booked})

    async def twice() -> None:
        for _ in range(2):
            assert (await scene.client.book_trade(TRADE, KEY)).trade_id == "t1"

    asyncio.run(twice())
    assert scene.paths == ["/v2/tradess", "/v2/trades", "/v2/trades"]
    assert {seen.headers["idempotency"] for seen in scene.service.requests[1:]} == {KEY}
    assert len({seen.body for seen in scene.service.requests[1:]}) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        SHAPED_404,
        Reply(b"", 500),
        Reply(b"", 503),
        Reply(b"", 429),
        Reply(b"", 422),
        Reply(b"", 302),
    ],
    ids=lambda reply: str(reply.status),
)
def test_any_other_refusal_of_a_trade_is_an_answer_and_tries_no_other_path(refusal: Reply) -> None:
    scene = Scene({"/v2/tradess": refusal, "/v2/trades": PAID})
    with pytest.raises(ApiError):
        asyncio.run(scene.client.book_trade(TRADE, KEY))
    assert scene.paths == ["/v2/tradess"]


def test_a_path_that_moved_is_looked_for_again() -> None:
    booked = Reply({"item": {"tradeTransactionId": "t1"}}, 201)
    scene = Scene({"/v2/tradess": [PLAIN_404, booked], "/v2/trades": [booked, PLAIN_404]})

    async def three_times() -> None:
        await scene.client.book_trade(TRADE, KEY)
        with pytest.raises(NotOffered):
            await scene.client.book_trade(TRADE, KEY)
        await scene.client.book_trade(TRADE, KEY)

    asyncio.run(three_times())
    assert scene.paths == ["/v2/tradess", "/v2/trades", "/v2/trades", "/v2/tradess"]


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


# The token


def test_every_request_but_the_first_carries_the_token() -> None:
    scene = Scene({"/v2/wallets": NO_WALLETS})
    asyncio.run(scene.client.list_wallets())
    first, second = scene.service.requests
    assert (first.method, first.path, first.token) == ("POST", "/v2/auth", "")
    assert "idempotency" not in first.headers  # api.md §4, rule 2
    assert first.body == b'{"clientId":"demo","clientSecret":"not-to-be-shown"}'
    assert second.headers["authorization"] == "Bearer token-1"


def test_a_payout_that_meets_a_401_is_repeated_once_with_a_new_token_and_the_same_key() -> None:
    scene = Scene({"/v2/payments/payout": [UNAUTHORISED, PAID]})
    payment = asyncio.run(scene.client.create_payout(PAYOUT, KEY))
    assert payment.payment_id == "p1"
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
            with pytest.raises(AuthRefused, match="who are you"):
                await scene.client.list_wallets()
            scene.clock.advance(100)
        health = scene.client.token_health
        assert health.stopped is not None
        assert "secret" in health.stopped.remedy

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


# What comes back


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b'{"items": [{"walletId": "w', 200),
        Reply(b"<html><title>Welcome</title></html>", 200),
        Reply(b"[" * 100_000, 200),
        Reply(b"[" + b"9" * 5_000 + b"]", 200),
        Reply({"items": "none"}, 200),
        Reply("words", 200),
    ],
    ids=["cut", "html", "deep", "digits", "types", "string"],
)
def test_a_list_that_cannot_be_read_is_an_error_in_words(reply: Reply) -> None:
    with pytest.raises(Unreadable, match="read wallets"):
        asyncio.run(Scene({"/v2/wallets": reply}).client.list_wallets())


@pytest.mark.parametrize("reply", [Reply({"item": {}}, 201), Reply(b"", 201), Reply(b"{", 201)])
def test_a_payout_answered_without_an_identifier_may_have_been_executed(reply: Reply) -> None:
    with pytest.raises(Unreadable) as caught:
        asyncio.run(Scene({"/v2/payments/payout": reply}).client.create_payout(PAYOUT, KEY))
    assert caught.value.effect is Effect.UNKNOWN


@pytest.mark.parametrize(
    ("reply", "kind", "seconds"),
    [
        (Reply(b"", 429, {"retry-after": "7"}), RateLimited, 7.0),
        (Reply(b"", 503, {"retry-after": "9"}), ServiceFailed, 9.0),
        (Reply(b"", 500), ServiceFailed, None),
    ],
)
def test_the_service_may_say_how_long_to_wait(
    reply: Reply, kind: type[ApiError], seconds: float | None
) -> None:
    with pytest.raises(kind) as caught:
        asyncio.run(Scene({"/v2/wallets": reply}).client.list_wallets())
    assert caught.value.retry_after == seconds


def test_204_is_an_empty_list() -> None:
    listing = asyncio.run(Scene({"/v2/wallets": Reply(b"", 204)}).client.list_wallets())
    assert (listing.records, listing.complete) == ((), True)


def test_a_payment_that_the_list_does_not_have_is_not_found() -> None:
    others = Reply({"items": [{"paymentTransactionId": "p2"}], "total": 1})
    with pytest.raises(NotFound, match="p1"):
        asyncio.run(Scene({"/v2/payments": others}).client.get_payment(PaymentId("p1")))


def test_a_kind_is_read_page_by_page_by_its_name() -> None:
    first = Reply({"items": [{"paymentAddressId": "pa1"}], "total": 2})
    second = Reply({"items": [{"paymentAddressId": "pa2"}], "total": 2})
    scene = Scene({"/v2/recipients/r1/payment-addresses": [first, second]})

    async def read() -> list[tuple[int, bool]]:
        pages = scene.client.pages(Kind.PAYMENT_ADDRESSES, "r1")
        return [(len(page.records), page.last) async for page in pages]

    assert asyncio.run(read()) == [(1, False), (1, True)]
