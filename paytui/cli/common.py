"""Options, exit codes and errors that the commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paytui.api.dialect import DialectError
from paytui.book.file import BookError
from paytui.config.validation import ConfigError
from paytui.outbox.errors import OutboxError
from paytui.platform.secret import SecretError

if TYPE_CHECKING:
    from paytui.config.settings import Settings


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration file to read instead of your own.",
)
profile_option = click.option("--profile", metavar="P", help="Profile to use.")
accept_option = click.option(
    "--accept-new-host", is_flag=True, help="Trust the service's current address and certificate."
)


@dataclass(frozen=True, slots=True)
class ProfileChoice:
    """The configuration and the profile that a command line names."""

    config_file: Path | None
    profile: str | None
    accept_new_host: bool = False

    @property
    def path(self) -> Path:
        from paytui.config.load import config_path

        return config_path(self.config_file, os.environ)

    def load(self) -> Settings:
        """Return the settings; raise ConfigError if they cannot be used."""
        from paytui.config.load import load_settings

        accept = self.accept_new_host
        return load_settings(self.path, os.environ, profile=self.profile, accept_new_host=accept)

    def load_verified(self) -> Settings:
        """Return the settings of a profile whose service is that of its last use.

        Raises:
            ConfigError: they cannot be used.
            HostMoved: the address of the service changed.
        """
        from paytui.cli.wiring.known_hosts import verify_host

        settings = self.load()
        verify_host(settings.profile)
        return settings


def choice_options(*, accept: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the options of a `ProfileChoice`, which a command gets as `choice`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(
            *args: object,
            config_file: Path | None,
            profile: str | None,
            accept_new_host: bool = False,
            **others: object,
        ) -> None:
            command(*args, choice=ProfileChoice(config_file, profile, accept_new_host), **others)

        run = accept_option(config_option(run)) if accept else config_option(run)
        return profile_option(run)

    return decorated


def parse_moment(_: click.Context, __: click.Parameter, value: str | None) -> datetime | None:
    """Parse a time, or a period before now."""
    from paytui.store.filter import read_moment, read_period

    if value is None:
        return None
    period = read_period(value)
    try:
        moment = read_moment(value) if period is None else datetime.now(UTC) - period
    except OverflowError:
        moment = None
    if moment is None:
        raise click.BadParameter("Use 2h, 7d, 2026-03-02 or 2026-03-02T12:00Z.")
    return moment


read_only_option = click.option(
    "--read-only", is_flag=True, help="Disable everything that moves money."
)


class ExitCode(IntEnum):
    """Exit statuses of every command; Python exits with 1 too, after a bug of ours."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    REFUSED = 3
    UNREACHABLE = 4
    IN_PART = 5
    MOVED = 6
    WARNED = 7
    INTERRUPTED = 130


HELP = """\b
Exit codes:
    0  done
    1  paytui itself failed
    2  wrong usage or configuration
    3  the service refused the client id and secret
    4  the service could not be reached
    5  done in part
    6  the service's address or certificate changed and was not accepted
    7  of doctor: it works, and something should be fixed
  130  interrupted
"""


EXPECTED = (BookError, ConfigError, DialectError, OutboxError, SecretError)
"""Errors that the user can mend: their messages say where and how."""


class CommandError(click.ClickException):
    """An error that ends a command with a message on stderr."""

    def __init__(self, message: str, code: ExitCode = ExitCode.USAGE) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]  # click's of a class, read from the instance


def print_notice(words: str) -> None:
    """Print a clause as a sentence to stderr."""
    click.echo(f"{words[:1].upper()}{words[1:]}.", err=True)
