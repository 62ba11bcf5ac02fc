"""`paytui audit`: what was confirmed on this machine, and what became of it."""

from __future__ import annotations

import json
import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paytui.cli.options import config_option, profile_option

if TYPE_CHECKING:
    from paytui.outbox.entry import Recorded


def _moment(_: click.Context, __: click.Parameter, value: str | None) -> datetime | None:
    """A moment, or a period before now."""
    from paytui.store.quantity import read_moment, read_period

    if value is None:
        return None
    period = read_period(value)
    try:
        moment = read_moment(value) if period is None else datetime.now(UTC) - period
    except OverflowError:
        moment = None
    if moment is None:
        raise click.BadParameter("Write a time so: 2h, 7d, 2026-03-02 or 2026-03-02T12:00Z.")
    return moment


@click.command()
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
@click.option(
    "--since",
    metavar="T",
    callback=_moment,
    help="Only what something happened to since then: 2h, 7d, an ISO date or time (UTC).",
)
@click.option("--bodies", is_flag=True, help="With --json, also print what was sent.")
@click.option("--set-aside", is_flag=True, help="Rename a damaged outbox, so that one can send.")
@profile_option
@config_option
def audit(
    *,
    as_objects: bool,
    since: datetime | None,
    bodies: bool,
    set_aside: bool,
    profile: str | None,
    config_file: Path | None,
) -> None:
    """Print what was confirmed and what became of it, the oldest first.

    It is read from this machine alone, also while a dashboard runs.
    """
    if bodies and not as_objects:
        raise click.UsageError("--bodies goes with --json.")

    from paytui.config.load import config_path, load_settings
    from paytui.outbox.place import outbox_path

    settings = load_settings(config_path(config_file, os.environ), os.environ, profile=profile)
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    if set_aside:
        _put_aside(path)
    else:
        _print(path, since, as_objects=as_objects, bodies=bodies)


def _put_aside(path: Path) -> None:
    from paytui.outbox.aside import set_aside

    click.echo(set_aside(path, socket.gethostname(), datetime.now(UTC)))
    click.echo("It is kept there. The next dashboard makes a new outbox.", err=True)


def _print(path: Path, since: datetime | None, *, as_objects: bool, bodies: bool) -> None:
    from paytui.cli.audit_json import as_json
    from paytui.cli.audit_text import as_text, open_words

    found = _read(path)
    for recorded in found:
        if since is None or _last(recorded) >= since:
            line = json.dumps(as_json(recorded, bodies=bodies)) if as_objects else as_text(recorded)
            click.echo(line)
    for words in open_words(found):
        click.echo(words, err=True)


def _read(path: Path) -> list[Recorded]:
    from paytui.outbox.errors import NoOutbox
    from paytui.outbox.history import History

    try:
        history = History(path)
    except NoOutbox:
        click.echo(f"Nothing was ever recorded: there is no {path}.", err=True)
        return []
    try:
        return history.read()
    finally:
        history.close()


def _last(recorded: Recorded) -> datetime:
    """When something happened to it last."""
    return max([recorded.entry.confirmed_at, *(event.at for event in recorded.events)])
