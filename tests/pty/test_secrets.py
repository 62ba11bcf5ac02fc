"""The client secret appears nowhere; token and idempotency keys only where they belong.

Words that the test knows are looked for in every file of a home, in every byte that is painted or
printed, in the host's log and in the arguments and the environment of every process.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from paytui.platform.clock import SystemClock
from paytui.sandbox.app import create_app
from paytui.sandbox.context import SandboxOptions
from tests.pty.confirming import confirm
from tests.support.processes import children
from tests.support.sentinels import files_under, found_in
from tests.support.served import served
from tests.support.talkative import Talkative
from tests.support.terminal import ROOT, Terminal

SECRET = 'S3nt1nel/+&"Hunter 2%ü='
FOLDERS = ("STATE", "CACHE", "CONFIG", "DATA")
PROGRAM = (sys.executable, "-m", "tests.pty.planted")


class House:
    """A home with a configuration, a service, and all that programs in it said.

    Attributes:
        said: what was printed or painted, or stood in /proc, by what it was.
    """

    def __init__(self, home: Path, service: Talkative, url: str, log: socket.socket) -> None:
        self.home = home
        self.service = service
        self.said: dict[str, bytes] = {}
        self.words = home.parent / "words"
        self._log_path = home.parent / "log"
        self._log = log
        self._log.bind(str(self._log_path))
        self._log.setblocking(False)
        (home / "run").mkdir(mode=0o700, parents=True)
        self.secret_file = home / "the.secret"
        self.secret_file.touch(0o600)
        self.secret_file.write_text(SECRET)
        self._config = home / "config.toml"
        self._config.write_text(
            f"[profiles.acme]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n"
            f"secret_file = '{self.secret_file}'\n[outbox]\naudit_syslog = true\n"
        )
        self._env = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "XDG_RUNTIME_DIR": str(home / "run"),
            "TMPDIR": str(home),
            **{f"XDG_{name}_HOME": str(home / name.lower()) for name in FOLDERS},
            "PLANTED_LOG": str(self._log_path),
        }

    @contextmanager
    def dashboard(self, *, crashes: bool = False) -> Iterator[Terminal]:
        """The dashboard, and all that it painted."""
        words = {"PLANTED_WORDS": str(self.words)} if crashes else {}
        command = (*PROGRAM, "run", "--config", str(self._config))
        # A terminal adds its own environment, which is ours: nothing of it is secret.
        with Terminal(command, size=(120, 40), env=self._env | words, answers=True) as terminal:
            try:
                yield terminal
            finally:
                self.said[f"dashboard {len(self.said)}"] = bytes(terminal.painted)

    def run(self, *arguments: str, seconds: float | None = None) -> None:
        """A command to its end, or interrupted once it has said something for so long."""
        command = (*PROGRAM, *arguments, "--config", str(self._config))
        process = subprocess.Popen(
            command, cwd=ROOT, env=self._env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdout is not None
        first = process.stdout.readline() if seconds else b""
        self.look_at(process.pid)
        if seconds:
            process.send_signal(signal.SIGINT)
        self.said[" ".join(arguments)] = first + process.communicate(timeout=120)[0]

    def look_at(self, pid: int) -> None:
        """Read everything public about a process and its children."""
        for one in (pid, *children(pid)):
            for name in ("cmdline", "environ"):
                data = Path(f"/proc/{one}/{name}").read_bytes()
                self.said[f"{name} of {one}"] = data

    @property
    def log(self) -> bytes:
        """Return the messages in the system log."""
        lines = []
        while True:
            try:
                lines.append(self._log.recv(65_536))
            except BlockingIOError:
                self.said["log"] = self.said.get("log", b"") + b"\n".join(lines)
                return self.said["log"]

    def places(self) -> dict[str, bytes]:
        """All that was said, and every file, by its path from home."""
        assert self.log is not None
        files = {str(path.relative_to(self.home)): path.read_bytes() for path in self.files()}
        return {**self.said, **files}

    def files(self) -> list[Path]:
        return [path for path in files_under(self.home) if path != self.secret_file]

    def check(self) -> None:
        """Nothing is where it does not belong."""
        places = self.places()
        assert found_in(places, [SECRET]) == []
        with_token = {place for place, _ in found_in(places, self.service.tokens)}
        assert len(with_token) <= 1
        for name in with_token:
            assert name.startswith("run/paytui/token-")
            assert stat.S_IMODE((self.home / name).stat().st_mode) == 0o600
        with_key = {place for place, _ in found_in(places, self.service.keys)}
        assert {place for place in with_key if ".outbox.sqlite" not in place} <= AUDITS
        public = {place: data for place, data in places.items() if _is_for_others(place)}
        assert found_in(public, self.service.account_numbers) == []


AUDITS = {"audit", "audit --json", "audit --json --bodies"}
"""Commands that print idempotency keys, as proof of sent requests."""


def _is_for_others(place: str) -> bool:
    return place == "log" or "crash" in place or place.startswith(("cmdline", "environ"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    options = SandboxOptions(client_secret=SECRET, scale=40, speed=0)
    service = Talkative(create_app(options, SystemClock()))
    with ExitStack() as stack:
        url = stack.enter_context(served(service))
        log = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        yield House(tmp_path / "home", service, url, log)


def last_four(service: Talkative, screen: str) -> str:
    """Return the last four digits of the account of the payee on a screen."""
    name = re.search(r"To +(\S.*\S)", screen)
    assert name
    for recipient in json.loads(service.last["/v2/recipients"])["items"]:
        person = f"{recipient.get('firstName')} {recipient.get('lastName')}"
        if name[1] in (recipient.get("companyName"), person):
            [address] = recipient["paymentAddresses"]
            number: str = address.get("iban") or address["accountNumber"]
            return number[-4:]
    raise AssertionError(f"nobody is called {name[1]}")


def pay(house: House, terminal: Terminal, until: str) -> None:
    """A payout out of the first wallet that can pay somebody."""
    terminal.send("3")
    terminal.wait_for("active")
    terminal.send("p")
    terminal.wait_for("▌ To")
    terminal.send("\r")
    terminal.wait_for("▌ Amount")
    terminal.send("1\r")
    screen = terminal.wait_for("▌ Verify payee|enter: send")
    if "enter: send" not in screen:
        terminal.send(last_four(house.service, screen) + "\r")
    terminal.wait_for("enter: send")
    confirm(terminal, until)


def leave_by_activity(terminal: Terminal, *, in_doubt: bool = False) -> None:
    """End it on the details of the one intent; in doubt, it asks first."""
    terminal.send("8")
    terminal.wait_for("1 intent")
    terminal.send("\r")
    terminal.wait_for("esc Back")
    terminal.send("q")
    if in_doubt:
        terminal.wait_for("q: quit anyway")
        terminal.send("q")
    terminal.wait_for_exit()


@pytest.mark.slow
def test_on_an_ordinary_day(house: House) -> None:
    with house.dashboard() as terminal:
        terminal.wait_for(r"✓ all lists current")
        pay(house, terminal, r"Status +\S+ accepted")
        house.look_at(terminal.process.pid)
        terminal.send("D")
        terminal.wait_for("copied the deal ticket")
        leave_by_activity(terminal)
    for command in (*sorted(AUDITS), "status --json", "doctor", "config show"):
        house.run(*command.split())
    for form in ("csv", "json"):
        house.run(
            "export", "payment_addresses", "--format", form, "--output", f"{house.home}/{form}"
        )
    house.run("watch", "--json", "--initial", seconds=1)
    assert house.service.keys
    assert found_in({"log": house.log}, ["PT-"])
    assert found_in(house.places(), house.service.tokens)
    assert found_in(house.places(), house.service.account_numbers)
    house.check()


@pytest.mark.slow
def test_with_a_secret_that_the_service_refuses_and_repeats(house: House) -> None:
    house.service.rejects = True
    with house.dashboard() as terminal:
        terminal.wait_for("401")
        terminal.send("q")
        terminal.wait_for_exit()
    house.run("status")
    house.run("export", "payments")
    house.check()


@pytest.mark.slow
def test_with_a_service_that_repeats_all_that_it_was_sent(house: House) -> None:
    with house.dashboard() as terminal:
        terminal.wait_for(r"✓ all lists current")
        house.service.echoes = True
        pay(house, terminal, r"Status +\S+ in doubt")
        leave_by_activity(terminal, in_doubt=True)
    for command in (*sorted(AUDITS), "status --json", "export payments"):
        house.run(*command.split())
    assert house.service.keys
    house.check()


@pytest.mark.slow
@pytest.mark.parametrize("key", ["?", "r"], ids=["of the screens", "of the worker"])
def test_in_a_crash(house: House, key: str) -> None:
    with house.dashboard(crashes=True) as terminal:
        terminal.wait_for(r"✓ all lists current")
        words = [SECRET, *house.service.tokens, *house.service.account_numbers]
        house.words.write_text(" ".join(words))
        terminal.send(key)
        if key == "r":
            terminal.wait_for("Updates have stopped")
            terminal.send("q")
        terminal.wait_for_exit()
    assert any("crash" in path.name for path in house.files()), terminal.text
    house.check()
