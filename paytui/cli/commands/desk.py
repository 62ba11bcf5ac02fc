"""`paytui desk`: the database that the dashboards of several hosts share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from paytui.cli.common import CommandError, ExitCode, ProfileChoice, choice_options
from paytui.cli.output import columns
from paytui.cli.wiring.desk import require_libraries
from paytui.platform.files import owner_key

if TYPE_CHECKING:
    from paytui.desk.rows import Reader


@click.group()
def desk() -> None:
    """Set up and show a desk: a PostgreSQL database that dashboards of several hosts share."""


@desk.command()
@click.option(
    "--dsn",
    metavar="DSN",
    help="Connect as a role that may create roles and a schema; without it, print the SQL.",
)
@click.option(
    "--trader",
    "traders",
    multiple=True,
    metavar="ROLE",
    help="A login role of a trader, which exists; repeat it for each.",
)
@choice_options(accept=False)
def init(*, dsn: str | None, traders: tuple[str, ...], choice: ProfileChoice) -> None:
    """Make or update the schema and the roles of a desk.

    Without --dsn it prints the SQL for an administrator. Running it again is harmless: it applies
    what is missing, and adds traders.
    """
    require_libraries(choice.load().profile)
    from paytui.desk.database import DeskAway, install, script

    if dsn is None:
        click.echo(script(traders=traders))
        return
    try:
        new = install(dsn, traders)
    except DeskAway as error:
        said = error.problem.said or error.problem.what
        raise CommandError(f"Nothing was changed: {said}.", ExitCode.FAILED) from None
    done = f"{new} migrations applied" if new else "the schema was up to date"
    click.echo(f"The desk is ready: {done}, {len(traders)} traders added.")


@desk.command()
@choice_options(accept=False)
def status(*, choice: ProfileChoice) -> None:
    """Print the seats of the last day, who reads which lists, and the token."""
    profile = choice.load().profile
    settings = require_libraries(profile)
    from paytui.desk.database import DeskAway, connect, limited
    from paytui.desk.rows import read_readers
    from paytui.desk.token import read_seats, token_state

    try:
        with closing(connect(settings.dsn)) as connection, limited(connection):
            seats = read_seats(connection)
            readers = read_readers(connection, owner_key(profile.base_url, profile.client_id))
            token = token_state(connection, owner_key(profile.base_url, profile.client_id))
    except DeskAway as error:
        raise CommandError(str(error), ExitCode.UNREACHABLE) from None
    rows = [("Seat", "Trader", "Host", "Process", "paytui", "Seen")]
    for seat in seats:
        seen = f"{seat.seen_ago.total_seconds():.0f} s ago"
        rows.append((str(seat.number), seat.who, seat.host, str(seat.pid), seat.version, seen))
    for line in columns(rows, "><<><>"):
        click.echo(line)
    _print_readers(readers)
    if token is None:
        click.echo("\nNo token was requested yet.")
        return
    age = "none" if token.age is None else str(timedelta(seconds=int(token.age)))
    click.echo(f"\nToken: generation {token.generation}, requested {age} ago")
    if token.flight_seat is not None:
        click.echo(f"Seat {token.flight_seat} is requesting a new one.")


def _print_readers(readers: Sequence[Reader]) -> None:
    """Print which seat reads which list, its age, and what the database keeps of it."""
    rows = [("List", "Seat", "Read", "Kept", "Bytes")]
    for reader in readers:
        age = "not yet" if reader.age is None else f"{reader.age:.0f} s ago"
        seat = "none" if reader.seat is None else str(reader.seat)
        name = reader.kind.replace("_", " ")
        rows.append((name, seat, age, str(reader.kept), f"{reader.size:,}"))
    if readers:
        click.echo()
        for line in columns(rows, "<>>>>"):
            click.echo(line)
