"""The parts of a profile: its client, its outbox, its worker with the listener for webhooks.

Each function imports what it builds: `status` never loads Textual, and the dashboard loads the
client in the worker's thread, after the first paint.
"""

from __future__ import annotations

import asyncio
import getpass
import os
import platform
import random
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing, closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from paytui.api.dialect import Dialect, DialectError, load_dialect
from paytui.api.resources import READS
from paytui.cli.common import CommandError, ExitCode, print_notice
from paytui.cli.wiring.secrets import read_secret
from paytui.config.settings import Polling, Profile, Settings, WebhookSettings
from paytui.domain.intent import IntentRow, Standing
from paytui.domain.models import Kind
from paytui.domain.requests import AddedField, DialectFeatures, section_of
from paytui.outbox.file import SUFFIX, OutboxDamaged, OutboxError, outbox_path
from paytui.platform.clock import Clock, ServiceTime, SystemClock, boot_id
from paytui.platform.files import owner_key
from paytui.platform.secret import Secret, SecretCommand, SecretFile, SecretSource, SecretVariable
from paytui.store.health import WorkerMetrics
from paytui.store.store import Store
from paytui.worker.worker_thread import Inbox, LookupLoop

if TYPE_CHECKING:
    from paytui.api.client import Client
    from paytui.api.http.token import TokenCell
    from paytui.outbox.entry import RecordedIntent
    from paytui.outbox.outbox import OutboxReader
    from paytui.worker.intents.intent_service import SendContext, SendingDisabled
    from paytui.worker.sync.book_recorder import HistoryRecorder
    from paytui.worker.sync.cache_writer import CacheSync
    from paytui.worker.worker import MakeListener, Worker


GetSecret = Callable[[], Secret]
T = TypeVar("T")


def dialect_of(profile: Profile) -> Dialect:
    """Return the profile's dialect.

    Raise DialectError if it cannot be used; the message names the entry of the configuration.
    """
    try:
        return load_dialect(profile.dialect)
    except DialectError as error:
        raise DialectError(f"{profile.entry('dialect')}: {error}") from None


def vocabulary_of(dialect: Dialect) -> DialectFeatures:
    """Return the canonical side of a dialect: screens know no wire names."""
    states = {
        kind: tuple(dict.fromkeys(dialect.states[name].values()))
        for kind, read in READS.items()
        if (name := section_of(read.record)) in dialect.states
    }
    return DialectFeatures(
        currencies=dialect.currencies,
        values={name: tuple(values) for name, values in dialect.values.items()},
        states={kind: tuple(state.name for state in known) for kind, known in states.items()},
        settled={
            kind: tuple(state.name for state in known if state.settled)
            for kind, known in states.items()
        },
        refused=dialect.refused,
        required=dialect.required,
        unsent={
            request: frozenset(name for name, paths in dialect.fields[request].items() if not paths)
            for request in dialect.required
        },
        added={
            request: tuple(
                AddedField(key=key, label=extra.label, kind=extra.kind)
                for key, extra in fields.items()
            )
            for request, fields in dialect.extra.items()
        },
        missing=frozenset(name for name, routes in dialect.paths.items() if not routes),
        unread=frozenset(kind for kind in Kind if not is_read(dialect, kind)),
    )


def is_read(dialect: Dialect, kind: Kind) -> bool:
    """Return True if a dialect has a read of single objects of a kind, or a list of all."""
    if kind not in READS:
        return True
    read = READS[kind]
    reads = {read.get, "" if read.parent else read.operation}
    if kind is Kind.RECIPIENTS:
        reads.add("list_payment_addresses")  # names the recipient and its payment addresses
    return any(dialect.paths.get(name) for name in reads)


def shared_cell(profile: Profile, clock: Clock) -> TokenCell:
    """Return the cell of the profile's desk, or of this host.

    Raise ConfigError if the profile has a desk, and its libraries are missing.
    """
    if profile.desk is None:
        return token_cell(profile, clock)
    from paytui.cli.wiring.desk import require_libraries

    desk = require_libraries(profile)
    from paytui.desk.database import Database
    from paytui.desk.token import DeskTokenCell

    owner = owner_key(profile.base_url, profile.client_id)
    return DeskTokenCell(Database(desk.dsn), desk.listen_dsn or desk.dsn, owner, clock)


