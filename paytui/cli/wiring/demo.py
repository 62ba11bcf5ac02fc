"""The demo: its folder, the desk of its two traders, and the last week as its book has it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from paytui.book.file import Amounts, BookError, BookWriter
from paytui.cli.common import CommandError
from paytui.cli.wiring.desk import missing_libraries
from paytui.cli.wiring.private_server import running_server, stop_left
from paytui.config import user_files
from paytui.domain.models import WalletId
from paytui.domain.money import CurrencyCode, Pair
from paytui.platform.files import NotPrivate, lock_beside
from paytui.platform.secret import Secret

if TYPE_CHECKING:
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
    for left in place.glob(f"{PREFIX}*"):
        _remove_left(left)
    with tempfile.TemporaryDirectory(
        prefix=PREFIX, dir=place, ignore_cleanup_errors=True
    ) as folder:
        lock = lock_beside(Path(folder, "demo"))
        try:
            yield Path(folder)
        finally:
            os.close(lock)


def _remove_left(folder: Path) -> None:
    """Remove the folder of a demo of this user that does not run any more."""
    with suppress(OSError, NotPrivate):
        if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
            return
        if not (folder / "demo.lock").exists():
            return  # it is being made, or removed
        lock = lock_beside(folder / "demo")
        try:
            stop_left(folder)
            shutil.rmtree(folder)
        finally:
            os.close(lock)


def outbox_folder(folder: Path, trader: str) -> Path:
    return folder / f"home-{trader}" / "outbox"


@contextmanager
def demo_desk(
    folder: Path, service: Mapping[str, object], secret: Secret, overview: Mapping[str, object]
) -> Iterator[tuple[Path, Path]]:
    """Run a desk of two traders with a server of its own.

    Args:
        folder: that of `demo_folder`.
        service: the entries of a profile.
        secret: the client secret.
        overview: the table of the configuration.

    Yields:
        The configuration of the dashboard here, and a script that runs paytui for the other one.

    Raises:
        CommandError: a library or PostgreSQL is missing, or it does not start.
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
        user_files.write_new(folder / "secret", f"{secret.reveal()}\n")
        for trader in TRADERS:
            profile = {
                **service,
                "secret_file": str(folder / "secret"),
                "desk": {"dsn": make_conninfo(admin, user=trader)},
            }
            user_files.write_config(
                folder / f"home-{trader}" / "config.toml",
                {
                    "default_profile": trader,
                    "profiles": {trader: profile},
                    "outbox": {"folder": str(outbox_folder(folder, trader))},
                    "cache": {"enabled": False},
                    "overview": overview,
                },
            )
        user_files.write_new(folder / THERE, _launcher(folder / f"home-{THERE}"))
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
    past = _Past(bank, watched, reporting)
    Thread(target=partial(_write, past, paths), name="paytui-past", daemon=True).start()


def _write(past: _Past, paths: Sequence[Path]) -> None:
    with suppress(BookError), ExitStack() as stack:
        books = [stack.enter_context(closing(BookWriter(path))) for path in paths]
        for time in past.times():
            rates = past.rates(time)
            balances = past.balances(time) if past.now - time <= DAY else None
            for book in books:
                book.add_rates(f"past-{time:%d-%H-%M-%S}", time, rates)
                if balances is not None:
                    book.add_balances(time, balances)


class _Past:
    """The rates and balances of a sandbox at earlier times.

    Its database belongs to the calling thread: it is read at once.
    """

    def __init__(self, bank: Bank, watched: Sequence[Pair], reporting: CurrencyCode) -> None:
        self.now = bank.clock.now()
        self._market: Market = bank.market
        held = bank.db.execute(
            "SELECT DISTINCT currency FROM wallets WHERE currency <> ?", (reporting,)
        )
        held_pairs = [Pair(CurrencyCode(code), reporting) for [code] in held]
        self._watched = self._priced(watched)
        self._pairs = self._priced((*watched, *held_pairs))
        rows = bank.db.execute(
            "SELECT at, walletId, pot, amount FROM entries WHERE walletId IS NOT NULL ORDER BY at"
        )
        self._entries = iter(
            [
                (datetime.fromisoformat(at), WalletId(key), POTS.index(pot), Decimal(amount))
                for at, key, pot, amount in rows
            ]
        )
        self._next = next(self._entries, None)
        wallets = bank.db.execute("SELECT walletId FROM wallets")
        self._held = {WalletId(key): [Decimal(0)] * 3 for [key] in wallets}

    def _priced(self, pairs: Sequence[Pair]) -> list[Pair]:
        """Return both directions of pairs, without those that have no market."""
        both = dict.fromkeys((*pairs, *(pair.reverse for pair in pairs)))
        return [pair for pair in both if self._market.unavailable(pair.sell, pair.buy) is None]

    def times(self) -> Iterator[datetime]:
        """Yield the times of rate sheets, the oldest first."""
        time = self.now - WEEK
        closed, opened = (self.now - ago for ago in CLOSED)
        while time < self.now:
            if not closed < time < opened:
                yield time
            time += STEP if self.now - time <= DAY else EARLIER_STEP

    def rates(self, time: datetime) -> dict[Pair, Decimal]:
        pairs = self._pairs if self.now - time <= DAY else self._watched
        return {pair: self._market.rate(pair.sell, pair.buy, time) for pair in pairs}

    def balances(self, time: datetime) -> dict[WalletId, Amounts]:
        """Return the balances at a time that is later than that of the last call."""
        while self._next is not None and self._next[0] <= time:
            _, key, pot, amount = self._next
            self._held[key][pot] += amount
            self._next = next(self._entries, None)
        return {key: (held[0], held[1], held[2]) for key, held in self._held.items()}
