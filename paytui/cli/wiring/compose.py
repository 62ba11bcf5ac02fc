"""The composition of all parts; no other module knows all of them.

Each function imports what it builds: `status` never loads Textual, and the client is loaded in the
worker's thread, after the first paint.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from paytui.api.dialect import Dialect
from paytui.cli.crash_report import crash_reporter
from paytui.cli.wiring import startup
from paytui.cli.wiring.dialect import dialect_of
from paytui.cli.wiring.known_hosts import host_verifier, print_notice
from paytui.cli.wiring.startup import set_frame_rate
from paytui.config.settings import Polling, Profile, Settings
from paytui.domain.intent import IntentMaker
from paytui.outbox.paths import SUFFIX, outbox_path
from paytui.platform.clock import ServiceTime, SystemClock
from paytui.platform.crash import CrashReporter
from paytui.platform.host import TerminalEnvironment, terminal_environment
from paytui.platform.secret import Secret
from paytui.port import Port
from paytui.store.health import WorkerMetrics
from paytui.store.store import Store

if TYPE_CHECKING:
    from paytui.api.client import Client
    from paytui.store.cache.read import CacheRestore
    from paytui.tui.app import PaytuiApp
    from paytui.tui.context import UiContext
    from paytui.tui.terminal.splash import SplashScreen
    from paytui.tui.terminal.tty import Terminal
    from paytui.worker.intents.service import SendContext, SendingDisabled
    from paytui.worker.sync.cache_writer import CacheSync
    from paytui.worker.worker import MakeListener, Worker

GetSecret = Callable[[], Secret]
T = TypeVar("T")


def build_client(
    profile: Profile,
    secret: GetSecret,
    dialect: Dialect,
    service_time: ServiceTime,
    rng: random.Random,
    *,
    anew: bool = False,
    polling: Polling | None = None,
    tell: Callable[[str], None] = print_notice,
    patient: bool = True,
) -> Client:
    """Return a client of a profile's service.

    With `anew` it does not reuse a shared token: only a login of its own proves a secret. `tell` is
    called with news of the host before anything is sent. A command that reads once is not
    `patient`: see `Auth`.
    """
    from paytui.api.client import Client, Credentials
    from paytui.api.http.transport import Timeouts
    from paytui.cli.wiring.known_hosts import tls_policy_of
    from paytui.cli.wiring.token_store import token_cell
    from paytui.platform.daemon_thread import run_in_daemon_thread

    credentials = Credentials(profile.client_id, secret, ask=run_in_daemon_thread)
    cell = token_cell(profile, service_time.clock)
    if anew:
        cell.look()  # what is there now counts as seen
    bounds = Timeouts(reads=(polling or Polling()).requests_per_minute)
    return Client(
        profile.base_url,
        credentials,
        dialect,
        service_time,
        rng,
        cell=cell,
        timeouts=bounds,
        tls_policy=tls_policy_of(profile, host_verifier(profile, tell)),
        patient=patient,
    )


@dataclass(frozen=True, slots=True)
class ProfileContext:
    """The objects that all parts of one profile share.

    Attributes:
        settings: the profile, with its polling and display settings.
        secret: returns the client secret.
        dialect: the wire format of the service.
        store: the data read from the service.
        time: the service's clock.
    """

    settings: Settings
    secret: GetSecret
    dialect: Dialect
    store: Store
    time: ServiceTime


def new_context(settings: Settings, secret: GetSecret) -> ProfileContext:
    """Return a context with an empty store.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    dialect = dialect_of(settings.profile)
    return ProfileContext(settings, secret, dialect, Store(), ServiceTime(SystemClock()))


