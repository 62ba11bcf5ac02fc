"""`paytui track`: identifiers to read one by one if the service has no list."""

from __future__ import annotations

from collections.abc import Iterable

import click

from paytui.api.resources import CHOSEN, READS, TRACKED
from paytui.cli.common import CommandError, ExitCode, ProfileChoice, choice_options
from paytui.cli.wiring.compose import ask_service, dialect_of, is_read
from paytui.config import user_files
from paytui.config.settings import Settings, Tracked
from paytui.config.value_parsers import one_line
from paytui.domain.models import Kind
from paytui.platform.text import InvalidValue


@click.command()
@click.argument("identifiers", nargs=-1, metavar="[ID]...")
@click.option(
    "--kind",
    "kind_name",
    type=click.Choice([kind.value for kind in TRACKED]),
    help="Kind of the identifiers; without it the service is asked.",
)
@click.option("--forget", is_flag=True, help="Stop tracking them.")
@choice_options(accept=False)
@click.pass_context
def track(
    ctx: click.Context,
    *,
    identifiers: tuple[str, ...],
    kind_name: str | None,
    forget: bool,
    choice: ProfileChoice,
) -> None:
    """Add identifiers to those that are read one by one; without any, print them.

    They are kept for one profile, beside the configuration, which itself is not changed. A
    dashboard that runs takes them up within seconds.
    """
    try:
        identifiers = tuple(one_line(each.strip()) for each in identifiers)
    except InvalidValue as refused:
        what = f"an identifier {refused.message}; nothing was changed."
        raise click.BadParameter(what) from None
    path, settings = user_files.tracked_path(choice.path), choice.load()
    if not identifiers:
        for kind, known in settings.track.items():
            click.echo("\n".join(f"{kind.value} {identifier}" for identifier in known))
        return
    ours = user_files.read_tracked(path)
    before = ours.get(settings.profile.name, {})
    if forget:
        after, unknown = _forget_identifiers(before, identifiers)
    elif kind_name:
        _check_read(settings, Kind(kind_name))
        after, unknown = user_files.merge_tracked(before, {Kind(kind_name): identifiers}), []
    else:
        found, unknown = _identify_all(settings, identifiers)
        after = user_files.merge_tracked(before, found)
    if after != before:
        user_files.write_tracked(path, {**ours, settings.profile.name: after})
    for identifier in unknown:
        why = "was not added by this command" if forget else "is not known to the service"
        click.echo(f"{identifier} {why}.{'' if forget else ' Give its kind: --kind.'}", err=True)
    ctx.exit(ExitCode.IN_PART if unknown else ExitCode.DONE)


def _forget_identifiers(before: Tracked, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the remaining identifiers, and those that were not tracked."""
    unknown = [each for each in identifiers if not any(each in known for known in before.values())]
    left = {
        kind: tuple(each for each in known if each not in identifiers)
        for kind, known in before.items()
    }
    return user_files.merge_tracked(left, {}), unknown


def _check_read(settings: Settings, kind: Kind) -> None:
    """Check by the dialect that the service can show an object of a kind.

    If it cannot, an object that tickets choose from is still tracked, and a message says so.
    """
    if is_read(dialect_of(settings.profile), kind):
        return
    noun, read = kind.value.replace("_", " "), READS[kind].get
    why = f"This service shows no {noun}, by its dialect ([paths] {read} = [])"
    if kind not in CHOSEN:
        raise CommandError(f"{why}: nothing was changed.")
    click.echo(f"{why}: tracked objects are known only by identifier.", err=True)


def _identify_all(settings: Settings, identifiers: Iterable[str]) -> tuple[Tracked, list[str]]:
    """Return the identifiers by kind as the service knows them, printed, and the unknown ones."""
    from paytui.api.client import Client, identify_kind

    async def look(client: Client, _: object) -> dict[str, Kind | None]:
        return {identifier: await identify_kind(client, identifier) for identifier in identifiers}

    found: Tracked = {}
    unknown = []
    for identifier, kind in ask_service(settings, look).items():
        if kind is None:
            unknown.append(identifier)
        else:
            click.echo(f"{kind.value} {identifier}")
            found = user_files.merge_tracked(found, {kind: (identifier,)})
    return found, unknown
