"""A hostile service at a real terminal: no crash, no action, no foreign escape sequence."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.pty.confirming import confirm
from tests.support.escapes import foreign
from tests.support.hostile.service import HostileService
from tests.support.served import served
from tests.support.terminal import PAYTUI, ROOT, Terminal

ESCAPE = "\x1b"
SECRET = "s3nt1nel-hunter2"
LISTS = "23567"
COMMANDS = (
    ("audit",),
    ("status", "--json"),
    ("export", "recipients"),
)
"""Other commands that print the service's data."""

ALL = r"\n.? ?92\+? \w+, by"
FOUND = r"\n.? ?1\+? \S+( \S+)?, filtered"


@dataclass(frozen=True, slots=True)
class HostileDesk:
    """A dashboard on a hostile service, in a home of its own."""

    terminal: Terminal
    service: HostileService
    config: Path
    env: dict[str, str]

    def run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """A command to its end."""
        return subprocess.run(
            (*PAYTUI, *arguments, "--config", str(self.config)),
            env=self.env,
            cwd=ROOT,
            capture_output=True,
            timeout=120,
            check=False,
        )

    def watch(self) -> bytes:
        """Return the status as it is watched until an interrupt."""
        command = (*PAYTUI, "watch", "--initial", "--config", str(self.config))
        with subprocess.Popen(command, env=self.env, cwd=ROOT, stdout=subprocess.PIPE) as watching:
            assert watching.stdout is not None
            first = [watching.stdout.readline() for _ in range(50)]
            watching.send_signal(signal.SIGINT)
            return b"".join([*first, watching.stdout.read()])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[HostileDesk]:
    service = HostileService()
    with served(service) as url:
        config = tmp_path / "config.toml"
        config.write_text(f"[profiles.x]\nbase_url = '{url}'\nclient_id = 'demo'\nlive = false\n")
        folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("STATE", "CACHE", "DATA")}
        env = {**folders, "PAYTUI_CLIENT_SECRET": SECRET, "PYTHONPATH": str(ROOT)}
        command = (*PAYTUI, "run", "--config", str(config))
        with Terminal(command, size=(120, 40), env=env, answers=True) as terminal:
            terminal.wait_for(r"8 unreadable")
            yield HostileDesk(terminal, service, config, env)


def look_at_the_worst(terminal: Terminal, key: str) -> None:
    """All rows of a list, and of the one with everything in it the facts and the raw answer."""
    terminal.send(key)
    terminal.wait_for(ALL)
    terminal.send("G")
    terminal.wait_for(r"▌")
    terminal.send("g/joined")
    terminal.wait_for(FOUND)
    terminal.send("\r\r")
    terminal.wait_for("R Raw")
    terminal.send("G")
    terminal.send("R")
    terminal.wait_for("as received")
    terminal.send("G")
    terminal.send(ESCAPE)
    terminal.wait_for("R Raw")
    terminal.send(ESCAPE)
    terminal.wait_for(FOUND)
    terminal.send(ESCAPE)
    terminal.wait_for(ALL)


def pay(terminal: Terminal) -> None:
    """A payout that the service refuses in hostile words."""
    terminal.send("3/joined\r")
    terminal.wait_for(FOUND)
    terminal.send("p")
    terminal.wait_for("▌ To")
    terminal.send("joined\r")
    terminal.wait_for("▌ Amount")
    terminal.send("1k\r")
    terminal.wait_for("▌ Verify payee")
    terminal.send("ries\r")  # as the letters of the whole corpus end
    terminal.wait_for("enter: send")
    confirm(terminal, r"Status +\S+ refused")


def look_elsewhere(terminal: Terminal) -> None:
    """The command palette, the picker of accounts, what a trade can be of, and a form.

    Each is waited for to its last line, which is painted last: what was there before is gone then.
    """
    terminal.send("6")
    terminal.wait_for(ALL)
    terminal.send("\x10")
    terminal.wait_for("Search")
    terminal.send("account: joined")
    terminal.wait_for("Account: joined")
    terminal.send(ESCAPE)
    terminal.wait_for(lambda screen: "Account: joined" not in screen)
    terminal.send("a")
    terminal.wait_for("enter: choose")
    terminal.send(ESCAPE)
    terminal.wait_for(lambda screen: "enter: choose" not in screen)
    terminal.send("t")
    terminal.wait_for("Trade · (sell|buy)(.|\n)*esc Leave")
    leave(terminal, "esc Leave")
    terminal.send("7n")
    terminal.wait_for(r"Identity(.|\n)*f2 Review")
    leave(terminal, "f2 Review")


def leave(terminal: Terminal, hint: str) -> None:
    """Go back to a list. Its heading may still stand while what lies over it is being painted, and
    a key that came right behind the escape would be taken for one with it."""
    terminal.send(ESCAPE)
    terminal.wait_for(lambda screen: hint not in screen and re.search(ALL, screen) is not None)


@pytest.mark.slow
def test_a_hostile_service_is_looked_at_all_over(desk: HostileDesk) -> None:
    terminal = desk.terminal
    for key in "148":
        terminal.send(key)
    for key in LISTS:
        look_at_the_worst(terminal, key)
    pay(terminal)
    look_elsewhere(terminal)
    terminal.send("8")
    terminal.wait_for("1 intent, by")
    terminal.send("\r")
    terminal.wait_for("esc Back")
    terminal.send("q")
    terminal.wait_for("q: quit anyway")  # what was refused is kept as a draft
    terminal.send("q")
    assert terminal.wait_for_exit() == 0
    assert foreign(bytes(terminal.painted)) == []
    assert b"evil.example" in terminal.painted
    assert b"[@click=app.quit]press me[/]" in terminal.painted
    for command in COMMANDS:
        done = desk.run(*command)
        assert done.returncode in (0, 5), done.stderr
        assert b"evil.example" in done.stdout
        assert foreign(done.stdout + done.stderr) == []
    watched = desk.watch()
    assert b"evil.example" in watched
    assert foreign(watched) == []
