from __future__ import annotations

import httpx
import pytest

from tests.support.plain import Customer, PlainService, start_service

READS = ["accounts", "wallets", "payin-addresses", "payins", "trades", "recipients", "payments"]


def again(service: PlainService, path: str, tag: str) -> httpx.Response:
    condition = {"if-none-match": tag}
    return service.send("GET", path, b"", **condition)


@pytest.mark.parametrize("path", READS)
def test_what_the_caller_has_already_is_not_sent_again(service: PlainService, path: str) -> None:
    first = service.get(f"/v2/{path}")
    second = again(service, f"/v2/{path}", first.headers["etag"])
    assert (second.status_code, second.content) == (304, b"")
    assert second.headers["etag"] == first.headers["etag"]
    assert "content-type" not in second.headers


def test_one_object_has_a_tag_too(service: PlainService, customer: Customer) -> None:
    path = f"/v2/accounts/{customer.account_id}"
    tag = service.get(path).headers["etag"]
    assert again(service, path, tag).status_code == 304


def test_what_changed_is_sent_whole(service: PlainService, customer: Customer) -> None:
    wallet = customer.funded("AUD", "10.00")
    for path in ("/v2/wallets", f"/v2/wallets/{wallet}"):
        tag = service.get(path).headers["etag"]
        customer.pay_in(wallet, "5.00")
        changed = again(service, path, tag)
        assert changed.status_code == 200
        assert changed.headers["etag"] != tag


def test_two_changes_in_one_millisecond_are_two(service: PlainService, customer: Customer) -> None:
    wallet = customer.funded("AUD", "10.00")
    tags = set()
    for _ in range(3):
        customer.pay_in(wallet, "1.00")
        tags.add(service.get("/v2/payins").headers["etag"])
    assert len(tags) == 3


def test_what_happens_by_itself_changes_the_tag(service: PlainService, customer: Customer) -> None:
    body = {"accountId": customer.account_id, "currency": "AUD"}
    path = f"/v2/wallets/{service.item('/v2/wallets', body)['walletId']}"
    tag = service.get(path).headers["etag"]
    service.wait()
    assert again(service, path, tag).json()["item"]["status"] == "Active"


def test_an_address_of_a_recipient_changes_the_recipient(
    service: PlainService, customer: Customer
) -> None:
    recipient_id, _ = customer.recipient("AUD")
    path = f"/v2/recipients/{recipient_id}"
    tag = service.get(path).headers["etag"]
    address = {"currency": "USD", "accountType": "oth", "iban": "GB00SBOX00000000000000"}
    service.item(f"{path}/payment-addresses", address)
    assert len(again(service, path, tag).json()["item"]["paymentAddresses"]) == 2


def test_a_change_elsewhere_changes_nothing_here(service: PlainService) -> None:
    tag = service.get("/v2/payments").headers["etag"]
    Customer(service)
    assert again(service, "/v2/payments", tag).status_code == 304


def test_a_tag_holds_for_its_own_address_alone(service: PlainService) -> None:
    tag = service.get("/v2/payments").headers["etag"]
    assert again(service, "/v2/payments?page=2", tag).status_code == 200
    missing = "/v2/wallets/c0ffee00-0000-4000-8000-000000000000"
    assert again(service, missing, tag).status_code == 404
    assert "etag" not in service.get(missing).headers


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', '"other",W/{}'])
def test_the_condition_is_read_as_the_standard_writes_it(service: PlainService, form: str) -> None:
    tag = service.get("/v2/payments").headers["etag"]
    assert again(service, "/v2/payments", form.format(tag)).status_code == 304


def test_a_tag_needs_a_token_all_the_same(service: PlainService) -> None:
    tag = service.get("/v2/payments").headers["etag"]
    service.headers = {}
    assert again(service, "/v2/payments", tag).status_code == 401


def test_another_service_does_not_know_the_tag(service: PlainService) -> None:
    tag = service.get("/v2/payments").headers["etag"]
    service.clock.advance(1)
    other = start_service(clock=service.clock)
    assert again(other, "/v2/payments", tag).status_code == 200