def token_cell(profile: Profile, clock: Clock) -> TokenCell:
    """Return a cell in the profile's token file, or in the user's runtime folder.

    Without such a folder the token is this process's own, and `unshared` says why.
    """
    from platformdirs import user_runtime_path

    from paytui.api.http.token import TokenCell
    from paytui.api.http.token_file import SharedTokenCell, TokenFile

    alone = TokenCell()
    owner = owner_key(profile.base_url, profile.client_id)
    if (path := profile.token_file) is None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that it falls back to another folder
                folder = user_runtime_path("paytui", appauthor=False, ensure_exists=True)
        except OSError as error:
            alone.unshared = str(error)
            return alone
        path = folder / f"token-{owner}"
    if (boot := boot_id()) is None:
        alone.unshared = "this system has no boot id"
        return alone
    return SharedTokenCell(TokenFile(path, owner, boot, clock), clock)


@dataclass(frozen=True, slots=True)
class ProfileContext:
    """The objects that all parts of one profile share: `time` is the service's clock."""

    settings: Settings
    secret: GetSecret
    dialect: Dialect
    store: Store
    time: ServiceTime


def new_context(settings: Settings, secret: GetSecret) -> ProfileContext:
    """Return a context with an empty store.

    Raise DialectError if the profile's dialect cannot be used.
    """
    dialect = dialect_of(settings.profile)
    return ProfileContext(settings, secret, dialect, Store(), ServiceTime(SystemClock()))


def build_client(
    context: ProfileContext,
    polling: Polling,
    *,
    anew: bool = False,
    tell: Callable[[str], None] = print_notice,
    patient: bool = True,
    cell: TokenCell | None = None,
) -> Client:
    """Return a client of a profile's service; its token is in `cell`, or in that of the profile.

    With `anew` it does not reuse a shared token: only a login of its own proves a secret. `tell` is
    called with news of the host before anything is sent. A command that reads once is not
    `patient`: see `Auth`.
    """
    from paytui.api.client import Client, Credentials
    from paytui.api.http.transport import Timeouts
    from paytui.cli.wiring.known_hosts import known_host, tls_policy_of

    profile = context.settings.profile
    cell = cell or shared_cell(profile, context.time.clock)
    if anew:
        cell.look()  # what is there now counts as seen
    return Client(
        profile.base_url,
        Credentials(profile.client_id, context.secret),
        context.dialect,
        context.time,
        random.SystemRandom(),
        cell=cell,
        timeouts=Timeouts(reads=polling.requests_per_minute),
        tls_policy=tls_policy_of(profile, known_host(profile, tell)),
        patient=patient,
    )


def build_worker(
    context: ProfileContext,
    *,
    office: SendContext | SendingDisabled | None = None,
    listener: MakeListener | None = None,
    keeping: CacheSync | None = None,
    history: HistoryRecorder | None = None,
    tell: Callable[[str], None] = print_notice,
    patient: bool = True,
) -> Worker:
    """Return the worker that reads a profile's service; it sends only with a `SendContext`.

    `tell` and `patient` are as for `build_client`. With a `history` it meets the colleagues of a
    desk: it is a dashboard's.
    """
    from paytui.config.load import TrackedIdentifiersReader
    from paytui.config.validation import validate
    from paytui.config.validation_cache import CachingValidator, validation_cache_path
    from paytui.worker.intents.intent_service import READS_ONLY
    from paytui.worker.sync.shared import PollSchedule
    from paytui.worker.worker import Worker

    polling, file = context.settings.polling, context.settings.profile.file
    profile, clock = context.settings.profile, context.time.clock
    cell = shared_cell(profile, clock)
    exchange = colleagues = None
    if profile.desk is not None:
        from paytui.cli.wiring.desk import exchanges

        log = None if office is None else office.desk
        exchange, colleagues = exchanges(cell, log, context.time)
    check = validate if file is None else CachingValidator(validation_cache_path(file))
    return Worker(
        build_client(context, polling, tell=tell, patient=patient, cell=cell),
        context.store,
        context.time,
        random.SystemRandom(),
        PollSchedule(polling.intervals, paused=polling.paused),
        tracked=TrackedIdentifiersReader(context.settings, check),
        sending=office or READS_ONLY,
        listener=listener,
        cache_sync=keeping,
        history=history,
        exchange=exchange,
        colleagues=None if history is None else colleagues,
    )


