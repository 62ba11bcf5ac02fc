"""`paytui export`: one table, filtered and sorted, for a spreadsheet or a script."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from paytui.api.resources import READS
from paytui.cli.commands.status import problems, rows_of
from paytui.cli.common import CommandError, ExitCode, ProfileChoice, choice_options, write_output
from paytui.config.value_parsers import COLUMNS
from paytui.domain.intent import IntentRow
from paytui.domain.models import Kind, WalletId
from paytui.domain.requests import DialectFeatures
from paytui.outbox.file import NoOutbox, OutboxDamaged, outbox_path
from paytui.store.export import ColumnError, Format, Layout, export_rows, layout
from paytui.store.fields import Listed, SortError, fields_of, in_order, parse_orders
from paytui.store.filter import FilterError, TimeContext, parse_filter, unknown_word
from paytui.store.health import LinkState
from paytui.store.movements import KINDS, movements
from paytui.store.names import LONG_AGO, related_in_memory
from paytui.store.screen_rows import Movement
from paytui.store.search_text import named_fields
from paytui.store.store import Store

if TYPE_CHECKING:
    from paytui.config.settings import Settings

TABLES = (*(kind.value for kind in READS), "movements", "activity")

_SOURCES: Mapping[str, tuple[Listed, tuple[Kind, ...]]] = MappingProxyType({
    "movements": (Movement, (Kind.PAYINS, Kind.TRADES, Kind.PAYMENTS)),
    "activity": (IntentRow, ()),
    **{kind.value: (kind, (kind,)) for kind in READS},
})  # fmt: skip
"""What the rows of a table are, and the lists of the service that they come from."""

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
@click.option("--wallet", metavar="ID", help="With movements: the wallet that is moved.")
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
    wallet: str | None,
    output: Path | None,
    force: bool,
    choice: ProfileChoice,
) -> None:
    """Read the service once and write a table: UTF-8, every digit, times with their offset.

    TABLE is accounts, wallets, payin_addresses, payins, trades, recipients, payment_addresses,
    payments, movements (of one --wallet) or activity (the intents of this machine).

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
    if (table == "movements") is not (wallet is not None):
        raise click.UsageError("movements goes with --wallet ID, and --wallet with movements.")
    wallet_id = None if wallet is None else WalletId(wallet)
    extract = ExportQuery(table, wanted, sort, columns, wallet_id)
    # Check the filter, the order and the columns before the service is asked.
    extract.rows(Store())
    extract.layout(Store())
    if output is not None and not force and os.path.lexists(output):
        raise CommandError(f"{output}: exists and is not overwritten. See --force.")
    settings = choice.load_verified()
    store = read_all(settings)
    damage = _read_outbox(settings, store) if table == "activity" else None
    extract.check(store, vocabulary_of(dialect_of(settings.profile)))
    extract.write(store, Format(form), output, force=force)
    for words in (*problems(store, extract.kinds), *extract.remarks(store)):
        click.echo(words, err=True)
    if damage is not None:
        raise damage
    ctx.exit(extract.exit_code(store))


def _read_outbox(settings: Settings, store: Store) -> OutboxDamaged | None:
    """Put the recorded intents into the store; return the damage that ended the read, if any."""
    from paytui.cli.wiring.compose import read_intents

    try:
        found, damage = read_intents(outbox_path(settings.profile.name, settings.outbox.folder))
    except NoOutbox:  # nothing was ever recorded
        return None
    store.intents.put(row for _, row in found)
    return damage


