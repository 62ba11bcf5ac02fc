"""`paytui doctor`: how paytui itself fares with a service."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paytui.cli.options import config_option, profile_option
from paytui.cli.terminal import drop_stdout


@click.command()
@click.option("--watch", is_flag=True, help="A line each second, until interrupted.")
@click.option("--json", "as_objects", is_flag=True, help="Print JSON objects.")
@profile_option
@config_option
def doctor(*, watch: bool, as_objects: bool, profile: str | None, config_file: Path | None) -> None:
    """Print what reading a service takes: requests, bytes, how long answers take, what waits.

    It reads as a dashboard does, on its own, and sends nothing: one may run beside it. What a
    running dashboard counts, with what it paints, is under `f8` in it.
    """
    from paytui.cli.compose import watch_vitals
    from paytui.cli.kept_secret import KeptSecret
    from paytui.cli.pulse_lines import head, json_line, text_line
    from paytui.cli.secret_source import secret_source
    from paytui.config.load import config_path, load_settings

    settings = load_settings(config_path(config_file, os.environ), os.environ, profile=profile)
    source = secret_source(settings.profile)
    secret = KeptSecret(source)
    click.echo(f"Reading {settings.profile.host}, client secret from {source.origin}…", err=True)
    line = json_line if as_objects else text_line
    try:
        if not as_objects:
            click.echo(head())
        watch_vitals(settings, secret, lambda pulse: click.echo(line(pulse)), once=not watch)
    except BrokenPipeError:  # whoever read the lines has had enough
        drop_stdout()
