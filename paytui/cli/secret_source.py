"""Where the secret of a profile comes from on this machine, at this terminal."""

from __future__ import annotations

import getpass
import os
import sys

from paytui.config.settings import Profile
from paytui.platform.keyring import SecretKeyring
from paytui.platform.secret import Secret, SecretCommand, SecretSource, find_source

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