@dataclass(frozen=True, slots=True)
class ExportQuery:
    """The rows and columns to export, as typed.

    Attributes:
        sort: None sorts by identifier, and movements and intents by time.
        columns: None exports all.
    """

    table: str
    wanted: str = ""
    sort: str | None = None
    columns: str | None = None
    wallet_id: WalletId | None = None

    @property
    def listed(self) -> Listed:
        return _SOURCES[self.table][0]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return _SOURCES[self.table][1]

    def rows(self, store: Store) -> list[object]:
        """Return the rows that match, in order; ages are those at the time of the read.

        Raise CommandError if the filter or the order cannot be parsed.
        """
        known = named_fields(store, self.listed)
        read = filter(None, (store.feed(kind).as_of for kind in self.kinds))
        as_of = max(read, default=datetime.now(UTC))
        try:
            accepts = parse_filter(self.wanted, known, TimeContext(lambda: as_of))
        except FilterError as error:
            raise CommandError(f"--filter: {error}") from None
        kept = filter(accepts, self._all_rows(store))
        if self.sort is None:
            return list(kept)
        try:
            return in_order(kept, parse_orders(self.sort, known))
        except SortError as error:
            raise CommandError(f"--sort: {error}") from None

    def _all_rows(self, store: Store) -> Sequence[object]:
        if self.table == "activity":
            return sorted(store.intents.rows(), key=lambda row: (row.confirmed_at, row.intent_id))
        if self.wallet_id is None:
            return [] if self.table == "movements" else rows_of(store, Kind(self.table))
        owner = (Kind.WALLETS, self.wallet_id)
        related = (related_in_memory(store, owner, kind, len(store.table(kind))) for kind in KINDS)
        moved = movements(store, self.wallet_id, [row for each in related for row in each.newest])
        return sorted(moved, key=lambda row: (row.at or LONG_AGO, row.kind, row.key))

    def layout(self, store: Store) -> Layout:
        """Return the columns to write; raise CommandError if a column does not exist."""
        whole = layout(store, self.listed)
        if self.columns is None:
            return whole
        wanted = [name.strip() for name in self.columns.split(",")]
        on_screen = COLUMNS.get("intents" if self.table == "activity" else self.table, ())
        try:
            return whole.choose(wanted, on_screen)
        except ColumnError as error:
            raise CommandError(f"--columns: {error}") from None

    def check(self, store: Store, vocabulary: DialectFeatures) -> None:
        """Refuse an unknown wallet, and a filter by a state that no row can have.

        Raise CommandError for a state that the dialect does not list and no row has, or a wallet
        that the service does not have.
        """
        wallet = None if self.wallet_id is None else store.wallets.get(self.wallet_id)
        if self.wallet_id is not None and wallet is None and store.feed(Kind.WALLETS).ok:
            raise CommandError(f"--wallet: No wallet {self.wallet_id}. See paytui export wallets.")
        states = [name for kind in self.kinds for name in vocabulary.states.get(kind, ())]
        status = [field for field in fields_of(self.listed) if field.name == "status"]
        rows = self._all_rows(store)
        if unknown := unknown_word(self.wanted, status, rows, {"status": states}):
            raise CommandError(f"--filter: {unknown}")

    def write(self, store: Store, form: Format, output: Path | None, *, force: bool) -> None:
        """Write the rows to a file or to stdout; nothing if the table was not read.

        Raise CommandError if the file or stdout cannot be written.
        """
        if self.kinds and all(store.feed(kind).as_of is None for kind in self.kinds):
            return
        fill = partial(export_rows, self.layout(store), self.rows(store), form)
        write_output(output, fill, force=force)

    def remarks(self, store: Store) -> list[str]:
        """Return remarks on lists that are complete."""
        if problems(store, self.kinds):
            return []
        feeds = map(store.feed, self.kinds)
        return [f"{feed.kind.value}: {feed.remark}" for feed in feeds if feed.remark]

    def exit_code(self, store: Store) -> ExitCode:
        """Return the exit code for the read of this table."""
        if not problems(store, self.kinds):
            return ExitCode.DONE
        match store.link.state:
            case LinkState.REFUSED:
                return ExitCode.REFUSED
            case LinkState.UNREACHABLE:
                return ExitCode.UNREACHABLE
            case _:
                return ExitCode.IN_PART
