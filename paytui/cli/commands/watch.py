"""`paytui watch`: print changes, one a line."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.cli.common import ExitCode, accept_option, config_option, profile_option
from paytui.cli.terminal import drop_stdout


@click.command()
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
@click.option("--initial", is_flag=True, help="Print first how everything stands.")
@profile_option
@accept_option
@config_option
@click.pass_context
def watch(
    ctx: click.Context,
    *,
    as_objects: bool,
    initial: bool,
    profile: str | None,
    accept_new_host: bool,
    config_file: Path | None,
) -> None:
    """Print what changes, a line each, until interrupted.

    Balances, states, intents in doubt, and how well the service can be read. Nothing is sent: a
    dashboard may run beside it.
    """
    from paytui.cli.commands.watch_feed import LoginRefused, json_line, text_line
    from paytui.cli.wiring.follow import watch_service
    from paytui.cli.wiring.known_hosts import verify_host
    from paytui.cli.wiring.secrets import read_secret
    from paytui.config.load import config_path, load_settings

    path = config_path(config_file, os.environ)
    settings = load_settings(path, os.environ, profile=profile, accept_new_host=accept_new_host)
    verify_host(settings.profile)
    secret = read_secret(settings, "Watching")
    line = json_line if as_objects else text_line
    try:
        watch_service(
            settings, secret, lambda change, at: click.echo(line(change, at)), initial=initial
        )
    except LoginRefused as refused:
        click.echo(refused, err=True)
        ctx.exit(ExitCode.REFUSED)
    except BrokenPipeError:  # the reader of the pipe is gone
        drop_stdout()
