"""`paytui track`: identifiers to read one by one if the service has no list."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.api.resources import TRACKED
from paytui.cli.common import ExitCode, config_option, profile_option
from paytui.domain.models import Kind


@click.command()
@click.argument("identifiers", nargs=-1, metavar="[ID]...")
@click.option(
    "--kind",
    "kind_name",
    type=click.Choice([kind.value for kind in TRACKED]),
    help="What they are; without it, the service is asked.",
)
@click.option("--forget", is_flag=True, help="Take them out again.")
@profile_option
@config_option
@click.pass_context
def track(
    ctx: click.Context,
    *,
    identifiers: tuple[str, ...],
    kind_name: str | None,
    forget: bool,
    profile: str | None,
    config_file: Path | None,
) -> None:
    """Add identifiers to those that are read one by one; without any, print them.

    They are kept for one profile, beside the configuration, which itself is not changed. A
    dashboard that runs takes them up within seconds.
    """
    from paytui.cli.wiring.one_shot import (
        check_read,
        forget_identifiers,
        identify_all,
        parse_identifiers,
    )
    from paytui.config.load import config_path, load_settings
    from paytui.config.tracked import merge_tracked, read_tracked, tracked_path, write_tracked

    identifiers = parse_identifiers(identifiers)
    path = config_path(config_file, os.environ)
    settings = load_settings(path, os.environ, profile=profile)
    if not identifiers:
        for kind, known in settings.track.items():
            click.echo("\n".join(f"{kind.value} {identifier}" for identifier in known))
        return
    ours = read_tracked(tracked_path(path))
    before = ours.get(settings.profile.name, {})
    if forget:
        after, unknown = forget_identifiers(before, identifiers)
    elif kind_name:
        check_read(settings, Kind(kind_name))
        after, unknown = merge_tracked(before, {Kind(kind_name): identifiers}), []
    else:
        found, unknown = identify_all(settings, identifiers)
        after = merge_tracked(before, found)
    if after != before:
        write_tracked(tracked_path(path), {**ours, settings.profile.name: after})
    for identifier in unknown:
        why = "was not added by this command" if forget else "is nothing that the service shows"
        click.echo(f"{identifier} {why}.{'' if forget else ' Say what it is: --kind.'}", err=True)
    ctx.exit(ExitCode.IN_PART if unknown else ExitCode.DONE)
