"""Commands that ask a profile's service once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import click

from paytui.api.client import Client, identify_kind
from paytui.api.dialect import Dialect
from paytui.api.resources import READS
from paytui.cli.common import CommandError, ExitCode
from paytui.cli.wiring.compose import read_once
from paytui.cli.wiring.dialect import dialect_of, is_read
from paytui.cli.wiring.secrets import RefreshingSecret, read_secret, secret_source
from paytui.config.settings import Settings
from paytui.config.tracked import Tracked, merge_tracked
from paytui.config.values import InvalidValue, one_line
from paytui.domain.models import Kind
from paytui.platform.secret import Secret
from paytui.store.store import Store
from paytui.worker.intents.created_objects import CHOSEN

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TypedSecret:
    """A secret source for a secret that was just typed."""

    secret: Secret
    origin: str = "what was typed"

    def read(self) -> Secret:
        """See `SecretSource`."""
        return self.secret


class ServiceRefused(CommandError):
    """The service rejects the client id and secret."""

    exit_code = ExitCode.REFUSED


class ServiceUnavailable(CommandError):
    """No usable response came."""

    exit_code = ExitCode.UNREACHABLE


def ask_service(
    settings: Settings,
    use: Callable[[Client, Dialect], Awaitable[T]],
    typed: Secret | None = None,
    *,
    anew: bool = False,
) -> T:
    """Return the result of `use`, called with a client of the profile's service.

    A typed secret takes precedence over the profile's source. With `anew` no shared token is used,
    so that the login proves the secret.

    Raises:
        CommandError: the service cannot be asked; its exit code tells why.
        SecretError: there is no secret.
    """
    from paytui.api.errors import ApiError, AuthRefused
    from paytui.cli.wiring.compose import with_client

    source = secret_source(settings.profile) if typed is None else TypedSecret(typed)
    click.echo(f"Asking {settings.profile.host}, client secret from {source.origin}…", err=True)
    try:
        return with_client(settings, RefreshingSecret(source), use, anew=anew)
    except AuthRefused as error:
        raise ServiceRefused(str(error)) from None
    except ApiError as error:
        raise ServiceUnavailable(str(error)) from None


def read_all(settings: Settings) -> Store:
    """Read everything once, and say so on stderr; failures are in the feeds' health.

    Raises:
        DialectError: the profile's dialect cannot be used.
        SecretError: there is no secret.
    """
    return read_once(settings, read_secret(settings, "Reading"))


def parse_identifiers(typed: Iterable[str]) -> tuple[str, ...]:
    """Return identifiers without the blanks around them.

    Raises:
        click.BadParameter: one is empty, or has characters that no identifier has.
    """
    try:
        return tuple(one_line(each.strip()) for each in typed)
    except InvalidValue as refused:
        what = f"an identifier {refused.message}; nothing was changed."
        raise click.BadParameter(what) from None


def forget_identifiers(before: Tracked, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the remaining identifiers, and those that were not tracked."""
    unknown = [each for each in identifiers if not any(each in known for known in before.values())]
    left = {
        kind: tuple(each for each in known if each not in identifiers)
        for kind, known in before.items()
    }
    return merge_tracked(left, {}), unknown


def check_read(settings: Settings, kind: Kind) -> None:
    """Check by the dialect that the service can show an object of a kind.

    If it cannot, an object that wizards choose from is still tracked, and a message says so.

    Raises:
        CommandError: it cannot, and the identifier alone is useless.
        DialectError: the profile's dialect cannot be used.
    """
    if is_read(dialect_of(settings.profile), kind):
        return
    noun, read = kind.value.replace("_", " "), READS[kind].get
    why = f"This service shows no {noun}, by its dialect ([paths] {read} = [])"
    if kind not in CHOSEN:
        raise CommandError(f"{why}: nothing was changed.")
    click.echo(f"{why}: what is tracked is known by its identifier alone.", err=True)


def identify_all(settings: Settings, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the identifiers by kind as the service knows them, printed, and the unknown ones."""

    async def look(client: Client, _dialect: Dialect) -> dict[str, Kind | None]:
        return {identifier: await identify_kind(client, identifier) for identifier in identifiers}

    found: Tracked = {}
    unknown = []
    for identifier, kind in ask_service(settings, look).items():
        if kind is None:
            unknown.append(identifier)
        else:
            click.echo(f"{kind.value} {identifier}")
            found = merge_tracked(found, {kind: (identifier,)})
    return found, unknown
