"""Errors as the command line ends with them: one readable message, and no traceback."""

from __future__ import annotations

import click

from paytui.api.dialect import DialectError
from paytui.cli.exit_codes import ExitCode
from paytui.config.errors import ConfigError
from paytui.outbox.errors import OutboxError
from paytui.platform.secret import SecretError

EXPECTED = (ConfigError, DialectError, OutboxError, SecretError)
"""What a person can mend: their messages say where and how."""


class CommandError(click.ClickException):
    """Ends a command with a message on stderr."""

    exit_code = ExitCode.USAGE