def ask_service(
    settings: Settings,
    use: Callable[[Client, Dialect], Awaitable[T]],
    typed: Secret | None = None,
    *,
    anew: bool = False,
) -> T:
    """Return the result of `use`, called with a client of the profile's service and its dialect.

    `typed` is as for `read_secret`. With `anew` no shared token is used,
    so that the login proves the secret.

    Raises:
        CommandError: the service cannot be asked; its exit code tells why.
        DialectError: the profile's dialect cannot be used.
        SecretError: there is no secret.
    """
    from paytui.api.errors import ApiError, AuthRefused

    context = new_context(settings, read_secret(settings, "Asking", typed))

    async def ask() -> T:
        async with aclosing(build_client(context, Polling(), anew=anew, patient=False)) as client:
            return await use(client, context.dialect)

    try:
        return asyncio.run(ask())
    except ApiError as error:
        refused = isinstance(error, AuthRefused)
        code = ExitCode.REFUSED if refused else ExitCode.UNREACHABLE
        raise CommandError(str(error), code) from None


def take_snapshot(settings: Settings, secret: GetSecret) -> tuple[ProfileContext, WorkerMetrics]:
    """Read everything once; failures are in the health of the context's feeds.

    Raise DialectError if the profile's dialect cannot be used.
    """
    context = new_context(settings, secret)

    async def read() -> tuple[ProfileContext, WorkerMetrics]:
        office = read_only_outbox(settings)
        async with aclosing(build_worker(context, office=office, patient=False)) as worker:
            await worker.sync_once()
            return context, worker.vitals()

    return asyncio.run(read())


def read_all(settings: Settings) -> Store:
    """Read everything once, and say so on stderr; failures are in the feeds' health.

    Raises:
        DialectError: the profile's dialect cannot be used.
        SecretError: there is no secret.
    """
    context, _ = take_snapshot(settings, read_secret(settings, "Reading"))
    return context.store


def run_worker(
    context: ProfileContext,
    follow: Callable[
        [Callable[[], WorkerMetrics], asyncio.Task[None]], Coroutine[None, None, None]
    ],
) -> None:
    """Run a worker that sends nothing until `follow`, called with its metrics and task, returns."""

    async def run() -> None:
        office = read_only_outbox(context.settings)
        async with aclosing(build_worker(context, office=office)) as worker:
            running = asyncio.create_task(worker.run(Inbox()))
            try:
                await follow(worker.vitals, running)
                await running
            finally:
                running.cancel()
                await asyncio.wait([running])

    run_in_loop(run())


def run_in_loop(main: Coroutine[object, object, T]) -> T:
    """Run a coroutine in a loop whose pending name lookups do not hold up the exit."""
    with asyncio.Runner(loop_factory=LookupLoop) as runner:
        return runner.run(main)


# Outboxes, and the listener


def open_send_context(
    settings: Settings, dialect: Dialect, service_time: ServiceTime
) -> SendContext | SendingDisabled:
    """Open the outbox for sending, in the sending thread; the result says if that is disabled."""
    from paytui.cli.wiring.desk import desk_log
    from paytui.outbox.outbox import LockedElsewhere, open_outbox
    from paytui.outbox.syslog import Syslog
    from paytui.worker.intents.intent_service import SendContext, SendingDisabled
    from paytui.worker.intents.retry_rules import RetryRules

    profile = settings.profile
    path = outbox_path(profile.name, settings.outbox.folder)
    clock, patience = service_time.clock, dialect.gateway_patience
    if profile.read_only:
        desk = desk_log(profile, path, patience, clock)
        return SendingDisabled("This profile is read-only.", _history(path), desk=desk)
    host = platform.node()
    retry_rules = RetryRules(
        profile=profile.name,
        base_url=profile.base_url,
        client_id=profile.client_id,
        idempotency=dialect.idempotency,
        gateway_patience=patience,
        time=service_time,
        user=_user(profile),
        host=host,
        repeats_by_itself=profile.desk is None,
    )
    try:
        outbox = open_outbox(path, host=host, since=clock.now())
    except OutboxError as error:
        damaged = isinstance(error, OutboxDamaged)
        desk = desk_log(profile, path, patience, clock)
        is_owned = isinstance(error, LockedElsewhere)
        why, history = str(error.problem), _history(path)
        return SendingDisabled(why, history, damaged=damaged, desk=desk, is_owned=is_owned)
    log = Syslog() if settings.outbox.audit_syslog else None
    desk = desk_log(profile, path, patience, clock, outbox)
    return SendContext(outbox, retry_rules, log, profile, desk)


