"""The configuration: whether it can be used, and whether others could change it."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path

from paytui.api.dialect import DialectError
from paytui.cli.checks import check_views
from paytui.cli.checkup.changeable import who_can_change
from paytui.cli.checkup.finding import Finding, error, fine
from paytui.cli.errors import CommandError
from paytui.cli.exit_codes import ExitCode
from paytui.cli.spoken import dialect_of
from paytui.cli.way import check_way
from paytui.config.errors import ConfigError
from paytui.config.load import load_settings
from paytui.config.settings import Profile, Settings

NAME = "configuration"


def configuration(
    path: Path, environ: Mapping[str, str], profile: str | None, *, accept: bool
) -> Generator[Finding, None, Settings | None]:
    """Look at a configuration; `accept` is as for `checkup`.

    Returns:
        What it says; None where that cannot be used.
    """
    try:
        settings = load_settings(path, environ, profile=profile, accept_new_host=accept)
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
    if settings.held:
        held = ", ".join(sorted(settings.held))
        yield fine(NAME, f"this machine's operator has set {held}")
    yield from _changeable(path, settings.profile)
    yield from _way(settings.profile)
    return settings


def _parted(found: ConfigError | DialectError) -> tuple[str, str]:
    """What is wrong, and what to do."""
    if isinstance(found, ConfigError):
        return str(found).removesuffix(f". {found.remedy}"), found.remedy
    what, _, remedy = str(found).rpartition(". ")
    return (what, remedy) if what else (str(found), "Mend the dialect.")


def _changeable(path: Path, profile: Profile) -> Iterator[Finding]:
    """Who else could have a say in where the secret goes."""
    yield from who_can_change(path, "can have the secret sent elsewhere")
    if profile.dialect is not None:
        yield from who_can_change(profile.dialect, "can change what is sent")
    if profile.ca_file is not None:
        yield from who_can_change(profile.ca_file, "can choose who is believed")
    if profile.secret_command and (program := shutil.which(profile.secret_command[0])):
        yield from who_can_change(Path(program), "can learn the secret")


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
