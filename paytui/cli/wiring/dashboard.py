"""The start of the dashboard: balances on the terminal before it is loaded, then all its parts.

The dashboard is imported after the balances are shown, and the client in the worker's thread.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from paytui.cli.wiring import compose
from paytui.cli.wiring.secrets import unlock_check
from paytui.config.settings import Settings
from paytui.domain.intent import IntentMaker
from paytui.domain.models import Kind
from paytui.platform import interpreter
from paytui.platform.clock import Clock, ServiceTime, SystemClock
from paytui.platform.crash import CrashReporter, crash_reporter
from paytui.platform.host import set_frame_rate, terminal_environment
from paytui.store.cache.file import cache_path
from paytui.store.cache.read import CacheRestore
from paytui.store.rows_in_memory import NEWEST, RECENT
from paytui.store.store import Store
from paytui.tui.terminal import splash
from paytui.tui.terminal.tty import Terminal, detect_terminal, in_ascii, is_ascii
from paytui.worker.worker_thread import WorkerHost

if TYPE_CHECKING:
    from paytui.worker.worker import Worker


def restore_cache(settings: Settings, store: Store, clock: Clock) -> CacheRestore | None:
    """Restore the rows of the first paint from the cache; None if the cache is disabled."""
    if not settings.cache.enabled:
        return None
    path = cache_path(settings.profile.base_url, settings.profile.client_id)
    recall = CacheRestore(path, store, clock, NEWEST, RECENT)
    recall.at_once()
    return recall


FIRST_READ = 0.15
"""Seconds for which the dashboard waits for the first read: loading it would slow that down."""


class StartupBalances:
    """Balances of a store on the splash screen."""

    def __init__(
        self, early: splash.SplashScreen, store: Store, settings: Settings, terminal: Terminal
    ) -> None:
        self._early = early
        self._store = store
        self._profile = settings.profile
        self._shown = Event()
        self._plain = is_ascii(settings.display.characters, utf8=terminal.utf8)

    def show_last_known(self, clock: Clock) -> None:
        lines = splash.cached_balance_lines(self._store, self._profile, clock, self._early.tty.size)
        self._early.show(self._drawn(lines))

    def show_as_read(self) -> bool:
        """Show an empty screen, and balances as soon as they are read.

        A thread of its own writes them, so that a frozen terminal blocks nothing else.

        Return True if the splash screen can be shown.
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

    def _just_read(self) -> Sequence[splash.Line]:
        return self._drawn(
            splash.fresh_balance_lines(self._store, self._profile, self._early.tty.size)
        )

    def _drawn(self, lines: Sequence[splash.Line]) -> Sequence[splash.Line]:
        if not self._plain:
            return lines
        return [[(look, in_ascii(text)) for look, text in line] for line in lines]


def restore_balances(
    settings: Settings,
    store: Store,
    clock: Clock,
    terminal: Terminal,
    early: splash.SplashScreen | None,
) -> tuple[CacheRestore | None, StartupBalances | None]:
    """Restore the cached balances and show them at once.

    Return the restore of the other rows; and, if no balances were cached, the display of live ones.
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
    loaded = interpreter.GcPause(2)

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


def run_dashboard(
    settings: Settings,
    secret: compose.GetSecret,
    parted: Callable[[str], None] | None = None,
    early: splash.SplashScreen | None = None,
) -> int:
    """Run the dashboard on this terminal until it ends; return the exit code of the process.

    Raise DialectError if the profile's dialect cannot be used.

    Args:
        parted: called after the end with a summary of open intents, if any.
        early: shows the last known balances until the dashboard is loaded.
    """
    surroundings = terminal_environment(os.environ)
    set_frame_rate(os.environ, surroundings)
    terminal = detect_terminal(os.environ, in_utf8_mode=bool(sys.flags.utf8_mode))
    store, time = Store(NEWEST, RECENT), ServiceTime(SystemClock())
    recall, balances = restore_balances(settings, store, time.clock, terminal, early)

    context = compose.ProfileContext(
        settings, secret, compose.dialect_of(settings.profile), store, time
    )
    crashed = crash_reporter(os.environ, store.happenings)
    host, painted = worker_after_paint(_sender(context, recall), store, crashed)
    try:
        if balances is not None and balances.show_as_read():
            start_before_paint(host)
            balances.wait_until_shown()
        store.ui_priority.loading = True
        from paytui.tui import exit as tui_exit
        from paytui.tui.app import PaytuiApp
        from paytui.tui.screens import overview  # noqa: F401 - not in the event loop: 20 ms
        from paytui.tui.store_bridge import WindowReader
        from paytui.tui.ui_context import UiContext

        vocabulary = compose.vocabulary_of(context.dialect)
        untagged = (name for name, them in vocabulary.unsent.items() if "reference" in them)
        maker = IntentMaker(
            random.SystemRandom(),
            tagged=settings.outbox.tag_reference,
            untagged=frozenset(untagged),
        )
        app = PaytuiApp(
            UiContext(
                store=store,
                port=host.port,
                time=time,
                settings=settings,
                maker=maker,
                vocabulary=vocabulary,
                surroundings=surroundings,
                lists=WindowReader(),
            ),
            painted=painted,
            terminal=terminal,
            early=early,
            crashed=crashed,
            prove=unlock_check(settings.lock.unlock_command),
        )
        mouse = settings.display.has_mouse(direct=surroundings.direct)
        return tui_exit.run_dashboard(app, mouse=mouse)
    finally:
        host.stop()
        from paytui.tui.notifications import exit_summary, open_intents

        if parted is not None and (rows := open_intents(store)):
            parted(exit_summary(rows))


def _sender(context: compose.ProfileContext, recall: CacheRestore | None) -> Callable[[], Worker]:
    """Return a function that builds the sending worker; it runs in the worker's thread."""
    settings, store, time = context.settings, context.store, context.time

    def show(news: str) -> None:
        store.set_link(replace(store.link, host_news=news))
        store.notify()

    def build() -> Worker:
        from paytui.book.file import book_path
        from paytui.cli.wiring.compose import open_send_context, webhook_listener
        from paytui.store.cache.write import CacheWriter
        from paytui.worker.sync.book_recorder import HistoryRecorder
        from paytui.worker.sync.cache_writer import CacheSync

        book = book_path(settings.profile.name, settings.outbox.folder)
        path = cache_path(settings.profile.base_url, settings.profile.client_id)
        return compose.build_worker(
            context,
            office=open_send_context(settings, context.dialect, time),
            listener=webhook_listener(settings.webhooks, context.dialect),
            keeping=CacheSync(store, time.clock, recall, lambda anew: CacheWriter(path, anew=anew)),
            history=HistoryRecorder(store, time, book, settings.floors),
            tell=show,
        )

    return build
