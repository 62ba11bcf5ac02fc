"""A real PostgreSQL, from a wheel that carries its programs, with a new database for each test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from starlette.applications import Starlette

from paytui.desk.database import LINK, install
from tests.desk.server import ALL_TRADERS, SHARED, running_server
from tests.desk.trader import MakeTrader, Trader
from tests.support.clock import ManualClock
from tests.support.virtual import VirtualLoop
from tests.worker.conftest import Run, still_service

TRADERS = ("anna", "bob")
_NUMBERS = count()


@pytest.fixture(scope="session", autouse=True)
def patient() -> Iterator[None]:
    """Let a connection take longer than two seconds, as it may on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LINK, "connect_timeout", "60")
        yield


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the connection string of the server's superuser."""
    if SHARED in os.environ:
        yield os.environ[SHARED]
    else:
        with running_server(ALL_TRADERS) as dsn:
            yield dsn


@pytest.fixture
def admin(server: str) -> str:
    """Return the connection string of the superuser, to a new database with a desk."""
    name = f"desk_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} STRATEGY wal_log".encode())
    dsn = make_conninfo(server, dbname=name)
    install(dsn, TRADERS)
    return dsn


@pytest.fixture
def anna(admin: str) -> str:
    return make_conninfo(admin, user="anna")


@pytest.fixture
def bob(admin: str) -> str:
    return make_conninfo(admin, user="bob")


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def service(clock: ManualClock) -> Starlette:
    return still_service(clock)


@pytest.fixture
def run(clock: ManualClock) -> Iterator[Run]:
    loop = VirtualLoop(clock)
    yield loop.run_until_complete
    loop.close()


@pytest.fixture
def trader(service: Starlette, clock: ManualClock, tmp_path: Path, admin: str) -> MakeTrader:
    """Return a function that starts a program on an outbox, after the one before has ended."""

    def make(role: str, name: str, host: str) -> Trader:
        dsn = make_conninfo(admin, user=role)
        path, patience = tmp_path / f"{name}.sqlite", -60 if role == "anna" else 0
        return Trader(service, clock, path, dsn, host, patience=patience)

    return make


@pytest.fixture
def hers(trader: MakeTrader) -> Trader:
    return trader("anna", "anna", "desk-1")


@pytest.fixture
def his(trader: MakeTrader) -> Trader:
    return trader("bob", "bob", "desk-2")
