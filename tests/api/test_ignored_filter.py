"""Lists are filtered here if the service ignores the filter."""

from __future__ import annotations

import asyncio

from paytui.domain.models import AccountId, PaymentId
from tests.api.scene import Scene
from tests.support.listed import counted
from tests.support.scripted import Reply

WALLETS = [
    {"walletId": "w1", "accountId": "a1"},
    {"walletId": "w2", "accountId": "a2"},
    {"walletId": "w3"},
]
PAYMENTS = [
    {"paymentTransactionId": "p1", "sourceWalletId": "w1", "destinationWalletId": "w2"},
    {"paymentTransactionId": "p2", "sourceWalletId": "w2", "status": "created"},
    {"paymentTransactionId": "p3"},
]


def scene() -> Scene:
    return Scene(
        {
            "/v2/wallets": Reply({"items": WALLETS, "total": 3}),
            "/v2/payments": Reply({"items": PAYMENTS, "total": 3}),
        }
    )


def test_records_of_another_account_are_left_out_and_those_that_do_not_say_are_kept() -> None:
    listing = asyncio.run(scene().client.list_wallets(AccountId("a1")))
    assert [wallet.wallet_id for wallet in listing.records] == ["w1", "w3"]
    assert counted(listing) == "2"


def test_one_payment_is_found_among_all() -> None:
    assert asyncio.run(scene().client.get_payment(PaymentId("p2"))).payment_transaction_id == "p2"


def test_nothing_is_left_out_where_nothing_was_asked_for() -> None:
    assert len(asyncio.run(scene().client.list_wallets()).records) == 3
