"""The connection to the terminal, as the environment describes it."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TerminalEnvironment:
    """The programs and links between paytui and the terminal.

    Attributes:
        ssh: the terminal is at another machine.
        multiplexed: it is a window of tmux, screen or zellij, which may be looked at from anywhere,
            and which answers in the place of the terminal.
    """

    ssh: bool = False
    multiplexed: bool = False

    @property
    def direct(self) -> bool:
        """Return True for a terminal without SSH or multiplexer."""
        return not (self.ssh or self.multiplexed)


DIRECT = TerminalEnvironment()


def terminal_environment(environ: Mapping[str, str]) -> TerminalEnvironment:
    """Read an environment; behind `sudo`, only TERM tells of tmux or screen."""
    within = environ.get("TERM", "").startswith(("screen", "tmux"))
    return TerminalEnvironment(
        ssh=bool(environ.get("SSH_CONNECTION")),
        multiplexed=within or any(environ.get(name) for name in ("TMUX", "STY", "ZELLIJ")),
    )


# Which hosts are this machine itself.


def is_address(host: str) -> bool:
    """Whether it is an address rather than a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether a host name or a literal address is this machine, without asking a resolver."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"