def _user(profile: Profile) -> str:
    """Return the database role that a desk's log names for this trader, or the system's name."""
    if profile.desk is not None:
        from paytui.cli.wiring.desk import require_libraries

        dsn = require_libraries(profile).dsn
        from paytui.desk.database import role_of

        if role := role_of(dsn):
            return role
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name, as in a container
        return f"uid {os.getuid()}"


def read_only_outbox(settings: Settings) -> SendingDisabled:
    """Return a read-only view of the outbox, which another process may own."""
    from paytui.worker.intents.intent_service import SendingDisabled

    path = outbox_path(settings.profile.name, settings.outbox.folder)
    return SendingDisabled("This program only reads.", _history(path))


def _history(path: Path) -> OutboxReader | None:
    from paytui.outbox.outbox import OutboxReader

    with suppress(OutboxError):
        return OutboxReader(path)
    return None


VARIABLE = "PAYTUI_WEBHOOK_SECRET"


def webhook_listener(settings: WebhookSettings, dialect: Dialect) -> MakeListener | None:
    """Return a factory of the listener; None if webhooks are disabled, and nothing is loaded."""
    if not settings.enabled or settings.path is None:
        return None
    from paytui.api.wire.codec import EventReader
    from paytui.platform.processes import run_in_daemon_thread
    from paytui.worker.webhook_listener import WebhookListener

    source = webhook_source(settings)
    secret = partial(run_in_daemon_thread, source.read) if source else None
    return partial(WebhookListener, settings, EventReader(dialect), secret)


def webhook_source(settings: WebhookSettings) -> SecretSource | None:
    """Return the first source that is set; without one, any local process can send events."""
    if settings.secret_command:
        return SecretCommand(settings.secret_command, "webhooks.secret_command")
    if settings.secret_file is not None:
        return SecretFile(settings.secret_file, "webhooks.secret_file")
    return SecretVariable(VARIABLE, os.environ) if os.environ.get(VARIABLE) else None


def read_intents(path: Path) -> tuple[list[tuple[RecordedIntent, IntentRow]], OutboxDamaged | None]:
    """Return each intent with its row, and the damage that ended the read, if any.

    An intent whose sender ended while sending is in doubt.

    Raise NoOutbox if nothing was recorded yet.
    """
    from paytui.outbox.outbox import OutboxReader
    from paytui.worker.intents.journal import left_in_doubt, row_of

    with closing(OutboxReader(path)) as reader:
        owned = reader.is_owned()  # asked first: what an owner wrote at its end is then seen
        found = [(recorded, row_of(recorded)) for recorded in reader.read()]
    if not owned:
        found = [
            (each, left_in_doubt(row) if row.standing is Standing.SENDING else row)
            for each, row in found
        ]
    return found, reader.damage


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
    counts = {path: _open_for(path, profile) for path in found}
    return [
        f"{'1 intent is' if count == 1 else f'{count} intents are'} open in {path}, for this "
        "service and client. Resolve it from a profile named "
        f'"{path.name.removesuffix(SUFFIX)}" with outbox.folder set to {path.parent}.'
        for path, count in counts.items()
        if count
    ]


def _open_for(path: Path, profile: Profile) -> int:
    from paytui.outbox.entry import standing
    from paytui.outbox.outbox import OutboxReader

    with suppress(OutboxError), closing(OutboxReader(path)) as reader:
        return sum(
            standing(recorded.events).open
            and recorded.entry.base_url == profile.base_url
            and recorded.entry.client_id == profile.client_id
            for recorded in reader.read()
        )
    return 0
