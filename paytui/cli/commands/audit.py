"""`paytui audit`: the intents of this machine's outbox, as text or JSON."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path

import click

from paytui.cli.common import ProfileChoice, choice_options, jsonable, parse_moment
from paytui.cli.wiring.compose import read_intents
from paytui.domain.intent import IntentRow, IntentTerms, Standing
from paytui.domain.models import Problem
from paytui.domain.money import plain, with_currency
from paytui.outbox import entry as outbox_entry
from paytui.outbox.file import NoOutbox, OutboxError, outbox_path
from paytui.platform.clock import utc
from paytui.platform.text import clean


@click.command()
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
@click.option(
    "--since",
    metavar="T",
    callback=parse_moment,
    help="Show only intents with events since then: 2h, 7d, an ISO date or time (UTC).",
)
@click.option("--bodies", is_flag=True, help="With --json, also print the requests.")
@click.option(
    "--verify",
    is_flag=True,
    help="Check that no row was removed or changed; print the head of the chain.",
)
@click.option(
    "--head",
    metavar="CHAIN",
    help="With --verify, also check for this chain=… from the system log.",
)
@click.option(
    "--set-aside", is_flag=True, help="Rename a damaged outbox, so that paytui can send again."
)
@choice_options(accept=False)
def audit(
    *,
    as_objects: bool,
    since: datetime | None,
    bodies: bool,
    verify: bool,
    head: str | None,
    set_aside: bool,
    choice: ProfileChoice,
) -> None:
    """Print what was confirmed and what became of it, the oldest first.

    It is read from this machine alone, also while a dashboard runs.
    """
    if bodies and not as_objects:
        raise click.UsageError("--bodies goes with --json.")
    if head is not None and not verify:
        raise click.UsageError("--head goes with --verify.")

    settings = choice.load()
    path = outbox_path(settings.profile.name, settings.outbox.folder)
    if set_aside:
        from paytui.outbox.outbox import set_aside as put_aside

        click.echo(put_aside(path, socket.gethostname(), datetime.now(UTC)))
        click.echo("It is kept there. The next dashboard creates a new outbox.", err=True)
    elif verify:
        _verify(path, head and head.removeprefix("chain="))
    else:
        _print(path, since, as_objects=as_objects, bodies=bodies)


def _verify(path: Path, head: str | None) -> None:
    from paytui.outbox.outbox import OutboxReader

    with closing(OutboxReader(path)) as reader:
        chain = reader.verify()
    if head is not None and not chain.holds(head):
        what = f"{path} matches its chain, but the chain has no {head}"
        remedy = (
            "Rows were cut off at its end, it is another file, or the head was mistyped: compare "
            "its last intents with the system log."
        )
        raise OutboxError(Problem("verify the outbox", what, remedy=remedy))
    click.echo(chain.head)
    links = len(chain.hashes) - 1
    click.echo(f"{path} is complete: its chain covers {links:,} intents and events.", err=True)


def _print(path: Path, since: datetime | None, *, as_objects: bool, bodies: bool) -> None:
    try:
        found, damage = read_intents(path)
    except NoOutbox:
        click.echo(f"Nothing was ever recorded: there is no {path}.", err=True)
        return
    for recorded, row in found:
        if since is None or _last(recorded) >= since:
            if as_objects:
                click.echo(json.dumps(as_json(recorded, row, bodies=bodies), default=jsonable))
            else:
                click.echo(as_text(recorded, row))
    for stands, words in _OPEN.items():
        rows = (row for _, row in found if row.standing is stands and not row.is_approved_mandate)
        if those := [row.intent_id for row in rows]:
            click.echo(f"{len(those)} {words}: {', '.join(those)}", err=True)
    if damage is not None:
        raise damage


def _last(recorded: outbox_entry.RecordedIntent) -> datetime:
    """Return the time of the last event, by the service's or the host's clock."""
    entry, events = recorded.entry, recorded.events
    told = [(entry.confirmed_at, entry.host_time), *((each.at, each.host_time) for each in events)]
    return max(time for both in told for time in both if time is not None)


def as_json(
    recorded: outbox_entry.RecordedIntent, row: IntentRow, *, bodies: bool
) -> dict[str, object]:
    """Return an intent, its status and its events as JSON; with `bodies`, also the request."""
    entry = recorded.entry
    said = {field.name: getattr(entry, field.name) for field in _TOLD}
    sent = (
        None
        if isinstance(entry.body, outbox_entry.PurgedBody)
        else entry.body.decode(errors="replace")
    )
    return {
        **said,
        "body_sha256": outbox_entry.sha256_of(entry.body),
        "body_purged": sent is None,
        **({"body": sent} if bodies else {}),
        "standing": row.standing,
        "since": row.since,
        "attempts": row.attempts,
        "object_id": row.object_id,
        "candidates": row.candidates,
        "alerts": row.alerts,
        "events": recorded.events,
    }


_TOLD = [field for field in fields(outbox_entry.Entry) if field.name != "body"]


def as_text(recorded: outbox_entry.RecordedIntent, row: IntentRow) -> str:
    """Format an intent and its status, and below them its events, the oldest first."""
    entry = recorded.entry
    head = f"{entry.intent_id}  {row.standing}  {entry.title}"
    lines = [head, *(f"    {line}" for line in _facts(entry, row))]
    for event in recorded.events:
        why = [event.problem.happened] if event.problem is not None else []
        told = (_time(event.at, event.host_time), event.kind, *outbox_entry.particulars(event))
        lines.append(f"    {'  '.join((*told, *why))}")
    if row.problem is not None and row.standing is not outbox_entry.standing(recorded.events):
        lines.append(f"    {row.problem.happened}")
    return "\n".join(clean(line) for line in lines)


def _facts(entry: outbox_entry.Entry, row: IntentRow) -> Iterator[str]:
    times = "1 attempt" if row.attempts == 1 else f"{row.attempts} attempts"
    became = "booked otherwise as" if row.booked_otherwise else "result"
    known = f"{became} {row.object_id}" if row.object_id else "no result known"
    yield ", ".join([*_figures(entry.terms), times, known])
    whom = f" as {entry.client_id}" if entry.client_id else ""
    if entry.terms.asked:
        yield f"requested: {', '.join(f'{path} {said}' for path, said in entry.terms.asked)}"
    yield f"for {entry.profile} at {entry.base_url}{whom}"
    confirmed_at = _time(entry.confirmed_at, entry.host_time)
    yield f"{confirmed_at}  confirmed by {entry.user} on {entry.host}"
    if isinstance(entry.body, outbox_entry.PurgedBody):
        yield f"request with personal data: purged once {row.standing}"


def _figures(terms: IntentTerms) -> Iterator[str]:
    if amount := with_currency(terms.amount, terms.currency):
        yield amount
    if terms.rate is not None:
        yield f"1 {terms.sell_currency} = {plain(terms.rate)} {terms.buy_currency}"


def _time(at: datetime, host_time: datetime | None) -> str:
    apart = outbox_entry.differing_host_time(host_time, at)
    return utc(at) if apart is None else f"{utc(at)} (host {utc(apart)})"


_OPEN = {
    Standing.IN_DOUBT: "in doubt, and may have been executed",
    Standing.SENDING: "being sent, and may have been executed",
    Standing.RECORDED: "recorded and never sent",
    Standing.PROPOSED: "proposed and not approved",
}
