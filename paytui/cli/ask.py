"""Asking a profile's service something, once, for a command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import click

from paytui.cli.errors import CommandError
from paytui.cli.exit_codes import ExitCode
from paytui.config.settings import Settings
from paytui.platform.secret import Secret

if TYPE_CHECKING:
    from paytui.api.client import Client
    from paytui.api.dialect import Dialect

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TypedSecret:
    """What was typed a moment ago."""

    secret: Secret
    origin: str = "what was typed"

    def read(self) -> Secret:
        """See `SecretSource`."""
        return self.secret


class ServiceRefuses(CommandError):
    """The client id and secret are not accepted."""

    exit_code = ExitCode.REFUSED


class ServiceAway(CommandError):
    """No usable answer came."""

    exit_code = ExitCode.UNREACHABLE


def ask(
    settings: Settings,
    use: Callable[[Client, Dialect], Awaitable[T]],
    typed: Secret | None = None,
    *,
    anew: bool = False,
) -> T:
    """What comes of using a client of the profile's service.

    A secret that was just typed goes before the profile's own source; `anew` has it prove itself.

    Raises:
        CommandError: the service cannot be asked; its exit code tells why.
        SecretError: there is no secret to ask with.
    """
    from paytui.api.errors import ApiError, AuthRefused
    from paytui.cli.compose import with_client
    from paytui.cli.kept_secret import KeptSecret
    from paytui.cli.secret_source import secret_source

    source = secret_source(settings.profile) if typed is None else TypedSecret(typed)
    click.echo(f"Asking {settings.profile.host}, client secret from {source.origin}…", err=True)
    try:
        return with_client(settings, KeptSecret(source), use, anew=anew)
    except AuthRefused as error:
        raise ServiceRefuses(str(error)) from None
    except ApiError as error:
        raise ServiceAway(str(error)) from None
