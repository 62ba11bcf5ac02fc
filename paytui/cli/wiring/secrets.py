"""Where the secret of a profile comes from on this machine, at this terminal."""

from __future__ import annotations

import asyncio
import getpass
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from paytui.config.settings import Profile, UnlockCommand
from paytui.platform.daemon_thread import run_in_daemon_thread
from paytui.platform.keyring import SecretKeyring
from paytui.platform.secret import Secret, SecretCommand, SecretError, SecretSource, find_source
from paytui.platform.text import clean

IN_CLEAR = "it stands in clear in the configuration, and in the list of processes while it runs"
ELSEWHERE = "Keep it in a password manager, or in a keyring: paytui config keyring."


def secret_source(profile: Profile) -> SecretSource:
    """The profile's source; nothing is read yet.

    Raises:
        SecretError: there is none, and no terminal to ask on.
    """
    if profile.secret_keyring and not (profile.secret_command or profile.secret_file):
        return keyring_source(profile, profile.secret_keyring)
    return find_source(
        profile.name,
        entry=profile.entry,
        command=profile.secret_command,
        file=profile.secret_file,
        environ=os.environ,
        ask=getpass.getpass if sys.stdin.isatty() else None,
    )


def keyring_source(profile: Profile, named: tuple[str, str]) -> SecretKeyring:
    """The entry of the keyring that a profile names."""
    service, user = named
    return SecretKeyring(service, user, profile.entry("secret_keyring"))


def warning_of(source: SecretSource, secret: Secret | None = None) -> str | None:
    """What is to be said of a source that gives the secret away, as far as it was asked for it."""
    if isinstance(source, SecretCommand) and source.gives_away(secret):
        return f"{source.origin}: {IN_CLEAR}. {ELSEWHERE}"
    return None


# A secret that is read again whenever it is needed, so that a rotated one is found.


class RefreshingSecret:
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


# The programs that have to end well before what was locked is unlocked.

PATIENCE = 60.0
"""Seconds in which somebody can touch a key or a reader."""

OPERATORS = {"PATH": "/usr/bin:/bin"}
"""The environment of an operator's program: nothing in it is the user's."""


def unlock_check(commands: Sequence[UnlockCommand]) -> Callable[[], Awaitable[str]]:
    """What runs all of them, and says why somebody is not let in; empty where they are."""

    async def prove() -> str:
        for command in commands:
            if why_not := await _run(command):
                return f"{clean(command.argv[0], 40)} {why_not}: it stays locked."
        return ""

    return prove


async def _run(command: UnlockCommand) -> str:
    """Why it did not end well; it is ended where nobody waits for it any more."""
    try:
        process = _start(command)
    except OSError as error:
        return f"cannot be run: {error.strerror or 'unknown reason'}"
    try:
        async with asyncio.timeout(PATIENCE):
            status = await run_in_daemon_thread(process.wait)
    except TimeoutError:
        return f"did not end within {PATIENCE:g} s"
    finally:
        _end(process)
    return f"ended with exit status {status}" if status else ""


def _start(command: UnlockCommand) -> subprocess.Popen[bytes]:
    """It sees no terminal, which is ours."""
    return subprocess.Popen(  # noqa: S603 - configured, and without a shell
        command.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=OPERATORS if command.is_operators else None,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End it and what it started; one that runs as another user is left to itself."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
