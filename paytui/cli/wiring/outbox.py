"""The outboxes of this user, and the listener for webhooks."""

from __future__ import annotations

import getpass
import os
import platform
from contextlib import closing, suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paytui.api.dialect import Dialect
from paytui.config.settings import Profile, Settings, WebhookSettings
from paytui.domain.intent import IntentRow, Standing
from paytui.outbox.errors import OutboxDamaged, OutboxError
from paytui.outbox.paths import SUFFIX, outbox_path
from paytui.platform.clock import Clock, ServiceTime
from paytui.platform.secret import SecretCommand, SecretFile, SecretSource, SecretVariable

if TYPE_CHECKING:
    from paytui.outbox.entry import RecordedIntent
    from paytui.outbox.outbox import Outbox, OutboxReader
    from paytui.outbox.shared_log import SharedLog
    from paytui.worker.intents.intent_service import SendContext, SendingDisabled
    from paytui.worker.worker import MakeListener


def open_send_context(
    settings: Settings, dialect: Dialect, service_time: ServiceTime
) -> SendContext | SendingDisabled:
    """Open the outbox for sending, in the sending thread; the result says if that is disabled."""
    from paytui.outbox.outbox import LockedOutbox
    from paytui.outbox.syslog import Syslog
    from paytui.worker.intents.intent_service import SendContext, SendingDisabled
    from paytui.worker.intents.retry_rules import RetryRules

    profile = settings.profile
    path = outbox_path(profile.name, settings.outbox.folder)
    clock, patience = service_time.clock, dialect.gateway_patience
    if profile.read_only:
        desk = _desk_log(profile, path, patience, clock)
        return SendingDisabled("This profile is read-only.", _history(path), desk=desk)
    host = platform.node()
    retry_rules = RetryRules(
        profile=profile.name,
        base_url=profile.base_url,
        client_id=profile.client_id,
        idempotency=dialect.idempotency,
        gateway_patience=dialect.gateway_patience,
        time=service_time,
        user=_role(profile) or _system_user(),
        host=host,
        repeats_by_itself=profile.desk is None,
    )
    try:
        outbox = LockedOutbox(path, host=host, since=clock.now())
    except OutboxError as error:
        damaged = isinstance(error, OutboxDamaged)
        desk = _desk_log(profile, path, patience, clock)
        return SendingDisabled(str(error.problem), _history(path), damaged=damaged, desk=desk)
    log = Syslog() if settings.outbox.audit_syslog else None
    desk = _desk_log(profile, path, patience, clock, outbox)
    return SendContext(outbox, retry_rules, log, profile, desk)


def _role(profile: Profile) -> str:
    """Return the database role that a desk's log names for this trader; "" without a desk."""
    if profile.desk is None:
        return ""
    from paytui.cli.wiring.desk import require_libraries

    dsn = require_libraries(profile).dsn
    from paytui.desk.database import role_of

    return role_of(dsn)


def _system_user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name, as in a container
        return f"uid {os.getuid()}"


def _desk_log(
    profile: Profile,
    path: Path,
    patience: timedelta,
    clock: Clock,
    outbox: Outbox | None = None,
) -> SharedLog | None:
    """Return the log of the profile's desk, to send by an outbox or only to read; None without one.

    Raise ConfigError if its libraries are missing.
    """
    if profile.desk is None:
        return None
    from paytui.cli.wiring.desk import desk_log
    from paytui.outbox.desk_memory import DeskMemory

    memory = None if outbox is None else DeskMemory(outbox)
    return desk_log(profile, path, patience, clock, memory)


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
    from paytui.worker.webhook_listener import WebhookListener, WebhookOptions

    source = webhook_source(settings)
    options = WebhookOptions(
        host=settings.host,
        port=settings.port,
        path=settings.path,
        reader=EventReader(dialect),
        secret=partial(run_in_daemon_thread, source.read) if source else None,
    )
    return partial(WebhookListener, options)


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
