"""A dashboard without screens, composed as in `cli.compose`: worker, store and outbox."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from decimal import Decimal
from itertools import combinations, cycle
from pathlib import Path

from paytui.api.client import Credentials
from paytui.api.dialect import load_dialect
from paytui.config.settings import Rates
from paytui.domain.intent import IntentMaker
from paytui.domain.models import Kind, RateSheet, Wallet
from paytui.domain.money import CurrencyCode, Pair
from paytui.domain.requests import TransferRequest
from paytui.outbox.file import outbox_path
from paytui.outbox.outbox import open_outbox
from paytui.platform.clock import Clock, ServiceTime
from paytui.store.cache.read import CacheRestore
from paytui.store.cache.write import CacheWriter
from paytui.store.rows_in_memory import NEWEST
from paytui.worker.intents.intent_service import SendContext
from paytui.worker.intents.retry_rules import RetryRules
from paytui.worker.sync.cache_writer import CacheSync
from paytui.worker.sync.shared import PollSchedule
from paytui.worker.worker import Worker
from paytui.worker.worker_thread import Inbox
from tests.soak.line import Line
from tests.soak.swallowed import HeardStore, Swallowed
from tests.support.client import known_secret
from tests.support.typed_client import TypedClient
from tests.support.virtual import at_once

INTERVALS = {
    Kind.ACCOUNTS: 60,
    Kind.WALLETS: 20,
    Kind.PAYIN_ADDRESSES: 300,
    Kind.PAYINS: 40,
    Kind.TRADES: 20,
    Kind.RECIPIENTS: 60,
    Kind.PAYMENT_ADDRESSES: 300,
    Kind.PAYMENTS: 20,
}
"""Seconds: a quarter as often as by default, for a week in minutes."""


OTHERS = tuple(
    Pair(CurrencyCode(sell), CurrencyCode(buy))
    for sell, buy in (("AUD", "GBP"), ("GBP", "USD"), ("USD", "EUR"), ("EUR", "USD"))
)
"""Pairs that the sandbox always quotes, too."""


class Desk:
    """Worker, store and outbox, as long as it is `at_work`.

    Attributes:
        outbox: its file.
    """

    def __init__(
        self, clock: Clock, line: Line, folder: Path, swallowed: Swallowed, rng: random.Random
    ) -> None:
        self.store = HeardStore(swallowed)
        self.time = ServiceTime(clock)
        self.outbox = outbox_path("soak", folder / "state")
        self._folder = folder
        self._rng = rng
        self._inbox = Inbox()
        self._watched = cycle((Rates().watch, OTHERS))
        self._maker = IntentMaker(rng)
        self._worker = self._built(clock, line)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """The worker runs inside, and watches rates.

        Raises:
            BaseExceptionGroup: it ended by itself.
        """
        self.look_at_other_rates()
        running = asyncio.create_task(self._worker.run(self._inbox))
        try:
            yield
        finally:
            running.cancel()
            await asyncio.wait([running])
            await self._worker.aclose()
        if not running.cancelled():
            running.result()

    def sheet(self) -> RateSheet | None:
        """The newest rates that are shown."""
        return max(self.store.rate_sheets.rows(), key=lambda sheet: sheet.sent_at, default=None)

    def rows(self) -> int:
        """All that the store holds."""
        return sum(len(self.store.table(kind)) for kind in Kind) + len(self.store.intents)

    def look_at_other_rates(self) -> None:
        """Watch the rates of other pairs than until now."""
        self._inbox.watch_rates(next(self._watched))

    def pay(self) -> None:
        """Confirm a small transfer between two wallets, once there are any."""
        pairs = list(self._alike())
        if not pairs:
            return
        source, target = self._rng.choice(pairs)
        request = TransferRequest(
            source_wallet_id=source.wallet_id,
            destination_wallet_id=target.wallet_id,
            amount=Decimal(self._rng.randint(1, 9)),
            currency=source.currency,
            reference="soak",
        )
        intent = self._maker.make(request, title="Transfer", confirmed_at=self.time.latest())
        self._inbox.submit(intent)

    def _alike(self) -> Iterator[tuple[Wallet, Wallet]]:
        for one, other in combinations(self.store.wallets.rows(), 2):
            if one.currency == other.currency:
                yield one, other

    def _built(self, clock: Clock, line: Line) -> Worker:
        dialect = load_dialect()
        retry_rules = RetryRules(
            profile="soak",
            base_url="http://localhost",
            client_id="demo",
            idempotency=dialect.idempotency,
            time=self.time,
            user="jo",
            host="desk-4",
        )
        client = TypedClient(
            retry_rules.base_url,
            Credentials(retry_rules.client_id, known_secret),
            dialect,
            self.time,
            self._rng,
            transport=line,
        )
        outbox = open_outbox(self.outbox, host=retry_rules.host, since=clock.now())
        return Worker(
            client,
            self.store,
            self.time,
            self._rng,
            PollSchedule({kind: timedelta(seconds=seconds) for kind, seconds in INTERVALS.items()}),
            sending=SendContext(outbox, retry_rules),
            cache_sync=self._kept(clock),
        )

    def _kept(self, clock: Clock) -> CacheSync:
        path = self._folder / "cache" / "soak.cache.sqlite"
        recall = CacheRestore(path, self.store, clock, NEWEST)
        return CacheSync(
            self.store, clock, recall, lambda anew: CacheWriter(path, anew=anew), in_thread=at_once
        )
