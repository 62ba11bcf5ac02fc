"""Records of every kind in the service's spelling (service.md §2), full of one text."""

from __future__ import annotations

from collections.abc import Callable

from paytui.platform.text import clean

Record = dict[str, object]
Make = Callable[[str, str], Record]
"""Makes a record from a number and the text for all that is text in it."""

CREATED = "2026-03-02T11:59:00Z"
_BANK = (
    "bankName",
    "bankAddressLine1",
    "bankAddressLine2",
    "locality",
    "region",
    "postalCode",
    "country",
)
_PLACE = (
    "city",
    "country",
    "postcode",
    "state",
    "addressLine1",
    "addressLine2",
    "streetName",
    "streetNumber",
    "streetType",
    "unitNumber",
)


def accounts(number: str, text: str) -> Record:
    names = (
        "displayName email firstName middleName lastName companyName tradingName phone "
        "registrationNumber registrationCountry phoneCountryCode kind"
    )
    return {
        **_full(names.split(), text),
        "accountId": _key("account", number, text),
        "status": "registered",
        "birthDate": "1980-02-29",
        "physicalAddress": _full(_PLACE, text),
        "createdAt": CREATED,
    }


def wallets(number: str, text: str) -> Record:
    return {
        **_full(("walletName", "walletDescription"), text),
        "walletId": _key("wallet", number, text),
        "accountId": _key("account", number, text),
        "currency": "AUD",
        "status": "Active",
        "availableBalance": "1234.50",
        "reservedBalance": "1.00",
        "pendingBalance": "2.00",
        "createdAt": CREATED,
    }


def payin_addresses(number: str, text: str) -> Record:
    names = "payInAddressType bsb bic accountNumber bankName country"
    return {
        **_full(names.split(), text),
        "payInAddressId": _key("payin-address", number, text),
        "walletId": _key("wallet", number, text),
        "nppEnabled": True,
    }


def payins(number: str, text: str) -> Record:
    return {
        **_full(("senderName", "reference"), text),
        "payInTransactionId": _key("payin", number, text),
        "walletId": _key("wallet", number, text),
        "payInAddressId": _key("payin-address", number, text),
        "amount": "10.00",
        "currency": "AUD",
        "status": "credited",
        "createdAt": CREATED,
        "creditedAt": CREATED,
    }


def trades(number: str, text: str) -> Record:
    return {
        "tradeTransactionId": _key("trade", number, text),
        "accountId": _key("account", number, text),
        "sellWalletId": _key("wallet", number, text),
        "recipientId": _key("recipient", number, text),
        "paymentAddressId": _key("address", number, text),
        "rateSheetId": text,
        "reference": text,
        "sellCurrency": "AUD",
        "buyCurrency": "USD",
        "sellAmount": "100.00",
        "buyAmount": "65.00",
        "rate": "0.65",
        "dealtSide": "sell",
        "status": "exchanged",
        "createdAt": CREATED,
        "exchangedAt": CREATED,
    }


def recipients(number: str, text: str) -> Record:
    names = "recipientType firstName lastName companyName email country"
    return {
        **_full(names.split(), text),
        "recipientId": _key("recipient", number, text),
        "accountId": _key("account", number, text),
        "status": "Active",
        "paymentAddresses": [payment_addresses(number, text)],
    }


def payment_addresses(number: str, text: str) -> Record:
    names = "country accountType accountName accountNumber iban bic routingCode"
    return {
        **_full(names.split(), text),
        "paymentAddressId": _key("address", number, text),
        "recipientId": _key("recipient", number, text),
        "currency": "AUD",
        "status": "Active",
        "bankInformation": _full(_BANK, text),
    }


def payments(number: str, text: str) -> Record:
    names = "paymentType reference endToEndId failureReason"
    return {
        **_full(names.split(), text),
        "paymentTransactionId": _key("payment", number, text),
        "accountId": _key("account", number, text),
        "sourceWalletId": _key("wallet", number, text),
        "recipientId": _key("recipient", number, text),
        "paymentAddressId": _key("address", number, text),
        "amount": "20.00",
        "currency": "AUD",
        "status": "failed",
        "createdAt": CREATED,
        "updatedAt": CREATED,
    }


KINDS: dict[str, Make] = {
    "accounts": accounts,
    "wallets": wallets,
    "payin-addresses": payin_addresses,
    "payins": payins,
    "trades": trades,
    "recipients": recipients,
    "payment-addresses": payment_addresses,
    "payments": payments,
}
"""By the last part of the path of the list."""

IDENTIFIERS = {
    "accounts": "accountId",
    "wallets": "walletId",
    "payin-addresses": "payInAddressId",
    "payins": "payInTransactionId",
    "trades": "tradeTransactionId",
    "recipients": "recipientId",
    "payment-addresses": "paymentAddressId",
    "payments": "paymentTransactionId",
}


def spoilt(kind: str, record: Record, value: object) -> Record:
    """The same with this in every field, whatever belongs there; the identifier is still one."""
    key = IDENTIFIERS[kind]
    return {**dict.fromkeys(record, value), key: record[key]}


def _full(names: tuple[str, ...] | list[str], text: str) -> Record:
    return dict.fromkeys(names, text)


def _key(kind: str, number: str, text: str) -> str:
    """Return the most hostile identifier that survives cleaning."""
    return f"{kind}-{number}-{clean(text[:60])}"
