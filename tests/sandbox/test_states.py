from __future__ import annotations

import pytest

from tests.sandbox.books import assert_books_are_true
from tests.support.plain import Customer, Item, PlainService

STATES = "/_sandbox/states"


def put(service: PlainService, kind: str, identifier: str, status: str) -> Item:
    return service.item(STATES, {"kind": kind, "id": identifier, "status": status})


def payment_of(customer: Customer, reference: str = "HALT_AML") -> Item:
    """A transfer of 4.00 from a wallet that holds 10.00; it does not go on by itself."""
    ends = {
        "sourceWalletId": customer.funded("AUD", "10.00"),
        "destinationWalletId": customer.wallet("AUD"),
    }
    body = {**ends, "amount": "4.00", "reference": reference}
    return customer.service.item("/v2/payments/transfer", body)


def trade_of(customer: Customer, holds: str) -> Item:
    """A trade of 4.00 AUD; it does not go on by itself."""
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "4.00",
        "sellWalletId": customer.funded("AUD", holds),
        "buyWalletId": customer.wallet("USD"),
        "reference": "HALT_AML",
    }
    return customer.service.item("/v2/tradess", body)


# service.md §3: the path of each object, and what comes off it.
PAYMENT_PATHS = [
    "compliance_review processing released completed returned",
    "compliance_review rejected",
    "compliance_review processing failed",
    "cancelled",
]


@pytest.mark.parametrize("path", PAYMENT_PATHS)
def test_a_payment_is_taken_along_its_path(
    service: PlainService, customer: Customer, path: str
) -> None:
    payment = payment_of(customer)
    for status in path.split():
        shown = put(service, "payment", payment["paymentTransactionId"], status)
        assert shown["status"] == status
        assert ("endToEndId" in shown) == (status in {"released", "completed", "returned"})
        assert_books_are_true(service)
    left = "6.00" if path.endswith("completed") else "10.00"
    assert customer.available(payment["sourceWalletId"]) == left


def test_a_released_transfer_has_arrived(service: PlainService, customer: Customer) -> None:
    payment = payment_of(customer)
    for status in ("compliance_review", "processing", "released"):
        put(service, "payment", payment["paymentTransactionId"], status)
    assert customer.available(payment["destinationWalletId"]) == "4.00"
    service.wait()
    (shown,) = service.shown("/v2/payments")
    assert shown["status"] == "completed", "it goes on by itself from where it was put"


def test_what_was_due_before_does_not_happen_twice(
    service: PlainService, customer: Customer
) -> None:
    payment = payment_of(customer, reference="")
    put(service, "payment", payment["paymentTransactionId"], "compliance_review")
    put(service, "payment", payment["paymentTransactionId"], "rejected")
    service.wait()
    (shown,) = service.shown("/v2/payments")
    assert shown["status"] == "rejected"
    assert customer.available(payment["sourceWalletId"]) == "10.00"


@pytest.mark.parametrize(
    ("path", "sold", "bought"),
    [("exchanged", "6.00", True), ("rejected", "10.00", False), ("failed", "10.00", False)],
)
def test_a_funded_trade_is_taken_to_its_end(
    service: PlainService, customer: Customer, path: str, sold: str, *, bought: bool
) -> None:
    trade = trade_of(customer, "10.00")
    shown = put(service, "trade", trade["tradeTransactionId"], path)
    assert (shown["status"], "exchangedAt" in shown) == (path, bought)
    assert customer.available(trade["sellWalletId"]) == sold
    expected = trade["buyAmount"] if bought else "0.00"
    assert customer.available(trade["buyWalletId"]) == expected
    assert_books_are_true(service)


@pytest.mark.parametrize("status", ["rejected", "failed"])
def test_a_trade_without_funds_gives_nothing_back(
    service: PlainService, customer: Customer, status: str
) -> None:
    trade = trade_of(customer, "3.00")
    put(service, "trade", trade["tradeTransactionId"], status)
    assert customer.available(trade["sellWalletId"]) == "3.00"
    assert_books_are_true(service)


