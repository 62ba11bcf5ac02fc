"""A masked type for secrets, and the sources of client secrets.

A source is read whenever the secret is needed, so a rotated secret is found without a restart.
Descriptions of sources and their errors never hold the secret.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from paytui.platform.files import NotPrivate, read_private
from paytui.platform.processes import kill_group, start_daemon_thread

if TYPE_CHECKING:
    from concurrent.futures import Future

MASK = "••••"
COMMAND_TIMEOUT = 10.0  # Seconds that a secret command may take
LONGEST = 4096  # The most bytes of a secret

SHARED_VARIABLE = "PAYTUI_CLIENT_SECRET"


class Secret:
    """A secret string, masked when printed, formatted, logged or compared; it cannot be pickled."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the secret: only for the body of POST /auth and to verify webhook signatures."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({MASK})"

    def __str__(self) -> str:
        return MASK

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written anywhere")


class SecretError(Exception):
    """A secret that cannot be read; the message follows the origin, the remedy is a sentence.

    The origin is the source, and the setting that names it:
    `/home/x/config.toml: profiles.acme.secret_file (/home/x/acme.secret)`.
    """

    def __init__(self, origin: str, message: str, remedy: str) -> None:
        self.origin = origin
        self.message = message
        self.remedy = remedy
        super().__init__(f"{origin}: {message}. {remedy}")


class SecretSource(Protocol):
    """A source of a secret."""

    @property
    def origin(self) -> str:
        """The source, in words for the user."""

    def read(self) -> Secret:
        """Return the current secret, or raise SecretError; may block."""


@dataclass(frozen=True, slots=True)
class SecretCommand:
    """The first line of a program's output; its arguments may hold secrets and are never shown."""

    argv: tuple[str, ...]
    entry: str = "secret_command"
    timeout: float = COMMAND_TIMEOUT

    @property
    def origin(self) -> str:
        return f"secret_command ({self._program})"

    def reveals(self, secret: Secret | None) -> bool:
        """Return True if the arguments hold the secret in clear.

        Without the secret (None), return True for a program that only prints its arguments.
        """
        if secret is None:
            return self._program in ("echo", "printf")
        return any(secret.reveal() in argument for argument in self.argv)

    @property
    def _program(self) -> str:
        return Path(self.argv[0]).name

    @property
    def _place(self) -> str:
        return f"{self.entry} ({self._program})"

    def read(self) -> Secret:
        process = self._start()
        try:
            output, _ = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            remedy = "Run it by hand to see what it waits for."
            message = f"did not finish within {self.timeout:g} s"
            raise SecretError(self._place, message, remedy) from None
        finally:
            if process.returncode is None:
                kill_group(process)
                process.kill()
                if process.stdout is not None:
                    process.stdout.close()
                process.wait()
        if process.returncode:
            message = f"ended with exit status {process.returncode}"
            raise SecretError(self._place, message, "Run it by hand to see why.")
        return _first_line(output, self._place)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - the user's own argv, without a shell
                self.argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            message = f"cannot be run: {error.strerror or 'unknown reason'}"
            raise SecretError(
                self._place, message, "Name a program on the PATH, or its whole path."
            ) from None


@dataclass(frozen=True, slots=True)
class SecretFile:
    """The first line of a private file."""

    path: Path
    entry: str = "secret_file"

    @property
    def origin(self) -> str:
        return f"secret_file ({self.path})"

    @property
    def _place(self) -> str:
        return f"{self.entry} ({self.path})"

    def read(self) -> Secret:
        try:
            output = read_private(self.path, LONGEST + 1, os.geteuid())
        except NotPrivate as error:
            remedy = error.remedy or "Name a file that holds the secret."
            raise SecretError(self._place, error.message, remedy) from None
        except OSError as error:
            message = f"cannot be read: {error.strerror or 'unknown reason'}"
            remedy = "Create it, or correct secret_file."
            if self.path.is_symlink():
                message, remedy = "is a symbolic link", "Name the file itself."
            raise SecretError(self._place, message, remedy) from None
        return _first_line(output, self._place)


@dataclass(frozen=True, slots=True)
class SecretVariable:
    """An environment variable."""

    name: str
    environ: Mapping[str, str]

    @property
    def origin(self) -> str:
        return f"environment {self.name}"

    def read(self) -> Secret:
        return _first_line(os.fsencode(self.environ.get(self.name, "")), self.origin)

    def __repr__(self) -> str:
        return f"SecretVariable({self.name})"


class SecretPrompt:
    """A question on the terminal, asked only once: a painted dashboard cannot ask again."""

    origin = "prompt"

    def __init__(self, question: str, ask: Callable[[str], str]) -> None:
        self._question = question
        self._ask = ask
        self._answer: Secret | None = None

    def read(self) -> Secret:
        if self._answer is None:
            self._answer = _first_line(os.fsencode(self._ask(self._question)), self.origin)
        return self._answer


def secret_variable(profile: str) -> str:
    """Return the environment variable of a profile's secret: `PAYTUI_ACME_CLIENT_SECRET`."""
    return f"PAYTUI_{re.sub('[^A-Z0-9]', '_', profile.upper())}_CLIENT_SECRET"


def _first_line(output: bytes, origin: str) -> Secret:
    line = output.partition(b"\n")[0].removesuffix(b"\r")
    if len(line) > LONGEST:
        raise SecretError(origin, f"is longer than {LONGEST} bytes", "Check its content.")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise SecretError(origin, "is not UTF-8 text", "Check its content.") from None
    if not text.strip():
        raise SecretError(origin, "holds no secret in its first line", "Check its content.")
    return Secret(text)


KEYRING_TIMEOUT = 30.0  # Seconds; enough to type a passphrase in another window

INSTALL = "Install it: pip install 'paytui[keyring]'"
T = TypeVar("T")


class SecretKeyring:
    """An entry of the system's keyring; `entry` names its setting in error messages."""

    def __init__(
        self,
        service: str,
        user: str,
        entry: str = "secret_keyring",
        timeout: float = KEYRING_TIMEOUT,
    ) -> None:
        self.origin = f"secret_keyring ({service}/{user})"
        self._place = f"{entry} ({service}/{user})"
        self._service = service
        self._user = user
        self._timeout = timeout
        self._waiting: Future[Any] | None = None

    def read(self) -> Secret:
        def get() -> str | None:
            import keyring

            return keyring.get_password(self._service, self._user)

        found = self._call(get)
        if not found:
            raise self._error("holds no secret", "Put it there: paytui config keyring")
        return Secret(found)

    def store(self, secret: Secret) -> None:
        def put() -> None:
            import keyring

            keyring.set_password(self._service, self._user, secret.reveal())

        self._call(put)

    def _call(self, ask: Callable[[], T]) -> T:
        """Return the keyring's answer, or raise after the timeout."""
        if self._waiting is not None and not self._waiting.done():
            raise self._error("still does not answer", "Unlock it, or answer its prompt.")
        # The process can exit while the keyring still waits for the user to unlock it.
        self._waiting = answer = start_daemon_thread(ask)
        try:
            failure = answer.exception(self._timeout)
        except TimeoutError:
            message = f"did not answer within {self._timeout:g} s"
            remedy = "Unlock it, or check for a prompt."
            raise self._error(message, remedy) from None
        if failure is not None:
            raise self._explained(failure) from None
        return answer.result()

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
                return self._error(f"failed ({name})", "Check that `keyring diagnose` works.")

    def _error(self, message: str, remedy: str) -> SecretError:
        return SecretError(self._place, message, remedy)