def build_worker(
    context: ProfileContext,
    *,
    office: SendContext | SendingDisabled | None = None,
    listener: MakeListener | None = None,
    keeping: CacheSync | None = None,
    tell: Callable[[str], None] = print_notice,
    patient: bool = True,
) -> Worker:
    """Return the worker that reads a profile's service; it sends only with a `SendContext`.

    `tell` and `patient` are as for `build_client`.
    """
    from paytui.config.runtime_settings import TrackedIdentifiersReader
    from paytui.config.validation import validate
    from paytui.config.validation_cache import CachingValidator, validation_cache_path
    from paytui.worker.intents.service import READS_ONLY
    from paytui.worker.sync.poller import PollSchedule
    from paytui.worker.worker import Worker

    rng, profile, polling = (
        random.SystemRandom(),
        context.settings.profile,
        context.settings.polling,
    )
    client = build_client(
        profile,
        context.secret,
        context.dialect,
        context.time,
        rng,
        polling=polling,
        tell=tell,
        patient=patient,
    )
    check = (
        validate if profile.file is None else CachingValidator(validation_cache_path(profile.file))
    )
    return Worker(
        client,
        context.store,
        context.time,
        rng,
        PollSchedule(polling.intervals, paused=polling.paused),
        tracked=TrackedIdentifiersReader(context.settings, check),
        sheet_lifetime=context.dialect.rate_sheet_lifetime,
        sending=office or READS_ONLY,
        listener=listener,
        cache_sync=keeping,
    )


def with_client(
    settings: Settings,
    secret: GetSecret,
    use: Callable[[Client, Dialect], Awaitable[T]],
    *,
    anew: bool = False,
) -> T:
    """Run a coroutine with a client of a profile's service, and close the client.

    `anew` is as for `build_client`.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    dialect = dialect_of(settings.profile)

    async def run() -> T:
        time, rng = ServiceTime(SystemClock()), random.SystemRandom()
        client = build_client(
            settings.profile, secret, dialect, time, rng, anew=anew, patient=False
        )
        try:
            return await use(client, dialect)
        finally:
            await client.aclose()

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class ServiceSnapshot:
    """The result of reading a service once: the store, its clock and metrics."""

    store: Store
    time: ServiceTime
    vitals: WorkerMetrics


def read_once(settings: Settings, secret: GetSecret) -> Store:
    """Read everything once; failures are in the feeds' health.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    return take_snapshot(settings, secret).store


def take_snapshot(settings: Settings, secret: GetSecret) -> ServiceSnapshot:
    """Read everything once, and return the service's clock and the request metrics too.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    from paytui.cli.wiring.outbox import read_only_outbox

    context = new_context(settings, secret)

    async def read() -> ServiceSnapshot:
        worker = build_worker(context, office=read_only_outbox(settings), patient=False)
        try:
            await worker.sync_once()
            return ServiceSnapshot(context.store, context.time, worker.vitals())
        finally:
            await worker.aclose()

    return asyncio.run(read())


def run_in_loop(main: Coroutine[object, object, T]) -> T:
    """Run a coroutine in a loop whose pending name lookups do not hold up the exit."""
    from paytui.worker.tasks import LookupLoop

    with asyncio.Runner(loop_factory=LookupLoop) as runner:
        return runner.run(main)


def run_dashboard(
    settings: Settings,
    secret: GetSecret,
    parted: Callable[[str], None] | None = None,
    early: SplashScreen | None = None,
) -> int:
    """Run the dashboard on this terminal until it ends.

    Args:
        settings: the profile and the display settings.
        secret: returns the client secret.
        parted: called after the end with a summary of open intents, if any.
        early: shows the last known balances until the dashboard is loaded.

    Returns:
        The exit code of the process.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    from paytui.cli.wiring.first_balances import (
        restore_balances,
        start_before_paint,
        worker_after_paint,
    )

    surroundings = terminal_environment(os.environ)
    set_frame_rate(os.environ, surroundings)
    store, service_time = Store(settings.cache.retain), ServiceTime(SystemClock())
    recall, balances = restore_balances(settings, store, service_time.clock, _terminal(), early)

    context = ProfileContext(settings, secret, dialect_of(settings.profile), store, service_time)
    crashed = crash_reporter(os.environ, store.happenings.newest)
    host, painted = worker_after_paint(_sender(context, recall), store, crashed)
    try:
        if balances is not None and balances.show_as_read():
            start_before_paint(host)
            balances.wait_until_shown()
        store.ui_priority.loading = True
        from paytui.tui import exit as tui_exit

        ui = _ui_context(context, host.port, surroundings)
        app = _app(ui, painted=painted, early=early, crashed=crashed)
        mouse = settings.display.has_mouse(direct=surroundings.direct)
        with startup.gc_freeze_policy(lambda: store.changes):
            return tui_exit.run_dashboard(app, mouse=mouse)
    finally:
        host.stop()
        _part(store, parted)


