"""Where the parts are put together; nothing else knows all of them.

Each function imports what it builds: `status` never loads Textual, and the client is loaded in the
worker's thread, after the first paint.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from paytui.api.dialect import Dialect
from paytui.cli import old_rows
from paytui.cli.crash_report import crash_reporter
from paytui.cli.meet_host import doorkeeper, say
from paytui.cli.painting_pace import set_pace
from paytui.cli.spoken import dialect_of
from paytui.clock import ServiceTime, SystemClock
from paytui.config.settings import Polling, Profile, Settings
from paytui.crash import Crashed
from paytui.intent import IntentMaker
from paytui.port import Port
from paytui.secret import Secret
from paytui.store.store import Store
from paytui.store.vitals import Vitals
from paytui.surroundings import Surroundings, surroundings_of

if TYPE_CHECKING:
    from paytui.api.client import Client
    from paytui.cli.pulse import Pulse
    from paytui.cli.watch_changes import Change
    from paytui.store.cache.recall import Recall
    from paytui.tui.app import PaytuiApp
    from paytui.tui.early_screen import EarlyScreen
    from paytui.tui.terminal import Terminal
    from paytui.worker.keeping import Keeping
    from paytui.worker.orders import Office
    from paytui.worker.turned_away import Closed
    from paytui.worker.worker import MakeListener, Worker

GetSecret = Callable[[], Secret]
Parted = Callable[[str], None]
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
    tell: Callable[[str], None] = say,
) -> Client:
    """The client of a profile's service.

    With `anew` it takes over no token that others got: only one of its own proves a secret. `tell`
    is told, before anything is sent, what is new of whoever is at the other end.
    """
    from paytui.api.client import Client, Credentials
    from paytui.api.transport import Timeouts
    from paytui.cli.token_sharing import token_cell
    from paytui.cli.way import way_of
    from paytui.lone_thread import in_a_thread

    credentials = Credentials(profile.client_id, secret, ask=in_a_thread)
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
        way=way_of(profile, doorkeeper(profile, tell)),
    )


def build_worker(
    settings: Settings,
    secret: GetSecret,
    dialect: Dialect,
    store: Store,
    service_time: ServiceTime,
    *,
    office: Office | Closed | None = None,
    listener: MakeListener | None = None,
    keeping: Keeping | None = None,
    tell: Callable[[str], None] = say,
) -> Worker:
    """The worker that keeps a store true to a profile's service; with an office it also sends.

    `tell` is as for `build_client`.
    """
    from paytui.config.accepted import Accepted, accepted_path
    from paytui.config.checked import checked
    from paytui.config.known import KnownIdentifiers
    from paytui.worker.pace import Pace
    from paytui.worker.turned_away import READS_ONLY
    from paytui.worker.worker import Worker

    rng = random.SystemRandom()
    polling = settings.polling
    client = build_client(
        settings.profile, secret, dialect, service_time, rng, polling=polling, tell=tell
    )
    file = settings.profile.file
    check = checked if file is None else Accepted(accepted_path(file))
    pace = Pace(polling.intervals, paused=polling.paused)
    return Worker(
        client,
        store,
        service_time,
        rng,
        pace,
        tracked=KnownIdentifiers(settings, check),
        sheet_lifetime=dialect.rate_sheet_lifetime,
        office=office or READS_ONLY,
        listener=listener,
        keeping=keeping,
    )


def with_client(
    settings: Settings,
    secret: GetSecret,
    use: Callable[[Client, Dialect], Awaitable[T]],
    *,
    anew: bool = False,
) -> T:
    """What comes of using a client of a profile's service, which is closed afterwards.

    `anew` is as for `build_client`.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    dialect = dialect_of(settings.profile)

    async def run() -> T:
        time, rng = ServiceTime(SystemClock()), random.SystemRandom()
        client = build_client(settings.profile, secret, dialect, time, rng, anew=anew)
        try:
            return await use(client, dialect)
        finally:
            await client.aclose()

    return asyncio.run(run())


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a service brought: what it told, by which clock, and what that took."""

    store: Store
    time: ServiceTime
    vitals: Vitals


def read_once(settings: Settings, secret: GetSecret) -> Store:
    """Everything that the service tells, read once; what failed stands in the feeds' health.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    return look_over(settings, secret).store


