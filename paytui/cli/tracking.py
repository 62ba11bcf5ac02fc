"""The identifiers that a command tracks, and those it could not place."""

from __future__ import annotations

from collections.abc import Iterable

import click

from paytui.api.client import Client, recognise
from paytui.api.dialect import Dialect
from paytui.api.resources import READS
from paytui.cli.ask import ask
from paytui.cli.errors import CommandError
from paytui.cli.spoken import dialect_of
from paytui.cli.vocabulary import is_read
from paytui.config.settings import Settings
from paytui.config.tracked import Tracked, both
from paytui.config.values import Refused, one_line
from paytui.domain.models import Kind
from paytui.worker.intents.created_objects import CHOSEN


def checked(typed: Iterable[str]) -> tuple[str, ...]:
    """Identifiers as they are kept: without the blanks around them.

    Raises:
        click.BadParameter: one is empty, or holds what no identifier does.
    """
    try:
        return tuple(one_line(each.strip()) for each in typed)
    except Refused as refused:
        what = f"an identifier {refused.message}; nothing was changed."
        raise click.BadParameter(what) from None


def without(before: Tracked, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the remaining identifiers, and those that were not tracked."""
    unknown = [each for each in identifiers if not any(each in known for known in before.values())]
    left = {
        kind: tuple(each for each in known if each not in identifiers)
        for kind, known in before.items()
    }
    return both(left, {}), unknown


def check_read(settings: Settings, kind: Kind) -> None:
    """Check by the dialect that the service can show an object of a kind.

    If it cannot, an object that wizards choose from is still tracked, and a message says so.

    Raises:
        CommandError: it cannot, and the identifier alone is of no use.
        DialectError: the profile's dialect cannot be used.
    """
    if is_read(dialect_of(settings.profile), kind):
        return
    noun, read = kind.value.replace("_", " "), READS[kind].get
    why = f"This service shows no {noun}, by its dialect ([paths] {read} = [])"
    if kind not in CHOSEN:
        raise CommandError(f"{why}: nothing was changed.")
    click.echo(f"{why}: what is tracked is known by its identifier alone.", err=True)


def recognised(settings: Settings, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Of which kinds they are by the service's word, told as it is found, and the others."""

    async def look(client: Client, _dialect: Dialect) -> dict[str, Kind | None]:
        return {identifier: await recognise(client, identifier) for identifier in identifiers}

    found: Tracked = {}
    unknown = []
    for identifier, kind in ask(settings, look).items():
        if kind is None:
            unknown.append(identifier)
        else:
            click.echo(f"{kind.value} {identifier}")
            found = both(found, {kind: (identifier,)})
    return found, unknown
