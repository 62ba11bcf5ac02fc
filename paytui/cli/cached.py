"""What is known is kept from one start of the dashboard to the next."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from paytui.clock import Clock
from paytui.config.settings import Settings
from paytui.store.store import Store

if TYPE_CHECKING:
    from paytui.worker.keeping import Keeping

MakeKeeping = Callable[[], "Keeping"]


def recalled(settings: Settings, store: Store, clock: Clock) -> MakeKeeping:
    """Bring back what the first paint shows.

    Returns:
        What makes, in the worker's thread, what brings back the rest and keeps what comes after.
    """
    from paytui.store.cache.place import cache_path
    from paytui.store.cache.recall import Recall

    path = cache_path(settings.profile.base_url, settings.profile.client_id)
    recall = None
    if settings.cache.enabled:
        recall = Recall(path, store, clock, settings.cache.retain)
        recall.at_once()

    def make() -> Keeping:
        from paytui.store.cache.writer import CacheWriter
        from paytui.worker.keeping import Keeping

        return Keeping(store, clock, recall, lambda anew: CacheWriter(path, anew=anew))

    return make
