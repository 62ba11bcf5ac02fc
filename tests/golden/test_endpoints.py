"""service.md §4 and §9: the fourteen operations, their paths and responses."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.support.plain import Customer, PlainService

NOTHING = "c0ffee00-0000-4000-8000-000000000000"

PROTECTED = [
    ("POST", "/v2/account/individual"),
    ("POST", "/v2/accounts/individual"),
    ("POST", "/v2/accounts/corporate"),
    ("POST", "/v2/wallets"),
    ("POST", "/v2/payin-addresses"),
    ("POST", "/v2/rate-sheets"),
    ("POST", "/v2/tradess"),
    ("POST", "/v2/trades"),
    ("POST", "/v2/recipients"),
    ("POST", f"/v2/recipients/{NOTHING}/payment-addresses"),
    ("GET", f"/v2/payment-addresses/{NOTHING}"),
    ("GET", f"/v2/recipients/{NOTHING}/payment-addresses"),
    ("POST", "/v2/payments/transfer"),
    ("POST", "/v2/payments/payout"),
    ("GET", "/v2/payments"),
]


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.covers("bearer")
def test_every_operation_but_auth_needs_the_authorization_header(
    service: PlainService, method: str, path: str
) -> None:
    """§4: "All endpoints except POST /auth need the Authorization header"."""
    service.headers = {}
    assert service.send(method, path, b"{}").status_code == 401


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.covers("version-path")
def test_every_operation_is_served_under_v2_and_nowhere_else(
    service: PlainService, method: str, path: str
) -> None:
    """§9: "`/v2` as the first path segment after the host"."""
    under = service.send(method, path, b"{}")
    assert under.status_code not in {401, 405, 500}
    assert under.headers["content-type"] == "application/json"
    assert service.send(method, path.removeprefix("/v2"), b"{}").status_code == 404


@pytest.mark.parametrize("path", ["/v2/account/individual", "/v2/accounts/individual"])
@pytest.mark.covers("create-individual-account")
def test_both_spellings_create_an_individual_account(service: PlainService, path: str) -> None:
    """§4: "as in the signed request sample; the overview writes `/accounts/individual`"."""
    headers = {"idempotency": "a0a0a0a0-0000-4000-8000-000000000001", "accept": "application/json"}
    account = service.item(path, {"firstName": "Ada", "lastName": "Marlow"}, **headers)
    assert account["accountId"]


@pytest.mark.parametrize("path", ["/v2/tradess", "/v2/trades"])
@pytest.mark.covers("book-trade")
def test_both_spellings_book_a_trade(service: PlainService, customer: Customer, path: str) -> None:
    """§4: "(spelling as published)"."""
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "10.00",
        "sellWalletId": customer.funded("AUD", "10.00"),
        "buyWalletId": customer.wallet("USD"),
    }
    assert service.item(path, body)["tradeTransactionId"]


def test_creating_answers_with_the_identifiers_of_the_table(
    service: PlainService, customer: Customer
) -> None:
    """§2 "Identifiers", §4 "Response shape"."""
    company = {"companyName": "Kestrel Lane Timber"}
    assert service.item("/v2/accounts/corporate", company)["accountId"]
    wallet_id, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    payin = service.shown("/v2/payins", walletId=wallet_id)[0]
    assert payin["payInTransactionId"]
    recipient_id, address_id = customer.recipient("AUD")
    assert recipient_id != address_id
    transfer = {"sourceWalletId": wallet_id, "destinationWalletId": target, "amount": "1.00"}
    assert service.item("/v2/payments/transfer", transfer)["paymentTransactionId"]
    payout = {
        "sourceWalletId": wallet_id,
        "recipientId": recipient_id,
        "paymentAddressId": address_id,
        "amount": "1.00",
    }
    assert service.item("/v2/payments/payout", payout)["paymentTransactionId"]


@pytest.mark.covers("no-key-on-auth")
def test_auth_always_gives_a_new_token(service: PlainService) -> None:
    """§4 rule 2: "that endpoint always returns a new token", whatever the header says."""
    body = {"clientId": "demo", "clientSecret": "only-for-this-test"}
    key = {"idempotency": "a0a0a0a0-0000-4000-8000-000000000002"}
    tokens = {service.item("/v2/auth", body, **key)["accessToken"] for _ in range(3)}
    assert len(tokens) == 3


@pytest.mark.covers("sheet-fixes-rate")
def test_a_rate_sheet_fixes_the_rate_of_a_trade(service: PlainService, customer: Customer) -> None:
    """§4 rule 3: "A rate sheet included in a trade fixes the rate; without one, real-time"."""
    sold, bought = customer.funded("AUD", "1000000.00"), customer.wallet("USD")
    sheet, trade = service.offer("AUD", "USD", "1000.00", sold=sold, bought=bought)
    without = {name: value for name, value in trade.items() if name != "rateSheetId"}
    locked, live = [], []
    for _ in range(7):
        service.wait(20)
        locked.append(service.item("/v2/tradess", trade)["rate"])
        live.append(service.item("/v2/tradess", without)["rate"])
    assert set(locked) == {sheet["rates"][0]["rate"]}
    assert len(set(live)) > 1, "the market has moved"
    assert all(Decimal("0.5") < Decimal(rate) < Decimal("0.9") for rate in live)


@pytest.mark.covers("list-payments")
def test_payments_are_listed_with_their_end_to_end_id(
    service: PlainService, customer: Customer
) -> None:
    """§4: GET /payments, "payment records including `endToEndId` once released"."""
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    transfer = {"sourceWalletId": source, "destinationWalletId": target, "amount": "1.00"}
    payment_id = service.item("/v2/payments/transfer", transfer)["paymentTransactionId"]
    service.wait()
    (payment,) = service.shown("/v2/payments", paymentTransactionId=payment_id)
    assert isinstance(payment["endToEndId"], str)
