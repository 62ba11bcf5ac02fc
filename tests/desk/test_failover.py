"""A standby takes over: nothing leaves twice, and nothing before the lost rows are handed in."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.cli.wiring.private_server import account
from paytui.desk.database import install
from paytui.domain.intent import IntentId
from paytui.outbox.shared_log import HandedIn, LogAway, Refusal
from tests.desk.server import PROGRAMS, owner_does, running_server
from tests.desk.test_log import log_of

TRADERS = ("anna", "bob")


class Standby:
    """A standby of a server, which takes over when it is told to."""

    def __init__(self, folder: Path, primary: str) -> None:
        self._data = str(folder / "data")
        self._user = account() if os.geteuid() == 0 else None  # as the primary's
        if self._user is not None:
            shutil.chown(folder, self._user.pw_name)
        source = ("-h", str(conninfo_to_dict(primary)["host"]), "-U", "postgres")
        self._run("pg_basebackup", "-R", "--checkpoint=fast", *source)
        self._run("pg_ctl", "-w", "-o", f"-h '' -k {folder}", "-l", f"{folder}/log", "start")
        self.dsn = make_conninfo(primary, host=str(folder))

    def _run(self, program: str, *arguments: str) -> None:
        command = (str(PROGRAMS / program), "-D", self._data, *arguments)
        user = None if self._user is None else self._user.pw_uid
        group = None if self._user is None else self._user.pw_gid
        subprocess.run(command, check=True, user=user, group=group, stdout=subprocess.DEVNULL)

    def catch_up(self, rows: int) -> None:
        while owner_does(self.dsn, "SELECT n FROM paytui.log_head") != [(rows,)]:
            time.sleep(0.02)

    def receive_no_more(self) -> None:
        owner_does(self.dsn, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
        while owner_does(self.dsn, "SELECT 1 FROM pg_stat_wal_receiver"):
            time.sleep(0.02)

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "promote")

    def close(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop")


@pytest.fixture
def primary() -> Iterator[str]:
    with running_server(TRADERS) as dsn:
        install(dsn, TRADERS)
        yield dsn


@pytest.fixture
def standby(primary: str) -> Iterator[Standby]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        standby = Standby(Path(folder), primary)
        yield standby
        standby.close()


def kill(dsn: str) -> None:
    """End a server at once, and wait until nobody uses its data any more."""
    data = Path(str(conninfo_to_dict(dsn)["host"]))
    os.kill(int((data / "postmaster.pid").read_text().split()[0]), signal.SIGQUIT)
    while (data / "postmaster.pid").exists():
        time.sleep(0.02)


def attempt(intent: str) -> list[HandedIn]:
    return [
        HandedIn(IntentId(intent), 0, "recorded", "{}"),
        HandedIn(IntentId(intent), 1, "sending", "{}", departure=1),
    ]


@pytest.mark.slow
def test_a_standby_that_lacks_rows_lets_nothing_leave_before_it_has_them(
    primary: str, standby: Standby
) -> None:
    async def scene() -> None:
        both = f"{conninfo_to_dict(primary)['host']},{conninfo_to_dict(standby.dsn)['host']}"
        hers = log_of(make_conninfo(primary, user="anna", host=both))
        his = log_of(make_conninfo(primary, user="bob", host=both), "desk-2")
        for log in (hers, his):
            await log.replayed((await log.look()).epoch)
        assert isinstance(await hers.depart(attempt("PT-AAAAAAAA")), float)
        standby.catch_up(2)
        standby.receive_no_more()
        assert isinstance(await hers.depart(attempt("PT-BBBBBBBB")), float)
        kill(primary)
        for log in (hers, his):
            with pytest.raises(LogAway):
                await log.look()
        standby.promote()
        news = await hers.look()
        assert (news.is_open, news.is_replayed, len(news.rows)) == (False, False, 2)
        assert await hers.depart(attempt("PT-CCCCCCCC")) is Refusal.CLOSED
        await hers.hand_in(attempt("PT-BBBBBBBB"))
        await hers.replayed(news.epoch)
        assert (await hers.look()).waits_for == "bob on desk-2"
        await his.replayed((await his.look()).epoch)
        assert await hers.depart(attempt("PT-BBBBBBBB")) is Refusal.LEFT
        assert isinstance(await hers.depart(attempt("PT-DDDDDDDD")), float)
        hers.close()
        his.close()

    asyncio.run(scene())
