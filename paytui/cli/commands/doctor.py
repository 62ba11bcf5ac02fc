"""`paytui doctor`: check everything that a dashboard needs."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click

from paytui.cli.common import accept_option, config_option, profile_option
from paytui.cli.terminal import drop_stdout


@click.command()
@click.option("--watch", is_flag=True, help="What reading takes instead, a line each second.")
@click.option("--json", "as_objects", is_flag=True, help="Print JSON objects.")
@profile_option
@accept_option
@config_option
@click.pass_context
def doctor(
    ctx: click.Context,
    *,
    watch: bool,
    as_objects: bool,
    profile: str | None,
    accept_new_host: bool,
    config_file: Path | None,
) -> None:
    """Check the configuration, files, secret, network, service and terminal; how to mend each.

    It reads as a dashboard does, on its own, and sends nothing: one may run beside it. With --watch
    it tells how many requests and bytes that takes, how long answers take, and what waits, until
    interrupted; what a running dashboard counts, with what it paints, is under `f8` in it.
    """
    from paytui.config.load import config_path

    path = config_path(config_file, os.environ)
    try:
        if watch:
            _watch(path, profile, as_objects=as_objects, accept=accept_new_host)
        else:
            ctx.exit(_check_up(path, profile, as_object=as_objects, accept=accept_new_host))
    except BrokenPipeError:  # the reader of the pipe is gone
        drop_stdout()


def _check_up(path: Path, profile: str | None, *, as_object: bool, accept: bool) -> int:
    from paytui.cli.checks import result
    from paytui.cli.checks.result import worst
    from paytui.cli.checks.run import run_checks

    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    findings = []
    for finding in run_checks(path, os.environ, profile, accept=accept):
        findings.append(finding)
        if not as_object:
            click.echo(result.text_lines(finding, columns))
    if as_object:
        click.echo(result.as_object(findings))
    click.echo(result.summary(findings), err=True)
    return worst(findings)


def _watch(path: Path, profile: str | None, *, as_objects: bool, accept: bool) -> None:
    from paytui.cli.checks.run import head, json_line, text_line
    from paytui.cli.wiring.follow import watch_metrics
    from paytui.cli.wiring.known_hosts import verify_host
    from paytui.cli.wiring.secrets import read_secret
    from paytui.config.load import load_settings

    settings = load_settings(path, os.environ, profile=profile, accept_new_host=accept)
    verify_host(settings.profile)
    secret = read_secret(settings, "Reading")
    line = json_line if as_objects else text_line
    if not as_objects:
        click.echo(head())
    watch_metrics(settings, secret, lambda sample: click.echo(line(sample)))
