"""Putting a damaged outbox aside, by its user's word alone: it is renamed, never deleted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from paytui.domain.models import Problem
from paytui.outbox.database import connect
from paytui.outbox.errors import NoOutbox, OutboxDamaged, OutboxError, explained
from paytui.outbox.opening import open_file
from paytui.outbox.owner import Owner
from paytui.outbox.place import check_place


def set_aside(path: Path, host: str, now: datetime) -> Path:
    """Rename a damaged outbox, so that a new one can be made in its place.

    Args:
        path: of its file.
        host: ours, told to whoever wants the outbox meanwhile.
        now: part of the new name.

    Returns:
        Where it is now.

    Raises:
        OwnedElsewhere: a process sends from it.
        OutboxError: it is not damaged, or cannot be renamed.
    """
    if not path.exists():
        raise NoOutbox("put the outbox aside", path)
    check_place(path)
    owner = Owner(path, host, now)
    try:
        _refuse_sound(path)
        aside = path.with_name(f"{path.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S%fZ}")
        with explained("put the outbox aside", path):
            path.rename(aside)
    finally:
        owner.release()
    return aside


def _refuse_sound(path: Path) -> None:
    """Open it once more: SQLite then also takes back what a dead process left half done."""
    try:
        with explained("look at the outbox", path):
            connection, _ = open_file(path, connect)
            connection.close()
    except OutboxDamaged:
        return
    raise OutboxError(
        Problem(
            "put the outbox aside",
            f"{path} is not damaged",
            remedy="Nothing was changed: what is open in it can be settled in the dashboard.",
        )
    )
