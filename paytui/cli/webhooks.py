"""The listener for webhooks that a configuration asks for."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from paytui.api.dialect import Dialect
from paytui.config.settings import WebhookSettings
from paytui.platform.secret import Secret, SecretCommand, SecretFile, SecretSource, SecretVariable

if TYPE_CHECKING:
    from paytui.worker.worker import MakeListener

VARIABLE = "PAYTUI_WEBHOOK_SECRET"


def webhook_listener(settings: WebhookSettings, dialect: Dialect) -> MakeListener | None:
    """What makes it; None, and nothing loaded, where nothing is listened for."""
    if not settings.enabled or settings.path is None:
        return None
    from paytui.api.events import EventReader
    from paytui.worker.webhooks import WebhookOptions, Webhooks

    options = WebhookOptions(
        host=settings.host,
        port=settings.port,
        path=settings.path,
        reader=EventReader(dialect),
        secret=_secret(settings),
    )
    return partial(Webhooks, options)


def _secret(settings: WebhookSettings) -> Callable[[], Awaitable[Secret]] | None:
    from paytui.platform.daemon_thread import in_a_thread

    source = webhook_source(settings)
    return None if source is None else partial(in_a_thread, source.read)


def webhook_source(settings: WebhookSettings) -> SecretSource | None:
    """The first that there is; without one, anybody on this machine can send events."""
    if settings.secret_command:
        return SecretCommand(settings.secret_command, "webhooks.secret_command")
    if settings.secret_file is not None:
        return SecretFile(settings.secret_file, "webhooks.secret_file")
    return SecretVariable(VARIABLE, os.environ) if os.environ.get(VARIABLE) else None
