from __future__ import annotations

import asyncio

import httpx
import pytest

from paytui.sandbox.auth import hold
from tests.support.plain import Customer, Item, PlainService

KEY = {"idempotency": "3f0e9d56-0000-4000-8000-000000000001"}


@pytest.fixture
def transfer(customer: Customer) -> Item:
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    return {"sourceWalletId": source, "destinationWalletId": target, "amount": "4.00"}


def pay(service: PlainService, body: Item, **headers: str) -> httpx.Response:
    return service.post("/v2/payments/transfer", body, **headers)


def count_of(service: PlainService) -> int:
    return len(service.shown("/v2/payments"))


def test_the_same_key_is_answered_again_and_not_executed_again(
    service: PlainService, transfer: Item
) -> None:
    first, again = pay(service, transfer, **KEY), pay(service, transfer, **KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert count_of(service) == 1


def test_the_first_answer_is_repeated_even_if_the_payment_has_moved_on(
    service: PlainService, transfer: Item
) -> None:
    first = pay(service, transfer, **KEY)
    service.wait()
    assert pay(service, transfer, **KEY).content == first.content


def test_without_a_key_every_request_is_executed(service: PlainService, transfer: Item) -> None:
    assert [pay(service, transfer).status_code for _ in range(2)] == [201, 201]
    assert count_of(service) == 2


def test_the_same_key_with_another_body_is_refused(service: PlainService, transfer: Item) -> None:
    pay(service, transfer, **KEY)
    other = pay(service, {**transfer, "amount": "4.01"}, **KEY)
    assert other.status_code == 422
    assert other.json()["error"]["code"] == "idempotency_key_reused"
    assert count_of(service) == 1


def test_a_key_belongs_to_one_operation(service: PlainService, customer: Customer) -> None:
    body = {"accountId": customer.account_id, "currency": "AUD"}
    wallet = service.item("/v2/wallets", body, **KEY)
    address = {"walletId": wallet["walletId"], "payInAddressType": "local"}
    assert service.item("/v2/payin-addresses", address, **KEY)["payInAddressId"]


def test_a_refusal_is_kept_too(service: PlainService, customer: Customer, transfer: Item) -> None:
    too_much = {**transfer, "amount": "11.00"}
    assert pay(service, too_much, **KEY).status_code == 422
    customer.pay_in(transfer["sourceWalletId"], "100.00")
    service.wait()
    again = pay(service, too_much, **KEY)
    assert again.status_code == 422
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json()["error"]["code"] == "insufficient_funds"


def test_a_key_is_forgotten_after_a_day(service: PlainService, transfer: Item) -> None:
    pay(service, transfer, **KEY)
    service.wait(24 * 3600 - 1)
    assert pay(service, transfer, **KEY).headers["idempotency-replayed"] == "true"
    service.wait(1)
    assert "idempotency-replayed" not in pay(service, transfer, **KEY).headers
    assert count_of(service) == 2


@pytest.mark.parametrize("kind", ["500", "429", "cut"])
def test_what_was_not_executed_is_executed_by_the_repeat(
    service: PlainService, transfer: Item, kind: str
) -> None:
    service.item("/_sandbox/faults", {"operation": "create_transfer", "kind": kind})
    try:
        assert pay(service, transfer, **KEY).status_code != 201
    except ConnectionResetError:
        assert kind == "cut"
    assert count_of(service) == 0
    repeat = pay(service, transfer, **KEY)
    assert repeat.status_code == 201
    assert "idempotency-replayed" not in repeat.headers


def test_a_refused_token_is_not_kept_as_the_answer(service: PlainService, transfer: Item) -> None:
    good = dict(service.headers)
    service.headers = {}
    assert pay(service, transfer, **KEY).status_code == 401
    service.headers = good
    assert pay(service, transfer, **KEY).status_code == 201


@pytest.mark.parametrize("kind", ["commit-then-cut", "commit-then-500", "malformed"])
def test_what_was_executed_is_answered_again_whatever_the_caller_received(
    service: PlainService, transfer: Item, kind: str
) -> None:
    service.item("/_sandbox/faults", {"operation": "create_transfer", "kind": kind})
    try:
        broken = pay(service, transfer, **KEY)
        assert "paymentTransactionId" not in broken.text or kind == "malformed"
        assert broken.status_code == (500 if kind == "commit-then-500" else 201)
    except ConnectionResetError:
        assert kind == "commit-then-cut"
    assert count_of(service) == 1
    repeat = pay(service, transfer, **KEY)
    assert (repeat.status_code, repeat.headers["idempotency-replayed"]) == (201, "true")
    (payment,) = service.shown("/v2/payments")
    assert repeat.json()["item"]["paymentTransactionId"] == payment["paymentTransactionId"]


def repeated_while_the_first_is_late(
    service: PlainService, transfer: Item, kind: str
) -> httpx.Response:
    """The answer to a second request of one key, while a fault of a kind holds up the first."""
    fault = {"operation": "create_transfer", "kind": kind, "seconds": 3600}
    service.item("/_sandbox/faults", fault)
    body = httpx.Request("POST", "http://localhost", json=transfer).content

    async def both() -> httpx.Response:
        path = "/v2/payments/transfer"
        first = asyncio.create_task(service.asend("POST", path, body, **KEY))
        for _ in range(50):  # turns of the loop until the first one waits in its delay
            await asyncio.sleep(0)
        second = await service.asend("POST", path, body, **KEY)
        assert not first.done()
        first.cancel()
        return second

    return asyncio.run(both())


def test_a_key_whose_first_request_still_runs_is_refused_for_now(
    service: PlainService, transfer: Item
) -> None:
    refused = repeated_while_the_first_is_late(service, transfer, "delay")
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "idempotency_key_in_flight"
    assert refused.headers["retry-after"] == "1"
    assert pay(service, transfer, **KEY).status_code == 201, "free again once the first has gone"


def test_an_answer_that_is_late_was_executed_before_it_was_late(
    service: PlainService, transfer: Item
) -> None:
    repeat = repeated_while_the_first_is_late(service, transfer, "commit-then-delay")
    assert (repeat.status_code, repeat.headers["idempotency-replayed"]) == (201, "true")
    assert count_of(service) == 1


def test_requests_without_a_key_do_not_hold_each_other_up() -> None:
    held: set[tuple[str, str]] = set()
    with hold(held, "create_transfer", None), hold(held, "create_transfer", None):
        pass


@pytest.mark.parametrize("key", ["", "two words", "ü", "x" * 256])
def test_what_is_no_key_is_refused(service: PlainService, transfer: Item, key: str) -> None:
    body = httpx.Request("POST", "http://localhost", json=transfer).content

    async def send() -> httpx.Response:
        transport = httpx.ASGITransport(service.app)
        headers = [(b"idempotency", key.encode("latin-1"))]
        headers += [(name.encode(), value.encode()) for name, value in service.headers.items()]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.post("/v2/payments/transfer", content=body, headers=headers)

    assert asyncio.run(send()).status_code == 400
