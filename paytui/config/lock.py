"""The idle lock of a configuration."""

from __future__ import annotations

from datetime import timedelta

from paytui.config.document import Document
from paytui.config.settings import LockSettings


def lock_of(document: Document) -> LockSettings:
    """When nothing is created any more: the user's time or the operator's, the shorter of both."""
    tables = (document.operator.says.lock, document.contents.lock)
    times = [table.after for table in tables if table.after is not None]
    commands = (tuple(table.unlock_command) for table in tables)
    return LockSettings(
        after=timedelta(seconds=min(times)) if times else None,
        unlock_command=tuple(filter(None, commands)),
    )
