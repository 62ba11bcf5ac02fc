"""`paytui dialect`: show the dialect, and check it against the service or a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

import click

from paytui.cli.common import ExitCode, accept_option, config_option, profile_option
from paytui.domain.models import Kind


@click.group()
def dialect() -> None:
    """Show how the service is taken to spell things, and check it against the service."""


@dialect.command()
@profile_option
@config_option
def show(*, profile: str | None, config_file: Path | None) -> None:
    """Print the merged dialect and where each value came from."""
    from paytui.cli.commands.config_show import shown_dialect
    from paytui.config.load import config_path, load_settings

    settings = load_settings(config_path(config_file, os.environ), os.environ, profile=profile)
    for line in shown_dialect(settings.profile):
        click.echo(line)


@dialect.command()
@profile_option
@accept_option
@config_option
@click.pass_context
def check(
    ctx: click.Context, *, profile: str | None, accept_new_host: bool, config_file: Path | None
) -> None:
    """Read something of each kind, and print what of it is understood.

    Nothing is created but a rate sheet of a few pairs, which commits to nothing. Values are not
    printed, names are: which fields were found, which were not there, and which fields of the
    service nobody reads, with the line that would map them.
    """
    from paytui.cli.commands.dialect_check import check_live
    from paytui.cli.wiring.known_hosts import verify_host
    from paytui.cli.wiring.one_shot import ask_service
    from paytui.config.load import config_path, load_settings

    path = config_path(config_file, os.environ)
    settings = load_settings(path, os.environ, profile=profile, accept_new_host=accept_new_host)
    verify_host(settings.profile)
    outcome = ask_service(
        settings,
        lambda client, spoken: check_live(client, spoken, settings.track, settings.rates.watch),
    )
    for line in outcome.lines:
        click.echo(line)
    ctx.exit(ExitCode.DONE if outcome.understood else ExitCode.IN_PART)


@dialect.command()
@click.argument("kind", type=click.Choice([kind.value for kind in Kind]))
@click.argument("file", type=click.File("rb"), default="-")
@profile_option
@config_option
@click.pass_context
def explain(
    ctx: click.Context,
    *,
    kind: str,
    file: IO[bytes],
    profile: str | None,
    config_file: Path | None,
) -> None:
    """Print what would be understood of an answer in FILE, such as the manual's example.

    KIND is what the answer holds. Nobody is asked; without FILE, standard input is read.
    """
    from paytui.cli.commands.dialect_check import explain_response
    from paytui.cli.wiring.dialect import dialect_of
    from paytui.config.load import config_path, load_settings

    settings = load_settings(config_path(config_file, os.environ), os.environ, profile=profile)
    outcome = explain_response(Kind(kind), file.read(), dialect_of(settings.profile))
    for line in outcome.lines:
        click.echo(line)
    ctx.exit(ExitCode.DONE if outcome.understood else ExitCode.IN_PART)
