"""Checks of this machine: the configuration, local files, permissions and the terminal."""

from __future__ import annotations

import asyncio
import grp
import os
import pwd
import shlex
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from paytui.api.dialect import DialectError
from paytui.book.file import BookError, BookReader, NoBook, book_path
from paytui.cli.common import (
    CommandError,
    ExitCode,
    Finding,
    ProfileChoice,
    error,
    fine,
    note,
    warning,
)
from paytui.cli.wiring.compose import dialect_of, token_cell
from paytui.cli.wiring.known_hosts import check_tls_files
from paytui.cli.wiring.secrets import secret_source, warning_of
from paytui.config.settings import Profile, Settings
from paytui.config.theme_files import themes_beside
from paytui.config.validation import ConfigError
from paytui.domain.intent import IntentRow
from paytui.domain.models import Kind
from paytui.outbox.file import OutboxError, check_place, outbox_path
from paytui.outbox.outbox import OutboxReader, is_owned
from paytui.platform.clock import SystemClock
from paytui.platform.host import terminal_environment
from paytui.platform.secret import SecretError, SecretFile
from paytui.platform.text import clean
from paytui.store.cache import file as cache
from paytui.store.filter import FilterError, TimeContext, parse_filter
from paytui.store.search_text import named_fields
from paytui.store.store import Store
from paytui.tui.terminal.tty import ColourMode, detected_colours, has_utf8


def check_profile(profile: Profile) -> str:
    """Check a profile; return its dialect and secret source in words. A secret command is not run.

    Raises:
        ConfigError: a file that connections need cannot be used.
        DialectError: its dialect cannot be used.
        SecretError: its secret file cannot be read, or others can read it.
    """
    dialect_of(profile)
    check_tls_files(profile)
    dialect = f"dialect {profile.dialect.name if profile.dialect else 'as shipped'}"
    try:
        source = secret_source(profile)
    except SecretError as error:
        return f"{dialect}; no client secret yet. {error.remedy}"
    if isinstance(source, SecretFile):
        source.read()
    return f"{dialect}; client secret from {warning_of(source) or source.origin}"


def check_views(settings: Settings) -> None:
    """Check that the filters of named views can be parsed; raise CommandError if one cannot."""
    for name, views in settings.views.items():
        fields = named_fields(Store(), IntentRow if name == "intents" else Kind(name))
        for view, wanted in views.items():
            try:
                parse_filter(wanted.filter or "", fields, TimeContext(lambda: datetime.now(UTC)))
            except FilterError as error:
                raise CommandError(f"views.{name}.{view}.filter: {error}") from None


def check_theme(settings: Settings) -> None:
    """Check that the user's own theme can be read; shipped themes always can.

    Raise ConfigError if it cannot.
    """
    themes = themes_beside(settings.profile.file)
    if themes.is_own(settings.display.theme):
        from paytui.tui.themes import read_theme

        read_theme(themes.file(settings.display.theme))


ROOT = 0
PERMISSIONS = "who can change it"


def check_permissions(path: Path, so_that: str) -> Iterator[Finding]:
    """Warn if others than the user and root can change or replace a file.

    Every folder above it is checked too.

    Args:
        path: a file or folder; missing ones are skipped.
        so_that: the harm that others could do, as a clause.
    """
    path = path.resolve()
    for place in (path, *path.parents):
        try:
            status = place.stat()
        except OSError:
            continue
        if status.st_uid not in (os.geteuid(), ROOT):
            what = f"{place} belongs to another user, who {so_that}"
            yield warning(
                PERMISSIONS, what, "Make a copy that is yours, in a folder that is yours."
            )
        elif by := _others(status):
            what = f"{place} can be changed by others (mode {stat.S_IMODE(status.st_mode):04o})"
            remedy = f"Run: chmod {by}-w {shlex.quote(str(place))}"
            yield warning(PERMISSIONS, f"{what}, who {so_that}", remedy)


def _others(status: os.stat_result) -> str:
    """Return the others that can write to a file, as chmod spells them: `g`, `o`, `go`."""
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return ""  # sticky: only owners can remove their files
    by_group = status.st_mode & stat.S_IWGRP and not _is_for_one(status.st_gid)
    return ("g" if by_group else "") + ("o" if status.st_mode & stat.S_IWOTH else "")


def _is_for_one(group: int) -> bool:
    """Return True if the group is root's or has the user as its only member."""
    try:
        known, user = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return known.gr_name in (user, "root") and not set(known.gr_mem) - {user}


