"""The service as an ASGI app; needs no lifespan."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Awaitable, Callable
from datetime import datetime

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paytui.platform.clock import Clock
from paytui.sandbox.clock import SandboxClock, SeededRandom, http_date
from paytui.sandbox.context import Bank, SandboxOptions
from paytui.sandbox.control import Control
from paytui.sandbox.database import connect, transaction
from paytui.sandbox.endpoint import Endpoints
from paytui.sandbox.market import Market
from paytui.sandbox.messages import INTERNAL, Answer, Faults, respond
from paytui.sandbox.openapi import describe
from paytui.sandbox.seed.history import write_history
from paytui.sandbox.service.operations import Operation, served

PREFIX = "/v2"


def create_app(options: SandboxOptions, clock: Clock) -> Starlette:
    """Return a service on its own database, with a history if the database is empty."""
    return app_of(open_bank(options, clock))


def app_of(bank: Bank) -> Starlette:
    """Return the service of a bank, which is closed when the app is garbage collected."""
    faults = Faults()
    endpoints = Endpoints(bank, faults)
    routes = [
        Route(PREFIX + path, _endpoint(endpoints, operations), methods=[*operations])
        for path, operations in _by_path(served(bank.options)).items()
    ]
    description = respond(Answer(200, describe(served(bank.options), PREFIX)))

    async def show_description(_request: Request) -> Response:
        return description

    app = Starlette(
        routes=[
            *routes,
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
    chance = SeededRandom(options.seed)
    market = Market(chance, datetime.fromisoformat(epoch), options.speed)
    bank = Bank(options, db, SandboxClock(clock, db), chance, market)
    (written,) = db.execute("SELECT value FROM counter").fetchone()
    if options.scale and not written:
        with transaction(db):
            write_history(bank, bank.clock.now())
    return bank


def _by_path(operations: tuple[Operation, ...]) -> dict[str, dict[str, Operation]]:
    """Group operations by path and method: a 405 names all methods (RFC 9110 §15.5.6)."""
    found: defaultdict[str, dict[str, Operation]] = defaultdict(dict)
    for operation in operations:
        for path in operation.paths:
            found[path][operation.method] = operation
    return found


def _endpoint(
    endpoints: Endpoints, operations: dict[str, Operation]
) -> Callable[[Request], Awaitable[Response]]:
    async def respond_to(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        return await endpoints.respond(operations[method], request)

    return respond_to


async def _internal_error(_request: Request, _error: Exception) -> Response:
    """Answer 500 without the traceback, which Starlette logs."""
    return respond(INTERNAL.answer("unknown"))


class DateHeader:
    """A middleware that adds the `Date` header with the service's time (RFC 9110 §6.6.1)."""

    def __init__(self, app: ASGIApp, clock: SandboxClock) -> None:
        self._app = app
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_dated(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["date"] = http_date(self._clock.now())
            await send(message)

        await self._app(scope, receive, send_dated)
