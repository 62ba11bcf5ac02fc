"""Failovers under load: a primary is killed, or its standby goes. Not among the tests.

    python -m tests.desk.failover [synchronous | asynchronous | gone]

Seats in processes of their own confirm transfers, on a sandbox that ignores idempotency keys. The
servers are of this machine's PostgreSQL, if it has one.

synchronous
    All processes of the primary are killed. Its synchronous standby is promoted.
asynchronous
    The standby's receiver is stopped 1.5 s before. Also a seat is killed, and started again later:
    until then nothing may leave.
gone
    The receiver of the synchronous standby is stopped for a minute. Nothing may leave meanwhile.
"""

# ruff: noqa: T201 - a campaign prints its figures

from __future__ import annotations

import argparse
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.cli.wiring.demo import find_programs
from paytui.desk.database import install
from paytui.domain.intent import tags_of
from tests.desk.seats import Seat, configured
from tests.desk.server import owner_does, running_server
from tests.desk.standby import Standby, signal_all
from tests.desk.storm import CALM, TRADERS, report
from tests.support.sandbox_process import SandboxProcess

LOAD = 15.0  # Seconds before the fault
BEHIND = 1.5  # Seconds by which an asynchronous standby is behind
ABSENT = 15.0  # Seconds for which a seat is gone
GONE = 60.0  # Seconds for which a synchronous standby is gone
AFTER = 20.0  # Seconds after the fault in which the seats confirm

FIRST_DEPARTURE = """
    SELECT extract(epoch FROM min(at))::float8 FROM paytui.log
    WHERE leave_by IS NOT NULL AND kind = 'sending' AND at > to_timestamp({after})
"""
FIRST_DEPARTURE_OF_EACH = """
    SELECT intent FROM paytui.log WHERE departure = 1
      AND at BETWEEN to_timestamp({begin}) AND to_timestamp({end})
"""
COMMITS = re.compile("Standbys|Commits")
LAST_KEPT = "SELECT max(n) FROM paytui.log WHERE epoch = 1"
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"


@dataclass
class Stage:
    """Seats of a desk with two servers, and a service."""

    primary: str
    standby: Standby
    seats: list[Seat]
    bank: Path

    def wait_for_standby(self) -> None:
        """Have commits wait for the standby."""
        names = "ALTER SYSTEM SET synchronous_standby_names = '*'"
        owner_does(self.primary, names, "SELECT pg_reload_conf()")
        state = "SELECT sync_state FROM pg_stat_replication"
        while owner_does(self.primary, state) != [("sync",)]:
            time.sleep(0.1)

    def kill_primary(self) -> float:
        """Kill the primary and all of its processes; return the time."""
        signal_all(self.primary, signal.SIGKILL)
        return self.note_fault()

    def note_fault(self) -> float:
        """Note a fault that all seats notice; return its time."""
        at = time.time()
        for seat in self.seats:
            seat.faults.append(at)
        return at

    def left_between(self, begin: float, end: float) -> int:
        """Return the objects of intents whose departures were begun in a time."""
        asked = FIRST_DEPARTURE_OF_EACH.format(begin=begin, end=end)
        began = {intent for (intent,) in owner_does(self.primary, asked)}
        with closing(sqlite3.connect(f"file:{self.bank}?mode=ro", uri=True)) as bank:
            references = bank.execute("SELECT reference FROM payments").fetchall()
        return sum(tag in began for [reference] in references for tag in tags_of(reference))

    def held(self, since: float) -> set[str]:
        """Return why the seats held sending since then."""
        seen = (sight for seat in self.seats for sight in seat.seen())
        return {each.how for each in seen if each.what == "sending" and each.at > since} - {""}


def departure_after(dsn: str, at: float) -> float:
    """Return the seconds from then until an intent left."""
    [[found]] = owner_does(dsn, FIRST_DEPARTURE.format(after=at))
    return found - at if isinstance(found, float) else float("nan")


def synchronous(stage: Stage) -> tuple[str, bool]:
    stage.wait_for_standby()
    time.sleep(LOAD)
    killed = stage.kill_primary()
    stage.standby.promote()
    print(f"promoted           {time.time() - killed:.2f} s after the kill")
    time.sleep(AFTER)
    again = departure_after(stage.standby.dsn, killed)
    print(f"sending again      {again:.2f} s after the kill")
    return stage.standby.dsn, again <= 10


