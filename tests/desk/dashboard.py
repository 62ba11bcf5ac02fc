"""A dashboard of a desk at a pty: its cost, and a database that hangs. Not among the tests.

    python -m tests.desk.dashboard idle [--seconds 300]

    python -m tests.desk.dashboard hang

idle
    Two dashboards of a desk and one without run beside each other, on a service in which nothing
    happens. The bytes on the connections to the database are counted, and the CPU time.
hang
    All processes of the database are stopped for 30 s, while keys are pressed.
"""

# ruff: noqa: T201 - a campaign prints its figures

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from paytui.desk.database import install
from tests.bench.presses import Presser
from tests.bench.process import cpu_seconds
from tests.bench.program import Program
from tests.desk.server import running_server
from tests.desk.standby import signal_all
from tests.support.commands import environ_of
from tests.support.sandbox_process import SECRET, SandboxProcess
from tests.support.terminal import PAYTUI

TRADERS = ("anna", "bob")
SIZE = (100, 30)
SOCKET = ".s.PGSQL.5432"
HANGS = 30.0  # Seconds
SETTLES = 45.0  # Seconds after which nothing is left to read for the first time
CURRENT = "all lists current"
HELD = "desk away"


class Counter:
    """Carries bytes to a database's socket and back, in a thread of its own, and counts them.

    Attributes:
        sent, received: bytes from the program to the database, and back.
    """

    def __init__(self, folder: Path, database: Path) -> None:
        self.sent = self.received = 0
        self._socket, self._target = folder / SOCKET, database / SOCKET
        self._loop = asyncio.new_event_loop()
        self._listens = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        self._listens.wait(10)

    def _run(self) -> None:
        with suppress(asyncio.CancelledError, RuntimeError):
            self._loop.run_until_complete(self._main())

    async def _main(self) -> None:
        server = await asyncio.start_unix_server(self._serve, self._socket)
        self._listens.set()
        await server.serve_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        behind, before = await asyncio.open_unix_connection(self._target)
        await asyncio.gather(self._carry(reader, before, 1, 0), self._carry(behind, writer, 0, 1))

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, out: int, back: int
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                self.sent += out * len(data)
                self.received += back * len(data)
                writer.write(data)
        writer.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)


@dataclass
class Place:
    """A service, a database, and the folder of what uses them."""

    folder: Path
    server: str
    sandbox: SandboxProcess

    def start(self, name: str, dsn: str = "") -> Program:
        """Start a dashboard, on a desk if there is a connection string."""
        home = self.folder / name
        home.mkdir(mode=0o700)
        config, secret = home / "config.toml", home / "secret"
        desk = f'[profiles.p.desk]\ndsn = "{dsn}"\n' if dsn else ""
        secret.write_text(SECRET)
        config.write_text(
            f'[outbox]\nfolder = "{home}"\n[profiles.p]\nbase_url = "{self.sandbox.base_url}"\n'
            f'client_id = "demo"\nlive = false\nsecret_file = "{secret}"\n{desk}'
        )
        for path in (config, secret):
            path.chmod(0o600)
        environ = environ_of(home) | {
            "XDG_RUNTIME_DIR": str(home),
            "XDG_STATE_HOME": str(home / "STATE"),
        }
        return Program((*PAYTUI, "run", "--config", str(config)), environ, SIZE)


