from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sandbox.books import assert_books_are_true
from tests.support.plain import EMPTY, Customer, Item, PlainService, start_service


def make_payout(customer: Customer, reference: str | None) -> str:
    """A payout of 4.00 from a wallet that holds 10.00; returns the wallet."""
    source = customer.funded("AUD", "10.00")
    recipient_id, address_id = customer.recipient("AUD")
    body = {
        "sourceWalletId": source,
        "recipientId": recipient_id,
        "paymentAddressId": address_id,
        "amount": "4.00",
        "reference": reference,
    }
    customer.service.item("/v2/payments/payout", body)
    return source


def states_of(service: PlainService, path: str, seconds: int = 200) -> list[str]:
    """The states that the only object of a list goes through, second by second."""
    seen: list[str] = []
    for _ in range(seconds):
        (item,) = service.shown(path)
        if not seen or seen[-1] != item["status"]:
            seen.append(item["status"])
        service.wait(1)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reference", "path", "left"),
    [
        (None, "created compliance_review processing released completed", "6.00"),
        ("HALT_AML", "created compliance_review", "6.00"),
        ("FAIL_AML", "created compliance_review rejected", "10.00"),
        ("FAIL_BANK", "created compliance_review processing failed", "10.00"),
        ("RETURN", "created compliance_review processing released completed returned", "10.00"),
    ],
)
def test_a_payout_takes_the_path_that_its_reference_asks_for(
    service: PlainService, customer: Customer, reference: str | None, path: str, left: str
) -> None:
    source = make_payout(customer, reference)
    assert states_of(service, "/v2/payments") == path.split()
    assert customer.available(source) == left
    assert_books_are_true(service)


def test_an_unhappy_end_has_its_reason_and_a_happy_one_has_none(
    service: PlainService, customer: Customer
) -> None:
    make_payout(customer, "FAIL_AML")
    make_payout(customer, None)
    service.wait()
    happy, unhappy = service.shown("/v2/payments")
    assert unhappy["failureReason"]
    assert "failureReason" not in happy


def test_a_transfer_comes_back_out_of_the_receiving_wallet(
    service: PlainService, customer: Customer
) -> None:
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    ends = {"sourceWalletId": source, "destinationWalletId": target}
    service.item("/v2/payments/transfer", {**ends, "amount": "4.00", "reference": "RETURN"})
    service.wait()
    assert (customer.available(source), customer.available(target)) == ("10.00", "0.00")


def test_a_transfer_does_not_come_back_where_the_money_was_spent(
    service: PlainService, customer: Customer
) -> None:
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    third = customer.wallet("AUD")
    there = {"sourceWalletId": source, "destinationWalletId": target, "amount": "4.00"}
    payment = service.item("/v2/payments/transfer", {**there, "reference": "RETURN"})
    while customer.available(target) != "4.00":
        service.wait(1)
    spent = {"sourceWalletId": target, "destinationWalletId": third, "amount": "4.00"}
    service.item("/v2/payments/transfer", spent)
    service.wait()
    (shown,) = service.shown("/v2/payments", paymentTransactionId=payment["paymentTransactionId"])
    assert shown["status"] == "completed"
    assert_books_are_true(service)


@pytest.mark.parametrize(
    ("reference", "status", "held"),
    [
        (None, "credited", ("5.00", "0.00")),
        ("HALT_AML", "compliance_review", ("0.00", "5.00")),
        ("FAIL_AML", "rejected", ("0.00", "0.00")),
    ],
)
def test_a_pay_in_ends_as_its_reference_asks(
    service: PlainService,
    customer: Customer,
    reference: str | None,
    status: str,
    held: tuple[str, str],
) -> None:
    wallet_id = customer.wallet("AUD")
    customer.pay_in(wallet_id, "5.00", reference)
    service.wait()
    (payin,) = service.shown("/v2/payins")
    wallet = service.show(f"/v2/wallets/{wallet_id}")
    assert payin["status"] == status
    assert ("creditedAt" in payin) == (status == "credited")
    assert (wallet["availableBalance"], wallet["pendingBalance"]) == held


def trade_body(sold: str, bought: str, **more: str | None) -> Item:
    return {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "10.00",
        "sellWalletId": sold,
        "buyWalletId": bought,
        **more,
    }


@pytest.mark.parametrize(
    ("reference", "path", "left"),
    [
        (None, "compliance_review exchanged", "0.00"),
        ("HALT_AML", "compliance_review", "0.00"),
        ("FAIL_AML", "compliance_review rejected", "10.00"),
        ("FAIL_BANK", "compliance_review failed", "10.00"),
    ],
)
def test_a_trade_takes_the_path_that_its_reference_asks_for(
    service: PlainService, customer: Customer, reference: str | None, path: str, left: str
) -> None:
    sold, bought = customer.funded("AUD", "10.00"), customer.wallet("USD")
    service.item("/v2/tradess", trade_body(sold, bought, reference=reference))
    assert states_of(service, "/v2/trades", 30) == path.split()
    assert customer.available(sold) == left
    assert_books_are_true(service)


def test_trades_that_wait_are_funded_the_oldest_first(
    service: PlainService, customer: Customer
) -> None:
    sold, bought = customer.wallet("AUD"), customer.wallet("USD")
    for _ in range(2):
        service.item("/v2/tradess", trade_body(sold, bought))
    customer.pay_in(sold, "15.00")
    service.wait()
    younger, older = service.shown("/v2/trades")
    assert (older["status"], younger["status"]) == ("exchanged", "awaiting_funds")
    assert customer.available(sold) == "5.00"


def test_what_is_due_happens_at_its_own_time_however_late_one_looks(
    service: PlainService, customer: Customer
) -> None:
    make_payout(customer, None)
    (created,) = service.shown("/v2/payments")
    service.wait(3600)
    (payment,) = service.shown("/v2/payments")
    assert payment["status"] == "completed"
    assert payment["updatedAt"][:14] == created["createdAt"][:14], "within the same hour"


@pytest.mark.parametrize(("speed", "status"), [(1.0, "created"), (1000.0, "completed")])
def test_speed_shortens_the_delays_of_states(speed: float, status: str) -> None:
    service = start_service(replace(EMPTY, speed=speed))
    make_payout(Customer(service), None)
    service.wait(0.5)
    (payment,) = service.shown("/v2/payments")
    assert payment["status"] == status


def test_speed_leaves_tokens_and_sheets_alone() -> None:
    service = start_service(replace(EMPTY, speed=1000.0))
    pairs = [{"sellCurrency": "AUD", "buyCurrency": "USD"}]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    assert sheet["expiresAt"] == "2026-03-02T12:02:30.000Z"
    service.clock.advance(299)
    assert service.get("/v2/payments").status_code == 200


def test_lifetimes_are_as_ordered() -> None:
    service = start_service(replace(EMPTY, token_lifetime=10, sheet_lifetime=20))
    pairs = [{"sellCurrency": "AUD", "buyCurrency": "USD"}]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    assert sheet["expiresAt"] == "2026-03-02T12:00:20.000Z"
    service.clock.advance(10)
    assert service.get("/v2/payments").status_code == 401


def test_the_clock_is_moved_by_the_control_surface_alone(service: PlainService) -> None:
    service.item("/_sandbox/clock", {"seconds": 3600})
    service.sign_in()
    response = service.get("/v2/payments")
    assert response.headers["date"] == "Mon, 02 Mar 2026 13:00:00 GMT"
