"""A storm: seats of a desk that send, while they are killed and stopped. Not among the tests.

    python -m tests.desk.storm --seconds 60

    python -m tests.desk.storm --seconds 300 --namespaces 3

Each seat is a process with a worker, an outbox and the desk's database, on a sandbox that ignores
idempotency keys. Every two seconds one of them is killed, and started again, or is stopped for
some seconds; from network namespaces (see `namespaces.py`) the links to the service, the database
or both are cut as well.
At the end the objects of the sandbox are compared with the outboxes and the desk's log, and each
doubt with the faults.
"""

# ruff: noqa: T201, S311 - a campaign prints its figures, and its chances need be no secret

from __future__ import annotations

import argparse
import math
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.cli.wiring.demo import account
from paytui.desk.database import connect, install
from paytui.desk.log import verify
from paytui.domain.intent import IntentId, Standing, tags_of
from paytui.outbox.entry import Event, EventKind, standing
from paytui.outbox.outbox import OutboxReader
from tests.desk.namespaces import DATABASE, DATABASE_PORT, SERVICE, Space, namespaces
from tests.desk.seats import Seat, configured
from tests.desk.server import running_server
from tests.support.deadline import eventually
from tests.support.needed import need
from tests.support.sandbox_process import SandboxProcess

TRADERS = ("anna", "bob")
EVERY = 2.0  # Seconds between two faults
LONGEST_STOP = 25.0  # Seconds; an intent that was to leave is then too late
CUTS = (5.0, 30.0)  # Seconds for which links are cut
CALM = 40.0  # Seconds after the last fault, in which look-ups end the doubts


