"""What is known is kept from one start of the dashboard to the next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paytui.config.settings import Settings
from paytui.platform.clock import Clock
from paytui.store.store import Store

if TYPE_CHECKING:
    from paytui.store.cache.read import Recall
    from paytui.worker.sync.cache_writer import Keeping


def recalled(settings: Settings, store: Store, clock: Clock) -> Recall | None:
    """Bring back what the first paint shows; None where nothing is kept."""
    from paytui.store.cache.read import Recall

    if not settings.cache.enabled:
        return None
    recall = Recall(_path(settings), store, clock, settings.cache.retain)
    recall.at_once()
    return recall


def kept(settings: Settings, store: Store, clock: Clock, recall: Recall | None) -> Keeping:
    """What brings back the rest and keeps what comes after; made in the worker's thread."""
    from paytui.store.cache.write import CacheWriter
    from paytui.worker.sync.cache_writer import Keeping

    path = _path(settings)
    return Keeping(store, clock, recall, lambda anew: CacheWriter(path, anew=anew))


def _path(settings: Settings) -> Path:
    from paytui.store.cache.file import cache_path

    return cache_path(settings.profile.base_url, settings.profile.client_id)
