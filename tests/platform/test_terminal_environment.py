"""SSH and tmux between paytui and the terminal, read from the environment."""

from __future__ import annotations

import pytest

from paytui.platform.host import TerminalEnvironment, terminal_environment


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"TERM": "xterm-256color"}, TerminalEnvironment()),
        ({}, TerminalEnvironment()),
        ({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}, TerminalEnvironment(ssh=True)),
        ({"SSH_CONNECTION": ""}, TerminalEnvironment()),
        ({"TMUX": "/tmp/tmux-0/default,7,0"}, TerminalEnvironment(multiplexed=True)),  # noqa: S108
        ({"TERM": "screen"}, TerminalEnvironment(multiplexed=True)),
        ({"TERM": "screen-256color"}, TerminalEnvironment(multiplexed=True)),
        ({"TERM": "tmux-256color"}, TerminalEnvironment(multiplexed=True)),
        ({"STY": "7.pts-0.host"}, TerminalEnvironment(multiplexed=True)),
        ({"ZELLIJ": "0"}, TerminalEnvironment(multiplexed=True)),
        (
            {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "TERM": "screen"},
            TerminalEnvironment(ssh=True, multiplexed=True),
        ),
    ],
)
def test_a_link_and_a_window_are_known_by_what_they_set(
    environ: dict[str, str], found: TerminalEnvironment
) -> None:
    assert terminal_environment(environ) == found
    assert found.direct is (found == TerminalEnvironment())
