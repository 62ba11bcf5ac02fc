"""A PostgreSQL server for tests, from the wheel that carries its programs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg

from paytui.cli.wiring import demo
from paytui.desk.log import OpenOutbox

_WHEEL = demo.wheel_programs()
assert _WHEEL is not None
PROGRAMS = _WHEEL

ALL_TRADERS = ("anna", "bob", "carol")
SHARED = "PAYTUI_TEST_SERVER"
"""A variable with the connection string of a server of these traders, for forks to share."""


@contextmanager
def running_server(traders: Sequence[str], programs: Path = PROGRAMS) -> Iterator[str]:
    """Yield the connection string of the superuser of a server with roles for these traders."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        demo.running_server(Path(folder), traders, programs) as dsn,
    ):
        yield dsn


def outbox_at(host: str, path: str = "/outbox", *, run: str = "", identity: str = "") -> OpenOutbox:
    """Return an outbox that is used by one program, unless `run` is another one's."""
    place = f"{host} {path}"
    return OpenOutbox(
        identity=identity or place, run=run or place, file=place, host=host, path=path
    )


def owner_does(dsn: str, *statements: str) -> list[tuple[object, ...]]:
    """Execute statements, each in a transaction of its own; return the rows of the last one."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        for statement in statements:
            cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []
