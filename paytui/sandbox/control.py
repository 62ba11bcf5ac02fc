"""The control API under `/_sandbox/`, for demos and tests.

It needs no token: the sandbox listens on loopback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from paytui.sandbox import webhooks
from paytui.sandbox.body_validation import BodyReader
from paytui.sandbox.context import Bank
from paytui.sandbox.database import transaction
from paytui.sandbox.ledger import trial_balance
from paytui.sandbox.messages import (
    ANY_OPERATION,
    Answer,
    ApiError,
    Fault,
    FaultKind,
    Faults,
    JsonObject,
    conflict,
    one,
    parse_object,
    read_body,
    respond,
)
from paytui.sandbox.service import accounts, payins, payments, recipients, trades, wallets
from paytui.sandbox.service.lifecycle import advance
from paytui.sandbox.service.operations import OPERATIONS
from paytui.sandbox.service.resources import Resource
from paytui.sandbox.service.wallets import WALLETS

Enter = Callable[[Bank, str, str, datetime], str | None]
Mark = Callable[[Bank, str, str, datetime], None]


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The states of one kind of object.

    Attributes:
        follows: the states that may follow each state.
        enter: moves an object to a state, with its money; returns the wallet whose
            available balance rose, if one did.
        mark: writes the state without moving money.
    """

    resource: Resource
    follows: Mapping[str, tuple[str, ...]]
    enter: Enter
    mark: Mark


_ADDRESSEE = {"Pending": ("Active", "Rejected"), "Active": ("Rejected",)}

LIFECYCLES = {
    "account": Lifecycle(
        accounts.ACCOUNTS,
        {"pending_checks": ("registered", "rejected")},
        accounts.enter,
        accounts.enter,
    ),
    "wallet": Lifecycle(
        wallets.WALLETS,
        {
            "Pending": ("Active", "Closed"),
            "Active": ("Suspended", "Closed"),
            "Suspended": ("Active", "Closed"),
        },
        wallets.enter,
        wallets.enter,
    ),
    "recipient": Lifecycle(recipients.RECIPIENTS, _ADDRESSEE, recipients.enter, recipients.enter),
    "payment_address": Lifecycle(
        recipients.ADDRESSES, _ADDRESSEE, recipients.enter_address, recipients.enter_address
    ),
    "payin": Lifecycle(
        payins.PAYINS,
        {
            "received": ("compliance_review", "rejected"),
            "compliance_review": ("credited", "rejected"),
        },
        payins.enter,
        payins.mark,
    ),
    "trade": Lifecycle(
        trades.TRADES,
        {
            "awaiting_funds": ("compliance_review", "rejected", "failed"),
            "compliance_review": ("exchanged", "rejected", "failed"),
        },
        trades.enter,
        trades.mark,
    ),
    "payment": Lifecycle(
        payments.PAYMENTS,
        {
            "created": ("compliance_review", "rejected", "cancelled", "failed"),
            "compliance_review": ("processing", "rejected", "cancelled", "failed"),
            "processing": ("released", "rejected", "cancelled", "failed"),
            "released": ("completed",),
            "completed": ("returned",),
        },
        payments.enter,
        payments.mark,
    ),
}
"""The lifecycles, by the kind in the table of due steps."""


def go_to(bank: Bank, kind: str, identifier: str, status: str, now: datetime) -> JsonObject:
    """Move an object one step along its path; it continues from there.

    Raises:
        ApiError: 404 for an unknown one, 409 for a step that its state does not allow, 422 if
            the money for the step is missing.
    """
    lifecycle = LIFECYCLES[kind]
    before = str(lifecycle.resource.get(bank.db, identifier)["status"])
    allowed = lifecycle.follows.get(before, ())
    if status not in allowed:
        message = f"after {before} comes {' or '.join(allowed) or 'nothing'}; force sets any"
        raise conflict("no_such_step", message, "status")
    _cancel_what_is_due(bank, kind, identifier)
    funded = lifecycle.enter(bank, identifier, status, now)
    if funded is not None:
        trades.fund_waiting(bank, funded, now)
    return lifecycle.resource.get(bank.db, identifier)


def force(bank: Bank, kind: str, identifier: str, status: str, now: datetime) -> JsonObject:
    """Write any state, even an unknown one, permanently and without moving money.

    Raises:
        ApiError: 404 for an unknown object.
    """
    lifecycle = LIFECYCLES[kind]
    lifecycle.resource.get(bank.db, identifier)
    _cancel_what_is_due(bank, kind, identifier)
    lifecycle.mark(bank, identifier, status, now)
    return lifecycle.resource.get(bank.db, identifier)


def _cancel_what_is_due(bank: Bank, kind: str, identifier: str) -> None:
    query = "DELETE FROM due WHERE kind = ? AND subject = ?"
    bank.db.execute(query, (kind, identifier))


NO_TRACE = "control"

Action = Callable[[JsonObject], JsonObject]


class Control:
    """The endpoints of the control API, each in a transaction of its own."""

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
        """Receive a bank transfer: `walletId`, `amount`, optional `senderName`, `reference`."""
        fields = BodyReader(body)
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
        """Move the service's clock forward by `seconds` and run all steps due by then."""
        fields = BodyReader(body)
        seconds = fields.number("seconds", 0, 10**9)
        fields.check()
        self._bank.clock.advance(float(seconds))
        advance(self._bank, self._bank.clock.now())
        return one({"now": self._bank.clock.now().isoformat()})

    def set_state(self, body: JsonObject) -> JsonObject:
        """Move an object (`kind`, `id`) to `status`; `force` sets any, without moving money."""
        fields = BodyReader(body)
        kind, identifier = fields.choice("kind", list(LIFECYCLES)), fields.text("id")
        status = fields.text("status", longest=64)
        is_forced = fields.has("force") and fields.boolean("force")
        fields.check()
        change = force if is_forced else go_to
        return one(change(self._bank, kind, identifier, status, self._bank.clock.now()))

    def resend_webhook(self, body: JsonObject) -> JsonObject:
        """Send the event `eventId` again."""
        fields = BodyReader(body)
        event_id = fields.text("eventId")
        fields.check()
        return one(webhooks.resend(self._bank, event_id, self._bank.clock.now()))

    async def show_webhooks(self, _request: Request) -> Response:
        """Return the newest events with their delivery status."""
        return respond(Answer(200, {"items": webhooks.newest(self._bank)}))

    def order_fault(self, body: JsonObject) -> JsonObject:
        """Order a fault: `operation`, `kind`, `times` (1), `seconds` (1)."""
        fields = BodyReader(body)
        operation = fields.choice("operation", _fault_targets())
        kind = fields.choice("kind", [kind.value for kind in FaultKind])
        times = fields.number("times", 1, 10**6) if fields.has("times") else Decimal(1)
        seconds = fields.number("seconds", 0, 3600) if fields.has("seconds") else Decimal(1)
        fields.check()
        self._faults.order(Fault(operation, FaultKind(kind), int(times), float(seconds)))
        return one({"operation": operation, "kind": kind, "times": int(times)})

    async def clear_faults(self, _request: Request) -> Response:
        """Remove all ordered faults."""
        self._faults.clear()
        return Response(status_code=204)

    async def show_requests(self, _request: Request) -> Response:
        """Return the number of requests for each operation since the start."""
        counts = {operation.name: self._requests[operation.name] for operation in OPERATIONS}
        return respond(Answer(200, one({**counts})))

    async def show_trial_balance(self, _request: Request) -> Response:
        """Return balances by currency and pot; their sum `total` is always zero."""
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
