"""What is shown on a terminal before Textual is there to do it."""

from __future__ import annotations

import sys

from tests.support.terminal import Terminal

PROGRAM = """
from paytui.tui.early_screen import EarlyScreen
with EarlyScreen() as early:
    words = [("2", "third "), ("0", "a\\x1b[2Jb\\x9b5mc\\n\\rd\\u202ee")]
    early.show([[("1", "first")], (), words])
    print("shown" if early.found else "left alone")
    input()
"""
SHOW = (sys.executable, "-c", PROGRAM)


def test_nothing_in_the_words_moves_the_cursor_or_sets_anything() -> None:
    with Terminal(SHOW) as terminal:
        screen = terminal.wait_for("shown")
        assert screen.splitlines()[:2] == ["first", ""]
        assert "third a\ufffd[2Jb\ufffd5mc\ufffd\ufffdd\ufffde" in screen
        assert not terminal.echoes
        terminal.send("\n")
        assert terminal.wait_for_exit() == 0
        assert terminal.echoes


def test_a_terminal_that_somebody_else_reads_is_left_alone() -> None:
    in_background = ("sh", "-c", 'set -m; "$@" & wait', "sh", *SHOW)
    with Terminal(in_background) as terminal:
        terminal.wait_for("left alone")
        assert b"\x1b" not in terminal.painted
        assert terminal.echoes