CONFIGURATION = "configuration"


def configuration(choice: ProfileChoice) -> Generator[Finding, None, Settings | None]:
    """Check a configuration and who can change it.

    Return the settings; None if they cannot be used.
    """
    path = choice.path
    try:
        settings = choice.load()
        dialect_of(settings.profile)
        check_tls_files(settings.profile)
        check_views(settings)
    except (ConfigError, DialectError) as found:
        yield error(CONFIGURATION, *_split_remedy(found), ExitCode.USAGE)
        return None
    except CommandError as found:
        yield error(CONFIGURATION, found.format_message(), f"Fix it in {path}.", ExitCode.USAGE)
        return None
    chosen = settings.origins["profile"]
    yield fine(CONFIGURATION, f"{path}, profile {settings.profile.name} ({chosen})")
    if settings.operator_locked:
        held = ", ".join(sorted(settings.operator_locked))
        yield fine(CONFIGURATION, f"this machine's operator has set {held}")
    yield from _changeable(path, settings.profile)
    yield from _connection(settings.profile)
    return settings


def _split_remedy(found: ConfigError | DialectError) -> tuple[str, str]:
    """Return the problem and the remedy."""
    if isinstance(found, ConfigError):
        return str(found).removesuffix(f". {found.remedy}"), found.remedy
    what, _, remedy = str(found).rpartition(". ")
    return (what, remedy) if what else (str(found), "Fix the dialect.")


def _changeable(path: Path, profile: Profile) -> Iterator[Finding]:
    yield from check_permissions(path, "can have the secret sent elsewhere")
    if profile.dialect is not None:
        yield from check_permissions(profile.dialect, "can change requests")
    if profile.ca_file is not None:
        yield from check_permissions(profile.ca_file, "can choose who is believed")
    if profile.secret_command and (program := shutil.which(profile.secret_command[0])):
        yield from check_permissions(Path(program), "can learn the secret")


def _connection(profile: Profile) -> Generator[Finding, None, None]:
    said = [
        f"{words} {value}"
        for words, value in (
            ("through the proxy", profile.proxy),
            ("certificate authority", profile.ca_file),
            ("with our certificate", profile.client_cert_file),
            ("one of these certificates:", ", ".join(profile.certificate_sha256)),
        )
        if value
    ]
    if said:
        yield fine("the connection", "; ".join(said))


def files(settings: Settings) -> Iterator[Finding]:
    """Check that outbox, history, cache and shared token are private, and the outbox intact."""
    yield _outbox(settings)
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    yield from check_permissions(path.parent, "can delete confirmed intents")
    yield _book(settings)
    yield _cache(settings)
    if settings.profile.desk is None:
        yield _token(settings)
    else:
        from paytui.cli.wiring.desk import desk_findings

        yield from desk_findings(settings)


def _outbox(settings: Settings) -> Finding:
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    if not path.parent.exists():
        return fine("outbox", f"{path} is created, private to you, at the first start")
    try:
        check_place(path)
        if path.exists():
            with closing(OutboxReader(path)) as reader:
                reader.verify()  # nothing is sent from one that cannot be read
    except OutboxError as found:
        problem = found.problem
        return error("outbox", problem.what, problem.remedy, ExitCode.USAGE)
    if is_owned(path):
        return note("outbox", f"{path} is in use by a running dashboard")
    return fine("outbox", f"{path} is private to you")


def _book(settings: Settings) -> Finding:
    path = book_path(settings.profile.name, settings.outbox.folder)
    try:
        BookReader(path).close()
    except NoBook:
        return fine("history", "nothing recorded yet")
    except BookError as found:
        return warning("history", found.problem.what, found.problem.remedy)
    return fine("history", f"{path} is private to you, {path.stat().st_size / 1e6:.1f} MB")


def _cache(settings: Settings) -> Finding:
    if sqlite3.sqlite_version_info < cache.OLDEST_SQLITE:
        found = f"SQLite {sqlite3.sqlite_version} cannot hold it: long lists show their newest rows"
        return warning("cache", found, "Use a Python with SQLite 3.34 or newer.")
    if not settings.cache.enabled:
        return fine("cache", "none")
    path = cache.cache_path(settings.profile.base_url, settings.profile.client_id)
    if not path.exists():
        return fine("cache", f"{path.parent}: nothing stored yet")
    try:
        cache.check_place(path)
    except cache.CacheUnusable:
        remedy = f"Run: chmod 700 {path.parent}; then: paytui cache clear"
        return warning("cache", f"{path} is not private to you, and is not used", remedy)
    return fine("cache", f"{path} is private to you")


