"""Responses with lists and objects, readable and unreadable."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from paytui.api.client import identify_kind
from paytui.api.dialect import DialectError, load_dialect
from paytui.api.errors import (
    ApiError,
    Effect,
    NotFound,
    NotSeen,
    RateLimited,
    ServiceFailed,
    Unreadable,
)
from paytui.domain.models import Kind, PaymentId
from tests.api.scene import (
    KEY,
    PAYOUT,
    Scene,
)
from tests.support.scripted import Reply


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b'{"items": [{"walletId": "w', 200),
        Reply(b"<html><title>Welcome</title></html>", 200),
        Reply(b"[" * 100_000, 200),
        Reply({"items": "none"}, 200),
        Reply("words", 200),
        Reply(b"null", 200),
        Reply({"items": None}, 200),
        Reply(b"", 200),
    ],
    ids=["cut", "html", "deep", "types", "string", "null", "no items", "empty"],
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


def test_a_payment_that_is_not_in_the_part_that_came_may_be_in_the_rest() -> None:
    """The service ignores the identifier, gives the newest, and says that there are more."""
    others = Reply({"items": [{"paymentTransactionId": "p2"}], "hasMore": True})
    scene = Scene({"/v2/payments": others})
    with pytest.raises(NotSeen, match="hasMore is not read"):
        asyncio.run(scene.client.get_payment(PaymentId("p1")))
    with pytest.raises(NotSeen, match="hasMore is not read"):
        asyncio.run(scene.client.raw.read(Kind.PAYMENTS, "p1"))
    found = asyncio.run(scene.client.get_payment(PaymentId("p2")))
    assert found.payment_transaction_id == "p2"


def test_a_payment_is_read_by_the_path_that_a_dialect_names(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[paths]\nget_payment = ['GET /payments/{payment_transaction_id}/state']\n")
    one = Reply({"item": {"paymentTransactionId": "p1"}})
    scene = Scene({"/v2/payments/p1/state": one}, load_dialect(own))
    assert asyncio.run(scene.client.get_payment(PaymentId("p1"))).payment_transaction_id == "p1"
    raw = asyncio.run(scene.client.raw.read(Kind.PAYMENTS, "p1"))
    assert '"paymentTransactionId": "p1"' in "\n".join(raw.lines)
    assert asyncio.run(scene.client.raw.fetched(Kind.PAYMENTS, "p1")).items
    assert not scene.service.seen("/v2/payments")


def test_a_path_of_payments_names_the_payment(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[paths]\nget_payment = ['GET /payments']\n")
    with pytest.raises(DialectError, match=r"must hold \{payment_transaction_id\}"):
        load_dialect(own)


@pytest.mark.parametrize("identifier", ["p1", "nonsense"])
def test_a_service_that_has_no_addresses_of_whatever_is_asked_makes_no_recipient(
    identifier: str,
) -> None:
    payment = {"items": [{"paymentTransactionId": "p1"}], "total": 1}
    scene = Scene(
        {
            f"/v2/recipients/{identifier}/payment-addresses": Reply({"items": [], "total": 0}),
            "/v2/payments": Reply(payment),
        }
    )
    kind = asyncio.run(identify_kind(scene.client, identifier))
    assert kind is (Kind.PAYMENTS if identifier == "p1" else None)


def test_a_recipient_is_known_by_its_addresses() -> None:
    address = Reply({"items": [{"paymentAddressId": "pa1"}], "total": 1})
    scene = Scene({"/v2/recipients/r1/payment-addresses": address})
    assert asyncio.run(identify_kind(scene.client, "r1")) is Kind.RECIPIENTS


def test_a_kind_is_read_page_by_page_by_its_name() -> None:
    first = Reply({"items": [{"paymentAddressId": "pa1"}], "total": 2})
    second = Reply({"items": [{"paymentAddressId": "pa2"}], "total": 2})
    scene = Scene({"/v2/recipients/r1/payment-addresses": [first, second]})

    async def read() -> list[tuple[int, bool]]:
        pages = scene.client.pages(Kind.PAYMENT_ADDRESSES, "r1")
        return [(len(page.records), page.last) async for page in pages]

    assert asyncio.run(read()) == [(1, False), (1, True)]
