"""The terminal's connection, read from the environment, and addresses of this machine."""

from __future__ import annotations

import ipaddress
import unicodedata
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from paytui.platform.text import InvalidValue


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


def url_parts(text: str) -> SplitResult | None:
    """Return the parts of a URL with a host; None if the text is no such URL."""
    try:
        parts = urlsplit(text)
        is_url = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    is_clean = not any(char == " " or unicodedata.category(char) == "Cc" for char in text)
    return parts if is_url and is_clean else None


def checked_base_url(text: str) -> str:
    """Check the URL of a service and return it without trailing slashes.

    Raise InvalidValue unless it is https, or http to this machine, with a host and maybe a path.
    """
    remedy = 'Write it like this: base_url = "https://api.example.com"'
    parts = url_parts(text)
    if parts is None or parts.scheme not in ("https", "http"):
        raise InvalidValue("is not a URL with https:// and a host", remedy)
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidValue("must hold no user name, password, query or fragment", remedy)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise InvalidValue(
            "is plain http to another machine, which would send the secret in clear",
            "Use https:// (http:// is for this machine alone: 127.0.0.1, ::1, localhost).",
        )
    return text.rstrip("/")
