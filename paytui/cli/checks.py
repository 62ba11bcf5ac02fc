"""What can be known of a profile without asking the service."""

from __future__ import annotations

from paytui.cli.secret_source import secret_source
from paytui.cli.spoken import dialect_of
from paytui.config.settings import Profile
from paytui.secret import SecretError, SecretFile


def check_profile(profile: Profile) -> str:
    """What a profile stands on, in a few words. A secret command is not run.

    Raises:
        DialectError: its dialect cannot be used.
        SecretError: its secret file cannot be read, or others can read it.
    """
    dialect_of(profile)
    dialect = profile.dialect.name if profile.dialect else "as shipped"
    return f"dialect {dialect}; {_secret(profile)}"


def _secret(profile: Profile) -> str:
    try:
        source = secret_source(profile)
    except SecretError as error:
        return f"no client secret yet. {error.remedy}"
    if isinstance(source, SecretFile):
        source.read()
    return f"client secret from {source.origin}"
