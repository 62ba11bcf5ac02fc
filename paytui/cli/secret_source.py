"""Where the secret of a profile comes from on this machine, at this terminal."""

from __future__ import annotations

import getpass
import os
import sys

from paytui.config.settings import Profile
from paytui.secret import SecretSource, find_source


def secret_source(profile: Profile) -> SecretSource:
    """The profile's source; nothing is read yet.

    Raises:
        SecretError: there is none, and no terminal to ask on.
    """
    return find_source(
        profile.name,
        entry=profile.entry,
        command=profile.secret_command,
        file=profile.secret_file,
        environ=os.environ,
        ask=getpass.getpass if sys.stdin.isatty() else None,
    )
