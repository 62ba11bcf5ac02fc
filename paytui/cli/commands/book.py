"""`paytui book`: the history of rates and balances that the dashboard recorded on this machine."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from paytui.book.file import BookReader, BookWriter, NoBook, book_path
from paytui.book.history import Millis, millis, moment
from paytui.cli.common import (
    CommandError,
    ProfileChoice,
    choice_options,
    columns,
    parse_moment,
    write_output,
)
from paytui.domain.money import plain
from paytui.platform.clock import utc

Cells = Iterable[object]


@click.group()
def book() -> None:
    """Show, export or prune the recorded history of rates and balances.

    It is read from this machine alone, also while a dashboard runs.
    """


@book.command()
@choice_options(accept=False)
def show(*, choice: ProfileChoice) -> None:
    """Print what is recorded: each pair and the balances, with their first and last time."""
    path = _path(choice)
    try:
        reader = BookReader(path)
    except NoBook:
        click.echo(f"Nothing was recorded yet: there is no {path}.", err=True)
        return
    with closing(reader):
        rows = [("", "From (UTC)", "Until (UTC)", "Records")]
        for pair, bars in sorted(reader.rates(reader.pairs(), Millis(0)).items()):
            name = f"rate {pair.sell} > {pair.buy}"
            rows.append((name, _time(bars[0].began), _time(bars[-1].ended), f"{len(bars):,}"))
        held = [one for balances in reader.balances(Millis(0)).values() for one in balances]
        if held:
            times = [one.at for one in held]
            rows.append(("balances", _time(min(times)), _time(max(times)), f"{len(held):,}"))
    size = path.stat().st_size / 1_000_000
    click.echo(f"{path}, {size:.1f} MB")
    for line in columns(rows, "<<<>"):
        click.echo(line)


@book.command()
@click.argument("table", type=click.Choice(("rates", "balances", "watches")))
@click.option(
    "--since",
    metavar="T",
    callback=parse_moment,
    help="Write only what was recorded since then: 2h, 7d, an ISO date or time (UTC).",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Output file, which must not exist; stdout without it.",
)
@choice_options(accept=False)
def export(
    *, table: str, since: datetime | None, output: Path | None, choice: ProfileChoice
) -> None:
    """Write rates, balances, or the periods in which balances were watched, as CSV.

    Rates older than two days are one line a minute, and older than 90 days one line an hour: the
    first, lowest, highest and last of it. Between two watched periods nothing is known.
    """
    start = Millis(0) if since is None else millis(since)
    with closing(BookReader(_path(choice))) as reader:
        rows = {"rates": _rates, "balances": _balances, "watches": _watches}[table](reader, start)
        write_output(
            output, lambda file: csv.writer(file, lineterminator="\n").writerows(rows), force=False
        )


@book.command()
@click.option(
    "--before",
    required=True,
    metavar="T",
    callback=parse_moment,
    help="Remove what ended before then: 400d, an ISO date or time (UTC).",
)
@choice_options(accept=False)
def prune(*, before: datetime, choice: ProfileChoice) -> None:
    """Remove old history for good. No dashboard of this profile may run meanwhile."""
    if before > datetime.now(UTC) - timedelta(days=1):
        raise click.BadParameter("The last day stays.", param_hint="--before")
    path = _path(choice)
    if not path.exists():
        raise CommandError(f"Nothing was recorded yet: there is no {path}.")
    size = path.stat().st_size
    with closing(BookWriter(path)) as writer:
        writer.prune(before)
    freed = (size - path.stat().st_size) / 1_000_000
    click.echo(f"Removed everything before {before:%Y-%m-%d %H:%M} UTC; {freed:.1f} MB are free.")


def _path(choice: ProfileChoice) -> Path:
    settings = choice.load()
    return book_path(settings.profile.name, settings.outbox.folder)


def _rates(reader: BookReader, since: Millis) -> Iterator[Cells]:
    yield "sell", "buy", "began", "ended", "first", "low", "high", "last"
    for pair, bars in sorted(reader.rates(reader.pairs(), since).items()):
        for bar in bars:
            rates = map(plain, (bar.first, bar.low, bar.high, bar.last))
            yield pair.sell, pair.buy, _iso(bar.began), _iso(bar.ended), *rates


def _balances(reader: BookReader, since: Millis) -> Iterator[Cells]:
    yield "wallet_id", "since", "available", "reserved", "pending"
    for wallet_id, balances in reader.balances(since).items():
        for one in balances:
            amounts = (one.available, one.reserved, one.pending)
            yield wallet_id, _iso(one.at), *("" if a is None else plain(a) for a in amounts)


def _watches(reader: BookReader, since: Millis) -> Iterator[Cells]:
    yield "began", "ended"
    for watch in reader.watches(since):
        yield _iso(watch.began), _iso(watch.ended)


def _time(at: Millis) -> str:
    return f"{moment(at):%Y-%m-%d %H:%M:%S}"


def _iso(at: Millis) -> str:
    return utc(moment(at), "milliseconds")
