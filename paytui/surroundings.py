"""What lies between us and the terminal, as far as the environment tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What keys and pictures pass on their way.

    Attributes:
        ssh: the terminal is at another machine.
        multiplexed: it is a window of tmux, screen or zellij, which may be looked at from anywhere,
            and which answers in the place of the terminal.
    """

    ssh: bool = False
    multiplexed: bool = False

    @property
    def direct(self) -> bool:
        """Whether there is nothing of either, so that a terminal has all that it can do."""
        return not (self.ssh or self.multiplexed)


DIRECT = Surroundings()


def surroundings_of(environ: Mapping[str, str]) -> Surroundings:
    """What an environment tells; TERM is all that is left of a tmux or screen behind `sudo`."""
    within = environ.get("TERM", "").startswith(("screen", "tmux"))
    return Surroundings(
        ssh=bool(environ.get("SSH_CONNECTION")),
        multiplexed=within or any(environ.get(name) for name in ("TMUX", "STY", "ZELLIJ")),
    )