def idle(place: Place, seconds: float) -> bool:
    """Measure what dashboards cost in which nothing happens.

    Return True if each sends at most 200 bytes a second, and takes at most 0.3 % of a CPU more
    than the one without a desk.
    """
    database = Path(str(conninfo_to_dict(place.server)["host"]))
    with ExitStack() as stack:
        programs, counters = dict[str, Program](), dict[str, Counter]()
        other = place.folder / "other"  # as it would end the desk's token
        other.mkdir()
        alone = Place(place.folder, "", stack.enter_context(SandboxProcess(other, "--speed", "0")))
        programs["without a desk"] = stack.enter_context(alone.start("alone"))
        for name, trader in zip(("reader", "follower"), TRADERS, strict=True):
            folder = place.folder / f"to-{name}"
            folder.mkdir()
            counters[name] = Counter(folder, database)
            stack.callback(counters[name].close)
            dsn = make_conninfo(place.server, user=trader, host=str(folder))
            programs[name] = stack.enter_context(place.start(name, dsn))
            programs[name].wait_for(CURRENT, 120)
        time.sleep(SETTLES)
        began = time.monotonic()
        cpu = {name: cpu_seconds(each.process.pid) for name, each in programs.items()}
        told = {name: (each.sent, each.received) for name, each in counters.items()}
        time.sleep(seconds)
        took, is_well, floor = time.monotonic() - began, True, 0.0
        for name, program in programs.items():
            percent = 100 * (cpu_seconds(program.process.pid) - cpu[name]) / took
            said = f"{name:<15} {percent:5.2f} % CPU"
            if name in counters:
                sent, received = (
                    (now - before) / took
                    for now, before in zip(
                        (counters[name].sent, counters[name].received), told[name], strict=True
                    )
                )
                said += f", {sent:.0f} B/s to the database, {received:.0f} B/s back"
                is_well = is_well and sent <= 200 and percent <= floor + 0.3
            else:
                floor = percent
            print(said)
    return is_well


def taken(presser: Presser, program: Program) -> list[float]:
    """Return the milliseconds that keys take until their effect is on the screen, sorted."""
    presses = presser.press_each(program, "3jjjkkk6jk2jk" * 4)
    return sorted(press.wanted * 1000 for press in presses if press.wanted is not None)


def late(milliseconds: list[float]) -> float:
    return milliseconds[len(milliseconds) * 95 // 100]


def hang(place: Place, _: float) -> bool:
    """Stop the database while keys are pressed; return True if the dashboard goes on."""
    presser = Presser(random.Random(7))  # noqa: S311 - a seed repeats itself
    dsn = make_conninfo(place.server, user=TRADERS[0])
    with place.start("anna", dsn) as program:
        program.wait_for(CURRENT, 120)
        program.press("8")
        program.rest(1, SETTLES)
        usual = taken(presser, program)
        before, began = place.sandbox.requests(), time.perf_counter()
        signal_all(place.server, signal.SIGSTOP)
        try:
            told = program.wait_for(HELD, HANGS) - began
            hanging = taken(presser, program)
            program.press("1p")
            program.rest(1, 5)
            review = program.screen.text
            time.sleep(max(0.0, began + HANGS - time.perf_counter()))
        finally:
            signal_all(place.server, signal.SIGCONT)
        over = time.perf_counter()
        after = place.sandbox.requests()
        program.wait_for(lambda text: HELD not in text, 30)
        again = time.perf_counter() - over
    reads = {name: after[name] - before.get(name, 0) for name in after}
    print(f"on screen after {told:.1f} s, and gone {again:.1f} s after the end")
    for name, found in (("before", usual), ("meanwhile", hanging)):
        print(f"keys {name:<10} p50 {found[len(found) // 2]:.0f} ms, p95 {late(found):.0f} ms")
    print(f"requests        { {name: times for name, times in reads.items() if times} }")
    print(review)
    return (
        told <= 8
        and late(hanging) <= max(50, late(usual))
        and "Nothing is sent" in review
        and reads["list_wallets"] >= 4
    )


@contextmanager
def place_of(folder: Path) -> Iterator[Place]:
    with (
        running_server(TRADERS) as server,
        SandboxProcess(folder, "--speed", "0") as sandbox,
    ):
        install(server, TRADERS)
        yield Place(folder, server, sandbox)


SCENES = {scene.__name__: scene for scene in (idle, hang)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a dashboard of a desk.")
    parser.add_argument("scene", choices=SCENES)
    parser.add_argument("--seconds", type=float, default=300)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, place_of(Path(folder)) as place:
        is_well = SCENES[chosen.scene](place, chosen.seconds)
    sys.exit(not is_well)


if __name__ == "__main__":
    main()
