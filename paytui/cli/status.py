"""`paytui status`: one full read of everything, printed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from paytui.cli.options import accept_option, config_option, profile_option


@click.command()
@click.option("--json", "as_object", is_flag=True, help="Print one JSON object.")
@profile_option
@accept_option
@config_option
@click.pass_context
def status(
    ctx: click.Context,
    *,
    as_object: bool,
    profile: str | None,
    accept_new_host: bool,
    config_file: Path | None,
) -> None:
    """Read everything once and print it."""
    from paytui.cli import snapshot
    from paytui.cli.meet_host import meet_host
    from paytui.cli.read_all import read_all
    from paytui.cli.status_text import status_text
    from paytui.config.load import config_path, load_settings

    path = config_path(config_file, os.environ)
    settings = load_settings(path, os.environ, profile=profile, accept_new_host=accept_new_host)
    meet_host(settings.profile)
    store = read_all(settings)
    if as_object:
        click.echo(json.dumps(snapshot.as_json(store, settings.profile)))
    else:
        click.echo(status_text(store, settings.profile))
    if store.link.unshared:
        click.echo(f"The token is not shared with other processes: {store.link.unshared}", err=True)
    for problem in snapshot.problems(store):
        click.echo(problem, err=True)
    ctx.exit(snapshot.exit_code(store))
