"""A secret that is read again whenever it is needed, so that a rotated one is found."""

from __future__ import annotations

from contextlib import suppress

from paytui.platform.secret import Secret, SecretError, SecretSource


class KeptSecret:
    """Asks its source each time; while that fails, the secret that was had before stands in.

    A password store that locked itself overnight does not cut off a dashboard whose secret still
    holds; if it no longer holds, the service says so.

    Raises:
        SecretError: on building, where there is no secret to begin with.
    """

    def __init__(self, source: SecretSource) -> None:
        self._source = source
        self._secret = source.read()
        self._fresh = True

    @property
    def latest(self) -> Secret:
        """As it was read last."""
        return self._secret

    def __call__(self) -> Secret:
        if not self._fresh:
            with suppress(SecretError):
                self._secret = self._source.read()
        self._fresh = False
        return self._secret
