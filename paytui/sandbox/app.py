"""The service as an ASGI app, and its control API under `/_sandbox/` for demos and tests."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import weakref
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from email.utils import format_datetime
from functools import partial
from http import HTTPStatus
from itertools import count

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paytui.platform.clock import Clock
from paytui.sandbox import auth, context, forms, payments, webhooks
from paytui.sandbox import http_messages as http
from paytui.sandbox.auth import AUTH, KeyUse, authenticate
from paytui.sandbox.context import Bank, Call, Market, SandboxOptions
from paytui.sandbox.database import connect
from paytui.sandbox.history import write_history
from paytui.sandbox.ledger import trial_balance
from paytui.sandbox.lifecycle import LIFECYCLES, advance, set_state
from paytui.sandbox.operations import OPERATIONS, Operation, describe, served
from paytui.sandbox.resources import PAYINS, WALLETS

PREFIX = "/v2"

ETAG = "etag"
CONDITION = "if-none-match"


def entity_tag(db: sqlite3.Connection, tables: tuple[str, ...], url: str) -> str:
    """Return a tag that changes with the versions of these tables; no body is built to compare.

    The path and query are part of it, so that tags of different addresses differ.
    """
    (epoch,) = db.execute("SELECT epoch FROM clock").fetchone()
    versions = dict(db.execute("SELECT name, value FROM versions").fetchall())
    seen = [epoch, url, *(versions[table] for table in tables)]
    return f'"{hashlib.blake2b(repr(seen).encode(), digest_size=12).hexdigest()}"'


class Endpoints:
    """The operations of one bank, which share its list of faults; `requests` counts each."""

    def __init__(self, bank: Bank, faults: http.Faults) -> None:
        self._bank = bank
        self._faults = faults
        self.requests: Counter[str] = Counter()
        self._held_keys: set[tuple[str, str]] = set()
        self._traces = count()

    def routes(self) -> list[Route]:
        """Return a route for each path, so that a 405 names all methods (RFC 9110 §15.5.6)."""
        paths: defaultdict[str, dict[str, Operation]] = defaultdict(dict)
        for operation in served(self._bank.options):
            for path in operation.paths:
                paths[PREFIX + path][operation.method] = operation
        return [
            Route(path, partial(self.respond, operations), methods=[*operations])
            for path, operations in paths.items()
        ]

    async def respond(self, operations: Mapping[str, Operation], request: Request) -> Response:
        """Answer one request, unless an ordered fault prevents that."""
        operation = operations["GET" if request.method == "HEAD" else request.method]
        self.requests[operation.name] += 1
        fault = self._faults.take(operation.name)
        broken = fault and http.instead(fault, self._trace_id())
        if broken:
            return broken
        try:
            key, body = self._key(operation, request), await http.read_body(request)
            with auth.hold(self._held_keys, operation.name, key):
                if fault and fault.kind is http.FaultKind.DELAY:
                    await asyncio.sleep(fault.seconds)
                answer = self._execute(operation, request, key, body)
        except http.ApiError as error:
            return http.respond(error.answer(self._trace_id()))
        if fault and fault.kind is http.FaultKind.COMMIT_THEN_DELAY:
            await asyncio.sleep(fault.seconds)
        return http.after(fault, answer, self._trace_id())

    def _key(self, operation: Operation, request: Request) -> str | None:
        """Return the idempotency key of a creation; None if it has none or keys are ignored."""
        if not operation.creates or operation.name == AUTH:
            return None
        options = self._bank.options
        key = auth.read_key(request.headers.get(auth.HEADER), needed=options.strict)
        return None if options.ignore_idempotency else key

    def _execute(
        self, operation: Operation, request: Request, key: str | None, body: bytes
    ) -> http.Answer:
        """Run the due steps and the request in one transaction."""
        now = self._bank.clock.now()
        with context.transaction(self._bank.db):
            advance(self._bank, now)
            try:
                return self._perform(operation, request, key, body, now)
            except http.ApiError as error:
                return error.answer(self._trace_id())

    def _perform(
        self, operation: Operation, request: Request, key: str | None, body: bytes, now: datetime
    ) -> http.Answer:
        client_id = AUTH
        if operation.name != AUTH:
            client_id = authenticate(self._bank, request.headers.get("authorization"), now)
        call = Call(client_id, now, request.path_params, request.query_params, {})
        if not operation.creates:
            return self._look_up(operation, call, request)
        if key is None:
            return self._attempt(operation, call, body)
        told_by = auth.fingerprint(request.path_params, body)
        intention = KeyUse(client_id, operation.name, key, told_by)
        earlier = auth.earlier_answer(self._bank, intention, now)
        if earlier is not None:
            return earlier
        answer = self._attempt(operation, call, body)
        auth.keep(self._bank, intention, answer, now)
        return answer

    def _look_up(self, operation: Operation, call: Call, request: Request) -> http.Answer:
        """Run a read; answer 304 if the caller holds the current version (RFC 9110 §15.4.5)."""
        tables = operation.resource.tables if operation.resource else ()
        tag = entity_tag(self._bank.db, tables, f"{request.url.path}?{request.url.query}")
        named = request.headers.get(CONDITION, "").split(",")
        # Compared weakly: RFC 9110 §13.1.2.
        if tag in {each.strip().removeprefix("W/") for each in named}:
            return http.Answer(HTTPStatus.NOT_MODIFIED, None, {ETAG: tag})
        answer = self._attempt(operation, call)
        if answer.status == HTTPStatus.OK:
            answer.headers[ETAG] = tag
        return answer

    def _attempt(self, operation: Operation, call: Call, body: bytes | None = None) -> http.Answer:
        """Run the operation; a refusal rolls it back."""
        try:
            with context.savepoint(self._bank.db):
                if body is not None:
                    call = replace(call, body=http.parse_object(body))
                found = operation.handler(self._bank, call)
                return http.Answer(201 if operation.creates else 200, found)
        except http.ApiError as error:
            return error.answer(self._trace_id())

    def _trace_id(self) -> str:
        return self._bank.chance.uuid(
            "trace", context.iso(self._bank.clock.now()), next(self._traces)
        )


Action = Callable[[http.JsonObject], http.JsonObject | None]
STATUS = {"POST": 201, "GET": 200, "DELETE": 204}


class Control:
    """The endpoints of the control API, without a token: the sandbox listens on loopback."""

    def __init__(self, bank: Bank, faults: http.Faults, requests: Counter[str]) -> None:
        self._bank = bank
        self._faults = faults
        self._requests = requests

    def routes(self) -> list[Route]:
        actions: tuple[tuple[str, str, Action], ...] = (
            ("POST", "payins", self.pay_in),
            ("POST", "clock", self.move_clock),
            ("POST", "states", self.set_state),
            ("POST", "faults", self.order_fault),
            ("DELETE", "faults", self.clear_faults),
            ("GET", "webhooks", self.show_webhooks),
            ("POST", "webhooks/resend", self.resend_webhook),
            ("GET", "requests", self.show_requests),
            ("GET", "trial-balance", self.show_trial_balance),
        )
        return [
            Route(f"/_sandbox/{path}", self._endpoint(method, action), methods=[method])
            for method, path, action in actions
        ]

    def pay_in(self, body: http.JsonObject) -> http.JsonObject:
        sent = forms.BankTransfer.of(body)
        currency = str(WALLETS.get(self._bank.db, sent.wallet_id)["currency"])
        forms.require_fitting("amount", sent.amount, currency)
        payin_id = payments.receive_payin(self._bank, sent, self._bank.clock.now())
        return http.one(PAYINS.get(self._bank.db, payin_id))

    def move_clock(self, body: http.JsonObject) -> http.JsonObject:
        """Move the service's clock forward by `seconds` and run all steps due by then."""
        self._bank.clock.advance(float(forms.ClockMove.of(body).seconds))
        advance(self._bank, self._bank.clock.now())
        return http.one({"now": self._bank.clock.now().isoformat()})

    def set_state(self, body: http.JsonObject) -> http.JsonObject:
        """Move an object (`kind`, `id`) to `status`; `force` sets any, without moving money."""
        asked = forms.StateChange.of(body)
        require_one_of("kind", asked.kind, LIFECYCLES)
        now, forced = self._bank.clock.now(), asked.force
        return http.one(
            set_state(self._bank, asked.kind, asked.id, asked.status, now, forced=forced)
        )

    def resend_webhook(self, body: http.JsonObject) -> http.JsonObject:
        event_id = forms.Resend.of(body).event_id
        return http.one(webhooks.resend(self._bank, event_id, self._bank.clock.now()))

    def show_webhooks(self, _: http.JsonObject) -> http.JsonObject:
        return {"items": webhooks.newest(self._bank)}

    def order_fault(self, body: http.JsonObject) -> http.JsonObject:
        """Order a fault: `operation`, `kind`, `times` (1), `seconds` (1)."""
        asked = forms.FaultOrder.of(body)
        require_one_of(
            "operation", asked.operation, (http.ANY_OPERATION, *(o.name for o in OPERATIONS))
        )
        times = int(asked.times)
        self._faults.append(http.Fault(asked.operation, asked.kind, times, float(asked.seconds)))
        return http.one({"operation": asked.operation, "kind": asked.kind, "times": times})

    def clear_faults(self, _: http.JsonObject) -> None:
        self._faults.clear()

    def show_requests(self, _: http.JsonObject) -> http.JsonObject:
        """Return the number of requests for each operation since the start."""
        return http.one(
            {operation.name: self._requests[operation.name] for operation in OPERATIONS}
        )

    def show_trial_balance(self, _: http.JsonObject) -> http.JsonObject:
        """Return balances by currency and pot; their sum `total` is always zero."""
        shown: http.JsonObject = {}
        for currency, pots in trial_balance(self._bank.db).items():
            total = sum(pots.values(), Decimal(0))
            shown[currency] = {
                **{pot: format(amount, "f") for pot, amount in pots.items()},
                "total": format(total.normalize(), "f"),
            }
        return http.one(shown)

    def _endpoint(self, method: str, action: Action) -> Callable[[Request], object]:
        async def endpoint(request: Request) -> Response:
            try:
                sent = await http.read_body(request) if method == "POST" else b"{}"
                body = http.parse_object(sent)
                with context.transaction(self._bank.db):
                    advance(self._bank, self._bank.clock.now())
                    return http.respond(http.Answer(STATUS[method], action(body)))
            except http.ApiError as error:
                return http.respond(error.answer("control"))

        return endpoint


