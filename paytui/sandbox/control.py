"""The control surface under `/_sandbox/`: what a demo or a test does behind the service's back.

It needs no token: the sandbox listens on loopback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from paytui.sandbox import payins, webhooks
from paytui.sandbox.answer import Answer, JsonObject, one
from paytui.sandbox.bank import Bank
from paytui.sandbox.database import transaction
from paytui.sandbox.errors import ApiError
from paytui.sandbox.faults import ANY_OPERATION, Fault, FaultKind, Faults
from paytui.sandbox.fields import Fields
from paytui.sandbox.ledger import trial_balance
from paytui.sandbox.lifecycle import advance
from paytui.sandbox.operations import OPERATIONS
from paytui.sandbox.requests import parse_object, read_body
from paytui.sandbox.responses import respond
from paytui.sandbox.states import LIFECYCLES, force, go_to
from paytui.sandbox.wallets import WALLETS

NO_TRACE = "control"

Action = Callable[[JsonObject], JsonObject]


class Control:
    """The actions of the control surface, each in a transaction of its own."""

    def __init__(self, bank: Bank, faults: Faults, requests: Counter[str]) -> None:
        self._bank = bank
        self._faults = faults
        self._requests = requests

    def routes(self) -> list[Route]:
        return [
            Route("/_sandbox/payins", self._post(self.pay_in), methods=["POST"]),
            Route("/_sandbox/clock", self._post(self.move_clock), methods=["POST"]),
            Route("/_sandbox/states", self._post(self.set_state), methods=["POST"]),
            Route("/_sandbox/faults", self._post(self.order_fault), methods=["POST"]),
            Route("/_sandbox/faults", self.clear_faults, methods=["DELETE"]),
            Route("/_sandbox/webhooks", self.show_webhooks, methods=["GET"]),
            Route("/_sandbox/webhooks/resend", self._post(self.resend_webhook), methods=["POST"]),
            Route("/_sandbox/requests", self.show_requests, methods=["GET"]),
            Route("/_sandbox/trial-balance", self.show_trial_balance, methods=["GET"]),
        ]

    def pay_in(self, body: JsonObject) -> JsonObject:
        """A bank transfer arrives: `walletId`, `amount`, optional `senderName`, `reference`."""
        fields = Fields(body)
        wallet_id = fields.text("walletId")
        sender, reference = fields.optional_text("senderName"), fields.optional_text("reference")
        fields.check()
        currency = str(WALLETS.get(self._bank.db, wallet_id)["currency"])
        amount = fields.amount("amount", currency)
        fields.check()
        sent = payins.Transfer(wallet_id, amount, sender, reference)
        payin_id = payins.arrive(self._bank, sent, self._bank.clock.now())
        return one(payins.PAYINS.get(self._bank.db, payin_id))

    def move_clock(self, body: JsonObject) -> JsonObject:
        """The service's clock goes on by `seconds`, and all that is due by then happens."""
        fields = Fields(body)
        seconds = fields.number("seconds", 0, 10**9)
        fields.check()
        self._bank.clock.advance(float(seconds))
        advance(self._bank, self._bank.clock.now())
        return one({"now": self._bank.clock.now().isoformat()})

    def set_state(self, body: JsonObject) -> JsonObject:
        """An object (`kind`, `id`) goes on to `status`; `force` sets any, and no money moves."""
        fields = Fields(body)
        kind, identifier = fields.choice("kind", list(LIFECYCLES)), fields.text("id")
        status = fields.text("status", longest=64)
        is_forced = fields.has("force") and fields.boolean("force")
        fields.check()
        change = force if is_forced else go_to
        return one(change(self._bank, kind, identifier, status, self._bank.clock.now()))

    def resend_webhook(self, body: JsonObject) -> JsonObject:
        """The event `eventId` is sent once more."""
        fields = Fields(body)
        event_id = fields.text("eventId")
        fields.check()
        return one(webhooks.resend(self._bank, event_id, self._bank.clock.now()))

    async def show_webhooks(self, _request: Request) -> Response:
        """The newest events, and what became of each."""
        return respond(Answer(200, {"items": webhooks.newest(self._bank)}))

    def order_fault(self, body: JsonObject) -> JsonObject:
        """Something goes wrong `times` times (1) with `operation`: `kind`, `seconds` (1)."""
        fields = Fields(body)
        operation = fields.choice("operation", _fault_targets())
        kind = fields.choice("kind", [kind.value for kind in FaultKind])
        times = fields.number("times", 1, 10**6) if fields.has("times") else Decimal(1)
        seconds = fields.number("seconds", 0, 3600) if fields.has("seconds") else Decimal(1)
        fields.check()
        self._faults.order(Fault(operation, FaultKind(kind), int(times), float(seconds)))
        return one({"operation": operation, "kind": kind, "times": int(times)})

    async def clear_faults(self, _request: Request) -> Response:
        """No ordered fault is left."""
        self._faults.clear()
        return Response(status_code=204)

    async def show_requests(self, _request: Request) -> Response:
        """Operation → how often it was asked for since the start."""
        counts = {operation.name: self._requests[operation.name] for operation in OPERATIONS}
        return respond(Answer(200, one({**counts})))

    async def show_trial_balance(self, _request: Request) -> Response:
        """Currency → pot → what stands in it, and under `total` the sum, always zero."""
        shown: JsonObject = {}
        for currency, pots in trial_balance(self._bank.db).items():
            total = sum(pots.values(), Decimal(0))
            shown[currency] = {
                **{pot: format(amount, "f") for pot, amount in pots.items()},
                "total": format(total.normalize(), "f"),
            }
        return respond(Answer(200, one(shown)))

    def _post(self, action: Action) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            try:
                body = parse_object(await read_body(request))
                with transaction(self._bank.db):
                    advance(self._bank, self._bank.clock.now())
                    return respond(Answer(201, action(body)))
            except ApiError as error:
                return respond(error.answer(NO_TRACE))

        return endpoint


def _fault_targets() -> list[str]:
    return [ANY_OPERATION, *(operation.name for operation in OPERATIONS)]
