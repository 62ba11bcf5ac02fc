"""Balances on the terminal before the dashboard is loaded: cached ones, or else live ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from paytui.cli.wiring import startup
from paytui.config.settings import Settings
from paytui.domain.models import Kind
from paytui.platform.clock import Clock
from paytui.platform.crash import CrashReporter
from paytui.store.cache.read import CacheRestore
from paytui.store.store import Store
from paytui.tui.terminal.splash import (
    Line,
    SplashScreen,
    cached_balance_lines,
    fresh_balance_lines,
    lines_in_ascii,
)
from paytui.tui.terminal.tty import Terminal, is_ascii
from paytui.worker.host import WorkerHost

if TYPE_CHECKING:
    from paytui.worker.sync.cache_writer import CacheSync
    from paytui.worker.worker import Worker


def restore_cache(settings: Settings, store: Store, clock: Clock) -> CacheRestore | None:
    """Restore the rows of the first paint from the cache; None if the cache is disabled."""
    from paytui.store.cache.read import CacheRestore

    if not settings.cache.enabled:
        return None
    recall = CacheRestore(_path(settings), store, clock, settings.cache.retain)
    recall.at_once()
    return recall


def cache_task(
    settings: Settings, store: Store, clock: Clock, recall: CacheRestore | None
) -> CacheSync:
    """Return the task that restores the other rows and writes new ones; for the worker's thread."""
    from paytui.store.cache.write import CacheWriter
    from paytui.worker.sync.cache_writer import CacheSync

    path = _path(settings)
    return CacheSync(store, clock, recall, lambda anew: CacheWriter(path, anew=anew))


def _path(settings: Settings) -> Path:
    from paytui.store.cache.file import cache_path

    return cache_path(settings.profile.base_url, settings.profile.client_id)


FIRST_READ = 0.15
"""Seconds for which the dashboard waits for the first read: loading it would slow that down."""


class StartupBalances:
    """Balances on the splash screen.

    Args:
        early: the splash screen.
        store: holds the balances.
        settings: name the profile and the characters to use.
        terminal: the abilities of the terminal.
    """

    def __init__(
        self, early: SplashScreen, store: Store, settings: Settings, terminal: Terminal
    ) -> None:
        self._early = early
        self._store = store
        self._profile = settings.profile
        self._shown = Event()
        self._plain = is_ascii(settings.display.characters, utf8=terminal.utf8)

    def show_last_known(self, clock: Clock) -> None:
        """Show the balances of an earlier run."""
        lines = cached_balance_lines(self._store, self._profile, clock, self._early.tty.size)
        self._early.show(self._drawn(lines))

    def show_as_read(self) -> bool:
        """Show an empty screen, and balances as soon as they are read.

        A thread of its own writes them, so that a frozen terminal blocks nothing else.

        Returns:
            True if the splash screen can be shown.
        """
        self._early.show(self._just_read())
        if self._early.found is None:
            return False
        came = Event()
        unsubscribe = self._store.subscribe(came.set)
        Thread(
            target=self._follow, args=(came, unsubscribe), name="paytui-early", daemon=True
        ).start()
        return True

    def wait_until_shown(self, timeout: float = FIRST_READ) -> bool:
        """Wait without using the interpreter; return True if balances were shown in time."""
        return self._shown.wait(timeout)

    def _follow(self, came: Event, unsubscribe: Callable[[], None]) -> None:
        while self._early.found is not None:
            came.wait()
            came.clear()
            if self._store.feed(Kind.WALLETS).was_read:
                self._early.show_instead(self._just_read())
                self._shown.set()
                break
        unsubscribe()

    def _just_read(self) -> Sequence[Line]:
        return self._drawn(fresh_balance_lines(self._store, self._profile, self._early.tty.size))

    def _drawn(self, lines: Sequence[Line]) -> Sequence[Line]:
        return lines_in_ascii(lines) if self._plain else lines


def restore_balances(
    settings: Settings, store: Store, clock: Clock, terminal: Terminal, early: SplashScreen | None
) -> tuple[CacheRestore | None, StartupBalances | None]:
    """Restore the cached balances and show them at once.

    Returns:
        The restore of the other rows; and, if no balances were cached, the display of live ones.
    """
    recall = restore_cache(settings, store, clock)
    if early is None:
        return recall, None
    balances = StartupBalances(early, store, settings, terminal)
    if not store.feed(Kind.WALLETS).cached:
        return recall, balances
    if recall is not None and recall.has_wallets:  # sums of some would be wrong
        balances.show_last_known(clock)
    return recall, None


LOADED_FIRST = 2.0
"""Seconds for which the dashboard waits at most for the worker to load, if none are cached."""


def worker_after_paint(
    build: Callable[[], Worker], store: Store, crashed: CrashReporter
) -> tuple[WorkerHost, Callable[[], None]]:
    """Return the worker's thread, and a function that starts it after the first paint.

    The garbage collector stays paused until dashboard and worker are loaded.
    """
    loaded = startup.GcPause(2)

    def built() -> Worker:
        try:
            return build()
        finally:
            loaded()

    def painted() -> None:
        loaded()
        store.ui_priority.loading = False
        if not host.is_started:
            host.start()

    host = WorkerHost(built, store, crashed)
    return host, painted


def start_before_paint(host: WorkerHost) -> None:
    """Load the worker before the dashboard: loading both at once delays the first balances."""
    host.start()
    host.wait_until_built(LOADED_FIRST)