def require_one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise http.invalid(name, f"must be one of {', '.join(known)}")


def create_app(options: SandboxOptions, clock: Clock) -> Starlette:
    """Return a service on its own database, with a history if the database is empty."""
    return app_of(open_bank(options, clock))


def app_of(bank: Bank) -> Starlette:
    """Return the service of a bank, which is closed when the app is garbage collected."""
    faults = http.Faults()
    endpoints = Endpoints(bank, faults)

    async def show_description(_request: Request) -> Response:
        return http.respond(http.Answer(200, describe(served(bank.options), PREFIX)))

    app = Starlette(
        routes=[
            *endpoints.routes(),
            Route("/openapi.json", show_description),
            *Control(bank, faults, endpoints.requests).routes(),
        ],
        middleware=[Middleware(DateHeader, bank.clock)],
        exception_handlers={Exception: _internal_error},
    )
    # An app without a lifespan is not notified of its end.
    weakref.finalize(app, bank.db.close)
    return app


def open_bank(options: SandboxOptions, clock: Clock) -> Bank:
    """Open the bank behind a service; write the history if the database is new."""
    db = connect(options.database, clock.now())
    (epoch,) = db.execute("SELECT epoch FROM clock").fetchone()
    chance = context.SeededRandom(options.seed)
    market = Market(chance, datetime.fromisoformat(epoch), options.speed)
    bank = Bank(options, db, context.SandboxClock(clock, db), chance, market)
    (written,) = db.execute("SELECT value FROM counter").fetchone()
    if options.scale and not written:
        with context.transaction(db):
            write_history(bank, bank.clock.now())
    return bank


async def _internal_error(_request: Request, _error: Exception) -> Response:
    """Answer 500 without the traceback, which Starlette logs."""
    return http.respond(http.INTERNAL.answer("unknown"))


class DateHeader:
    """A middleware that adds the `Date` header with the service's time (RFC 9110 §6.6.1)."""

    def __init__(self, app: ASGIApp, clock: context.SandboxClock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                date = format_datetime(self._clock.now().astimezone(UTC), usegmt=True)
                MutableHeaders(scope=message)["date"] = date
            await send(message)

        await self._app(scope, receive, send_dated)
