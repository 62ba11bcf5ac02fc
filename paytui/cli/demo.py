"""`paytui demo`: the dashboard on a sandbox of its own."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from paytui.cli import no_garbage
from paytui.cli.errors import CommandError
from paytui.cli.options import read_only_option, scale_option, seed_option, speed_option
from paytui.cli.terminal import no_terminal


@click.command()
@seed_option
@scale_option
@speed_option
@read_only_option
@click.pass_context
def demo(ctx: click.Context, *, seed: int, scale: int, speed: float, read_only: bool) -> None:
    """Look around: run the dashboard on a sandbox that is started for it and ends with it."""
    if problem := no_terminal():
        raise CommandError(problem)
    no_garbage.begin()

    from paytui.cli.compose import run_dashboard
    from paytui.cli.sandbox_process import SandboxProcess
    from paytui.config.settings import CacheSettings, OutboxSettings, Profile, Settings

    click.echo("Starting a sandbox…", err=True)
    # A demo's outbox ends with its service: what was asked of another is nothing to this one.
    with (
        TemporaryDirectory(prefix="paytui-demo-", ignore_cleanup_errors=True) as folder,
        SandboxProcess(seed=seed, scale=scale, speed=speed) as sandbox,
    ):
        profile = Profile(
            name="demo",
            base_url=sandbox.base_url,
            client_id=sandbox.client_id,
            live=False,
            read_only=read_only,
            description="Sandbox on this machine",
        )
        settings = Settings(
            profile=profile,
            outbox=OutboxSettings(folder=Path(folder) / "outbox"),
            cache=CacheSettings(enabled=False),
        )
        code = run_dashboard(settings, lambda: sandbox.secret)
    ctx.exit(code)
