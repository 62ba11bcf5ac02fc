"""service.md §1: the service's functions."""

from __future__ import annotations

import pytest

from tests.support.plain import Customer, PlainService


@pytest.mark.covers("several-wallets")
def test_an_account_holds_wallets_of_the_same_and_of_other_currencies(
    service: PlainService, customer: Customer
) -> None:
    """§1: "several wallets, in the same or in different currencies"."""
    for currency in ("AUD", "AUD", "EUR"):
        service.item("/v2/wallets", {"accountId": customer.account_id, "currency": currency})
    wallets = service.shown("/v2/wallets", accountId=customer.account_id)
    assert sorted(wallet["currency"] for wallet in wallets) == ["AUD", "AUD", "EUR"]
    assert len({wallet["walletId"] for wallet in wallets}) == 3


def test_a_pay_in_raises_the_available_balance(customer: Customer) -> None:
    """§1: "It raises the wallet's available balance"."""
    wallet_id = customer.wallet("AUD")
    assert customer.available(wallet_id) == "0.00"
    customer.pay_in(wallet_id, "250.75")
    customer.service.wait()
    assert customer.available(wallet_id) == "250.75"


@pytest.mark.covers("real-time-funds")
def test_funds_are_tracked_in_real_time_per_wallet(customer: Customer) -> None:
    """§1: "Funds are tracked in real time per wallet"."""
    first, second = customer.funded("AUD", "10.00"), customer.funded("AUD", "20.00")
    assert (customer.available(first), customer.available(second)) == ("10.00", "20.00")


def test_a_trade_exchanges_one_currency_for_another(
    service: PlainService, customer: Customer
) -> None:
    """§1: "exchanges one currency for another. The bought currency goes into a wallet"."""
    sold, bought = customer.funded("AUD", "1000.00"), customer.wallet("USD")
    trade = service.item(
        "/v2/tradess",
        {
            "sellCurrency": "AUD",
            "buyCurrency": "USD",
            "sellAmount": "1000.00",
            "sellWalletId": sold,
            "buyWalletId": bought,
        },
    )
    service.wait()
    assert customer.available(sold) == "0.00"
    assert customer.available(bought) == trade["buyAmount"]


@pytest.mark.covers("create-transfer")
def test_a_transfer_goes_to_a_wallet_of_another_account(
    service: PlainService, customer: Customer
) -> None:
    """§1: "in the same or in different customer accounts"."""
    source, target = customer.funded("EUR", "80.00"), Customer(service).wallet("EUR")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "30.00"}
    service.item("/v2/payments/transfer", body)
    service.wait()
    assert (customer.available(source), customer.available(target)) == ("50.00", "30.00")


def test_a_transfer_between_currencies_is_refused(
    service: PlainService, customer: Customer
) -> None:
    """§1: "between wallets of the same currency"."""
    source, target = customer.funded("EUR", "80.00"), customer.wallet("USD")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "30.00"}
    assert service.post("/v2/payments/transfer", body).status_code == 400


@pytest.mark.covers("typical-flow")
def test_the_typical_flow_without_a_client(service: PlainService) -> None:
    """§1: steps 1 to 9."""
    person = {"firstName": "Ada", "lastName": "Marlow"}
    account = service.item("/v2/account/individual", person)["accountId"]
    aud = service.item("/v2/wallets", {"accountId": account, "currency": "AUD"})["walletId"]
    usd = service.item("/v2/wallets", {"accountId": account, "currency": "USD"})["walletId"]
    service.item("/v2/payin-addresses", {"walletId": aud, "payInAddressType": "local"})
    service.wait()
    service.item("/_sandbox/payins", {"walletId": aud, "amount": "5000.00"})
    service.wait()
    pairs = [{"sellCurrency": "AUD", "buyCurrency": "USD"}]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    trade = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "buyAmount": "1000.00",
        "sellWalletId": aud,
        "buyWalletId": usd,
        "rateSheetId": sheet["rateSheetId"],
    }
    service.item("/v2/tradess", trade)
    address = {"currency": "USD", "accountType": "cacc", "accountNumber": "40404040"}
    recipient = {
        "accountId": account,
        "recipientType": "individual",
        "firstName": "Bo",
        "lastName": "Lund",
        "paymentAddresses": [address],
    }
    created = service.item("/v2/recipients", recipient)
    service.wait()
    payout = {
        "sourceWalletId": usd,
        "recipientId": created["recipientId"],
        "paymentAddressId": created["paymentAddressId"],
        "amount": "1000.00",
    }
    service.item("/v2/payments/payout", payout)
    service.wait()
    (payment,) = service.shown("/v2/payments")
    assert payment["endToEndId"]
    assert service.show(f"/v2/wallets/{usd}")["availableBalance"] == "0.00"


