"""Frame rate and escape delay, set before Textual is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

from paytui.platform.host import TerminalEnvironment, set_frame_rate

SSH, TMUX = TerminalEnvironment(ssh=True), TerminalEnvironment(multiplexed=True)

READ_BACK = """
import os
from paytui.platform.host import set_frame_rate, terminal_environment
set_frame_rate(os.environ, terminal_environment(os.environ))
from textual import constants
print(constants.MAX_FPS, constants.TEXTUAL_ANIMATIONS, constants.ESCAPE_DELAY)
"""


def pace(surroundings: TerminalEnvironment, **said: str) -> dict[str, str]:
    environ = dict(said)
    set_frame_rate(environ, surroundings)
    return environ


def test_nothing_is_ever_animated() -> None:
    for surroundings in (TerminalEnvironment(), SSH, TMUX):
        assert pace(surroundings)["TEXTUAL_ANIMATIONS"] == "none"


def test_fewer_frames_are_painted_over_ssh_and_in_tmux() -> None:
    assert pace(TerminalEnvironment())["TEXTUAL_FPS"] == "240"
    assert pace(SSH)["TEXTUAL_FPS"] == pace(TMUX)["TEXTUAL_FPS"] == "15"


def test_the_rest_of_a_key_is_waited_for_longer_over_ssh() -> None:
    """tmux brings a key whole: it has waited itself."""
    assert pace(SSH)["ESCDELAY"] == "250"
    assert "ESCDELAY" not in pace(TMUX)


def test_what_somebody_has_set_stays() -> None:
    own = {"TEXTUAL_FPS": "30", "ESCDELAY": "50", "TEXTUAL_ANIMATIONS": "basic"}
    assert pace(SSH, **own) == own


@pytest.mark.parametrize(
    ("environ", "read"),
    [
        ({"SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}, "15 none 0.25"),
        ({"TERM": "screen-256color"}, "15 none 0.1"),
    ],
)
def test_textual_reads_it(environ: dict[str, str], read: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ_BACK],
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == read