def look_over(settings: Settings, secret: GetSecret) -> Look:
    """The same, with the service's clock, and with what it took.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    dialect = dialect_of(settings.profile)
    store, service_time = Store(), ServiceTime(SystemClock())

    async def read() -> Look:
        worker = build_worker(settings, secret, dialect, store, service_time)
        try:
            await worker.sync_once()
            return Look(store, service_time, worker.vitals())
        finally:
            await worker.aclose()

    return asyncio.run(read())


def watch_service(
    settings: Settings,
    secret: GetSecret,
    tell: Callable[[Change, datetime], None],
    *,
    initial: bool,
) -> None:
    """Tell what changes, and when by the service's clock, until interrupted.

    Raises:
        DialectError: the profile's dialect cannot be used.
        LoginRefused: the service lets nobody in.
        OSError: what `tell` raised.
    """
    from paytui.cli.office import watched_outbox
    from paytui.cli.watching import Watcher, watch
    from paytui.worker.lookup import LookupLoop

    dialect, clock = dialect_of(settings.profile), SystemClock()
    store, time = Store(), ServiceTime(clock)

    async def run() -> None:
        office = watched_outbox(settings)
        worker = build_worker(settings, secret, dialect, store, time, office=office)
        watcher = Watcher(store, clock, settings.profile.host, initial=initial)
        await watch(worker, store, watcher, lambda change: tell(change, time.latest()))

    with asyncio.Runner(loop_factory=LookupLoop) as runner:
        runner.run(run())


def watch_vitals(settings: Settings, secret: GetSecret, tell: Callable[[Pulse], None]) -> None:
    """Tell how a worker of its own is doing, until interrupted.

    Raises:
        DialectError: the profile's dialect cannot be used.
        OSError: what `tell` raised.
    """
    from paytui.cli.office import watched_outbox
    from paytui.cli.pulse import take_pulse
    from paytui.worker.lookup import LookupLoop

    dialect, store, time = dialect_of(settings.profile), Store(), ServiceTime(SystemClock())

    async def run() -> None:
        office = watched_outbox(settings)
        worker = build_worker(settings, secret, dialect, store, time, office=office)
        await take_pulse(worker, store, time, tell)

    with asyncio.Runner(loop_factory=LookupLoop) as runner:
        runner.run(run())


def run_dashboard(
    settings: Settings,
    secret: GetSecret,
    parted: Parted | None = None,
    early: EarlyScreen | None = None,
) -> int:
    """Run the dashboard on this terminal until it ends.

    Args:
        settings: the profile and how things are to look.
        secret: gets the client secret.
        parted: told afterwards what is still open, if anything is.
        early: shows what was known last until the dashboard is loaded.

    Returns:
        The exit code of the process.

    Raises:
        DialectError: the profile's dialect cannot be used.
    """
    from paytui.cli.early_balances import brought_back
    from paytui.cli.loading import load_first, loaded_with

    surroundings = surroundings_of(os.environ)
    set_pace(os.environ, surroundings)
    store, service_time = Store(settings.cache.retain), ServiceTime(SystemClock())
    recall, balances = brought_back(settings, store, service_time.clock, _terminal(), early)

    dialect = dialect_of(settings.profile)
    crashed = crash_reporter(os.environ, store.happenings.newest)
    build = _sender(settings, secret, dialect, store, service_time, recall=recall)
    host, painted = loaded_with(build, store, crashed)
    try:
        if balances is not None and balances.show_as_read():
            load_first(host)
        from paytui.tui import exit as tui_exit

        app = _app(
            settings,
            dialect,
            store,
            service_time,
            port=host.port,
            painted=painted,
            early=early,
            surroundings=surroundings,
            crashed=crashed,
        )
        mouse = settings.display.has_mouse(direct=surroundings.direct)
        with old_rows.left_alone(time.thread_time):
            return tui_exit.run_dashboard(app, mouse=mouse)
    finally:
        host.stop()
        _part(store, parted)


def _app(
    settings: Settings,
    dialect: Dialect,
    store: Store,
    service_time: ServiceTime,
    *,
    port: Port,
    painted: Callable[[], None],
    early: EarlyScreen | None,
    surroundings: Surroundings,
    crashed: Crashed,
) -> PaytuiApp:
    from paytui.cli.unlocking import unlocking
    from paytui.cli.vocabulary import vocabulary_of
    from paytui.tui.app import PaytuiApp

    return PaytuiApp(
        store,
        port,
        service_time,
        settings,
        IntentMaker(random.SystemRandom(), tagged=settings.outbox.tag_reference),
        vocabulary=vocabulary_of(dialect),
        painted=painted,
        terminal=_terminal(),
        early=early,
        surroundings=surroundings,
        crashed=crashed,
        prove=unlocking(settings.lock.unlock_command),
    )


def _part(store: Store, parted: Parted | None) -> None:
    """Tell what is still open."""
    from paytui.tui.parting import open_intents, parting_words

    if parted is not None and (rows := open_intents(store)):
        parted(parting_words(rows))


def _terminal() -> Terminal:
    """What this process is shown on."""
    from paytui.tui.terminal import terminal_of

    return terminal_of(os.environ, in_utf8_mode=bool(sys.flags.utf8_mode))


def _sender(
    settings: Settings,
    secret: GetSecret,
    dialect: Dialect,
    store: Store,
    service_time: ServiceTime,
    *,
    recall: Recall | None,
) -> Callable[[], Worker]:
    """What builds, in a thread of its own, the worker that goes on from there and sends."""

    def show(news: str) -> None:
        store.set_link(replace(store.link, host_news=news))
        store.notify()

    def build() -> Worker:
        from paytui.cli.cached import kept
        from paytui.cli.office import open_office
        from paytui.cli.webhooks import webhook_listener

        return build_worker(
            settings,
            secret,
            dialect,
            store,
            service_time,
            office=open_office(settings, dialect, service_time),
            listener=webhook_listener(settings.webhooks, dialect),
            keeping=kept(settings, store, service_time.clock, recall),
            tell=show,
        )

    return build
