"""Which hosts are this machine itself."""

from __future__ import annotations

import ipaddress


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
