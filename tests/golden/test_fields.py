"""service.md §2: resources and their fields."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from tests.support.clock import NOON
from tests.support.plain import Customer, Item, PlainService

INDIVIDUAL = {
    "birthDate": "1980-02-29",
    "email": "ada@example.com",
    "firstName": "Ada",
    "middleName": "Q",
    "lastName": "Marlow",
    "phoneCountryCode": "61",
    "phone": 412345678,
    "physicalAddress": {
        "city": "Sydney",
        "country": "AU",
        "postcode": 2000,
        "state": "NSW",
        "addressLine1": "Unit 4",
        "addressLine2": "12B Quay Street",
        "streetName": "Quay",
        "streetNumber": "12B",
        "streetType": "street",
        "unitNumber": 4,
    },
    "primaryIdentification": {
        "identityCardNumber": "P123",
        "identityCountry": "AU",
        "identityExpiry": "2030-01-01T00:00:00Z",
        "identityNumber": "12345678",
        "identityState": "NSW",
        "identityType": "driver_license",
    },
    "authorisedRepresentatives": [
        {
            "email": "rep@example.com",
            "firstName": "Rae",
            "middleName": "",
            "lastName": "Poole",
            "phoneCountryCode": "61",
            "phone": "400000000",
            "role": "director",
        }
    ],
    "termsAndConditionsAccepted": True,
    "individualIsActingAsTrustee": True,
    "trust": {
        "name": "Marlow Family Trust",
        "trustBeneficiaries": [
            {
                "birthDate": "2010-05-05T00:00:00Z",
                "firstName": "Cy",
                "lastName": "Marlow",
                "middleName": "",
                "physicalAddress": {"city": "Sydney", "country": "AU"},
            }
        ],
    },
}


def test_the_token_has_three_parts_and_an_end(service: PlainService) -> None:
    """§2: "three dot-separated parts"; `expiresAt` is an ISO 8601 date-time in UTC."""
    body = {"clientId": "demo", "clientSecret": "only-for-this-test"}
    item = service.item("/v2/auth", body)
    assert len(item["accessToken"].split(".")) == 3
    assert datetime.fromisoformat(item["expiresAt"]) == NOON + timedelta(minutes=5)


@pytest.mark.covers("individual-fields")
def test_an_individual_account_takes_every_field(service: PlainService) -> None:
    """§2: "Individual account request shape", nested objects included."""
    account = service.item("/v2/account/individual", INDIVIDUAL)
    shown = service.show(f"/v2/accounts/{account['accountId']}")
    assert {name: shown[name] for name in INDIVIDUAL} == INDIVIDUAL


@pytest.mark.parametrize("phone", [412345678, "0412 345 678"])
@pytest.mark.covers("phone-forms")
def test_a_phone_is_a_number_or_a_string(service: PlainService, phone: object) -> None:
    """§2: "number or string (both forms are used)"."""
    body = {"firstName": "Ada", "lastName": "Marlow", "phone": phone}
    account = service.item("/v2/account/individual", body)
    assert service.show(f"/v2/accounts/{account['accountId']}")["phone"] == phone


@pytest.mark.covers("wallet-fields")
def test_a_wallet_has_the_fields_of_its_request(service: PlainService, customer: Customer) -> None:
    """§2: `accountId`, `currency`, `walletName`, `walletDescription`."""
    body = {
        "accountId": customer.account_id,
        "currency": "KWD",
        "walletName": "Desk",
        "walletDescription": "for suppliers",
    }
    wallet = service.item("/v2/wallets", body)
    assert body.items() <= service.show(f"/v2/wallets/{wallet['walletId']}").items()


@pytest.mark.covers("payin-address-details", "npp-enabled")
def test_a_local_payin_address_is_a_bsb_and_an_account_number(
    service: PlainService, customer: Customer
) -> None:
    """§2: based in Australia, "a bank-state-branch code plus account number", NPP enabled."""
    body = {"walletId": customer.wallet("AUD"), "payInAddressType": "local"}
    address = service.item("/v2/payin-addresses", body)
    assert address["payInAddressId"]
    assert len(address["bsb"].replace("-", "")) == 6
    assert address["accountNumber"].isdigit()
    assert (address["country"], address["nppEnabled"]) == ("AU", True)
    assert "bic" not in address


@pytest.mark.covers("payin-address-details")
def test_an_international_payin_address_is_a_bic_and_an_account_number(
    service: PlainService, customer: Customer
) -> None:
    """§2: "an international address is a SWIFT BIC plus account number"."""
    body = {"walletId": customer.wallet("USD"), "payInAddressType": "international"}
    address = service.item("/v2/payin-addresses", body)
    assert len(address["bic"]) in {8, 11}
    assert address["bic"][4:6] == "AU"
    assert address["accountNumber"].isdigit()
    assert "bsb" not in address


@pytest.mark.covers("payin-address-unique")
def test_each_payin_address_belongs_to_one_wallet(
    service: PlainService, customer: Customer
) -> None:
    """§2: "Each pay-in address is unique to its wallet"."""
    first, second = customer.wallet("AUD"), customer.wallet("AUD")
    numbers = [
        service.shown("/v2/payin-addresses", walletId=wallet_id)[0]["accountNumber"]
        for wallet_id in (first, second)
    ]
    assert numbers[0] != numbers[1]


@pytest.mark.covers("create-rate-sheet")
def test_a_rate_sheet_has_a_rate_per_pair_and_an_end(service: PlainService) -> None:
    """§2: "one rate per requested currency pair"; "Each rate sheet carries an explicit expiry"."""
    pairs = [
        {"sellCurrency": "AUD", "buyCurrency": "USD"},
        {"sellCurrency": "USD", "buyCurrency": "JPY"},
    ]
    sheet = service.item("/v2/rate-sheets", {"currencyPairs": pairs})
    priced = [
        {"sellCurrency": rate["sellCurrency"], "buyCurrency": rate["buyCurrency"]}
        for rate in sheet["rates"]
    ]
    assert priced == pairs
    assert datetime.fromisoformat(sheet["expiresAt"]) == NOON + timedelta(seconds=150)


@pytest.mark.covers("rate-direction")
def test_a_rate_is_what_one_sold_unit_yields(service: PlainService, customer: Customer) -> None:
    """§2: "a rate of r means each 1 unit of sell currency yields r units of buy currency"."""
    sold, bought = customer.funded("USD", "100.00"), customer.wallet("JPY")
    sheet, body = service.offer("USD", "JPY", "100.00", sold=sold, bought=bought)
    trade = service.item("/v2/tradess", body)
    rate = Decimal(sheet["rates"][0]["rate"])
    assert 100 < rate < 200, "a dollar buys some 150 yen, not the reverse"
    assert abs(Decimal(trade["buyAmount"]) - 100 * rate) <= Decimal("0.5")


@pytest.mark.covers("trade-destinations")
def test_a_trade_can_pay_into_a_wallet_of_another_account(
    service: PlainService, customer: Customer
) -> None:
    """§2: "directed to a wallet of another customer account"."""
    sold, bought = customer.funded("GBP", "10.00"), Customer(service).wallet("EUR")
    body = {
        "sellCurrency": "GBP",
        "buyCurrency": "EUR",
        "sellAmount": "10.00",
        "sellWalletId": sold,
        "buyWalletId": bought,
    }
    trade = service.item("/v2/tradess", body)
    service.wait()
    assert customer.available(bought) == trade["buyAmount"]


@pytest.mark.covers("trade-currencies")
def test_a_trade_needs_wallets_of_different_currencies(
    service: PlainService, customer: Customer
) -> None:
    """§2: "wallets of different currencies"."""
    body = {
        "sellCurrency": "GBP",
        "buyCurrency": "GBP",
        "sellAmount": "10.00",
        "sellWalletId": customer.funded("GBP", "10.00"),
        "buyWalletId": customer.wallet("GBP"),
    }
    assert service.post("/v2/tradess", body).status_code == 400


def recipient_of(customer: Customer, *addresses: Item) -> Item:
    return {
        "accountId": customer.account_id,
        "recipientType": "individual",
        "firstName": "Bo",
        "lastName": "Lund",
        "paymentAddresses": list(addresses),
    }


def address_of(account_type: str) -> Item:
    return {"currency": "USD", "accountType": account_type, "accountNumber": "40404040"}


@pytest.mark.covers("recipient-linked")
def test_a_recipient_is_linked_to_its_account(service: PlainService, customer: Customer) -> None:
    """§2: "A recipient is linked to the customer account given in the request"."""
    created = service.item("/v2/recipients", recipient_of(customer, address_of("cacc")))
    (shown,) = service.shown("/v2/recipients", accountId=customer.account_id)
    assert shown["recipientId"] == created["recipientId"]
    assert shown["accountId"] == customer.account_id


@pytest.mark.covers("recipient-needs-address")
def test_a_recipient_needs_a_payment_address(service: PlainService, customer: Customer) -> None:
    """§2: "A payment address must be added when the recipient is created"."""
    assert service.post("/v2/recipients", recipient_of(customer)).status_code == 400


@pytest.mark.covers("recipient-needs-address", "add-payment-address")
def test_more_payment_addresses_can_be_added_later(
    service: PlainService, customer: Customer
) -> None:
    """§2: "more can be added later"."""
    created = service.item("/v2/recipients", recipient_of(customer, address_of("cacc")))
    path = f"/v2/recipients/{created['recipientId']}/payment-addresses"
    added = service.item(path, address_of("svgs"))
    listed = {address["paymentAddressId"] for address in service.shown(path)}
    assert listed == {created["paymentAddressId"], added["paymentAddressId"]}


@pytest.mark.parametrize("account_type", ["cacc", "svgs", "oth"])
@pytest.mark.covers("account-types")
def test_the_account_types_of_the_january_update_are_taken(
    service: PlainService, customer: Customer, account_type: str
) -> None:
    """§2, §9: "values `cacc`, `svgs`, `oth` exist"."""
    created = service.item("/v2/recipients", recipient_of(customer, address_of(account_type)))
    address = service.show(f"/v2/payment-addresses/{created['paymentAddressId']}")
    assert address["accountType"] == account_type


@pytest.mark.covers("account-types")
def test_electronic_deposit_is_no_longer_an_account_type(
    service: PlainService, customer: Customer
) -> None:
    """§2, §9: "`electronic_deposit` is removed", from both operations that take one."""
    gone = address_of("electronic_deposit")
    assert service.post("/v2/recipients", recipient_of(customer, gone)).status_code == 400
    created = service.item("/v2/recipients", recipient_of(customer, address_of("oth")))
    path = f"/v2/recipients/{created['recipientId']}/payment-addresses"
    assert service.post(path, gone).status_code == 400


@pytest.mark.covers("get-payment-address", "bank-information", "list-payment-addresses")
def test_bank_information_is_in_every_answer_with_a_payment_address(
    service: PlainService, customer: Customer
) -> None:
    """§2, §9: its seven optional strings, in all four responses that the update names."""
    bank = {
        "bankName": "Bank of the Seven Bridges",
        "bankAddressLine1": "1 Quay Street",
        "bankAddressLine2": "Level 2",
        "locality": "Oakland",
        "region": "CA",
        "postalCode": "94607",
        "country": "US",
    }
    address = {**address_of("cacc"), "bankInformation": bank}
    created = service.item("/v2/recipients", recipient_of(customer, address))
    path = f"/v2/recipients/{created['recipientId']}/payment-addresses"
    answers = [
        created["paymentAddresses"][0],
        service.item(path, address),
        service.show(f"/v2/payment-addresses/{created['paymentAddressId']}"),
        service.shown(path)[0],
    ]
    assert [answer["bankInformation"] for answer in answers] == [bank] * 4


@pytest.mark.covers("end-to-end-id", "state-released")
def test_an_end_to_end_id_is_there_from_release_on_and_not_before(
    service: PlainService, customer: Customer
) -> None:
    """§2, §3: "present only once the payment has reached the released status"."""
    source, target = customer.funded("AUD", "10.00"), customer.wallet("AUD")
    body = {"sourceWalletId": source, "destinationWalletId": target, "amount": "1.00"}
    service.item("/v2/payments/transfer", body)
    seen: dict[str, bool] = {}
    for _ in range(120):
        (payment,) = service.shown("/v2/payments")
        seen[payment["status"]] = "endToEndId" in payment
        service.wait(1)
    assert seen == {
        "created": False,
        "compliance_review": False,
        "processing": False,
        "released": True,
        "completed": True,
    }
