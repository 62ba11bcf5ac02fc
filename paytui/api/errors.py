"""The exceptions of the client: a tree below `ApiError`.

Each has a `Problem` for a person. For requests that move money, `effect`, `status`, `written`,
`stated` and `replayed` hold the facts (service.md §7; architecture.md).

A status alone proves nothing about a POST: a gateway may answer 403, 404 or 429 for a request that
it has forwarded. Only an error in the service's own shape that rules the request out is a refusal.
"""

from __future__ import annotations

from copy import copy
from enum import Enum
from typing import Self

from paytui.domain.models import Problem, ProblemError


class Effect(Enum):
    """The effect of a failed POST at the service, judged by this attempt alone."""

    NONE = "not executed"
    UNKNOWN = "may have been executed"
    REFUSED = "refused"


class ApiError(ProblemError):
    """A failure of a request to the service.

    Attributes:
        written: True if any byte of the request may have left this host.
        stated: True if the service itself, in its error shape, says that it did not execute it.
        replayed: True if the response was marked as a repeat of an earlier one.
        retry_after: seconds to wait, by the service or our own back-off.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        status: int | None = None,
        written: bool = True,
        stated: bool = False,
        replayed: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(problem)
        self.status = status
        self.written = written
        self.stated = stated
        self.replayed = replayed
        self.retry_after = retry_after

    def again(self, retry_after: float | None) -> Self:
        """Return the same error for another caller, without the first one's traceback."""
        fresh = copy(self)
        fresh.retry_after = retry_after
        return fresh

    @property
    def effect(self) -> Effect:
        """Return the effect of this attempt at the service, for a POST."""
        if not self.written:
            return Effect.NONE
        return self._when_stated if self.stated else Effect.UNKNOWN

    _when_stated = Effect.UNKNOWN
    """The effect if the service itself says that it did not execute the request."""


class NotSent(ApiError):
    """The request lacks a field that the service needs, or holds a value that must not be sent."""


class NotOffered(ApiError):
    """The service has no such operation: not in the dialect, or 404, 405 or 501 at all paths."""


class ServiceUnreachable(ApiError):
    """No whole response: connection refused, name not found, TLS failed, cut."""


class TimedOut(ServiceUnreachable):
    """A response that was not complete in time."""


class HostRefused(ServiceUnreachable):
    """The host's certificate is valid, but not the expected one; nothing was sent."""


class AuthRefused(ApiError):
    """The service does not accept the client id and secret (service.md §5: 400 and 401).

    No token is requested until the secret changes or the user retries.
    """

    @property
    def effect(self) -> Effect:
        return Effect.NONE


class NoSecret(ApiError):
    """The source of the client secret returned none, so no request was sent."""


class TokenLost(ApiError):
    """The token was rejected, and no new one may be requested yet or the new one failed too."""

    _when_stated = Effect.NONE


class RateLimited(ApiError):
    """Too many requests (429)."""

    _when_stated = Effect.NONE


class ServiceFailed(ApiError):
    """The service failed (5xx) or gave up (408, 499): it may have executed the request."""


class Unreadable(ApiError):
    """A response that cannot be decoded: HTML, cut JSON, wrong types, a redirect, too long."""


class NotSeen(ApiError):
    """The object is not in the part of its list that could be read."""


class Refused(ApiError):
    """The service understood the request and refused it (4xx)."""

    _when_stated = Effect.REFUSED


class NotFound(Refused):
    """The object does not exist (404 in the service's error shape)."""


class NoSuchRead(NotFound):
    """A plain 404 by a read that has never worked; the object may exist."""
