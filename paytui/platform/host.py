"""The terminal's connection, read from the environment, and addresses of this machine."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TerminalEnvironment:
    """The links between paytui and the terminal: SSH, and a multiplexer (tmux, screen, zellij).

    A multiplexed terminal may be viewed from anywhere, and the multiplexer answers queries.
    """

    ssh: bool = False
    multiplexed: bool = False

    @property
    def direct(self) -> bool:
        return not (self.ssh or self.multiplexed)


DIRECT = TerminalEnvironment()


def terminal_environment(environ: Mapping[str, str]) -> TerminalEnvironment:
    """Read an environment; under `sudo`, only TERM reveals tmux or screen."""
    within = environ.get("TERM", "").startswith(("screen", "tmux"))
    return TerminalEnvironment(
        ssh=bool(environ.get("SSH_CONNECTION")),
        multiplexed=within or any(environ.get(name) for name in ("TMUX", "STY", "ZELLIJ")),
    )


REMOTE_FPS, LOCAL_FPS = "15", "240"
"""Frames a second at most: over a link or in a multiplexer, and elsewhere. Immediate effects of a
key are painted at once; later ones wait for the next frame."""

ESCAPE_DELAY = "250"  # Milliseconds after an ESC in which the rest of a key may arrive over a link


def set_frame_rate(environ: MutableMapping[str, str], surroundings: TerminalEnvironment) -> None:
    """Set Textual's frame rate and escape delay in the environment; existing values stay.

    Textual reads them when it is imported.
    """
    environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    environ.setdefault("TEXTUAL_FPS", LOCAL_FPS if surroundings.direct else REMOTE_FPS)
    if surroundings.ssh:
        environ.setdefault("ESCDELAY", ESCAPE_DELAY)


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
