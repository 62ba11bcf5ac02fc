"""A real PostgreSQL, from a wheel that carries its programs, with a new database for each test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from paytui.desk.database import install
from tests.desk.server import running_server

TRADERS = ("anna", "bob")
_NUMBERS = count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the connection string of the server's superuser."""
    with running_server(TRADERS) as dsn:
        yield dsn


@pytest.fixture
def admin(server: str) -> str:
    """Return the connection string of the superuser, to a new database with a desk."""
    name = f"desk_{next(_NUMBERS)}"
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
