"""The accounts, wallets and recipients of a book, by path; a few of each (service.md)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

CURRENCIES = ("AUD", "USD", "EUR", "GBP", "NZD", "CAD", "CHF", "SGD", "HKD", "ZAR")
"""Of a wallet each."""

RECIPIENTS = 40
ACCOUNTS = ("Harbour Lane Trading", "Kestrel Foods")

Record = Mapping[str, object]


def small_lists(now: datetime) -> Mapping[str, list[Record]]:
    """Each list by its path."""
    created = iso(now - timedelta(days=90))
    return MappingProxyType(
        {
            "/v2/accounts": [_account(number, created) for number in range(len(ACCOUNTS))],
            "/v2/wallets": [_wallet(number, created) for number in range(len(CURRENCIES))],
            "/v2/recipients": [_recipient(number) for number in range(RECIPIENTS)],
            "/v2/payin-addresses": [],
            "/v2/payins": [],
            "/v2/trades": [],
        }
    )


def key(kind: str, number: int) -> str:
    """An identifier of the length that identifiers usually have."""
    return f"{kind}-{number:04d}-4f1c-8b52-3d9e6a70c41b"


def iso(moment: datetime) -> str:
    """ISO 8601, in UTC."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}Z"


def _account(number: int, created: str) -> Record:
    return {
        "accountId": key("acc", number),
        "kind": "corporate",
        "status": "registered",
        "displayName": ACCOUNTS[number],
        "createdAt": created,
    }


def _wallet(number: int, created: str) -> Record:
    return {
        "walletId": key("wal", number),
        "accountId": key("acc", number % len(ACCOUNTS)),
        "currency": CURRENCIES[number],
        "walletName": f"{CURRENCIES[number]} desk",
        "walletDescription": None,
        "status": "Active",
        "availableBalance": f"{1_204_330 + 17 * number}.15",
        "reservedBalance": "0.00",
        "pendingBalance": "0.00",
        "createdAt": created,
        "updatedAt": created,
    }


def _recipient(number: int) -> Record:
    return {
        "recipientId": key("rec", number),
        "accountId": key("acc", number % len(ACCOUNTS)),
        "recipientType": "business",
        "companyName": f"Supplier {number:02d}",
        "country": "AU",
        "status": "Active",
        "paymentAddresses": [_address(number)],
    }


def _address(number: int) -> Record:
    return {
        "paymentAddressId": key("adr", number),
        "recipientId": key("rec", number),
        "currency": CURRENCIES[number % len(CURRENCIES)],
        "country": "AU",
        "accountType": "cacc",
        "accountName": f"Supplier {number:02d}",
        "accountNumber": f"{12345000 + number}",
        "status": "Active",
    }
