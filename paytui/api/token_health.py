"""The health of a client's token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from paytui.domain.models import Problem


@dataclass(frozen=True, slots=True)
class TokenHealth:
    """The health of the token, for the status bar.

    Attributes:
        remaining: its life left; None where there is none.
        contested: another program is using this client id.
        stopped: why no token is asked for any more: the secret is refused, or cannot be had.
        services: what the token says that we may use; told by the service, not verified.
        unshared: why the token is not shared with other processes although it was to be.
        missing_services: services that the token leaves out although it lists some.
    """

    remaining: timedelta | None
    contested: bool
    stopped: Problem | None
    services: tuple[str, ...]
    unshared: str | None
    missing_services: frozenset[str]
