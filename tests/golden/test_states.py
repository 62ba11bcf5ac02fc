"""service.md §3: states and transitions."""

from __future__ import annotations

import pytest

from tests.support.plain import Customer, PlainService


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v2/account/individual", {"firstName": "Ada", "lastName": "Marlow"}),
        ("/v2/accounts/corporate", {"companyName": "Kestrel Lane Timber"}),
    ],
)
@pytest.mark.covers("trusted-path", "state-registered")
def test_a_trusted_account_is_registered_at_creation(
    service: PlainService, path: str, body: dict[str, str]
) -> None:
    """§1, §3: "Trusted-path accounts go straight here on creation"."""
    assert service.item(path, body)["status"] == "registered"


@pytest.mark.covers("state-wallet-active")
def test_a_wallet_must_be_active_before_a_pay_in_is_made_to_it(
    service: PlainService, customer: Customer
) -> None:
    """§3: "A wallet must be Active before a pay-in is made to it"."""
    body = {"accountId": customer.account_id, "currency": "AUD"}
    wallet_id = service.item("/v2/wallets", body)["walletId"]
    service.item("/v2/payin-addresses", {"walletId": wallet_id, "payInAddressType": "local"})
    pay_in = {"walletId": wallet_id, "amount": "1.00"}
    assert service.post("/_sandbox/payins", pay_in).status_code == 409
    service.wait()
    assert service.show(f"/v2/wallets/{wallet_id}")["status"] == "Active"
    assert service.post("/_sandbox/payins", pay_in).status_code == 201


@pytest.mark.covers("state-recipient-active", "state-address-active", "payout-refused")
def test_a_payout_waits_for_an_active_recipient_and_address(
    service: PlainService, customer: Customer
) -> None:
    """§3, §4 rule 4, §7: a payout "requires a recipient and payment address that are Active"."""
    source = customer.funded("AUD", "10.00")
    address = {"currency": "AUD", "accountType": "cacc", "accountNumber": "40404040"}
    recipient = {
        "accountId": customer.account_id,
        "recipientType": "business",
        "companyName": "Bluegum Foods",
        "paymentAddresses": [address],
    }
    created = service.item("/v2/recipients", recipient)
    payout = {
        "sourceWalletId": source,
        "recipientId": created["recipientId"],
        "paymentAddressId": created["paymentAddressId"],
        "amount": "1.00",
    }
    too_early = service.post("/v2/payments/payout", payout)
    assert too_early.status_code == 409
    assert too_early.json()["error"]["details"][0]["field"] == "recipientId"
    service.wait()
    path = f"/v2/recipients/{created['recipientId']}/payment-addresses"
    added = service.item(path, address)["paymentAddressId"]
    late = {**payout, "paymentAddressId": added}
    not_yet = service.post("/v2/payments/payout", late)
    assert not_yet.status_code == 409
    assert not_yet.json()["error"]["details"][0]["field"] == "paymentAddressId"
    assert service.post("/v2/payments/payout", payout).status_code == 201


@pytest.mark.covers("state-credited", "compliance")
def test_a_pay_in_is_credited_after_its_compliance_check(
    service: PlainService, customer: Customer
) -> None:
    """§3: "After validation and compliance check the funds are credited to the wallet"."""
    wallet_id = customer.wallet("AUD")
    customer.pay_in(wallet_id, "5.00")
    path: list[str] = []
    for _ in range(60):
        (payin,) = service.shown("/v2/payins", walletId=wallet_id)
        status = payin["status"]
        assert (customer.available(wallet_id) == "5.00") == (status == "credited")
        if status not in path:
            path.append(status)
        service.wait(1)
    assert path == ["received", "compliance_review", "credited"]


@pytest.mark.covers("compliance")
def test_compliance_comes_before_a_trade_moves_funds(
    service: PlainService, customer: Customer
) -> None:
    """§3: "a trade is exchanged once transaction monitoring completes"."""
    sold, bought = customer.funded("AUD", "10.00"), customer.wallet("USD")
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "10.00",
        "sellWalletId": sold,
        "buyWalletId": bought,
    }
    trade = service.item("/v2/tradess", body)
    assert trade["status"] == "compliance_review"
    assert customer.available(bought) == "0.00"
    service.wait()
    assert service.show(f"/v2/trades/{trade['tradeTransactionId']}")["status"] == "exchanged"


@pytest.mark.covers("compliance")
def test_a_payment_that_fails_its_compliance_check_does_not_move_funds(
    service: PlainService, customer: Customer
) -> None:
    """§3: "transfers to the wallet or recipient if it passes its compliance checks"."""
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    body = {
        "sourceWalletId": source,
        "destinationWalletId": target,
        "amount": "4.00",
        "reference": "FAIL_AML",
    }
    service.item("/v2/payments/transfer", body)
    service.wait()
    (payment,) = service.shown("/v2/payments")
    assert payment["status"] == "rejected"
    assert (customer.available(source), customer.available(target)) == ("10.00", "0.00")
