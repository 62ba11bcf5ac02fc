"""Options, exit codes and errors that the commands share."""

from __future__ import annotations

import math
from enum import IntEnum
from pathlib import Path

import click

from paytui.api.dialect import DialectError
from paytui.config.errors import ConfigError
from paytui.outbox.errors import OutboxError
from paytui.platform.secret import SecretError


def _number(_: click.Context, __: click.Parameter, value: float) -> float:
    """Refuse nan and inf, which click accepts for a range."""
    if not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number.")
    return value


config_option = click.option(
    "--config",
    "config_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read this configuration instead of your own.",
)
profile_option = click.option("--profile", metavar="P", help="Use this profile.")
accept_option = click.option(
    "--accept-new-host",
    is_flag=True,
    help="Trust the service's current address and certificate.",
)
read_only_option = click.option("--read-only", is_flag=True, help="Offer nothing that moves money.")
seed_option = click.option(
    "--seed", type=int, default=1, metavar="N", help="Everything random follows from it."
)
scale_option = click.option(
    "--scale",
    type=click.IntRange(min=0),
    default=200,
    metavar="N",
    help="Start with N payments and with what belongs to them.",
)
speed_option = click.option(
    "--speed",
    type=click.FloatRange(min=0),
    callback=_number,
    default=1.0,
    metavar="X",
    help="Let states, pay-ins and rates move X times as fast; 0 stops them.",
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
    7  of doctor: it works, and something should be mended
  130  interrupted
"""


EXPECTED = (ConfigError, DialectError, OutboxError, SecretError)
"""Errors that the user can mend: their messages say where and how."""


class CommandError(click.ClickException):
    """An error that ends a command with a message on stderr."""

    exit_code = ExitCode.USAGE
