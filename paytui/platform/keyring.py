"""The system's keyring as a source of secrets.

It runs in a daemon thread, since it may wait for the user to unlock it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TypeVar

from paytui.platform.secret import Secret, SecretError

TIMEOUT = 30.0
"""Seconds; enough to type a passphrase in another window."""

INSTALL = "Install it: pip install 'paytui[keyring]'"
T = TypeVar("T")


class SecretKeyring:
    """An entry of the keyring.

    Args:
        service: the entry's service name.
        user: the entry's user name.
        entry: the setting that names it, for error messages.
        timeout: seconds to wait for the keyring.
    """

    def __init__(
        self,
        service: str,
        user: str,
        entry: str = "secret_keyring",
        timeout: float = TIMEOUT,
    ) -> None:
        self.origin = f"secret_keyring ({service}/{user})"
        self._place = f"{entry} ({service}/{user})"
        self._service = service
        self._user = user
        self._timeout = timeout
        self._waiting: Thread | None = None

    def read(self) -> Secret:
        found = self._call(partial(_get, self._service, self._user))
        if not found:
            raise self._error("holds no secret", "Put it there: paytui config keyring")
        return Secret(found)

    def store(self, secret: Secret) -> None:
        """Store a secret, replacing the one before.

        Raises:
            SecretError: it cannot be stored.
        """
        self._call(partial(_set, self._service, self._user, secret))

    def _call(self, ask: Callable[[], T]) -> T:
        """Return the keyring's answer, or raise after the timeout."""
        if self._waiting is not None and self._waiting.is_alive():
            raise self._error("still does not answer", "Unlock it, or end what it waits for.")
        answers: list[T] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                answers.append(ask())
            except BaseException as error:  # noqa: BLE001 - backends raise what they like
                failures.append(error)

        # A daemon thread: the process can exit while the keyring still waits.
        self._waiting = Thread(target=run, name="paytui-keyring", daemon=True)
        self._waiting.start()
        self._waiting.join(self._timeout)
        if failures:
            raise self._explained(failures[0]) from None
        if not answers:
            message = f"did not answer within {self._timeout:g} s"
            raise self._error(message, "Unlock it, or see whether it asks for something.")
        return answers[0]

    def _explained(self, error: BaseException) -> SecretError:
        if isinstance(error, ModuleNotFoundError):
            return self._error("needs a library that is not there", INSTALL)
        match type(error).__name__:
            case "NoKeyringError":
                remedy = "Set secret_command or secret_file instead."
                return self._error("finds no keyring on this machine", remedy)
            case "KeyringLocked":
                return self._error("is locked", "Unlock it, then try again.")
            case name:  # its message may hold a secret
                return self._error(f"failed ({name})", "See whether `keyring diagnose` works.")

    def _error(self, message: str, remedy: str) -> SecretError:
        return SecretError(self._place, message, remedy)


def _get(service: str, user: str) -> str | None:
    import keyring

    return keyring.get_password(service, user)


def _set(service: str, user: str, secret: Secret) -> None:
    import keyring

    keyring.set_password(service, user, secret.reveal())
