"""What lies between us and the terminal is read from the environment."""

from __future__ import annotations

import pytest

from paytui.platform.host import Surroundings, surroundings_of


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({"TERM": "xterm-256color"}, Surroundings()),
        ({}, Surroundings()),
        ({"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22"}, Surroundings(ssh=True)),
        ({"SSH_CONNECTION": ""}, Surroundings()),
        ({"TMUX": "/tmp/tmux-0/default,7,0"}, Surroundings(multiplexed=True)),  # noqa: S108
        ({"TERM": "screen"}, Surroundings(multiplexed=True)),
        ({"TERM": "screen-256color"}, Surroundings(multiplexed=True)),
        ({"TERM": "tmux-256color"}, Surroundings(multiplexed=True)),
        ({"STY": "7.pts-0.host"}, Surroundings(multiplexed=True)),
        ({"ZELLIJ": "0"}, Surroundings(multiplexed=True)),
        (
            {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "TERM": "screen"},
            Surroundings(ssh=True, multiplexed=True),
        ),
    ],
)
def test_a_link_and_a_window_are_known_by_what_they_set(
    environ: dict[str, str], found: Surroundings
) -> None:
    assert surroundings_of(environ) == found
    assert found.direct is (found == Surroundings())