def test_a_trade_without_funds_cannot_be_put_into_compliance(
    service: PlainService, customer: Customer
) -> None:
    trade_id = trade_of(customer, "3.00")["tradeTransactionId"]
    body = {"kind": "trade", "id": trade_id, "status": "compliance_review"}
    assert service.post(STATES, body).status_code == 422
    assert service.show(f"/v2/trades/{trade_id}")["status"] == "awaiting_funds"


@pytest.mark.parametrize(("status", "holds"), [("credited", "5.00"), ("rejected", "0.00")])
def test_a_pay_in_is_taken_to_its_end(
    service: PlainService, customer: Customer, status: str, holds: str
) -> None:
    wallet = customer.wallet("AUD")
    payin_id = customer.pay_in(wallet, "5.00", "HALT_AML")["payInTransactionId"]
    put(service, "payin", payin_id, "compliance_review")
    shown = put(service, "payin", payin_id, status)
    assert ("creditedAt" in shown) == (status == "credited")
    assert customer.available(wallet) == holds
    assert_books_are_true(service)


def test_a_credit_by_hand_funds_the_trade_that_waits_for_it(
    service: PlainService, customer: Customer
) -> None:
    trade = trade_of(customer, "3.00")
    payin = customer.pay_in(trade["sellWalletId"], "5.00", "HALT_AML")
    for status in ("compliance_review", "credited"):
        put(service, "payin", payin["payInTransactionId"], status)
    shown = service.show(f"/v2/trades/{trade['tradeTransactionId']}")
    assert shown["status"] == "compliance_review"


def test_a_wallet_is_suspended_used_again_and_closed(
    service: PlainService, customer: Customer
) -> None:
    wallet = customer.wallet("AUD")
    for status in ("Suspended", "Active", "Closed"):
        assert put(service, "wallet", wallet, status)["status"] == status
    again = {"kind": "wallet", "id": wallet, "status": "Active"}
    assert service.post(STATES, again).status_code == 409


@pytest.mark.parametrize("kind", ["recipient", "payment_address"])
def test_an_addressee_is_rejected(service: PlainService, customer: Customer, kind: str) -> None:
    recipient_id, address_id = customer.recipient("AUD")
    rejected = put(service, kind, recipient_id if kind == "recipient" else address_id, "Rejected")
    assert rejected["status"] == "Rejected"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"status": "completed"}, 409),
        ({"status": "paid"}, 409),
        ({"id": "c0ffee00-0000-4000-8000-000000000000"}, 404),
        ({"kind": "loan"}, 400),
        ({"status": None}, 400),
        ({"force": "yes"}, 400),
    ],
)
def test_a_step_off_the_path_is_refused(
    service: PlainService, customer: Customer, change: Item, status: int
) -> None:
    payment_id = payment_of(customer)["paymentTransactionId"]
    body = {"kind": "payment", "id": payment_id, "status": "compliance_review", **change}
    assert service.post(STATES, body).status_code == status
    (payment,) = service.shown("/v2/payments")
    assert payment["status"] == "created"


@pytest.mark.parametrize("status", ["returned", "awaiting_the_moon"])
def test_force_sets_any_state_and_moves_no_money(
    service: PlainService, customer: Customer, status: str
) -> None:
    payment = payment_of(customer, reference="")
    service.clock.advance(1)
    body = {"kind": "payment", "id": payment["paymentTransactionId"], "status": status}
    shown = service.item(STATES, {**body, "force": True})
    assert shown["status"] == status
    assert shown["updatedAt"] > payment["updatedAt"]
    assert ("endToEndId" in shown) == (status == "returned")
    service.wait()
    assert customer.available(payment["sourceWalletId"]) == "6.00"
    (later,) = service.shown("/v2/payments")
    assert later["status"] == status, "it stays as it is"
    assert_books_are_true(service)


@pytest.mark.parametrize(
    ("kind", "path", "key"),
    [("trade", "trades", "tradeTransactionId"), ("payin", "payins", "payInTransactionId")],
)
def test_force_sets_any_state_of_trades_and_pay_ins(
    service: PlainService, customer: Customer, kind: str, path: str, key: str
) -> None:
    trade_of(customer, "10.00")
    item = service.shown(f"/v2/{path}")[0]
    body = {"kind": kind, "id": item[key], "status": "on_hold", "force": True}
    assert service.item(STATES, body)["status"] == "on_hold"
    assert_books_are_true(service)
