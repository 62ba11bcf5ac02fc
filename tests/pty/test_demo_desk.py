"""`paytui demo --desk`: two traders in two terminals, and nothing left of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paytui.cli.wiring.demo import demo_folder
from tests.pty.confirming import confirm
from tests.support.deadline import eventually
from tests.support.processes import command_line, is_running
from tests.support.terminal import PAYTUI, Terminal

ENTER, TAB = "\r", "\t"
LAUNCHER = re.compile(r"sh (/\S+/bob)\n")


def processes_of(folder: Path) -> list[int]:
    """Return the processes whose command line names a folder."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        pid = int(each.name)
        try:
            words = command_line(pid)
        except (FileNotFoundError, ProcessLookupError):
            continue
        if any(str(folder) in word for word in words) and is_running(pid):
            found.append(pid)
    return found


@pytest.mark.slow
def test_a_payment_of_one_trader_is_on_the_others_screen_and_nothing_is_left() -> None:
    with Terminal((*PAYTUI, "demo", "--desk"), answers=True) as anna:
        found = LAUNCHER.search(anna.wait_for("Press enter"))
        assert found
        launcher = Path(found[1])
        with Terminal(("sh", str(launcher)), size=(120, 40)) as bob:
            bob.wait_for("bob test")
            bob.send("8")
            anna.send(ENTER)
            anna.wait_for("anna test")
            anna.send("3")
            anna.wait_for("active")
            anna.send("p")
            if "wait a moment" in anna.wait_for("▌ To|wait a moment"):
                anna.wait_for(lambda screen: "desk not read yet" not in screen)
                anna.send("p")
            anna.wait_for("▌ To")
            anna.send("Juniper")  # the first recipient may change while others are read
            anna.wait_for(r"› Juniper \S.* AED(.|\n)*From +AED clients")
            anna.send(ENTER)
            anna.wait_for("▌ Amount")
            anna.send("1k" + TAB + "INV 7" + ENTER)
            anna.wait_for("enter: send(.|\n)*Service")
            intent = confirm(anna, "Status +✓ accepted")
            bob.wait_for(rf"accepted .* 1,000\.00 AED +{intent} +anna")
            status = subprocess.check_output(("sh", str(launcher), "desk", "status"), text=True)
            seats = re.findall(r"^ +\d+ +(\w+)", status, re.MULTILINE)
            assert sorted(seats) == ["anna", "bob"]
            anna.send("\x1b")
            anna.wait_for("Wallets")
            anna.send("q")
            assert anna.wait_for_exit() == 0
            bob.wait_for("desk away")
            bob.send("q")
            assert bob.wait_for_exit() == 0
        eventually(lambda: not launcher.parent.exists())
        eventually(lambda: processes_of(launcher.parent) == [])


HELD = """
import pathlib, sys, time
from paytui.cli.wiring.demo import TRADERS, demo_folder
from paytui.cli.wiring.demo import running_server
with demo_folder() as folder, running_server(folder, TRADERS):
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_the_next_demo_removes_what_is_left_of_one_that_was_killed_with_all_its_helpers() -> None:
    with subprocess.Popen(
        (sys.executable, "-c", HELD), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as held:
        assert held.stdout is not None
        folder = Path(held.stdout.readline().strip())
        with demo_folder():
            assert (folder / "postgres" / "postmaster.pid").exists()  # it runs, and is left alone
        keepers = [pid for pid in processes_of(folder) if "/bin/sh" in command_line(pid)]
        assert len(keepers) == 1
        for pid in (*keepers, held.pid):
            os.kill(pid, signal.SIGKILL)
    assert processes_of(folder)
    with demo_folder():
        pass
    assert not folder.exists()
    assert processes_of(folder) == []
