"""A standby of a desk's database, which takes over when it is told to."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.cli.wiring.demo import account
from tests.desk.server import PROGRAMS, owner_does
from tests.support.processes import children

STEP = 0.02  # Seconds between two looks


class Standby:
    """A copy of a primary that runs as soon as it is made, as its standby or by itself.

    Attributes:
        dsn: the connection string of its superuser.

    Args:
        folder: private to this user; its data go there.
        primary: the connection string of the primary's superuser.
        programs: the folder of PostgreSQL's programs, as for the primary.
        follows: without it, it is a snapshot of the primary's disk, which was started as it is.
    """

    def __init__(
        self, folder: Path, primary: str, programs: Path = PROGRAMS, *, follows: bool = True
    ) -> None:
        self._data = str(folder / "data")
        self._programs = programs
        self._user = account() if os.geteuid() == 0 else None  # as the primary's
        if self._user is not None:
            shutil.chown(folder, self._user.pw_name)
        source = ("-h", str(conninfo_to_dict(primary)["host"]), "-U", "postgres")
        self._run("pg_basebackup", *["-R"] * follows, "--checkpoint=fast", *source)
        options = f"-h '' -k {folder} -c fsync=off"  # as the primary's
        self._run("pg_ctl", "-w", "-o", options, "-l", f"{folder}/log", "start")
        self.dsn = make_conninfo(primary, host=str(folder))

    def _run(self, program: str, *arguments: str) -> None:
        command = (str(self._programs / program), "-D", self._data, *arguments)
        user = None if self._user is None else self._user.pw_uid
        group = None if self._user is None else self._user.pw_gid
        told = subprocess.DEVNULL
        subprocess.run(command, check=True, user=user, group=group, cwd="/", stdout=told)

    def catch_up(self, rows: int) -> None:
        while owner_does(self.dsn, "SELECT n FROM paytui.log_head") != [(rows,)]:
            time.sleep(STEP)

    def receive_no_more(self) -> None:
        owner_does(self.dsn, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
        while owner_does(self.dsn, "SELECT 1 FROM pg_stat_wal_receiver"):
            time.sleep(STEP)

    def receiver(self) -> int:
        """Return the process that receives from the primary, once there is one."""
        while not (found := owner_does(self.dsn, "SELECT pid FROM pg_stat_wal_receiver")):
            time.sleep(STEP)
        [[pid]] = found
        assert isinstance(pid, int)
        return pid

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "promote")

    def promote_without(self, receiver: int) -> None:
        """Promote it; what its stopped receiver was sent is lost.

        The standby asks the receiver to end, which it does when it is woken, before it reads on.
        """
        self._run("pg_ctl", "-W", "promote")
        time.sleep(1)
        os.kill(receiver, signal.SIGCONT)
        while owner_does(self.dsn, "SELECT pg_is_in_recovery()") == [(True,)]:
            time.sleep(STEP)

    def close(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "stop")


def server_pid(dsn: str) -> int:
    """Return the first process of the server at a socket in its data."""
    data = Path(str(conninfo_to_dict(dsn)["host"]))
    return int((data / "postmaster.pid").read_text().split()[0])


def end(dsn: str) -> None:
    """End a server at once, and wait until nobody uses its data any more."""
    data = Path(str(conninfo_to_dict(dsn)["host"]))
    os.kill(server_pid(dsn), signal.SIGQUIT)
    while (data / "postmaster.pid").exists():
        time.sleep(STEP)


def signal_all(dsn: str, number: signal.Signals) -> None:
    """Send a signal to each process of a server."""
    pid = server_pid(dsn)
    for each in (pid, *children(pid)):
        os.kill(each, number)
