from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.plain import EMPTY, Customer, Item, PlainService, start_service

KEY = {"idempotency": "3f0e9d56-0000-4000-8000-000000000003"}
PERSON = {"firstName": "Ada", "lastName": "Marlow"}
ACCOUNTS = "/v2/account/individual"


@pytest.fixture
def strict() -> PlainService:
    return start_service(replace(EMPTY, strict=True))


def test_a_strict_service_creates_nothing_without_a_key(strict: PlainService) -> None:
    refused = strict.post(ACCOUNTS, PERSON)
    assert refused.status_code == 400
    assert refused.json()["error"]["details"][0]["field"] == "idempotency"
    assert strict.shown("/v2/accounts") == []


def test_a_strict_service_takes_a_key(strict: PlainService) -> None:
    assert strict.post(ACCOUNTS, PERSON, **KEY).status_code == 201


def test_a_strict_service_reads_and_signs_in_without_a_key(strict: PlainService) -> None:
    strict.sign_in()
    assert strict.get("/v2/payments").status_code == 200


def test_a_service_that_ignores_keys_executes_every_time() -> None:
    service = start_service(replace(EMPTY, ignore_idempotency=True))
    answers = [service.post(ACCOUNTS, PERSON, **KEY) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert all("idempotency-replayed" not in answer.headers for answer in answers)
    assert len(service.shown("/v2/accounts")) == 2


@pytest.fixture
def kyc() -> PlainService:
    return start_service(replace(EMPTY, accounts="kyc"))


def check(service: PlainService, last_name: str) -> Item:
    """An account after time enough for its checks."""
    account = service.item(ACCOUNTS, {**PERSON, "lastName": last_name})
    assert account["status"] == "pending_checks"
    service.wait()
    return service.show(f"/v2/accounts/{account['accountId']}")


@pytest.mark.parametrize(
    ("last_name", "status"),
    [("Marlow", "registered"), ("FAIL_AML", "rejected"), ("HALT_AML", "pending_checks")],
)
@pytest.mark.covers("kyc-path")
def test_a_checked_account_ends_as_its_name_asks_for(
    kyc: PlainService, last_name: str, status: str
) -> None:
    assert check(kyc, last_name)["status"] == status


def test_an_account_under_check_has_no_wallets_yet(kyc: PlainService) -> None:
    account = kyc.item(ACCOUNTS, PERSON)
    body = {"accountId": account["accountId"], "currency": "AUD"}
    assert kyc.post("/v2/wallets", body).status_code == 409
    kyc.wait()
    assert kyc.post("/v2/wallets", body).status_code == 201


# What service.md assumes beyond the fourteen operations of its §4, and what is answered where
# it is not served: 405 where the path is there for another method.
NOT_DOCUMENTED = {
    "/v2/accounts": 404,
    "/v2/accounts/{account}": 404,
    "/v2/wallets": 405,
    "/v2/wallets/{wallet}": 404,
    "/v2/payin-addresses": 405,
    "/v2/payins": 404,
    "/v2/payins/{account}": 404,
    "/v2/trades": 405,
    "/v2/trades/{account}": 404,
    "/v2/recipients": 405,
    "/v2/recipients/{account}": 404,
    "/v2/rate-sheets/{account}": 404,
}


def test_nothing_but_the_documented_operations_is_served() -> None:
    service = start_service(replace(EMPTY, documented_only=True))
    customer = Customer(service)
    wallet = customer.wallet("AUD")
    for path, status in NOT_DOCUMENTED.items():
        response = service.get(path.format(account=customer.account_id, wallet=wallet))
        assert response.status_code == status, path
        assert "json" not in response.headers["content-type"], path


def test_the_documented_operations_are_all_served() -> None:
    service = start_service(replace(EMPTY, documented_only=True))
    customer = Customer(service)
    recipient_id, address_id = customer.recipient("AUD")
    body = {"sourceWalletId": customer.funded("AUD", "10.00"), "amount": "4.00"}
    payout = {**body, "recipientId": recipient_id, "paymentAddressId": address_id}
    service.item("/v2/payments/payout", payout)
    assert len(service.shown("/v2/payments")) == 1
    assert service.show(f"/v2/payment-addresses/{address_id}")["status"] == "Active"
    assert len(service.shown(f"/v2/recipients/{recipient_id}/payment-addresses")) == 1
    trade = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "1.00",
        "sellWalletId": body["sourceWalletId"],
        "buyWalletId": customer.wallet("USD"),
    }
    for path in ("/v2/tradess", "/v2/trades"):
        assert service.item(path, trade)["tradeTransactionId"]
