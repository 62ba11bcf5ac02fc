"""A client of a scripted service, and common requests and responses."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from paytui.api.dialect import Dialect
from paytui.domain.models import IdempotencyKey, PaymentAddressId, RecipientId, WalletId
from paytui.domain.money import CurrencyCode
from paytui.domain.requests import PayoutRequest, TradeRequest
from tests.support.client import client_of
from tests.support.clock import ManualClock
from tests.support.scripted import AUTH, Reply, ScriptedService
from tests.support.typed_client import TypedClient

KEY = IdempotencyKey("00000000-0000-4000-8000-000000000001")
W1 = WalletId("w1")
AUD, USD = CurrencyCode("AUD"), CurrencyCode("USD")
PLAIN_404 = Reply(b"Not Found", 404)
SHAPED_404 = Reply({"error": {"code": "not_found", "message": "no such wallet"}}, 404)
UNAUTHORISED = Reply({"error": {"code": "token_superseded", "message": "a newer one"}}, 401)
NO_WALLETS = Reply({"items": [], "total": 0})
TRADE = TradeRequest(
    sell_currency=AUD, buy_currency=USD, sell_amount=Decimal("10.00"), sell_wallet_id=W1,
    buy_wallet_id=WalletId("w2"),
)  # fmt: skip
PAYOUT = PayoutRequest(
    source_wallet_id=W1, recipient_id=RecipientId("r1"),
    payment_address_id=PaymentAddressId("pa1"), amount=Decimal("1.00"),
)  # fmt: skip
PAID = Reply({"item": {"paymentTransactionId": "p1"}}, 201)

Replies = Mapping[str, Reply | list[Reply]]


class Scene:
    """A client of a scripted service."""

    def __init__(self, replies: Replies, dialect: Dialect | None = None) -> None:
        self.clock = ManualClock()
        self.service = ScriptedService(replies)
        self.client: TypedClient = client_of(self.service, self.clock, dialect)

    @property
    def paths(self) -> list[str]:
        return [seen.path for seen in self.service.requests if seen.path != AUTH]
