"""The configuration: whether it can be used, and whether others could change it."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Generator, Mapping
from pathlib import Path

from paytui.api.dialect_merge import DialectError
from paytui.cli.checks import check_views
from paytui.cli.checkup.finding import Finding, error, fine, warning
from paytui.cli.errors import CommandError
from paytui.cli.exit_codes import ExitCode
from paytui.cli.spoken import dialect_of
from paytui.cli.way import check_way
from paytui.config.errors import ConfigError
from paytui.config.load import load_settings
from paytui.config.settings import Profile, Settings

NAME = "configuration"
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def configuration(
    path: Path, environ: Mapping[str, str], profile: str | None
) -> Generator[Finding, None, Settings | None]:
    """Look at a configuration.

    Returns:
        What it says; None where that cannot be used.
    """
    try:
        settings = load_settings(path, environ, profile=profile)
        dialect_of(settings.profile)
        check_way(settings.profile)
        check_views(settings)
    except (ConfigError, DialectError) as found:
        yield error(NAME, *_parted(found), ExitCode.USAGE)
        return None
    except CommandError as found:
        yield error(NAME, found.format_message(), f"Mend it in {path}.", ExitCode.USAGE)
        return None
    chosen = settings.origins["profile"]
    yield fine(NAME, f"{path}, profile {settings.profile.name} ({chosen})")
    yield from _who_can_change(path)
    if settings.profile.dialect is not None:
        yield from _who_can_change(settings.profile.dialect)
    yield from _way(settings.profile)
    return settings


def _parted(found: ConfigError | DialectError) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if isinstance(found, ConfigError):
        return str(found).removesuffix(f". {found.remedy}"), found.remedy
    what, _, remedy = str(found).rpartition(". ")
    return (what, remedy) if what else (str(found), "Mend the dialect.")


def _who_can_change(path: Path) -> Generator[Finding, None, None]:
    """Whoever can change it can have the secret sent elsewhere."""
    for place in (path, path.parent):
        status = place.stat()
        if status.st_uid not in (os.geteuid(), 0):
            what = f"{place} belongs to another user, who can have the secret sent elsewhere"
            yield warning("who can change it", what, "Make a copy that is yours.")
        elif status.st_mode & _OTHERS_WRITE and not status.st_mode & stat.S_ISVTX:
            mode = stat.S_IMODE(status.st_mode)
            what = f"{place} can be changed by others (mode {mode:04o})"
            remedy = f"Run: chmod go-w {shlex.quote(str(place))}"
            yield warning("who can change it", what, remedy)


def _way(profile: Profile) -> Generator[Finding, None, None]:
    """How the service is to be reached, where that is not as usual."""
    said = [
        f"{words} {value}"
        for words, value in (
            ("through the proxy", profile.proxy),
            ("vouched for by", profile.ca_file),
            ("with our certificate", profile.client_cert_file),
            ("one of these certificates:", ", ".join(profile.certificate_sha256)),
        )
        if value
    ]
    if said:
        yield fine("the way there", "; ".join(said))
