"""The client secret between two requests to `/auth`: when to ask its source, and when to stop."""

from __future__ import annotations

from collections.abc import Callable

from paytui.api.errors import ApiError, AuthRefused, NoSecret
from paytui.api.models import Problem
from paytui.clock import Clock
from paytui.secret import Secret, SecretError

REREAD = 30.0
"""Seconds between looks at the source of a secret that is refused, or cannot be had."""


class SecretKeeper:
    """Keeps the secret while the service accepts it.

    Its source may be a slow program, so it is asked once; and again when the service refuses what
    it gave: a secret that was changed meanwhile is tried by itself, the same one never.
    """

    def __init__(self, source: Callable[[], Secret], clock: Clock) -> None:
        self._source = source
        self._clock = clock
        self._known: Secret | None = None
        self._again_from = 0.0
        self.stopped: AuthRefused | NoSecret | None = None

    def current(self) -> Secret:
        """The secret to send.

        Raises:
            AuthRefused: the service refused it, and its source still gives the same.
            NoSecret: its source gives none.
        """
        if self.stopped is not None:
            return self._changed(self.stopped)
        if self._known is None:
            self._known = self._read()
        return self._known

    def refused(self, error: AuthRefused) -> None:
        """The service does not accept the secret that it was sent."""
        self.stopped = error
        self._again_from = self._clock.boot()

    def try_again(self) -> None:
        """Forget what was known: someone says that it is right now."""
        self.stopped = self._known = None

    def _changed(self, stopped: ApiError) -> Secret:
        now = self._clock.boot()
        if now < self._again_from:
            raise stopped.again(None)
        self._again_from = now + REREAD
        secret = self._read()
        if self._known is not None and secret.reveal() == self._known.reveal():
            raise stopped.again(None)
        self._known, self.stopped = secret, None
        return secret

    def _read(self) -> Secret:
        try:
            return self._source()
        except SecretError as error:
            what = f"no secret: {error.origin} {error.message}"
            problem = Problem("sign in", what, remedy=error.remedy)
        self._known, self.stopped = None, NoSecret(problem, written=False)
        self._again_from = self._clock.boot() + REREAD
        raise self.stopped.again(None)
