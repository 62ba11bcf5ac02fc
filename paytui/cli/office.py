"""The outbox of a profile, opened for the one process that sends; or why nothing is sent."""

from __future__ import annotations

import getpass
import os
import platform
from contextlib import suppress
from pathlib import Path

from paytui.api.dialect import Dialect
from paytui.config.settings import Profile, Settings
from paytui.outbox.errors import OutboxDamaged, OutboxError
from paytui.outbox.history import History
from paytui.outbox.outbox import OwnedOutbox
from paytui.outbox.paths import outbox_path
from paytui.outbox.syslog import Syslog
from paytui.platform.clock import ServiceTime
from paytui.worker.intents.entry_builder import Drafting
from paytui.worker.intents.service import Closed, Office


def open_office(settings: Settings, dialect: Dialect, service_time: ServiceTime) -> Office | Closed:
    """Open the outbox and what else sending needs, in the thread that sends."""
    profile = settings.profile
    path = outbox_path(profile.name, settings.outbox.folder)
    if profile.read_only:
        return Closed("This profile is read-only.", _history(path))
    drafting = _drafting(profile, dialect, service_time)
    try:
        outbox = OwnedOutbox(path, host=drafting.host, since=service_time.clock.now())
    except OutboxError as error:
        damaged = isinstance(error, OutboxDamaged)
        return Closed(str(error.problem), _history(path), damaged=damaged)
    log = Syslog() if settings.outbox.audit_syslog else None
    return Office(outbox, drafting, log, profile)


def watched_outbox(settings: Settings) -> Closed:
    """Return a read-only view of the outbox, which another process may own."""
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    return Closed("This program only watches.", _history(path))


def _drafting(profile: Profile, dialect: Dialect, service_time: ServiceTime) -> Drafting:
    return Drafting(
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


def _history(path: Path) -> History | None:
    with suppress(OutboxError):
        return History(path)
    return None
