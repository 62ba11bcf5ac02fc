"""A real OpenSSH server: no mouse, resizes, pastes, late keys, and a cut link."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.conftest import Place
from tests.real.ssh import SshServer
from tests.support.deadline import eventually
from tests.support.processes import is_running
from tests.support.terminal import Terminal

MOUSE = (b"\x1b[?1000h", b"\x1b[?1002h", b"\x1b[?1003h", b"\x1b[?1006h")
LATE = 0.3
"""Seconds after which the rest of a key comes, far below ESCDELAY."""


@pytest.fixture
def link(place: Place, tmp_path: Path) -> Iterator[Terminal]:
    told = tmp_path / "pid"
    remote = f"echo $$ > {told}; exec {shlex.join(place.command())}"
    with (
        SshServer(tmp_path / "sshd") as server,
        Terminal(server.command(remote), size=(80, 24)) as terminal,
    ):
        terminal.wait_for(r"✓ all lists current(.|\n)*Quit")
        yield terminal


def test_the_dashboard_lives_at_the_end_of_a_link(link: Terminal, tmp_path: Path) -> None:
    leaves_the_mouse_to_the_terminal(link)
    follows_its_size(link)
    knows_a_key_whose_rest_comes_late(link)
    takes_a_paste_of_lines_as_an_amount_that_is_none(link)
    is_not_suspended_unasked(link)
    ends_with_the_link(link, int((tmp_path / "pid").read_text()))


def leaves_the_mouse_to_the_terminal(link: Terminal) -> None:
    assert not any(mode in link.painted for mode in MOUSE)


def follows_its_size(link: Terminal) -> None:
    link.send("6")
    link.wait_for("20 payments, by")
    for size in [(200, 60), (60, 20), (20, 5), (100, 30)] * 3:
        link.resize(*size)
    link.resize(120, 40)
    link.wait_for(r"\A.*\n.*7 Recipients +8 Activity.*\n(.*\n){37}.*Quit")
    link.resize(80, 24)
    link.wait_for(r"7Recipients 8Activity(.|\n)*Quit")


def knows_a_key_whose_rest_comes_late(link: Terminal) -> None:
    link.send("g\r")
    link.wait_for(r"▌ ?Amount(.|\n)*Failure reason")
    link.send("\x1b")
    time.sleep(LATE)
    link.send("[B")
    link.wait_for("▌ ?Type")
    link.send("\x1b")
    link.wait_for("20 payments, by")


def takes_a_paste_of_lines_as_an_amount_that_is_none(link: Terminal) -> None:
    link.send("3")
    link.wait_for("wallets, by")
    link.send("p")
    link.wait_for("▌ To")
    link.send("\r")
    link.wait_for("▌ Amount")
    link.send("\x1b[200~1500\n2500\n\x1b[201~")
    link.wait_for(r"1500 2500 is not an amount")


def is_not_suspended_unasked(link: Terminal) -> None:
    """Keys close behind a paste are dropped, so they are pressed until they are heard."""

    def is_heard() -> bool:
        link.send("\x15\x1a7k")
        return "= 7,000.00" in link.text

    eventually(is_heard, 20, 0.5)


def ends_with_the_link(link: Terminal, dashboard: int) -> None:
    assert is_running(dashboard)
    link.process.kill()
    eventually(lambda: not is_running(dashboard))