class Storm:
    """Faults, one every two seconds.

    Attributes:
        counts: the number of faults of each kind.
    """

    def __init__(self, seats: list[Seat], rng: random.Random) -> None:
        self._seats = seats
        self._rng = rng
        self._spaces = list({seat.space.name: seat.space for seat in seats if seat.space}.values())
        self._cut: dict[str, tuple[float, Space, tuple[str, ...]]] = {}
        self.counts: Counter[str] = Counter()

    def rage(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(EVERY)
            self._end_faults(time.monotonic())
            if self._spaces and self._rng.random() < 1 / 4:
                self._cut_links(self._rng.choice(self._spaces))
            else:
                self._disturb(self._rng.choice(self._seats))
        self._end_faults(math.inf)

    def _end_faults(self, now: float) -> None:
        for seat in self._seats:
            if seat.is_stopped_until and now >= seat.is_stopped_until:
                seat.wake()
        for name, (until, space, links) in list(self._cut.items()):
            if now >= until:
                del self._cut[name]
                for link in links:
                    space.heal(link)

    def _disturb(self, seat: Seat) -> None:
        if seat.is_stopped_until:
            return
        seat.faults.append(time.time())
        if self._rng.random() < 0.5:
            seat.kill()
            seat.start()
            self.counts["kill -9"] += 1
        else:
            seat.stop(self._rng.uniform(1, LONGEST_STOP))
            self.counts["SIGSTOP"] += 1

    def _cut_links(self, space: Space) -> None:
        if space.name in self._cut:
            return
        links = self._rng.choice(((SERVICE,), (DATABASE,), (SERVICE, DATABASE)))
        seconds = self._rng.choice(CUTS)
        self._cut[space.name] = (time.monotonic() + seconds, space, links)
        for link in links:
            space.cut(link)
        for seat in self._seats:
            if seat.space is space:
                seat.faults += [time.time() + each for each in range(int(seconds) + 1)]
        self.counts[f"cut from {' and '.join(links)}"] += 1


def unexplained(seats: list[Seat]) -> int:
    """Return how many doubts began without a fault of their seat since the departure."""
    found = 0
    for seat in seats:
        reader = OutboxReader(seat.outbox)
        for recorded in reader.read():
            left = [event for event in recorded.events if event.kind is EventKind.SENDING]
            doubt = [event for event in recorded.events if event.kind is EventKind.IN_DOUBT]
            if not left or not doubt:
                continue
            began, ended = (each[0].host_time for each in (left, doubt))
            assert began is not None
            assert ended is not None
            span = began.timestamp() - AROUND, ended.timestamp() + AROUND
            found += not any(span[0] <= fault <= span[1] for fault in seat.faults)
        reader.close()
    return found


AROUND = 2.0  # Seconds before a departure and after a doubt in which a fault explains it


def report(seats: list[Seat], bank: Path, admin: str) -> bool:
    """Print the figures; return True if something was sent, and nothing is double or lost."""
    with closing(sqlite3.connect(bank)) as connection:
        references = connection.execute("SELECT reference FROM payments").fetchall()
    objects = Counter(tag for [reference] in references for tag in tags_of(reference))
    local: dict[IntentId, tuple[Event, ...]] = {}
    for seat in seats:
        reader = OutboxReader(seat.outbox)
        local |= {recorded.entry.intent_id: recorded.events for recorded in reader.read()}
        reader.close()
    with psycopg.connect(admin) as connection:
        rows = connection.execute("SELECT intent, departure FROM paytui.log").fetchall()
    departed = Counter(intent for intent, departure in rows if departure is not None)
    stands = {intent: standing(events) for intent, events in local.items()}
    without = {intent for intent, times in objects.items() if not departed[intent]}
    unknown = {intent for intent in objects if intent not in local}
    untrue = {
        intent
        for intent, stood in stands.items()
        if (
            stood in (Standing.NOT_EXECUTED, Standing.REFUSED, Standing.RECORDED)
            and objects[intent]
        )
        or (stood is Standing.ACCEPTED and not objects[intent])
    }
    doubted = {
        intent
        for intent, events in local.items()
        if any(event.kind is EventKind.IN_DOUBT for event in events)
    }
    doubles = {intent for intent, times in objects.items() if times > 1}
    print(f"intents            {len(local)}")
    for stood, times in Counter(stands.values()).most_common():
        print(f"  {stood:<16} {times}")
    print(f"objects            {sum(objects.values())}")
    print(f"departures         {sum(departed.values())}")
    print(f"doubles            {len(doubles)}")
    print(f"lost or untrue     {len(without | unknown | untrue)}")
    print(f"once in doubt      {len(doubted)}, without a fault {unexplained(seats)}")
    still = [intent for intent, stood in stands.items() if stood is Standing.IN_DOUBT]
    print(
        f"still in doubt     {len(still)}, of them executed {sum(objects[each] for each in still)}"
    )
    logged = {intent for intent, _ in rows}
    print(f"not in the log     {len(local.keys() - logged)}")
    with closing(connect(admin)) as link:
        print(f"log                head {verify(link)[:12]}…, verified")
    return bool(objects) and not (doubles or without or unknown or untrue)


@contextmanager
def pooled(folder: Path, server: str, *, wanted: bool) -> Iterator[str]:
    """Yield the server's connection string, or that of a pgbouncer before it, by transactions."""
    if not wanted:
        yield server
        return
    place = folder / "pooler"
    place.mkdir(mode=0o777)
    place.chmod(0o777)
    folder.chmod(0o755)
    users = place / "users"
    users.write_text("".join(f'"{trader}" ""\n' for trader in TRADERS))
    config = place / "pgbouncer.ini"
    config.write_text(
        f"[databases]\n* = host={conninfo_to_dict(server)['host']}\n[pgbouncer]\n"
        f"unix_socket_dir = {place}\nlisten_port = 6432\nauth_type = trust\n"
        f"auth_file = {users}\npool_mode = transaction\ndefault_pool_size = 4\n"
    )
    (program,) = need("pgbouncer")
    as_user = account() if os.geteuid() == 0 else None  # it does not run as root
    with subprocess.Popen(
        (program, "-q", str(config)),
        user=None if as_user is None else as_user.pw_uid,
        group=None if as_user is None else as_user.pw_gid,
        extra_groups=None if as_user is None else [],
        stderr=subprocess.DEVNULL,
    ) as pooler:
        eventually((place / ".s.PGSQL.6432").exists)
        yield make_conninfo(server, host=str(place), port=6432)
        pooler.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill and stop the seats of a desk.")
    parser.add_argument("--seats", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--namespaces", type=int, default=0, help="from as many network namespaces")
    parser.add_argument("--pooler", action="store_true", help="through pgbouncer")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, running_server(TRADERS) as server:
        folder = Path(place)
        install(server, TRADERS)
        sandbox = SandboxProcess(folder, "--ignore-idempotency", "--scale", "40", "--speed", "0")
        port, socket = int(sandbox.base_url.rpartition(":")[2]), conninfo_to_dict(server)["host"]
        with (
            sandbox,
            pooled(folder, server, wanted=chosen.pooler) as door,
            namespaces(chosen.namespaces, port, Path(str(socket))) as spaces,
        ):
            seats = []
            for number in range(chosen.seats):
                space = spaces[number % len(spaces)] if spaces else None
                dsn = make_conninfo(door, user=TRADERS[number % len(TRADERS)])
                if space is not None:
                    dsn = make_conninfo(dsn, host="127.0.0.1", port=DATABASE_PORT)
                seats.append(Seat(configured(folder, number, sandbox.base_url, dsn), space))
            time.sleep(chosen.seats)
            storm = Storm(seats, random.Random(chosen.seed))
            storm.rage(chosen.seconds)
            (folder / "over").touch()
            time.sleep(CALM)
            for seat in seats:
                seat.kill()
            print(", ".join(f"{times} x {name}" for name, times in storm.counts.items()))
            is_well = report(seats, folder / "bank.sqlite3", server)
            for seat in seats:
                os.write(2, (seat.config.parent / "stderr").read_bytes()[-2_000:])
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
