"""The real sandbox, independent of its clients' fate, and its books for oracles."""

from __future__ import annotations

import asyncio
import contextvars
import json
from collections import Counter, defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from decimal import Decimal

import httpx

from paytui.domain.intent import Action, Intent
from paytui.domain.requests import PayoutRequest, TransferRequest
from paytui.sandbox import payments
from paytui.sandbox.app import app_of
from paytui.sandbox.context import (
    Bank,
    Call,
    Market,
    SandboxClock,
    SandboxOptions,
    SeededRandom,
    iso,
    transaction,
)
from paytui.sandbox.database import connect
from paytui.sandbox.http_messages import ApiError, JsonObject
from paytui.sandbox.ledger import trial_balance
from tests.simulation.asgi import called
from tests.simulation.clients import Clients
from tests.simulation.misdeeds import Misdeeds
from tests.simulation.post_log import KEY_HEADER, moves_money
from tests.simulation.scenario import Scenario
from tests.simulation.world import World
from tests.support.client import SECRET
from tests.support.clock import ManualClock

_LATE_LISTS = ("/payments", "/trades")


def _target(request: PayoutRequest | TransferRequest) -> dict[str, str]:
    if isinstance(request, TransferRequest):
        return {"destinationWalletId": request.destination_wallet_id}
    return {
        "recipientId": request.recipient_id,
        "paymentAddressId": request.payment_address_id,
    }


def _plain(response: httpx.Response) -> dict[str, str]:
    """The headers that still are true of an answer that was read whole, and may be changed."""
    untrue = ("content-length", "etag")
    return {name: value for name, value in response.headers.items() if name not in untrue}


