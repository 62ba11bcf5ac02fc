"""The errors of the service, as one tree: what happened, and what to do next.

* ApiError
  · NotSent             the request itself is at fault; nothing was sent
  · NotOffered          the service has no such operation (404, 405, 501 outside its error shape)
  · ServiceUnreachable  no whole answer: refused, DNS, TLS, cut
    · TimedOut          no answer in time
    · HostRefused       the host is not who it should be; nothing was sent
  · AuthRefused         /auth says 400 or 401: stops until the secret changes or someone says so
  · NoSecret            the secret's source gives none; nothing was sent
  · TokenLost           401 on a call: the token expired or was superseded; ask again later
  · RateLimited         429
  · ServiceFailed       5xx, 408 and 499
  · NotSeen             an object that is not in the part of its list that came
  · Unreadable          an answer that is not what service.md promises: HTML, cut JSON, a redirect
  · Refused             any other 4xx: the service understood and says no
    · NotFound          404 in the service's error shape: that one object is not there
      · NoSuchRead      a plain 404 by a read that has never worked: the service may have none
    · Conflict          409

Each carries a `Problem` for a person, and for whoever sent money the facts: `effect`, `status`,
`written`, `stated`, `replayed` (service.md §7; architecture.md).

A status alone proves nothing about a POST: a gateway answers 403, 404 or 429 for a request that it
has passed on. Only the service's own error, and one that rules the request out, is a refusal.
"""

from __future__ import annotations

from enum import Enum
from typing import Self

from paytui.domain.models import Problem


class Effect(Enum):
    """The effect of a failed POST at the service, judged by this attempt alone."""

    NONE = "not executed"
    UNKNOWN = "may have been executed"
    REFUSED = "refused"


class ApiError(Exception):
    """Anything that went wrong between us and the service.

    Attributes:
        problem: what to tell a person.
        status: the HTTP status, if there was an answer.
        written: whether any byte of the request may have left this host.
        stated: whether the service itself says, in its error shape, that it did not do it.
        replayed: whether the answer was marked as one given before.
        retry_after: seconds that the service, or our own back-off, wants us to wait.
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
        super().__init__(str(problem))
        self.problem = problem
        self.status = status
        self.written = written
        self.stated = stated
        self.replayed = replayed
        self.retry_after = retry_after

    def again(self, retry_after: float | None) -> Self:
        """The same error for another caller, without the traceback of the first."""
        return type(self)(
            self.problem,
            status=self.status,
            written=self.written,
            stated=self.stated,
            replayed=self.replayed,
            retry_after=retry_after,
        )

    @property
    def effect(self) -> Effect:
        """Return the effect of this attempt at the service, for a POST."""
        if not self.written:
            return Effect.NONE
        return self._when_stated if self.stated else Effect.UNKNOWN

    _when_stated = Effect.UNKNOWN
    """The effect if the service itself says that it did not execute the request."""


class NotSent(ApiError):
    """The request lacks what the service needs, or holds what must not be sent."""


class NotOffered(ApiError):
    """The service has no such operation: not in the dialect, or not behind any of its paths."""


class ServiceUnreachable(ApiError):
    """No whole answer came: connection refused, name not found, TLS failed, connection cut."""


class TimedOut(ServiceUnreachable):
    """No whole answer came in time."""


class HostRefused(ServiceUnreachable):
    """The host has proved itself as somebody, but not as the one that is expected."""


class AuthRefused(ApiError):
    """The service does not accept the client id and secret (service.md §5: 400 and 401)."""

    @property
    def effect(self) -> Effect:
        return Effect.NONE


class NoSecret(ApiError):
    """The client secret cannot be had from its source, so nobody was asked."""


class TokenLost(ApiError):
    """The token is not accepted and no new one may be asked for yet, or a new one failed too."""

    _when_stated = Effect.NONE


class RateLimited(ApiError):
    """Too many requests (429)."""

    _when_stated = Effect.NONE


class ServiceFailed(ApiError):
    """The service failed (5xx) or gave up (408, 499): it may have executed the request."""


class Unreadable(ApiError):
    """An answer that cannot be understood: HTML, cut JSON, wrong types, a redirect, too long."""


class NotSeen(ApiError):
    """An object that is read from its list, of which a part came that it is not in."""


class Refused(ApiError):
    """The service understood the request and says no (4xx)."""

    _when_stated = Effect.REFUSED


class NotFound(Refused):
    """The object named is not there (404 in the service's error shape)."""


class NoSuchRead(NotFound):
    """A plain 404 of one object, by a read that has never worked: it proves no object missing."""


class Conflict(Refused):
    """The object's state does not allow it (409)."""
