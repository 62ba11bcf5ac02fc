"""In which order the dashboard and what reads the service are loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paytui.cli import no_garbage
from paytui.platform.crash import Crashed
from paytui.store.store import Store
from paytui.worker.host import WorkerHost

if TYPE_CHECKING:
    from paytui.worker.worker import Worker

LOADED_FIRST = 2.0
"""Seconds at the most that a dashboard waits for what reads balances, where none are known."""


def loaded_with(
    build: Callable[[], Worker], store: Store, crashed: Crashed
) -> tuple[WorkerHost, Callable[[], None]]:
    """The worker's thread, and what starts it once the dashboard is painted, if it is not.

    Until both are loaded nothing is garbage.
    """
    loaded = no_garbage.EndAfter(2)

    def built() -> Worker:
        try:
            return build()
        finally:
            loaded()

    def painted() -> None:
        loaded()
        store.right_of_way.loading = False
        if not host.is_started:
            host.start()

    host = WorkerHost(built, store, crashed)
    return host, painted


def load_first(host: WorkerHost) -> None:
    """Have the worker loaded before the dashboard: the two would only hold each other up."""
    host.start()
    host.wait_until_built(LOADED_FIRST)
