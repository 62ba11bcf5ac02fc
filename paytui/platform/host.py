"""The terminal's connection, read from the environment, and addresses of this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TerminalEnvironment:
    """The programs and links between paytui and the terminal.

    Attributes:
        ssh: the terminal is on another machine.
        multiplexed: the terminal is a window of tmux, screen or zellij. It may be viewed from
            anywhere, and the multiplexer answers queries in place of the terminal.
    """

    ssh: bool = False
    multiplexed: bool = False

    @property
    def direct(self) -> bool:
        """Return True for a terminal without SSH or multiplexer."""
        return not (self.ssh or self.multiplexed)


DIRECT = TerminalEnvironment()


def terminal_environment(environ: Mapping[str, str]) -> TerminalEnvironment:
    """Read an environment; under `sudo`, only TERM reveals tmux or screen."""
    within = environ.get("TERM", "").startswith(("screen", "tmux"))
    return TerminalEnvironment(
        ssh=bool(environ.get("SSH_CONNECTION")),
        multiplexed=within or any(environ.get(name) for name in ("TMUX", "STY", "ZELLIJ")),
    )


def is_address(host: str) -> bool:
    """Return True for an IP address, False for a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return True if a host name or IP address is this machine, without DNS."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.casefold() == "localhost"
