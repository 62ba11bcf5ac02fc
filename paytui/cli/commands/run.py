"""`paytui run`: the dashboard."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import click

from paytui.cli import common
from paytui.cli.common import missing_terminal
from paytui.platform import interpreter


@click.command()
@common.choice_options(accept=True)
@common.read_only_option
@click.pass_context
def run(ctx: click.Context, *, read_only: bool, choice: common.ProfileChoice) -> None:
    """Run the dashboard; this is what `paytui` alone does."""
    if problem := missing_terminal():
        raise common.CommandError(problem)
    interpreter.pause_gc()
    interpreter.share_heap()

    from paytui.config.load import CONFIG_VARIABLE, load_settings
    from paytui.config.validation_cache import CachingValidator, validation_cache_path

    path = choice.path
    named = choice.config_file is not None or CONFIG_VARIABLE in os.environ
    if not named and not os.path.lexists(path):
        _start_first(ctx, path)
    accepted = CachingValidator(validation_cache_path(path))
    settings = load_settings(
        path,
        os.environ,
        profile=choice.profile,
        read_only=read_only,
        accept_new_host=choice.accept_new_host,
        check=accepted,
    )
    if settings.cache.enabled:
        accepted.keep()

    from paytui.cli.wiring.compose import orphaned_outboxes
    from paytui.cli.wiring.dashboard import run_dashboard
    from paytui.cli.wiring.known_hosts import verify_host
    from paytui.cli.wiring.secrets import RefreshingSecret, secret_source, warning_of
    from paytui.tui.terminal.splash import SplashScreen

    if settings.profile.desk is not None:
        from paytui.cli.wiring.desk import require_libraries

        require_libraries(settings.profile)
    verify_host(
        settings.profile,
        ask=lambda question: click.confirm(question, default=False, err=True),
    )
    source = secret_source(settings.profile)
    # Printed first: a keyring or a password manager may prompt the user.
    click.echo(f"{settings.profile.host}, client secret from {source.origin}", err=True)
    secret = RefreshingSecret(source)
    for words in (warning_of(source, secret.latest), *orphaned_outboxes(settings)):
        if words:
            click.echo(words, err=True)
    with SplashScreen() as early:
        ctx.exit(run_dashboard(settings, secret, _say, early))


def _start_first(ctx: click.Context, path: Path) -> None:
    """Run the setup; return only if it wrote a configuration."""
    from paytui.cli.commands.demo import demo
    from paytui.cli.commands.setup import NextStep, run_setup

    after = run_setup(path)
    if after is NextStep.DEMO:
        ctx.invoke(demo)
    if after is not NextStep.DASHBOARD:
        ctx.exit()


def _say(words: str) -> None:
    """Print to the terminal, if it is still there."""
    with suppress(OSError):
        click.echo(words, err=True)
