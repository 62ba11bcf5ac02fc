"""`paytui desk`: the database that the dashboards of several hosts share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from time import monotonic
from typing import TYPE_CHECKING

import click

from paytui.cli.common import CommandError, ExitCode, ProfileChoice, choice_options, print_table
from paytui.cli.wiring.desk import require_libraries, tried_once
from paytui.config.spending_limits import desk_limits
from paytui.domain.money import format_amount, plain
from paytui.outbox.shared_log import limits_document
from paytui.platform.files import owner_key

if TYPE_CHECKING:
    from paytui.desk.checks import LimitUse, MandateState, Standbys
    from paytui.desk.database import Connection
    from paytui.desk.log import LogState
    from paytui.desk.shared_reads import Reader
    from paytui.desk.token import Seat
    from paytui.domain.colleagues import OpenTicket
    from paytui.domain.desk_limits import DeskLimits

_STATUS = {"recorded": "not sent", "partly approved": "proposed", "approved": "approved, not sent"}
"""The status of an intent by its last event, as screens name it, where they differ."""

EMPTY = "0."  # The head of a log without rows
VERIFY_LIMIT = 600.0  # Seconds for all rows of some years


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
    what is missing, adds traders, and sets the limits of the profile if it has any.
    """
    profile = choice.load().profile
    require_libraries(profile)
    from paytui.desk.database import DeskAway, install, script

    found = desk_limits(profile)
    limits = None
    if found is not None:
        limits = (owner_key(profile.base_url, profile.client_id), limits_document(found))
    if dsn is None:
        click.echo(script(traders, limits))
        return
    try:
        new = install(dsn, traders, limits)
    except DeskAway as error:
        problem = tried_once(error.problem)
        said = f"Nothing was changed: {problem.said or problem.what}. {problem.remedy}"
        raise CommandError(said.rstrip(), ExitCode.FAILED) from None
    done = f"{new} migrations applied" if new else "the schema was up to date"
    about = f", traders: {', '.join(traders)}" if traders else ""
    click.echo(f"The desk is ready: {done}{', limits set' if limits else ''}{about}.")


@desk.command()
@choice_options(accept=False)
def status(*, choice: ProfileChoice) -> None:
    """Print the seats of the last day and their tickets, the readers, the token, log and limits."""
    profile = choice.load().profile
    settings = require_libraries(profile)
    from paytui.desk.checks import commit_time, limits_state, open_mandates, standbys
    from paytui.desk.colleagues import read_tickets
    from paytui.desk.database import DeskAway, limited
    from paytui.desk.log import log_state
    from paytui.desk.shared_reads import read_readers
    from paytui.desk.token import read_seats, read_token

    client = owner_key(profile.base_url, profile.client_id)
    with _connected(settings.dsn) as connection:
        with limited(connection):
            seats = read_seats(connection)
            tickets = read_tickets(connection, client)
            readers = read_readers(connection, client)
            token = read_token(connection, client, monotonic)
            log = log_state(connection)
            limits = limits_state(connection, client)
            mandates = open_mandates(connection, client)
            standby = standbys(connection)
        try:
            commits = f"confirmed in {commit_time(connection) * 1000:.0f} ms"
        except DeskAway as error:
            commits = error.problem.happened
    _print_seats(seats, tickets)
    _print_readers(readers)
    click.echo()
    if token.age is None:
        click.echo("There is no token yet.")
    else:
        age = timedelta(seconds=int(token.age))
        click.echo(f"Token: generation {token.generation}, requested {age} ago")
    if token.flight_seat:
        click.echo(f"Seat {token.flight_seat} is requesting a new one.")
    _print_log(log, standby, commits)
    if limits is not None:
        _print_limits(*limits)
    _print_mandates(mandates)


@desk.command("verify")
@choice_options(accept=False)
def verify_log(*, choice: ProfileChoice) -> None:
    """Verify the log of intents: that no row was changed, removed or added since.

    Keep the head that it prints elsewhere: who can rewrite the whole database can also make a log
    that verifies, but not with the same head.
    """
    settings = require_libraries(choice.load().profile)
    from paytui.desk.database import limited
    from paytui.desk.log import AlteredLog, verify

    try:
        with _connected(settings.dsn) as connection, limited(connection, VERIFY_LIMIT):
            head = verify(connection)
    except AlteredLog as error:
        raise CommandError(f"The desk's log was altered: {error}.", ExitCode.FAILED) from None
    click.echo(f"The desk's log is intact, head {head}")