def _token(settings: Settings) -> Finding:
    cell = token_cell(settings.profile, SystemClock())
    cell.look()

    async def lock() -> None:
        """Lock the token as a renewal does: the cell then reports an unusable folder or lock."""
        async with cell.renewing():
            pass

    asyncio.run(lock())
    if cell.unshared:
        remedy = "Each program asks for a token of its own, which ends that of the others: fix it."
        return warning("token", f"not shared with other processes: {cell.unshared}", remedy)
    return fine("token", "shared by the processes of this user")


NARROWEST, SHORTEST = 60, 20  # Cells; a smaller terminal does not show everything
PATIENCE = 2.0  # Seconds for tmux to answer
SLOW_ESCAPE = 50  # Milliseconds; tmux delays the escape key noticeably if its escape-time is longer

TMUX_OPTIONS = ("escape-time", "set-clipboard", "default-terminal", "focus-events")
Option = Callable[[str], str]  # A function that returns a tmux option; empty if unknown

COLOURS = {
    ColourMode.NONE: "no colours",
    ColourMode.SIXTEEN: "16 colours",
    ColourMode.MANY: "256 colours",
    ColourMode.TRUE: "true colours",
}


def terminal(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Check the terminal, its locale and the link to it."""
    yield _terminal(environ)
    yield _locale(environ)
    yield _link(environ)
    if environ.get("TMUX"):
        yield from tmux(tmux_option)


def _terminal(environ: Mapping[str, str]) -> Finding:
    if not sys.stdout.isatty():
        return note("terminal", "no terminal on stdout; skipped")
    size = os.get_terminal_size(sys.stdout.fileno())
    term = clean(environ.get("TERM") or "no TERM", 40)
    what = f"{term}, {COLOURS[detected_colours(environ)]}, {size.columns}x{size.lines}"
    if term == "dumb":
        return warning("terminal", what, "A dashboard needs another: try TERM=xterm-256color.")
    if size.columns < NARROWEST or size.lines < SHORTEST:
        return warning("terminal", what, f"Make it at least {NARROWEST}x{SHORTEST}.")
    return fine("terminal", what)


def _locale(environ: Mapping[str, str]) -> Finding:
    name = next((environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(key)), "C")
    if has_utf8(environ, in_utf8_mode=bool(sys.flags.utf8_mode)):
        return fine("locale", clean(name, 40))
    what = f"{clean(name, 40)} has no UTF-8: lines and names are shown in ASCII"
    return warning("locale", what, "Run: export LANG=C.UTF-8")


def _link(environ: Mapping[str, str]) -> Finding:
    here = terminal_environment(environ)
    copying = "press y in a list and paste to test it: terminals do not report OSC 52"
    if here.direct:
        return note("clipboard", copying)
    through = " and ".join(
        name for name, there in (("SSH", here.ssh), ("tmux or screen", here.multiplexed)) if there
    )
    return note("clipboard", f"through {through}: {copying}")


def tmux_option(name: str) -> str:
    """Return a tmux option; empty if unknown."""
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and nothing from outside
            ["tmux", "show", "-gv", name],  # noqa: S607 - the user's own
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return clean(done.stdout.decode(errors="replace").strip(), 60)


def tmux(option: Option) -> Iterator[Finding]:
    """Check the tmux options for keys, colours and the clipboard."""
    escape = option("escape-time")
    if escape.isdigit() and int(escape) > SLOW_ESCAPE:
        what = f"holds the escape key back for {escape} ms"
        yield warning("tmux", what, "Write into ~/.tmux.conf: set -sg escape-time 10")
    clipboard = option("set-clipboard")
    if clipboard and clipboard != "on":
        what = f"set-clipboard is {clipboard}: copied text does not reach your terminal"
        yield warning("tmux", what, "Write into ~/.tmux.conf: set -g set-clipboard on")
    shown = option("default-terminal")
    remedy = 'Write into ~/.tmux.conf: set -g default-terminal "tmux-256color"'
    if shown and not shown.startswith(("tmux", "screen")):
        yield warning("tmux", f"default-terminal is {shown}, which tmux is not", remedy)
    elif shown and "256" not in shown:
        yield note("tmux", f"default-terminal is {shown}: 16 colours", remedy)
    told = [f"{name} {option(name)}" for name in TMUX_OPTIONS if option(name)]
    yield fine("tmux", ", ".join(told)) if told else note("tmux", "it does not report the setting")