def _ui_context(
    context: ProfileContext, port: Port, surroundings: TerminalEnvironment
) -> UiContext:
    from paytui.cli.wiring.dialect import vocabulary_of
    from paytui.tui.context import UiContext

    vocabulary = vocabulary_of(context.dialect)
    tagged = context.settings.outbox.tag_reference
    untagged = frozenset(name for name, them in vocabulary.unsent.items() if "reference" in them)
    return UiContext(
        store=context.store,
        port=port,
        time=context.time,
        settings=context.settings,
        maker=IntentMaker(random.SystemRandom(), tagged=tagged, untagged=untagged),
        vocabulary=vocabulary,
        surroundings=surroundings,
    )


def _app(
    ui: UiContext,
    *,
    painted: Callable[[], None],
    early: SplashScreen | None,
    crashed: CrashReporter,
) -> PaytuiApp:
    from paytui.cli.wiring.secrets import unlock_check
    from paytui.tui.app import PaytuiApp

    return PaytuiApp(
        ui,
        painted=painted,
        terminal=_terminal(),
        early=early,
        crashed=crashed,
        prove=unlock_check(ui.settings.lock.unlock_command),
    )


def _part(store: Store, parted: Callable[[str], None] | None) -> None:
    from paytui.tui.notifications import exit_summary, open_intents

    if parted is not None and (rows := open_intents(store)):
        parted(exit_summary(rows))


def _terminal() -> Terminal:
    from paytui.tui.terminal.tty import detect_terminal

    return detect_terminal(os.environ, in_utf8_mode=bool(sys.flags.utf8_mode))


def _sender(context: ProfileContext, recall: CacheRestore | None) -> Callable[[], Worker]:
    """Return a function that builds the sending worker; it runs in the worker's thread."""
    settings, store = context.settings, context.store

    def show(news: str) -> None:
        store.set_link(replace(store.link, host_news=news))
        store.notify()

    def build() -> Worker:
        from paytui.cli.wiring.first_balances import cache_task
        from paytui.cli.wiring.outbox import open_send_context, webhook_listener

        return build_worker(
            context,
            office=open_send_context(settings, context.dialect, context.time),
            listener=webhook_listener(settings.webhooks, context.dialect),
            keeping=cache_task(settings, store, context.time.clock, recall),
            tell=show,
        )

    return build


def orphaned_outboxes(settings: Settings) -> list[str]:
    """Return a line for each other outbox with open intents of this service and client.

    Only a profile without an outbox of its own is checked, as after a rename or a new folder: it
    would start as if nothing had been sent.
    """
    profile, folder = settings.profile, settings.outbox.folder
    ours = outbox_path(profile.name, folder)
    if ours.exists():
        return []
    folders = dict.fromkeys((ours.parent, outbox_path(profile.name, None).parent))
    found = (path for place in folders for path in sorted(place.glob(f"*{SUFFIX}")))
    return [words for path in found for words in _words(path, profile)]


def _words(path: Path, profile: Profile) -> Iterator[str]:
    if not (count := _open_for(path, profile)):
        return
    what = "1 intent is" if count == 1 else f"{count} intents are"
    name = path.name.removesuffix(SUFFIX)
    yield (
        f"{what} open in {path}, for this service and client. It is settled from a profile of the "
        f'name "{name}" with outbox.folder set to {path.parent}.'
    )


def _open_for(path: Path, profile: Profile) -> int:
    from paytui.outbox.entry import standing
    from paytui.outbox.errors import OutboxError
    from paytui.outbox.history import OutboxReader

    with suppress(OutboxError):
        history = OutboxReader(path)
        try:
            return sum(
                standing(recorded.events).open
                and recorded.entry.base_url == profile.base_url
                and recorded.entry.client_id == profile.client_id
                for recorded in history.read()
            )
        finally:
            history.close()
    return 0
