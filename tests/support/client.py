"""A client of an ASGI app in this process."""

from __future__ import annotations

import random
from collections.abc import Callable

import httpx
from starlette.types import ASGIApp

from paytui.api.client import Credentials
from paytui.api.dialect import Dialect
from paytui.api.http.token import TokenCell
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.processes import RunInThread
from paytui.platform.secret import Secret
from tests.support.documented import documented
from tests.support.typed_client import TypedClient
from tests.support.virtual import at_once

SECRET = "not-to-be-shown"


def known_secret() -> Secret:
    return Secret(SECRET)


def client_of(
    app: ASGIApp,
    clock: Clock,
    dialect: Dialect | None = None,
    *,
    secret: Callable[[], Secret] = known_secret,
    cell: TokenCell | None = None,
    patient: bool = True,
    in_thread: RunInThread = at_once,
) -> TypedClient:
    """A client that signs in as `demo` with `SECRET`; what it draws is the same in every run."""
    return TypedClient(
        "http://localhost",
        Credentials("demo", secret),
        dialect or documented(),
        ServiceTime(clock),
        random.Random(1),  # noqa: S311 - a test repeats itself
        cell=cell,
        transport=httpx.ASGITransport(app),
        patient=patient,
        in_thread=in_thread,
    )
