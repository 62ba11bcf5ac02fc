"""The splash screen on a terminal before Textual runs."""

from __future__ import annotations

import os
import signal
import sys

from paytui.tui.terminal.splash import SplashScreen
from tests.support.seat import Seat
from tests.support.terminal import Terminal

LINES = [[("1", "first")], (), [("2", "third "), ("0", "word")]]
OPENED = (
    b"\x1b[?1049h\x1b[2J\x1b[?25l"
    b"\x1b[1;1H\x1b[1mfirst\x1b[0m"
    b"\x1b[2;1H"
    b"\x1b[3;1H\x1b[2mthird \x1b[0m\x1b[0mword\x1b[0m"
)
CLOSED = b"\x1b[?1049l\x1b[?25h\x1b[?1004l"
OTHER = b"other\x1b[0m"

PROGRAM = """
from paytui.tui.terminal.splash import SplashScreen
with SplashScreen() as early:
    early.show([[("0", "a\\x1b[2Jb\\x9b5mc\\n\\rd\\u202ee")]])
    print("shown" if early.found else "left alone")
    input()
"""
FROZEN = """
import os, signal, threading
from paytui.tui.terminal.splash import SplashScreen
painting = threading.Event()
class Lines(list):
    def __iter__(self):
        painting.set()
        return super().__iter__()
with SplashScreen() as early:
    early.show([[("0", "shown")]])
    input()
    others = Lines([[("0", "others")]])
    threading.Thread(target=early.show_instead, args=(others,), daemon=True).start()
    painting.wait()
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait()
"""
SHOW = (sys.executable, "-c", PROGRAM)


def test_lines_stand_one_below_the_other_and_nothing_typed_is_echoed(seat: Seat) -> None:
    with SplashScreen(seat.tty) as early:
        early.show(LINES)
        assert seat.until(b"word\x1b[0m") == OPENED
        assert not seat.echoes


def test_a_terminal_that_nobody_took_over_is_as_it_was(seat: Seat) -> None:
    before = seat.tty.modes()
    with SplashScreen(seat.tty) as early:
        early.show(LINES)
    assert seat.until(CLOSED).startswith(OPENED)
    assert seat.tty.modes() == before
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_who_takes_it_over_finds_it_as_it_was_with_the_screen_open(seat: Seat) -> None:
    before = seat.tty.modes()
    with SplashScreen(seat.tty) as early:
        early.show(LINES)
        assert early.hand_over()
        assert seat.tty.modes() == before
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert CLOSED not in seat.until(b"word\x1b[0m")  # who took it over closes it


def test_other_lines_take_their_place_until_somebody_took_it_over(seat: Seat) -> None:
    with SplashScreen(seat.tty) as early:
        early.show(LINES)
        early.show_instead([[("0", "other")]])
        assert seat.until(OTHER) == OPENED + b"\x1b[2J\x1b[?25l\x1b[1;1H\x1b[0mother\x1b[0m"
        early.hand_over()
        early.show_instead([[("0", "too late")]])
        os.write(seat.tty.stderr, b"end")
        assert b"too late" not in seat.until(b"end")


def test_without_anything_to_show_the_terminal_is_left_alone(seat: Seat) -> None:
    with SplashScreen(seat.tty) as early:
        early.show([])
        assert seat.echoes
        assert not early.hand_over()


def test_nothing_in_the_words_moves_the_cursor_or_sets_anything() -> None:
    with Terminal(SHOW) as terminal:
        screen = terminal.wait_for("shown")
        assert screen.startswith("a\ufffd[2Jb\ufffd5mc\ufffd\ufffdd\ufffde")


def test_whoever_interrupts_at_a_frozen_terminal_does_not_wait_for_what_is_being_painted() -> None:
    with Terminal((sys.executable, "-c", FROZEN)) as terminal:
        terminal.wait_for("shown")
        terminal.send("\x13\r")  # ctrl+s
        assert terminal.wait_for_exit() == -signal.SIGINT
        assert terminal.echoes
        assert "others" not in terminal.text


def test_a_terminal_that_somebody_else_reads_is_left_alone() -> None:
    in_background = ("sh", "-c", 'set -m; "$@" & wait', "sh", *SHOW)
    with Terminal(in_background) as terminal:
        terminal.wait_for("left alone")
        assert b"\x1b" not in terminal.painted
        assert terminal.echoes
