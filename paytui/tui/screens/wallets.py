"""3 Wallets: the list of wallets, and the movements of one wallet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from threading import Lock

from textual.content import Content
from textual.widget import Widget

from paytui.domain.models import Kind, Wallet, WalletId
from paytui.domain.money import CurrencyCode
from paytui.store.movements import KINDS, Reconciliation, movements, newest_of, reconcile
from paytui.store.names import wallet_label
from paytui.store.screen_rows import Movement
from paytui.store.table import Table
from paytui.tui import textual_bindings
from paytui.tui.details.common_facts import RelatedReader
from paytui.tui.format.cells import (
    Activity,
    Cell,
    Ref,
    RelatedList,
    Tone,
    amount_cell,
    amount_words,
    toned,
)
from paytui.tui.list_dialogs import RowSpec, object_rows
from paytui.tui.screens.detail import copy_deposit
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.screen_registry import create
from paytui.tui.table import common_columns as columns
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import counted, empty_words, feed_words
from paytui.tui.widgets.text import SplitLine


def wallets(ui: UiContext) -> ListSpec[WalletId, Wallet]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.WALLETS),
        table=ui.store.wallets,
        columns=(
            columns.text_column(
                "Wallet", lambda row: row.wallet_name or row.wallet_id, width=14, most=44
            ),
            columns.account_column(ui, lambda row: row.account_id, gives_way=2),
            columns.currency_column(lambda row: row.currency),
            *columns.balance_columns(
                lambda row: row.currency,
                available=lambda row: row.available_balance,
                reserved=lambda row: row.reserved_balance,
                pending=lambda row: row.pending_balance,
                gives_way=3,
            ),
            columns.state_column(lambda row: row.status, gives_way=1),
            columns.time_column(ui, "Updated", lambda row: row.updated_at, gives_way=5),
            columns.text_column(
                "Description",
                lambda row: row.wallet_description,
                Tone.MUTED,
                most=60,
                gives_way=6,
                spare=True,
            ),
            columns.id_column("Wallet id", lambda row: row.wallet_id),
        ),
        others=(
            columns.time_column(ui, "Created", lambda row: row.created_at),
            columns.id_column("Account id", lambda row: row.account_id),
        ),
        sort="Wallet",
        owner=lambda row: row.account_id,
    )


class WalletsPage(ListPage[WalletId, Wallet]):
    """The list of wallets, of all or of one account."""

    BINDINGS = textual_bindings.groups("Wallets", "Deposit details")

    def show_currency(self, currency: CurrencyCode | None) -> None:
        """Filter by a currency; None shows all."""
        self._filter_line.show(f"ccy:{currency.lower()}" if currency else "")
        self._list.focus()

    def action_new_wallet(self) -> None:
        create(self, "create_wallet", account_id=self.account_id)

    def action_payins(self) -> None:
        self._show_those(Kind.PAYINS)

    def action_payin_addresses(self) -> None:
        self._show_those(Kind.PAYIN_ADDRESSES)

    def action_copy_deposit(self) -> None:
        copy_deposit(self)

    def action_movements(self) -> None:
        if (wallet := self._list.selected) is not None:
            self.dashboard.open_link(Activity(wallet.wallet_id))

    def _show_those(self, kind: Kind) -> None:
        if (wallet := self._list.selected) is not None:
            self.dashboard.open_link(RelatedList(kind, Ref(Kind.WALLETS, wallet.wallet_id)))


NEWEST_MOVEMENTS = 2_000  # Pay-ins, trades and payments of a wallet, each, that are listed


class MovementsPage(ListPage[str, Movement]):
    """The pay-ins, trades and payments of one wallet in one list."""

    def __init__(self, ui: UiContext, wallet_id: WalletId) -> None:
        self._wallet_id = wallet_id
        self._table = Table[str, Movement](_key, Lock())
        self._named: tuple[object, ...] = ()
        self._total = 0
        self._related = RelatedReader(ui, (Kind.WALLETS, wallet_id), KINDS, NEWEST_MOVEMENTS)
        self._sum = SplitLine(classes="title")
        self._difference = Decimal(0)
        self._differs_since: datetime | None = None
        super().__init__(ui, _listing(ui, self._table, wallet_id))

    def body(self) -> Iterator[Widget]:
        yield from super().body()
        yield self._sum

    async def pull(self) -> None:
        """Rebuild the movements if a list behind them changed, then take them in."""
        store, related = self.ui.store, await self._related.read()
        found, self._total = newest_of(related)
        named = (found, store.wallets.version, store.recipients.version)
        if named != self._named:
            self._named = named
            rows = movements(store, self._wallet_id, found)
            self._table.remove(self._table.keys() - {_key(row) for row in rows})
            self._table.put(rows)
        is_whole = len(found) == self._total and all(one.is_whole for one in related.values())
        rows = self._table.rows()
        self._show_sum(reconcile(store, self._wallet_id, rows) if is_whole else None)
        await super().pull()

    def _counted_rows(self) -> str:
        """Return `newest 2,000 of 34,120 movements` if there are more."""
        shown, total = len(self._list), self._total
        if self._row_filter.tests or len(self._table) == total:
            return super()._counted_rows()
        return f"newest {shown:,} of {counted(total, self._row_spec.noun)}"

    def _show_sum(self, found: Reconciliation | None) -> None:
        """Show the booked sum, and a difference from the balance that outlasts a read.

        The lists are not read at the same moment, so that a difference may be gone with the next.
        """
        if found is None:
            self._sum.say(Content())
            return
        if found.difference != self._difference:
            self._difference, self._differs_since = found.difference, self.ui.time.latest()
        read_at = [self.ui.store.feed(kind).as_of for kind in (Kind.WALLETS, *KINDS)]
        since, right = self._differs_since, Cell("as the balance", Tone.MUTED)
        if found.difference and since and all(at is not None and at > since for at in read_at):
            words = amount_words(abs(found.difference), found.currency)
            more = "more" if found.difference > 0 else "less"
            right = Cell(f"the balance is {words} {more}", Tone.CLOSING)
        elif found.difference:
            right = Cell("")
        booked = f" Booked {amount_words(found.booked, found.currency)}"
        self._sum.say(toned(booked, Tone.MUTED), toned(f"{right.text} ", right.tone))

    def _identifier(self, row: Movement) -> tuple[str, str | None]:
        return "Transaction id", row.key

    def open_row(self, row: Movement) -> None:
        self.dashboard.open_link(Ref(row.kind, row.key))


def _key(row: Movement) -> str:
    """Return a unique key: identifiers are unique only within their kind."""
    return f"{row.kind}/{row.key}"


def _listing(
    ui: UiContext, table: Table[str, Movement], wallet_id: WalletId
) -> ListSpec[str, Movement]:
    shown: tuple[Column[Movement], ...] = (
        columns.time_column(ui, "Created", lambda row: row.at),
        figure_column("Amount ±", _amount, width=10, key=lambda row: row.amount),
        columns.currency_column(lambda row: row.currency),
        columns.progress_column(lambda row: row.status),
        columns.text_column("Movement", lambda row: row.what, width=20, most=60, config_id="what"),
        columns.text_column(
            "Reference", lambda row: row.reference, Tone.MUTED, most=60, gives_way=2
        ),
        columns.id_column("Transaction id", lambda row: row.key),
    )
    return ListSpec(
        mode="wallets",
        row_spec=RowSpec(Movement, "movements", _health, _empty, KINDS),
        table=table,
        columns=tuple(map(_dimmed, shown)),
        sort="Created",
        descending=True,
        owner=lambda _: ui.scope,
        within=wallet_label(ui.store, wallet_id),
    )


def _dimmed(column: Column[Movement]) -> Column[Movement]:
    """Return a column that is faint for movements that came to nothing."""

    def cell(row: Movement) -> Cell:
        shown = column.cell(row)
        return Cell(shown.text, Tone.FAINT) if row.came_to_nothing else shown

    return replace(column, cell=cell)


def _amount(row: Movement) -> Cell:
    """Return an amount with its sign."""
    written = amount_cell(row.amount, row.currency or CurrencyCode(""))
    is_in = row.amount is not None and row.amount > 0
    return Cell(f"+{written.text}", written.tone) if is_in else written


def _health(ui: UiContext) -> Cell:
    """Return the state of the first of the three feeds that is not well."""
    said = (feed_words(ui, kind, len(ui.store.table(kind))) for kind in KINDS)
    return next((words for words in said if words.text), Cell(""))


def _empty(ui: UiContext) -> str:
    feeds = (ui.store.feed(kind) for kind in KINDS)
    wanting = next((feed.kind for feed in feeds if feed.offered and not feed.ok), None)
    if wanting is not None:
        return empty_words(ui, wanting)
    return "No movements of this wallet were read."