class Service:
    """A service for the length of a run.

    Attributes:
        lag: seconds after which its lists show what was created.
        misdeeds: what it has done wrong.
        by_hand: payments that were made elsewhere than in paytui.
        made_at: when it made each payment and trade, but for those.
    """

    def __init__(self, scenario: Scenario, world: World, clock: ManualClock) -> None:
        options = SandboxOptions(
            client_secret=SECRET,
            scale=0,
            ignore_idempotency=not scenario.honours_keys,
            documented_only=not scenario.lists_all,
        )
        self._db = connect(":memory:", clock.now())
        world.database.backup(self._db)
        (epoch,) = self._db.execute("SELECT epoch FROM clock").fetchone()
        chance = SeededRandom(options.seed)
        self._clock = SandboxClock(clock, self._db)
        market = Market(chance, datetime.fromisoformat(epoch), options.speed)
        self._bank = Bank(options, self._db, self._clock, chance, market)
        self._app = app_of(self._bank)
        self.lag = scenario.lag
        self.misdeeds = Misdeeds(world)
        self._clients = Clients()
        self._dates = scenario.dates
        self.by_hand: set[str] = set()
        self._tasks: set[asyncio.Task[httpx.Response]] = set()
        self._on_its_way: Counter[str] = Counter()
        self.made_at: dict[str, datetime] = {}
        self._made: defaultdict[str, set[str]] = defaultdict(set)

    def now(self) -> datetime:
        """The service's time."""
        return self._clock.now()

    def start(
        self, work: Coroutine[object, object, httpx.Response]
    ) -> asyncio.Task[httpx.Response]:
        """Work of the service or of the network: it outlives whoever waits for it."""
        task = asyncio.get_running_loop().create_task(work, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        return task

    @contextmanager
    def expecting(self, key: str) -> Iterator[None]:
        """A request under a key is on its way inside."""
        self._on_its_way[key] += 1
        try:
            yield
        finally:
            self._on_its_way[key] -= 1

    def expects(self, key: str) -> bool:
        """Return True if a request under a key can still arrive."""
        return self._on_its_way[key] > 0

    @property
    def expects_nothing(self) -> bool:
        """Return True if no request can still arrive."""
        return not any(self._on_its_way.values())

    def _forget(self, task: asyncio.Task[httpx.Response]) -> None:
        self._tasks.discard(task)
        task.exception()  # its client may have given up long since: nobody else asks

    async def quiet(self) -> None:
        """Wait until nothing is on its way to or from the service."""
        while self._tasks:
            await asyncio.wait(list(self._tasks))

    async def answer(self, request: httpx.Request, *, otherwise: bool = False) -> httpx.Response:
        """A request arrives and is executed; its whole answer.

        Args:
            otherwise: whether the service books something else than it is asked to.
        """
        if moves_money(request.method, request.url.path):
            return await self._moved(request, otherwise=otherwise)
        response = await called(self._app, self._clients.admitted(request))
        self._clients.answered(request, response)
        content = response.content
        is_late = self.lag and request.url.path.endswith(_LATE_LISTS)
        if is_late and response.status_code == 200:
            content = self._as_it_was(content)
        return self._told(response, content)

    async def _moved(self, request: httpx.Request, *, otherwise: bool) -> httpx.Response:
        body = self.misdeeds.arrives(request, otherwise=otherwise)
        taken = httpx.Request(request.method, request.url, headers=request.headers, content=body)
        before = self._moving_money()
        response = await called(self._app, self._clients.admitted(taken))
        if made := self._moving_money() - before:
            self.made_at |= dict.fromkeys(made, self.now())
            self._made[request.headers[KEY_HEADER]] |= made
        self.misdeeds.answered(request, response)
        return self._told(response, response.content)

    def _told(self, response: httpx.Response, content: bytes) -> httpx.Response:
        headers = self._dates.as_told(_plain(response), self.now())
        return httpx.Response(response.status_code, headers=headers, content=content)

    def _as_it_was(self, content: bytes) -> bytes:
        """A list without what was created of late."""
        answer = json.loads(content)
        until = iso(self.now() - timedelta(seconds=self.lag))
        answer["items"] = [item for item in answer["items"] if item["createdAt"] <= until]
        return json.dumps({**answer, "total": len(answer["items"])}).encode()

    # What others do to it

    async def rival_signs_in(self) -> None:
        """Another program asks for a token, which kills the one before (service.md §5)."""
        body = json.dumps({"clientId": "demo", "clientSecret": SECRET})
        await self.answer(httpx.Request("POST", "http://localhost/v2/auth", content=body))

    def forget_keys(self) -> None:
        """No key that it has seen is known any more."""
        self._db.execute("DELETE FROM idempotency")

    def pay_by_hand(self, request: PayoutRequest | TransferRequest, reference: str | None) -> None:
        """Somebody pays elsewhere than in paytui, as the bank's own pages let him."""
        is_payout = isinstance(request, PayoutRequest)
        handler = payments.create_payout if is_payout else payments.create_transfer
        asked = {
            "sourceWalletId": request.source_wallet_id,
            "amount": str(request.amount),
            "reference": reference,
            **_target(request),
        }
        body: JsonObject = {name: value for name, value in asked.items() if value is not None}
        before = self._moving_money()
        with suppress(ApiError), transaction(self._db):
            handler(self._bank, Call("by hand", self.now(), {}, {}, body))
        self.by_hand |= self._moving_money() - before

    # Its books

    def payments(self) -> dict[str, str]:
        """The status of each payment."""
        return dict(self._db.execute("SELECT paymentTransactionId, status FROM payments"))

    def trades(self) -> dict[str, str]:
        """The status of each trade."""
        return dict(self._db.execute("SELECT tradeTransactionId, status FROM trades"))

    def executed(self, intent: Intent) -> list[str]:
        """Return the objects of an intent: requested under its key, or carrying its identifier."""
        tag = f"%{intent.intent_id}%"
        payments = "SELECT paymentTransactionId FROM payments WHERE reference LIKE :tag"
        trades = "SELECT tradeTransactionId FROM trades WHERE reference LIKE :tag"
        rows = self._db.execute(f"{payments} UNION ALL {trades}", {"tag": tag})
        return sorted(
            self._made[intent.key].union(identifier for (identifier,) in rows) - self.by_hand
        )

    def carrying(self, intent: Intent) -> list[str]:
        """Return the objects with an intent's identifier, in the one list that holds them."""
        table, key = (
            ("trades", "tradeTransactionId")
            if intent.action is Action.BOOK_TRADE
            else ("payments", "paymentTransactionId")
        )
        query = f"SELECT {key} FROM {table} WHERE reference LIKE ? ORDER BY 1"  # noqa: S608 - our names
        rows = self._db.execute(query, (f"%{intent.intent_id}%",))
        return [identifier for (identifier,) in rows]

    def booked(self, identifier: str) -> dict[str, str]:
        """Return the booked terms of a payment or trade, without missing ones."""
        for query in (
            "SELECT * FROM payments WHERE paymentTransactionId = ?",
            "SELECT * FROM trades WHERE tradeTransactionId = ?",
        ):
            for row in self._db.execute(query, (identifier,)):
                return {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118 - a Row iterates over its values
        return {}

    def _moving_money(self) -> set[str]:
        return self.payments().keys() | self.trades().keys()

    def held(self) -> dict[str, tuple[Decimal, Decimal]]:
        """Return the available and reserved amounts of each wallet."""
        rows = self._db.execute("SELECT walletId, availableBalance, reservedBalance FROM wallets")
        return {wallet: (Decimal(free), Decimal(kept)) for wallet, free, kept in rows}

    def out_of_balance(self) -> dict[str, Decimal]:
        """The sums of the currencies that do not come to zero."""
        sums = {
            currency: sum(pots.values(), Decimal(0))
            for currency, pots in trial_balance(self._db).items()
        }
        return {currency: total for currency, total in sums.items() if total}
