"""What is kept on this machine: whether it is the user's alone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from paytui.api.http.token import TokenCell
from paytui.cli.checkup.changeable import who_can_change
from paytui.cli.checkup.finding import Finding, error, fine, note, warning
from paytui.cli.exit_codes import ExitCode
from paytui.cli.token_sharing import token_cell
from paytui.config.settings import Settings
from paytui.outbox.errors import OutboxError
from paytui.outbox.outbox import is_owned
from paytui.outbox.paths import check_place, outbox_path
from paytui.platform.clock import SystemClock
from paytui.store.cache import file as cache


def files(settings: Settings) -> Iterator[Finding]:
    """Look at the outbox, the cache, and the token that is shared."""
    yield _outbox(settings)
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    yield from who_can_change(path.parent, "can take away what was confirmed")
    yield _cache(settings)
    yield _token(settings)


def _outbox(settings: Settings) -> Finding:
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    if not path.parent.exists():
        return fine("outbox", f"{path} is made, for you alone, at the first start")
    try:
        check_place(path)
    except OutboxError as found:
        problem = found.problem
        return error("outbox", problem.what, problem.remedy, ExitCode.USAGE)
    if is_owned(path):
        return note("outbox", f"{path} is in use by a dashboard that runs")
    return fine("outbox", f"{path} is yours alone")


def _cache(settings: Settings) -> Finding:
    if not settings.cache.enabled:
        return fine("cache", "none is kept")
    path = cache.cache_path(settings.profile.base_url, settings.profile.client_id)
    if not path.exists():
        return fine("cache", f"{path.parent}: nothing is kept yet")
    try:
        cache.check_place(path)
    except cache.Unusable:
        remedy = f"Run: chmod 700 {path.parent}; then: paytui cache clear"
        return warning("cache", f"{path} is not yours alone, and is not used", remedy)
    return fine("cache", f"{path} is yours alone")


def _token(settings: Settings) -> Finding:
    cell = token_cell(settings.profile, SystemClock())
    cell.look()
    asyncio.run(_lock(cell))
    if cell.unshared:
        remedy = "Each program asks for a token of its own, which ends that of the others: mend it."
        return warning("token", f"not shared with other processes: {cell.unshared}", remedy)
    return fine("token", "shared by the processes of this user")


async def _lock(cell: TokenCell) -> None:
    """Do what is done around a renewal: the cell says so where its folder or lock is no good."""
    async with cell.renewing():
        pass
