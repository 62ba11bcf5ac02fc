"""An ASGI app on a real socket of this host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from paytui.sandbox.server import base_url, bind

LONG = 60
"""Seconds until an idle connection is closed: a client on a busy machine may be about to use it."""


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Serves the app in a thread until the end of the block; yields its base URL."""
    config = uvicorn.Config(
        app, lifespan="off", log_level="error", date_header=False, timeout_keep_alive=LONG
    )
    server = uvicorn.Server(config)
    with bind("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield base_url(listener)
        finally:
            server.should_exit = True
            thread.join()
