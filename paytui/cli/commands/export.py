"""`paytui export`: one table, filtered and sorted, for a spreadsheet or a script."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import TextIOWrapper
from pathlib import Path

import click

from paytui.cli.commands.status import feed_error, rows_of
from paytui.cli.common import CommandError, ExitCode, ProfileChoice, choice_options
from paytui.cli.output import drop_stdout
from paytui.config.value_parsers import COLUMNS
from paytui.domain.dialect_features import DialectFeatures
from paytui.domain.models import Kind, Record
from paytui.store.export import (
    ColumnError,
    ExportError,
    Format,
    Layout,
    export_rows,
    layout,
    write_file,
)
from paytui.store.fields import SortError, fields_of, in_order, parse_orders
from paytui.store.filter import FilterError, TimeContext, parse_filter, unknown_word
from paytui.store.health import LinkState
from paytui.store.search_text import named_fields
from paytui.store.store import Store

TABLES = (
    "accounts",
    "wallets",
    "payin_addresses",
    "payins",
    "trades",
    "recipients",
    "payment_addresses",
    "payments",
)

STDOUT = Path("-")  # The conventional name of stdout; a file of this name is ./-


@click.command()
@click.argument("table", type=click.Choice(TABLES), metavar="TABLE")
@click.option(
    "--format",
    "form",
    type=click.Choice(("csv", "json", "jsonl")),
    default="csv",
    show_default=True,
    help="Output format; jsonl is one object per line.",
)
@click.option("--filter", "wanted", metavar="F", default="", help="Filter, in the filter language.")
@click.option(
    "--sort", metavar="FIELDS", help="Sort by fields, for example -created_at,amount; - reverses."
)
@click.option(
    "--columns",
    metavar="COLUMNS",
    help="Columns in their order, for example created,amount,ccy,to; all without it.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Output file, which must not exist; - is stdout.",
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@choice_options(accept=True)
@click.pass_context
def export(
    ctx: click.Context,
    *,
    table: str,
    form: str,
    wanted: str,
    sort: str | None,
    columns: str | None,
    output: Path | None,
    force: bool,
    choice: ProfileChoice,
) -> None:
    """Read the service once and write a table: UTF-8, every digit, times with their offset.

    TABLE is accounts, wallets, payin_addresses, payins, trades, recipients, payment_addresses or
    payments.

    \b
    A filter is made of words, and of conditions on fields; all must hold:
        --filter 'acme -transfer status:released ccy:usd amount>=10k age<1h'
    Numbers may end in k, m or b, ages in s, m, h, d or w; days are those of UTC. Dates may also be
    today, yesterday or mon; last 7d means created within 7 days, >2026-11-01 created after that.
    A - in front turns a condition around. Fields are those of the output, or column headings of the
    dashboard with - for a space: available, to, payment-id. --sort names them too.

    Columns are fields of the output, or columns of the list on screen, as in [columns] of the
    configuration. Names of accounts, wallets and recipients stand beside their identifiers.
    """  # noqa: D301 - click's own mark for lines that stay as they are
    from paytui.cli.wiring.compose import dialect_of, read_all, vocabulary_of

    output = None if output == STDOUT else output
    extract = ExportQuery(Kind(table), wanted, sort, columns)
    # Check the filter, the order and the columns before the service is asked.
    extract.rows(Store())
    extract.layout(Store())
    if output is not None and not force and os.path.lexists(output):
        raise CommandError(f"{output}: exists and is not overwritten. See --force.")
    settings = choice.load_verified()
    store = read_all(settings)
    extract.check_states(store, vocabulary_of(dialect_of(settings.profile)))
    extract.write(store, Format(form), output, force=force)
    if problem := extract.problem(store):
        click.echo(problem, err=True)
    elif remark := store.feed(extract.kind).remark:
        click.echo(f"{table}: {remark}", err=True)
    ctx.exit(extract.exit_code(store))


@dataclass(frozen=True, slots=True)
class ExportQuery:
    """The rows and columns to export, as typed.

    Attributes:
        sort: None sorts by identifier.
        columns: None exports all.
    """

    kind: Kind
    wanted: str
    sort: str | None
    columns: str | None

    def rows(self, store: Store) -> list[Record]:
        """Return the rows that match, in order; ages are those at the time of the read.

        Raises:
            CommandError: the filter or the order cannot be parsed.
        """
        known = named_fields(store, self.kind)
        as_of = store.feed(self.kind).as_of or datetime.now(UTC)
        try:
            accepts = parse_filter(self.wanted, known, TimeContext(lambda: as_of))
        except FilterError as error:
            raise CommandError(f"--filter: {error}") from None
        kept = filter(accepts, rows_of(store, self.kind))
        if self.sort is None:
            return list(kept)
        try:
            return in_order(kept, parse_orders(self.sort, known))
        except SortError as error:
            raise CommandError(f"--sort: {error}") from None

    def layout(self, store: Store) -> Layout:
        """Return the columns to write.

        Raises:
            CommandError: a column does not exist.
        """
        whole = layout(store, self.kind)
        if self.columns is None:
            return whole
        wanted = [name.strip() for name in self.columns.split(",")]
        try:
            return whole.choose(wanted, COLUMNS.get(self.kind, ()))
        except ColumnError as error:
            raise CommandError(f"--columns: {error}") from None

    def check_states(self, store: Store, vocabulary: DialectFeatures) -> None:
        """Refuse a filter by a state that the dialect does not list and no row has.

        Raises:
            CommandError: there is no such state.
        """
        states = vocabulary.states.get(self.kind, ())
        status = [field for field in fields_of(self.kind) if field.name == "status"]
        rows = rows_of(store, self.kind)
        if unknown := unknown_word(self.wanted, status, rows, {"status": states}):
            raise CommandError(f"--filter: {unknown}")

    def write(self, store: Store, form: Format, output: Path | None, *, force: bool) -> None:
        """Write the rows to a file or to stdout; nothing if the table was not read.

        Raises:
            CommandError: the file or stdout cannot be written.
        """
        if store.feed(self.kind).as_of is None:
            return
        fill = partial(export_rows, self.layout(store), self.rows(store), form)
        if output is None:
            try:
                if isinstance(sys.stdout, TextIOWrapper):  # as to a file, whatever the locale
                    sys.stdout.reconfigure(encoding="utf-8", newline="")
                fill(sys.stdout)
                sys.stdout.flush()
            except BrokenPipeError:  # the reader of the pipe is gone
                drop_stdout()
            except OSError as error:
                drop_stdout()
                message = f"stdout cannot be written: {error.strerror}."
                raise CommandError(message, ExitCode.FAILED) from None
            return
        try:
            write_file(output, fill, replace=force)
        except ExportError as error:
            raise CommandError(str(error)) from None

    def problem(self, store: Store) -> str | None:
        """Return why the table is incomplete or missing; None if it is complete."""
        error = feed_error(store.feed(self.kind), len(rows_of(store, self.kind)))
        if error is None:
            return None
        table = f"{self.kind.value.replace('_', ' ')}: {error}"
        return table if store.link.problem is None else str(store.link.problem)

    def exit_code(self, store: Store) -> ExitCode:
        """Return the exit code for the read of this table."""
        if self.problem(store) is None:
            return ExitCode.DONE
        match store.link.state:
            case LinkState.REFUSED:
                return ExitCode.REFUSED
            case LinkState.UNREACHABLE:
                return ExitCode.UNREACHABLE
            case _:
                return ExitCode.IN_PART