def asynchronous(stage: Stage) -> tuple[str, bool]:
    time.sleep(LOAD)
    receiver = stage.standby.receiver()
    os.kill(receiver, signal.SIGSTOP)
    time.sleep(BEHIND)
    [[newest]] = owner_does(stage.primary, "SELECT n FROM paytui.log_head")
    absent = stage.seats[0]
    absent.kill()
    killed = stage.kill_primary()
    stage.standby.promote_without(receiver)
    print(f"promoted           {time.time() - killed:.2f} s after the kill")
    time.sleep(ABSENT)
    waits_for = owner_does(stage.standby.dsn, "SELECT who || ' on ' || host FROM paytui.awaited()")
    print(f"waits for          {waits_for}")
    back = time.time()
    absent.start()
    time.sleep(AFTER)
    dsn = stage.standby.dsn
    [[kept]] = owner_does(dsn, LAST_KEPT)
    assert isinstance(newest, int)
    assert isinstance(kept, int)
    early, again = departure_after(dsn, killed), departure_after(dsn, back)
    print(f"rows lost          {newest - kept} of {newest}")
    print(f"sending again      {again:.2f} s after the absent seat was started")
    return dsn, newest > kept and killed + early > back and again <= 10


def gone(stage: Stage) -> tuple[str, bool]:
    stage.wait_for_standby()
    time.sleep(LOAD)
    receiver = stage.standby.receiver()
    os.kill(receiver, signal.SIGSTOP)
    since = stage.note_fault()
    most = (0, 0)
    while time.time() < since + GONE:
        time.sleep(0.5)
        waiting, backends = (owner_does(stage.primary, sql)[0][0] for sql in (WAITING, BACKENDS))
        most = max(most, (int(str(waiting)), int(str(backends))))
    told = subprocess.run(
        (sys.executable, "-m", "paytui", "desk", "status", "--config", stage.seats[0].config),
        capture_output=True,
        text=True,
        check=False,
    )
    os.kill(receiver, signal.SIGCONT)
    back = stage.note_fault()
    time.sleep(AFTER)
    again, left = departure_after(stage.primary, back), stage.left_between(since, back)
    print(f"left meanwhile     {left}")
    print(f"waiting backends   {most[0]} at most, of {most[1]}")
    for why in sorted(stage.held(since)):
        print(f"a screen           {why}")
    print(f"status             {[*filter(COMMITS.match, told.stdout.splitlines()), told.stderr]}")
    print(f"sending again      {again:.2f} s after the standby came back")
    return stage.primary, left == 0 and again <= 10


@contextmanager
def stage_of(seats: int, folder: Path) -> Iterator[Stage]:
    programs = find_programs()
    print(f"PostgreSQL         {programs}")
    with (
        running_server(TRADERS, programs) as primary,
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place,
        SandboxProcess(folder, "--ignore-idempotency", "--scale", "40", "--speed", "0") as sandbox,
    ):
        install(primary, TRADERS)
        standby = Standby(Path(place), primary, programs)
        hosts = ",".join(str(conninfo_to_dict(dsn)["host"]) for dsn in (primary, standby.dsn))
        them: list[Seat] = []
        try:
            for number in range(seats):
                dsn = make_conninfo(primary, user=TRADERS[number % 2], host=hosts)
                them.append(Seat(configured(folder, number, sandbox.base_url, dsn), pace=0.2))
            time.sleep(seats)
            yield Stage(primary, standby, them, folder / "bank.sqlite3")
        finally:
            for seat in them:
                seat.kill()
            standby.close()


SCENES = {scene.__name__: scene for scene in (synchronous, asynchronous, gone)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Let a standby of a desk take over, or go.")
    parser.add_argument("scene", nargs="?", choices=SCENES, help="default: all")
    parser.add_argument("--seats", type=int, default=6)
    chosen = parser.parse_args()
    is_well = True
    for name in [chosen.scene] if chosen.scene else SCENES:
        print(f"-- {name}", flush=True)
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place,
            stage_of(chosen.seats, Path(place)) as stage,
        ):
            dsn, is_fine = SCENES[name](stage)
            (Path(place) / "over").touch()
            time.sleep(CALM)
            for seat in stage.seats:
                seat.kill()
            is_well = report(stage.seats, stage.bank, dsn) and is_fine and is_well
            for seat in stage.seats:
                os.write(2, (seat.config.parent / "stderr").read_bytes()[-2_000:])
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