@desk.command()
@click.argument("host")
@click.option("--yes", is_flag=True, help="Say so; without it, only print its outboxes.")
@choice_options(accept=False)
def lost(*, host: str, yes: bool, choice: ProfileChoice) -> None:
    """Say that HOST is lost for good, after the desk's database was replaced.

    Its last intents may be missing from the log then. Look for them at the service before. Once
    two traders have said so, the log no longer waits for the host until the next failover.
    """
    settings = require_libraries(choice.load().profile)
    from paytui.desk.database import limited
    from paytui.desk.log import awaited_outboxes, log_state, say_lost

    with _connected(settings.dsn) as connection, limited(connection):
        outboxes = awaited_outboxes(connection, host)
        if yes:
            say_lost(connection, host)
        awaited = awaited_outboxes(connection, host)
        log = log_state(connection)
    if not outboxes:
        raise CommandError(f"The log does not wait for {host}.", ExitCode.FAILED)
    for outbox in outboxes:
        click.echo(f"Waits for {outbox}" if outbox in awaited else f"Lost: {outbox}")
    if not yes:
        click.echo("Nothing was changed. Look for their last intents, then add --yes.")
    elif awaited:
        click.echo("Counted, once for each trader. Another trader must run it, too.")
    else:
        waits_for = ", ".join(log.waits_for)
        click.echo("Intents can be sent." if log.is_open else f"The log waits for {waits_for}.")


@contextmanager
def _connected(dsn: str) -> Iterator[Connection]:
    """Connect for a command, which ends if the desk is away."""
    from paytui.desk.database import DeskAway, connect

    try:
        with closing(connect(dsn)) as connection:
            yield connection
    except DeskAway as error:
        raise CommandError(str(tried_once(error.problem)), ExitCode.UNREACHABLE) from None


def _print_seats(seats: Sequence[Seat], tickets: Mapping[int, OpenTicket | None]) -> None:
    """Print the seats of the last day, with the tickets of those whose dashboard is open."""
    rows = []
    for seat in seats:
        seen = f"{seat.seen_ago.total_seconds():.0f} s ago"
        ticket = _ticket_words(tickets[seat.number]) if seat.number in tickets else "closed"
        named = (str(seat.number), seat.who, seat.host, str(seat.pid), seat.version)
        rows.append((*named, seen, ticket))
    print_table(("Seat", "Trader", "Host", "Process", "paytui", "Seen", "Ticket"), rows, "><<><><")


def _ticket_words(ticket: OpenTicket | None) -> str:
    """Return what is filled in at a seat; recipients and wallets by their identifiers."""
    if ticket is None:
        return "no ticket"
    about = [f"recipient {ticket.recipient_id}"] if ticket.recipient_id else []
    about += [f"wallet {each}" for each in ticket.wallet_ids]
    return ", ".join((ticket.kind, *about))


def _print_log(log: LogState, standby: Standbys, commits: str) -> None:
    """Print where the log stands, if it can be written, and what is open."""
    head = f"head {log.head}" if log.head != EMPTY else "empty"
    click.echo(f"Log: {head}, epoch {log.epoch}, timeline {log.timeline}")
    if not log.is_open:
        click.echo(f"Nothing is sent: the log waits for {', '.join(log.waits_for)}.")
    waits_for = standby.names or "none"
    click.echo(f"Standbys: {standby.connected} connected; commits wait for {waits_for}")
    click.echo(f"Commits: {commits}")
    click.echo(f"Open intents: {len(log.open_intents)}")
    rows = [(intent, _STATUS.get(kind, kind), *of) for intent, kind, *of in log.open_intents]
    print_table(("Intent", "Status", "Trader", "Host"), rows, "<<<<")


def _print_limits(limits: DeskLimits, uses: Sequence[LimitUse]) -> None:
    """Print what needs an approval, and what of the limits of today is used."""
    above = (f"{format_amount(most, code)} {code}" for code, most in limits.above.items())
    who = "a colleague" if limits.needs == 1 else f"{limits.needs} colleagues"
    if limits.above:
        click.echo(f"Above {', '.join(above)} {who} must approve, within {limits.within}.")
    rows = []
    for use in uses:
        used, most = (format_amount(each, use.currency) for each in (use.used, use.at_most))
        rows.append((use.of or "all", use.currency, used, most))
    if uses:
        click.echo(f"The day starts at {limits.starts}.")
        print_table(("Today", "Currency", "Used", "At most"), rows, "<<>>")


def _print_mandates(mandates: Sequence[MandateState]) -> None:
    rows = []
    for one in mandates:
        left, of = (format_amount(each, one.currency) for each in (one.left, one.up_to))
        pair, minutes = f"{one.sell} > {one.buy}", f"{one.ends_in / 60:.0f} min"
        of = f"{of} {one.currency}"
        row = (one.intent, one.who, pair, left, of, plain(one.rate), str(one.approvals), minutes)
        rows.append(row)
    head = ("Mandate", "Trader", "Pair", "Left", "Of", "Rate", "Approvals", "Ends in")
    print_table(head, rows, "<<<>>>>>")


def _print_readers(readers: Sequence[Reader]) -> None:
    """Print which seat reads which list, its age, and what the database keeps of it."""
    rows = []
    for reader in readers:
        age = "not yet" if reader.age is None else f"{reader.age:.0f} s ago"
        seat = "none" if reader.seat is None else str(reader.seat)
        name = reader.kind.replace("_", " ")
        rows.append((name, seat, age, str(reader.kept), f"{reader.size:,}"))
    if readers:
        click.echo()
    print_table(("List", "Seat", "Read", "Kept", "Bytes"), rows, "<>>>>")
