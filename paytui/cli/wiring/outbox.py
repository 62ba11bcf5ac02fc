"""The outbox of a profile, and the listener for its webhooks."""

from __future__ import annotations

import getpass
import os
import platform
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paytui.api.dialect import Dialect
from paytui.config.settings import Profile, Settings, WebhookSettings
from paytui.outbox.errors import OutboxDamaged, OutboxError
from paytui.outbox.history import OutboxReader
from paytui.outbox.outbox import LockedOutbox
from paytui.outbox.paths import outbox_path
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import ServiceTime
from paytui.platform.secret import Secret, SecretCommand, SecretFile, SecretSource, SecretVariable
from paytui.worker.intents.entry_builder import EntryBuilder
from paytui.worker.intents.service import SendContext, SendingDisabled

if TYPE_CHECKING:
    from paytui.worker.worker import MakeListener


def open_send_context(
    settings: Settings, dialect: Dialect, service_time: ServiceTime
) -> SendContext | SendingDisabled:
    """Open the outbox for sending, in the sending thread; the result says if that is disabled."""
    profile = settings.profile
    path = outbox_path(profile.name, settings.outbox.folder)
    if profile.read_only:
        return SendingDisabled("This profile is read-only.", _history(path))
    drafting = _drafting(profile, dialect, service_time)
    try:
        outbox = LockedOutbox(path, host=drafting.host, since=service_time.clock.now())
    except OutboxError as error:
        damaged = isinstance(error, OutboxDamaged)
        return SendingDisabled(str(error.problem), _history(path), damaged=damaged)
    log = Syslog() if settings.outbox.audit_syslog else None
    return SendContext(outbox, drafting, log, profile)


def read_only_outbox(settings: Settings) -> SendingDisabled:
    """Return a read-only view of the outbox, which another process may own."""
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    return SendingDisabled("This program only watches.", _history(path))


def _drafting(profile: Profile, dialect: Dialect, service_time: ServiceTime) -> EntryBuilder:
    return EntryBuilder(
        profile=profile.name,
        base_url=profile.base_url,
        client_id=profile.client_id,
        idempotency=dialect.idempotency,
        gateway_patience=dialect.gateway_patience,
        time=service_time,
        user=_user(),
        host=platform.node(),
    )


def _user() -> str:
    """Return the user's name, or `uid N` if there is none, as in a container."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"uid {os.getuid()}"


def _history(path: Path) -> OutboxReader | None:
    with suppress(OutboxError):
        return OutboxReader(path)
    return None


VARIABLE = "PAYTUI_WEBHOOK_SECRET"


def webhook_listener(settings: WebhookSettings, dialect: Dialect) -> MakeListener | None:
    """Return a factory of the listener; None if webhooks are disabled, and nothing is loaded."""
    if not settings.enabled or settings.path is None:
        return None
    from paytui.api.events import EventReader
    from paytui.worker.webhooks import WebhookListener, WebhookOptions

    options = WebhookOptions(
        host=settings.host,
        port=settings.port,
        path=settings.path,
        reader=EventReader(dialect),
        secret=_secret(settings),
    )
    return partial(WebhookListener, options)


def _secret(settings: WebhookSettings) -> Callable[[], Awaitable[Secret]] | None:
    from paytui.platform.daemon_thread import run_in_daemon_thread

    source = webhook_source(settings)
    return None if source is None else partial(run_in_daemon_thread, source.read)


def webhook_source(settings: WebhookSettings) -> SecretSource | None:
    """Return the first source that is set; without one, any local process can send events."""
    if settings.secret_command:
        return SecretCommand(settings.secret_command, "webhooks.secret_command")
    if settings.secret_file is not None:
        return SecretFile(settings.secret_file, "webhooks.secret_file")
    return SecretVariable(VARIABLE, os.environ) if os.environ.get(VARIABLE) else None
