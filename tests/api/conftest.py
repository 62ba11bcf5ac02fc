"""A client of the sandbox in this process, with a clock that tests move."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette

from paytui.api.client import Client
from paytui.api.dialect import Dialect
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.api.desk import Desk
from tests.support.client import SECRET, client_of
from tests.support.clock import ManualClock
from tests.support.documented import documented


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def dialect() -> Dialect:
    return documented()


@pytest.fixture
def empty_service(clock: ManualClock) -> Starlette:
    """A service without a history, on which nothing happens that was not asked for."""
    return create_app(SandboxOptions(client_secret=SECRET, scale=0), clock)


@pytest.fixture
def client(empty_service: Starlette, clock: ManualClock) -> Client:
    return client_of(empty_service, clock)


@pytest.fixture
def seeded_client(clock: ManualClock) -> Client:
    return client_of(create_app(SandboxOptions(client_secret=SECRET, scale=60), clock), clock)


@pytest.fixture
def desk(clock: ManualClock) -> Desk:
    return Desk(clock)
