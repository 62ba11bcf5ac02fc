"""The desk of a profile. Its libraries are imported only if there is one."""

from __future__ import annotations

import asyncio
import os
import platform
import secrets
import shlex
import stat
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from paytui.api.http.token import TokenCell
from paytui.cli.common import ExitCode, Finding, error, fine, note, warning
from paytui.config.settings import DeskSettings, Profile, Settings
from paytui.config.spending_limits import desk_limits
from paytui.config.validation import ConfigError
from paytui.domain.desk_limits import DeskLimits
from paytui.domain.models import Problem
from paytui.outbox.file import outbox_path
from paytui.outbox.shared_log import TRIED_AGAIN, LogAway
from paytui.platform.clock import Clock, ServiceTime, SystemClock, boot_id
from paytui.platform.files import owner_key
from paytui.store.colleagues import ColleagueExchange
from paytui.store.shared_readings import Exchange

if TYPE_CHECKING:
    from paytui.outbox.outbox import Outbox
    from paytui.outbox.shared_log import SharedLog

LIBRARIES = ("psycopg", "cryptography")


def require_libraries(profile: Profile) -> DeskSettings:
    """Return the settings of a profile's desk.

    Raises:
        ConfigError: there is no desk, its libraries are missing, or its password is open to others.
    """
    key = f"profiles.{profile.name}.desk"
    if profile.desk is None:
        remedy = "docs/desk.md tells how to set one up."
        raise ConfigError(profile.file, key, "is missing", remedy)
    if missing := missing_libraries():
        needs = f"needs {' and '.join(missing)}, which is not installed"
        raise ConfigError(profile.file, key, needs, "Run: pip install 'paytui[desk]'")
    _check_password_file()
    return profile.desk


def _check_password_file() -> None:
    """Refuse a file that libpq ignores, with a warning on the terminal for each connection."""
    path = Path(os.environ.get("PGPASSFILE") or Path.home() / ".pgpass")
    with suppress(OSError):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            remedy = f"Run: chmod 600 {shlex.quote(str(path))}"
            raise ConfigError(path, "", f"can be read by others (mode {mode:04o})", remedy)


def missing_libraries() -> list[str]:
    return [name for name in LIBRARIES if find_spec(name) is None]


def tried_once(problem: Problem) -> Problem:
    """Return a problem for a command that, unlike a dashboard, does not connect again."""
    remedy = "Start PostgreSQL, or check host and port in desk.dsn." * ("away" in problem.what)
    return replace(problem, remedy=remedy) if problem.remedy == TRIED_AGAIN else problem


def desk_log(
    profile: Profile,
    path: Path,
    patience: timedelta,
    clock: Clock,
    outbox: Outbox | None = None,
) -> SharedLog | None:
    """Return the log of the profile's desk, to send by an outbox or only to read; None without one.

    Raises:
        ConfigError: see `require_libraries`.
    """
    if profile.desk is None:
        return None
    desk = require_libraries(profile)
    from paytui.desk.database import Database
    from paytui.desk.log import DeskLog, OpenOutbox
    from paytui.outbox.desk_record import DeskRecord, read_record

    memory = None if outbox is None else DeskRecord(outbox)
    identity, seen = read_record(path) if memory is None else (memory.identity, memory.seen)
    opened = OpenOutbox(
        identity=identity,
        run=None if memory is None else secrets.token_urlsafe(6),
        file=_file_of(path),
        host=platform.node(),
        path=str(path),
    )
    return DeskLog(
        Database(desk.dsn),
        owner_key(profile.base_url, profile.client_id),
        opened,
        patience=patience,
        clock=clock,
        seen=seen,
    )


def _file_of(path: Path) -> str:
    """Return a text that tells a file from its copies, here and elsewhere."""
    with suppress(OSError):
        found = path.stat()
        return f"{boot_id() or platform.node()} {found.st_dev} {found.st_ino}"
    return ""


