"""A desk that trades: a worker with an outbox, on a sandbox with a history."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Self

import httpx
from starlette.applications import Starlette

from paytui.api.dialect import Dialect
from paytui.config.settings import Profile
from paytui.domain.intent import Action, Decision, Intent, IntentMaker, IntentRow, Standing, Verdict
from paytui.domain.models import PaymentAddress, RateSheet, Recipient, Wallet
from paytui.domain.money import Pair
from paytui.domain.requests import (
    PayoutRequest,
    RateSheetRequest,
    Request,
    TradeRequest,
    TransferRequest,
)
from paytui.outbox.outbox import Outbox
from paytui.outbox.shared_log import SharedLog
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.store import Store
from paytui.worker.intents.intent_service import SendContext
from paytui.worker.intents.retry_rules import RetryRules
from tests.support.client import SECRET
from tests.support.clock import ManualClock
from tests.support.documented import documented
from tests.worker.desk import Desk

POSTS = {
    "/v2/payments/payout": "create_payout",
    "/v2/payments/transfer": "create_transfer",
    "/v2/tradess": "book_trade",
}

QUOTED = [{"AUD", "USD"}, {"AUD", "EUR"}, {"EUR", "USD"}, {"GBP", "USD"}]
"""Currencies that the sandbox always quotes against each other."""


class Dealing(Desk):
    """A desk whose trader confirms things.

    Attributes:
        hands: the clock's, to be moved.

    Args:
        path: of the outbox.
        replay_safe: whether the dialect says that the service answers a key that it has seen.
        tagged: whether references carry the intent's identifier.
        client_id: as whom intents are sent, so far as the outbox is told.
        store: what it keeps true; an unbounded one by default.
        profile: whose limits hold, if there are any.
        host: the host's clock, where it is another than the service's.
        log_of_desk: the log that this outbox shares with others.
    """

    def __init__(
        self,
        app: Starlette,
        clock: ManualClock,
        path: Path,
        *,
        replay_safe: bool = False,
        tagged: bool = True,
        log: Syslog | None = None,
        dialect: Dialect | None = None,
        client_id: str = "demo",
        store: Store | None = None,
        profile: Profile | None = None,
        host: Clock | None = None,
        log_of_desk: SharedLog | None = None,
    ) -> None:
        dialect = dialect or documented()
        safe = frozenset(Action) if replay_safe else frozenset[str]()
        idempotency = replace(dialect.idempotency, replay_safe=safe)
        host = host or clock
        service_time = ServiceTime(host)
        retry_rules = RetryRules(
            profile="demo",
            base_url="http://localhost",
            client_id=client_id,
            idempotency=idempotency,
            gateway_patience=dialect.gateway_patience,
            time=service_time,
            user="ann",
            host="desk-1",
            repeats_by_itself=log_of_desk is None,
        )
        self.app = app
        self.hands = clock
        self.retry_rules = retry_rules
        self.outbox = Outbox(path)
        office = SendContext(self.outbox, retry_rules, log, profile, log_of_desk)
        super().__init__(
            app, host, dialect=dialect, office=office, service_time=service_time, store=store
        )
        rng = random.Random(clock.boot())  # noqa: S311 - a test repeats itself
        self.maker = IntentMaker(rng, tagged)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        """Everything is read once, and then the worker runs inside."""
        await self.worker.sync_once()
        async with self.at_work():
            yield self

    # What a trader confirms

    def payout(self, amount: str = "10.00", reference: str | None = "INV 7") -> Intent:
        """A payout from a wallet that can pay it to an address that can take it."""
        wallet, recipient, address = self._payable()
        request = PayoutRequest(
            source_wallet_id=wallet.wallet_id,
            recipient_id=recipient.recipient_id,
            payment_address_id=address.payment_address_id,
            amount=Decimal(amount),
            currency=wallet.currency,
            reference=reference,
        )
        return self._confirmed(request)

    def transfer(self, amount: str = "10.00") -> Intent:
        """A transfer between two wallets of one currency."""
        wallets = self._rich()
        source, destination = next(
            (one, other)
            for one in wallets
            for other in self.store.wallets.rows()
            if one.currency == other.currency
            and one.wallet_id != other.wallet_id
            and is_active(other)
        )
        request = TransferRequest(
            source_wallet_id=source.wallet_id,
            destination_wallet_id=destination.wallet_id,
            amount=Decimal(amount),
            currency=source.currency,
        )
        return self._confirmed(request)

    def trade(self, quote: RateSheet | None = None) -> Intent:
        """A trade, at the rate of a quote or at the real-time rate."""
        sell, buy = self._exchangeable()
        assert sell.currency is not None
        assert buy.currency is not None
        request = TradeRequest(
            sell_currency=sell.currency,
            buy_currency=buy.currency,
            sell_wallet_id=sell.wallet_id,
            buy_wallet_id=buy.wallet_id,
            sell_amount=Decimal("10.00"),
            rate_sheet_id=quote.rate_sheet_id if quote else None,
        )
        return self._confirmed(request, quote)

    async def quote(self) -> RateSheet:
        """A locked rate for `trade`."""
        sell, buy = self._exchangeable()
        assert sell.currency is not None
        assert buy.currency is not None
        pair = Pair(sell.currency, buy.currency)
        return await self.client.create_rate_sheet(RateSheetRequest(currency_pairs=(pair,)))

    def _confirmed(self, request: Request, quote: RateSheet | None = None) -> Intent:
        now = self.service_time.latest()
        return self.maker.make(request, title="it", confirmed_at=now, quote=quote)

    def _payable(self) -> tuple[Wallet, Recipient, PaymentAddress]:
        return next(
            (wallet, recipient, address)
            for wallet in self._rich()
            for recipient in self.store.recipients.rows()
            if recipient.account_id == wallet.account_id and is_active(recipient)
            for address in recipient.payment_addresses
            if address.currency == wallet.currency and is_active(address)
        )

    def _exchangeable(self) -> tuple[Wallet, Wallet]:
        return next(
            (sell, buy)
            for sell in self._rich()
            for buy in self.store.wallets.rows()
            if sell.account_id == buy.account_id and {sell.currency, buy.currency} in QUOTED
            if is_active(buy)
        )

    def _rich(self) -> list[Wallet]:
        return [
            wallet
            for wallet in self.store.wallets.rows()
            if is_active(wallet) and (wallet.available_balance or 0) >= 1000
        ]

    # What comes of it

    def submit(self, intent: Intent) -> None:
        """The trader presses the key."""
        self.inbox.submit(intent)

    async def leave_in_doubt(self, intent: Intent, fault: str = "cut") -> IntentRow:
        """Submit an intent, with a fault on the way."""
        await self.fault(intent.action.value, fault)
        self.submit(intent)
        return await self.stands(intent, Standing.IN_DOUBT)

    def recorded_only(self, intent: Intent) -> None:
        """The process ends between writing an intent down and sending it."""
        letters = self.client.sender.prepare(intent.action, intent.request, intent.key)
        self.outbox.record(self.retry_rules.entry(intent, letters[0]))

    def decide(
        self,
        intent: Intent,
        verdict: Verdict,
        object_id: str | None = None,
        *,
        body: str = "",
    ) -> None:
        """The trader settles what is open, or approves a colleague's request."""
        decision = Decision(
            intent_id=intent.intent_id, verdict=verdict, object_id=object_id, body=body
        )
        self.inbox.decide(decision)

    def row(self, intent: Intent) -> IntentRow | None:
        """The intent as the screens see it."""
        return self.store.intents.get(intent.intent_id)

    async def stands(self, intent: Intent, standing: Standing, within: float = 120) -> IntentRow:
        """The intent, once it stands so."""
        await self.until(
            lambda: (row := self.row(intent)) is not None and row.standing is standing, within
        )
        row = self.row(intent)
        assert row is not None
        return row

    async def arrives_no_more(self, intent: Intent) -> None:
        """Let the time pass in which what was given up may arrive, and that of the last look-up.

        Less of both passes on the loop: a list that cannot be read meanwhile stays so.
        """
        await self.wait(3)
        self.hands.advance(31)
        await self.wait(3)
        self.hands.advance(61)
        await self.until(lambda: (row := self.row(intent)) is None or not row.may_arrive_until, 9)

    async def in_ledger(self, intent: Intent) -> list[str]:
        """Objects of the service that carry the intent's identifier, asked for by plain HTTP."""
        path = "trades" if intent.action is Action.BOOK_TRADE else "payments"
        return [
            item.get("tradeTransactionId") or item["paymentTransactionId"]
            for item in await self._listed(path)
            if intent.intent_id in item.get("reference", "")
        ]

    async def newest_payment(self) -> str:
        """The identifier of what the service made last."""
        newest = max(await self._listed("payments"), key=lambda item: item["createdAt"])
        return newest["paymentTransactionId"]

    async def _listed(self, path: str) -> list[dict[str, str]]:
        transport = httpx.ASGITransport(self.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            body = {"clientId": "demo", "clientSecret": SECRET}
            token = (await client.post("/v2/auth", json=body)).json()["item"]["accessToken"]
            headers = {"Authorization": f"Bearer {token}"}
            told: dict[str, list[dict[str, str]]] = {}
            while "items" not in told:  # a fault that was meant for the worker
                answer = await client.get(f"/v2/{path}?pageSize=500", headers=headers)
                told = answer.json()
        return told["items"]

    def posts(self, intent: Intent) -> int:
        """Count the requests of the intent's operation."""
        path = next(path for path, name in POSTS.items() if name == intent.action.value)
        return self.network.posts.count(path)


def is_active(thing: Wallet | Recipient | PaymentAddress) -> bool:
    """Return True if it can be used in trades and payments."""
    return thing.status is not None and thing.status.name == "active"
