"""The client secret of a profile, and the operator's unlock commands."""

from __future__ import annotations

import asyncio
import getpass
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import click

from paytui.config.settings import Profile, Settings, UnlockCommand
from paytui.platform.processes import kill_group, run_in_daemon_thread
from paytui.platform.secret import (
    SHARED_VARIABLE,
    Secret,
    SecretCommand,
    SecretError,
    SecretFile,
    SecretKeyring,
    SecretPrompt,
    SecretSource,
    SecretVariable,
    secret_variable,
)
from paytui.platform.text import clean

IN_CLEAR = "it is in clear text in the configuration, and in the list of processes while it runs"
ELSEWHERE = "Keep it in a password manager, or in a keyring: paytui config keyring."


def secret_source(profile: Profile) -> SecretSource:
    """Return the profile's secret source, unread; ask on the terminal if there is one."""
    return find_source(profile, os.environ, getpass.getpass if sys.stdin.isatty() else None)


def find_source(
    profile: Profile, environ: Mapping[str, str], ask: Callable[[str], str] | None
) -> SecretSource:
    """Return the first of: command, file, keyring, environment, prompt; else raise SecretError.

    Nothing is read yet. The profile's own variable takes precedence over the shared one.
    """
    if profile.secret_command:
        return SecretCommand(tuple(profile.secret_command), profile.entry("secret_command"))
    if profile.secret_file is not None:
        return SecretFile(profile.secret_file, profile.entry("secret_file"))
    if profile.secret_keyring:
        return keyring_source(profile, profile.secret_keyring)
    own = secret_variable(profile.name)
    for name in (own, SHARED_VARIABLE):
        if environ.get(name):
            return SecretVariable(name, environ)
    if ask is not None:
        return SecretPrompt(f"Client secret of {profile.name}: ", ask)
    message = "is missing, and no other client secret is set"
    remedy = f"Set secret_command or secret_file there, or the variable {own} or {SHARED_VARIABLE}."
    raise SecretError(profile.entry("secret_command"), message, remedy)


def keyring_source(profile: Profile, named: tuple[str, str]) -> SecretKeyring:
    return SecretKeyring(*named, profile.entry("secret_keyring"))


def warning_of(source: SecretSource, secret: Secret | None = None) -> str | None:
    """Return a warning about a source that exposes the secret; None if it does not."""
    if isinstance(source, SecretCommand) and source.reveals(secret):
        return f"{source.origin}: {IN_CLEAR}. {ELSEWHERE}"
    return None


class RefreshingSecret:
    """A secret that is read again for each use, so that a rotated one is found.

    While its source fails, the last secret is used: a password store that locked itself overnight
    does not cut off a dashboard. If that secret is out of date, the service rejects it.

    Creating one raises SecretError if the source has no secret.
    """

    def __init__(self, source: SecretSource) -> None:
        self._source = source
        self.latest = source.read()
        self._fresh = True

    def __call__(self) -> Secret:
        if not self._fresh:
            with suppress(SecretError):
                self.latest = self._source.read()
        self._fresh = False
        return self.latest


def read_secret(settings: Settings, activity: str, typed: Secret | None = None) -> RefreshingSecret:
    """Print the activity, the host and the secret's source to stderr, and read the client secret.

    A typed secret takes precedence over the profile's source.

    Raise SecretError if there is no secret.
    """
    source = (
        secret_source(settings.profile)
        if typed is None
        else SecretPrompt("", lambda _: typed.reveal())  # it was asked for before
    )
    words = f"{activity} {settings.profile.host}, client secret from {source.origin}…"
    click.echo(words, err=True)
    return RefreshingSecret(source)


PATIENCE = 60.0  # Seconds: enough to touch a security key or a fingerprint reader

OPERATORS = {"PATH": "/usr/bin:/bin"}
"""The environment of an operator's program, free of the user's variables."""


def unlock_check(commands: Sequence[UnlockCommand]) -> Callable[[], Awaitable[str]]:
    """Return a function that runs all commands; it returns why one refused, or an empty text."""

    async def prove() -> str:
        for command in commands:
            if why_not := await _run(command):
                return f"{clean(command.argv[0], 40)} {why_not}: it stays locked."
        return ""

    return prove


async def _run(command: UnlockCommand) -> str:
    """Return why the command failed, or an empty text; kill it on timeout or cancellation."""
    try:
        process = _start(command)
    except OSError as error:
        return f"cannot be run: {error.strerror or 'unknown reason'}"
    try:
        async with asyncio.timeout(PATIENCE):
            status = await run_in_daemon_thread(process.wait)
    except TimeoutError:
        return f"did not finish within {PATIENCE:g} s"
    finally:
        kill_group(process)
    return f"ended with exit status {status}" if status else ""


def _start(command: UnlockCommand) -> subprocess.Popen[bytes]:
    """Start a command without access to the terminal, which the dashboard uses."""
    return subprocess.Popen(  # noqa: S603 - configured, and without a shell
        command.argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=OPERATORS if command.is_operators else None,
    )
