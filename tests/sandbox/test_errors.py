from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.support.plain import EMPTY, Customer, Item, PlainService, start_service

WALLETS = "/v2/wallets"
NOTHING = "c0ffee00-0000-4000-8000-000000000000"


def error_of(response: httpx.Response) -> Item:
    """The error of an answer, after a look at its shape (service.md §7."""
    assert response.json().keys() == {"error"}
    error: Item = response.json()["error"]
    assert error.keys() == {"code", "message", "details", "traceId"}
    assert error["message"]
    assert all(detail.keys() == {"field", "message"} for detail in error["details"])
    return error


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"accountId": NaN}',
        b"\xff\xfe{}",
        b'{"walletName": "\\ud800"}',
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 10_000 + b"}",
    ],
)
def test_what_is_not_a_json_object_is_refused(service: PlainService, body: bytes) -> None:
    response = service.send("POST", WALLETS, body)
    assert response.status_code in {400, 413}
    assert error_of(response)["code"] in {"malformed_json", "body_too_large"}


def test_deep_json_that_fits_is_refused_too(service: PlainService) -> None:
    response = service.send("POST", WALLETS, b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}")
    assert response.status_code == 400
    assert error_of(response)["code"] == "malformed_json"


def test_a_body_that_is_too_large_is_refused(service: PlainService) -> None:
    response = service.send("POST", WALLETS, b" " * 300_000)
    assert response.status_code == 413
    assert error_of(response)["code"] == "body_too_large"


def test_all_that_is_wrong_is_said_at_once(service: PlainService) -> None:
    body = {"accountId": 7, "currency": "XXX", "walletName": ["a"]}
    response = service.post(WALLETS, body)
    assert response.status_code == 400
    details = error_of(response)["details"]
    assert [detail["field"] for detail in details] == ["accountId", "currency", "walletName"]


def test_a_name_that_is_not_the_wires_is_none(service: PlainService) -> None:
    response = service.post(WALLETS, {"account_id": NOTHING, "currency": "AUD"})
    assert response.status_code == 400
    assert [detail["field"] for detail in error_of(response)["details"]] == ["accountId"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"termsAndConditionsAccepted": "yes"},
        {"termsAndConditionsAccepted": 1},
        {"physicalAddress": "1 Quay Street"},
        {"trust": []},
        {"email": 5},
        {"lastName": "  "},
        {"firstName": None},
        {"firstName": "x" * 513},
    ],
)
def test_a_field_of_an_account_that_has_the_wrong_type_is_named(
    service: PlainService, wrong: Item
) -> None:
    response = service.post("/v2/account/individual", {"firstName": "A", "lastName": "B", **wrong})
    assert response.status_code == 400
    assert [detail["field"] for detail in error_of(response)["details"]] == list(wrong)
    assert service.shown("/v2/accounts") == []


def test_a_field_inside_a_list_is_named_by_its_path(
    service: PlainService, customer: Customer
) -> None:
    body = {
        "accountId": customer.account_id,
        "recipientType": "business",
        "companyName": "Bluegum Foods",
        "paymentAddresses": [{"currency": "AUD", "accountType": "cacc"}],
    }
    details = error_of(service.post("/v2/recipients", body))["details"]
    assert [detail["field"] for detail in details] == ["paymentAddresses[0].accountNumber"]


@pytest.mark.parametrize(
    ("currency", "amount"),
    [
        ("USD", "1.005"),
        ("USD", "1.000"),
        ("JPY", "1.5"),
        ("KWD", "1.2345"),
        ("USD", "0"),
        ("USD", "-1"),
        ("USD", "1e3"),
        ("USD", "NaN"),
        ("USD", "١٢"),
        ("USD", " 1"),
        ("USD", "9" * 16),
        ("USD", True),
        ("USD", None),
        ("USD", 0.001),
    ],
)
def test_an_amount_that_its_currency_cannot_have_is_refused(
    service: PlainService, customer: Customer, currency: str, amount: object
) -> None:
    source, target = customer.funded(currency, "10"), customer.wallet(currency)
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": amount}
    response = service.post("/v2/payments/transfer", body)
    assert response.status_code == 400
    assert error_of(response)["details"][0]["field"] == "amount"


@pytest.mark.parametrize("number", [b"1e999999999", b"1e-999999999", b"1" * 4000])
def test_a_number_of_monstrous_size_is_refused(
    service: PlainService, customer: Customer, number: bytes
) -> None:
    source, target = customer.funded("USD", "10"), customer.wallet("USD")
    ends = f'"sourceWalletId": "{source}", "destinationWalletId": "{target}"'.encode()
    body = b"{" + ends + b', "amount": ' + number + b"}"
    assert service.send("POST", "/v2/payments/transfer", body).status_code == 400