@pytest.mark.covers("any-order")
def test_a_recipient_can_be_created_before_the_trade_that_pays_it(
    service: PlainService, customer: Customer
) -> None:
    """§1: "created before a trade and attached to it"; §2: directed "to an external recipient"."""
    sold = customer.funded("AUD", "500.00")
    recipient_id, address_id = customer.recipient("USD")
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "500.00",
        "sellWalletId": sold,
        "recipientId": recipient_id,
        "paymentAddressId": address_id,
    }
    trade = service.item("/v2/tradess", body)
    service.wait()
    shown = service.show(f"/v2/trades/{trade['tradeTransactionId']}")
    assert shown["status"] == "exchanged"
    assert shown["recipientId"] == recipient_id


@pytest.mark.covers("pay-in-before-or-after")
def test_a_pay_in_can_come_after_the_trade_was_booked(
    service: PlainService, customer: Customer
) -> None:
    """§1: "Pay-in can happen before or after a trade is booked"."""
    sold, bought = customer.wallet("AUD"), customer.wallet("USD")
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "100.00",
        "sellWalletId": sold,
        "buyWalletId": bought,
    }
    trade = service.item("/v2/tradess", body)
    service.wait()
    assert customer.available(bought) == "0.00"
    customer.pay_in(sold, "100.00")
    service.wait()
    assert service.show(f"/v2/trades/{trade['tradeTransactionId']}")["status"] == "exchanged"
    assert customer.available(bought) == trade["buyAmount"]


@pytest.mark.covers("any-order")
def test_a_wallet_must_exist_before_a_trade(service: PlainService, customer: Customer) -> None:
    """§1: "a wallet must exist before a trade"."""
    body = {
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "100.00",
        "sellWalletId": "c0ffee00-0000-4000-8000-000000000000",
        "buyWalletId": customer.wallet("USD"),
    }
    assert service.post("/v2/tradess", body).status_code == 404


@pytest.mark.parametrize("kind", ["trade", "transfer", "payout"])
@pytest.mark.covers("operations-by-account")
def test_what_moves_money_names_its_account_and_no_other(
    service: PlainService, customer: Customer, kind: str
) -> None:
    """§1: "all financial operations refer to it by `accountId`"; optional here."""
    source = customer.funded("AUD", "10.00")
    recipient_id, address_id = customer.recipient("AUD")
    path, body = {
        "trade": (
            "/v2/tradess",
            {
                "sellCurrency": "AUD",
                "buyCurrency": "USD",
                "sellAmount": "1.00",
                "sellWalletId": source,
                "buyWalletId": customer.wallet("USD"),
            },
        ),
        "transfer": (
            "/v2/payments/transfer",
            {
                "sourceWalletId": source,
                "destinationWalletId": customer.wallet("AUD"),
                "amount": "1.00",
            },
        ),
        "payout": (
            "/v2/payments/payout",
            {
                "sourceWalletId": source,
                "recipientId": recipient_id,
                "paymentAddressId": address_id,
                "amount": "1.00",
            },
        ),
    }[kind]
    made = service.item(path, {**body, "accountId": customer.account_id})
    assert made["accountId"] == customer.account_id
    assert service.item(path, body)["accountId"] == customer.account_id
    other = service.post(path, {**body, "accountId": Customer(service).account_id})
    assert other.status_code == 400
    assert other.json()["error"]["details"][0]["field"] == "accountId"
