"""The idle lock of a configuration."""

from __future__ import annotations

from datetime import timedelta

from paytui.config.document import Document
from paytui.config.settings import LockSettings, UnlockCommand


def lock_of(document: Document) -> LockSettings:
    """When nothing is created any more: the user's time or the operator's, the shorter of both."""
    operators, own = document.operator.says.lock, document.contents.lock
    times = [table.after for table in (operators, own) if table.after is not None]
    commands = (
        UnlockCommand(tuple(operators.unlock_command), is_operators=True),
        UnlockCommand(tuple(own.unlock_command)),
    )
    return LockSettings(
        after=timedelta(seconds=min(times)) if times else None,
        unlock_command=tuple(command for command in commands if command.argv),
    )