@pytest.mark.parametrize(
    ("currency", "sent", "booked"),
    [
        ("USD", "1.5", "1.50"),
        ("USD", 1.1, "1.10"),
        ("USD", 2, "2.00"),
        ("JPY", "7", "7"),
        ("KWD", "1.234", "1.234"),
    ],
)
def test_an_amount_is_taken_as_a_string_or_a_number(
    service: PlainService, customer: Customer, currency: str, sent: object, booked: str
) -> None:
    source, target = customer.funded(currency, "10"), customer.wallet(currency)
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": sent}
    assert service.item("/v2/payments/transfer", body)["amount"] == booked


@pytest.mark.parametrize(
    "path",
    [
        f"/v2/accounts/{NOTHING}",
        f"/v2/wallets/{NOTHING}",
        f"/v2/payins/{NOTHING}",
        f"/v2/trades/{NOTHING}",
        f"/v2/recipients/{NOTHING}",
        f"/v2/recipients/{NOTHING}/payment-addresses",
        f"/v2/payment-addresses/{NOTHING}",
        f"/v2/rate-sheets/{NOTHING}",
        "/v2/wallets/%00%f0%9f%90%88",
    ],
)
def test_an_unknown_identifier_is_named_in_a_404(service: PlainService, path: str) -> None:
    response = service.get(path)
    assert response.status_code == 404
    error = error_of(response)
    assert error["code"] == "not_found"
    assert error["details"][0]["field"].endswith("Id")


def test_an_unknown_path_is_not_answered_in_the_shape_of_the_service(
    service: PlainService,
) -> None:
    """So that a client can tell a wrong path from an unknown object."""
    for method, path in (("GET", "/v2/walets"), ("DELETE", "/v2/wallets")):
        response = service.send(method, path)
        assert response.status_code in {404, 405}
        assert not response.headers["content-type"].startswith("application/json")


def test_a_mistake_of_ours_is_a_500_without_its_traceback(tmp_path: Path) -> None:
    file = tmp_path / "bank.db"
    service = start_service(replace(EMPTY, database=str(file)))
    with sqlite3.connect(file) as db:
        db.execute("DROP TABLE payments")
    db.close()

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(service.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.get("/v2/payments", headers=service.headers)

    response = asyncio.run(ask())
    assert response.status_code == 500
    assert error_of(response)["code"] == "internal_error"
    assert "payments" not in response.text


def test_every_answer_carries_the_date_of_the_service(service: PlainService) -> None:
    service.clock.advance(61)
    for response in (service.get("/v2/payments"), service.get("/nowhere"), service.get("/v2/auth")):
        assert response.headers["date"] == "Mon, 02 Mar 2026 12:01:01 GMT"


def trade_of(customer: Customer) -> Item:
    """1.00 AUD for US dollars, between wallets of their own."""
    return {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "1.00",
        "sellWalletId": customer.funded("AUD", "1.00"),
        "buyWalletId": customer.wallet("USD"),
    }


def test_a_sheet_answers_for_its_own_pairs_only(service: PlainService, customer: Customer) -> None:
    pairs = [{"sellCurrency": "EUR", "buyCurrency": "USD"}]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    body = {
        **trade_of(customer),
        "rateSheetId": service.item("/v2/rate-sheets", {"currencyPairs": pairs})["rateSheetId"],
    }
    assert sheet["rates"][0]["sellCurrency"] == "EUR"
    response = service.post("/v2/tradess", body)
    assert (response.status_code, error_of(response)["details"][0]["field"]) == (400, "rateSheetId")
    unknown = service.post("/v2/tradess", {**body, "rateSheetId": NOTHING})
    assert (unknown.status_code, error_of(unknown)["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "change",
    [
        {"sellAmount": None},
        {"buyAmount": "1.00"},
        {"buyWalletId": None},
        {"recipientId": "x", "paymentAddressId": "y"},
        {"sellCurrency": "EUR"},
        {"buyCurrency": "EUR"},
    ],
)
def test_a_trade_needs_one_amount_one_destination_and_fitting_wallets(
    service: PlainService, customer: Customer, change: Item
) -> None:
    body = {**trade_of(customer), **change}
    assert service.post("/v2/tradess", body).status_code == 400


def test_a_payout_needs_an_address_of_that_recipient_in_that_currency(
    service: PlainService, customer: Customer
) -> None:
    source = customer.funded("AUD", "5.00")
    recipient_id, address_id = customer.recipient("AUD")
    other_id, foreign_id = customer.recipient("USD")
    body = {"sourceWalletId": source, "amount": "1.00"}
    for recipient, address in ((recipient_id, foreign_id), (other_id, foreign_id)):
        wrong = {**body, "recipientId": recipient, "paymentAddressId": address}
        assert service.post("/v2/payments/payout", wrong).status_code == 400
    right = {**body, "recipientId": recipient_id, "paymentAddressId": address_id}
    assert service.post("/v2/payments/payout", right).status_code == 201
