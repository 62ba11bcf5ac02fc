"""An ASGI app on a real socket of this host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from paytui.sandbox.server import base_url, bind


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """Serves the app in a thread until the end of the block; yields its base URL."""
    config = uvicorn.Config(app, lifespan="off", log_level="error", date_header=False)
    server = uvicorn.Server(config)
    with bind("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield base_url(listener)
        finally:
            server.should_exit = True
            thread.join()