def exchanges(
    cell: TokenCell, log: SharedLog | None, time: ServiceTime
) -> tuple[Exchange, ColleagueExchange]:
    """Return the exchange of rows between the seats of a desk, and the way to its colleagues.

    They use the connections and the seat of the desk's cell. The log is told of news by its
    connection, too.
    """
    from paytui.desk.colleagues import DeskColleagues
    from paytui.desk.log import DeskLog
    from paytui.desk.shared_reads import RowExchange
    from paytui.desk.token import DeskTokenCell

    assert isinstance(cell, DeskTokenCell)
    if isinstance(log, DeskLog):
        log.heard_by = cell.listen
    return RowExchange(cell), DeskColleagues(cell, time)


def _look(settings: Settings) -> None:
    """Look at the desk's log as a dashboard does; raise LogAway if nothing could be sent by it."""
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    log = desk_log(settings.profile, path, timedelta(), SystemClock())
    assert log is not None
    try:
        asyncio.run(log.look())
    finally:
        log.close()


def desk_findings(settings: Settings) -> Iterator[Finding]:
    """Check that the desk's database can be used, and is safe to use."""
    profile = settings.profile
    try:
        desk = require_libraries(profile)
    except ConfigError as found:
        yield error("desk", str(found), "", ExitCode.USAGE)
        return
    from paytui.desk import checks
    from paytui.desk.database import DeskAway, connect, has_pooler, limited
    from paytui.desk.log import log_state
    from paytui.worker.intents.desk_link import why_other_limits

    try:
        with closing(connect(desk.dsn)) as connection:
            _look(settings)
            with limited(connection):
                weak = [*checks.weaknesses(connection)]
                log = log_state(connection)
                limits = checks.limits_state(
                    connection, owner_key(profile.base_url, profile.client_id)
                )
                standby = checks.standbys(connection)
                pooler = has_pooler(connection)
            if not weak:
                yield fine("desk", "role, connection and settings of the server are safe")
            for each in weak:
                yield warning("desk", each.what, each.remedy)
            of_desk = DeskLimits() if limits is None else limits[0]
            if other := why_other_limits(desk_limits(profile), of_desk):
                yield error("desk", other, "", ExitCode.USAGE)
            if not log.is_open:
                hosts = ", ".join(log.waits_for)
                what = f"nothing is sent until these hand in their intents: {hosts}"
                yield warning("desk", what, "Start paytui there, or see docs/desk.md.")
            news = checks.news_time(desk.listen_dsn or desk.dsn, connection)
            yield _news_finding(news, False if desk.listen_dsn else pooler)
            commit = checks.commit_time(connection)
    except (DeskAway, LogAway) as found:
        problem = tried_once(found.problem)
        what = problem.what + (f" ({problem.said})" if problem.said else "")
        yield error("desk", what, problem.remedy, ExitCode.UNREACHABLE)
        return
    if standby.names:
        kept = f"and by its synchronous standby ({standby.names}) "
    elif standby.connected:
        kept = "but not by its standby, which may lack the last rows in a failover, "
    else:
        kept = "by this server alone "
    yield fine("desk", f"its database confirms commits, {kept}in {commit * 1000:.0f} ms")


def _news_finding(took: float | None, pooler: bool | None) -> Finding:
    """Return the way by which news come; `pooler` is None if it is not known if there is one."""
    if took is not None:
        through = {True: ", through a pooler", None: ", perhaps through a pooler", False: ""}
        return fine("desk", f"notifications arrive in {took * 1000:.0f} ms{through[pooler]}")
    if pooler:
        what = "a pooler in transaction mode drops notifications: news take up to two seconds"
        return note("desk", what, "Name a direct connection in listen_dsn, if that is too long.")
    what = "notifications do not arrive: news take up to two seconds"
    return warning("desk", what, "Name a direct connection to the primary in listen_dsn.")
