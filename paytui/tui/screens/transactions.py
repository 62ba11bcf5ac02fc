"""5 Trades, 6 Payments, pay-ins and their addresses; of long lists, rows come from the cache."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from paytui.config.key_bindings import first_key
from paytui.domain import models
from paytui.domain.models import Kind
from paytui.domain.money import MISSING, plain
from paytui.store.cache.file import CacheUnusable
from paytui.store.cache.list_query import Interrupted, ListQuery
from paytui.store.cache.list_tables import CURRENCY_OF, OWNER, PAYEE, list_tables
from paytui.store.fields import find_fields
from paytui.store.filter import FilterError
from paytui.store.names import account_of
from paytui.store.store import CacheState
from paytui.store.sums import NOTHING, Group, GroupBy
from paytui.tui import textual_bindings
from paytui.tui.format.cells import Cell, Tone, text_cell
from paytui.tui.list_dialogs import object_rows
from paytui.tui.screens.detail import copy_deposit
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.screens.screen_registry import create
from paytui.tui.store_bridge import TableReader
from paytui.tui.table import common_columns as columns
from paytui.tui.table.columns import Column, figure_column
from paytui.tui.table.query_list import Lookup, QueryList, QueryState
from paytui.tui.ui_context import UiContext
from paytui.tui.widgets.feeds import counted

# 6 Payments: the blotter, newest first.


def payments(ui: UiContext) -> ListSpec[models.PaymentId, models.Payment]:
    return ListSpec(
        mode="payments",
        row_spec=object_rows(Kind.PAYMENTS),
        table=ui.store.payments,
        columns=(
            columns.time_column(ui, "Created", lambda row: row.created_at),
            columns.word_column("Type", lambda row: row.payment_type, width=8, gives_way=4),
            columns.amount_column("Amount", lambda row: row.amount, lambda row: row.currency),
            columns.currency_column(lambda row: row.currency),
            columns.wallet_column(ui, "From", lambda row: row.source_wallet_id, gives_way=5),
            columns.destination_column(
                ui,
                lambda row: row.recipient_id,
                lambda row: row.destination_wallet_id,
                lambda row: ui.own_record.of(Kind.PAYMENTS, row.payment_transaction_id),
            ),
            columns.progress_column(lambda row: row.status),
            columns.text_column("Reference", lambda row: row.reference, most=60, gives_way=6),
            columns.account_column(ui, partial(account_of, ui.store), gives_way=7, spare=True),
            columns.text_column(
                "Failure", lambda row: row.failure_reason, most=60, gives_way=8, spare=True
            ),
            columns.text_column(
                "End-to-end id",
                lambda row: row.end_to_end_id,
                Tone.MUTED,
                most=40,
                gives_way=9,
                spare=True,
            ),
        ),
        others=(
            columns.time_column(ui, "Updated", lambda row: row.updated_at),
            columns.id_column("Payment id", lambda row: row.payment_transaction_id),
            columns.id_column("Account id", lambda row: row.account_id),
            columns.id_column("Source id", lambda row: row.source_wallet_id),
            columns.id_column("Destination id", lambda row: row.destination_wallet_id),
            columns.id_column("Recipient id", lambda row: row.recipient_id),
            columns.id_column("Address id", lambda row: row.payment_address_id),
        ),
        sort="Created",
        descending=True,
        owner=partial(account_of, ui.store),
    )


# 5 Trades: the list of trades, newest first.

PAIR = "pair"  # The id of the column with the currencies of both amounts


def trades(ui: UiContext) -> ListSpec[models.TradeId, models.Trade]:
    return ListSpec(
        mode="trades",
        row_spec=object_rows(Kind.TRADES),
        table=ui.store.trades,
        columns=(
            columns.time_column(ui, "Created", lambda row: row.created_at),
            columns.amount_column(
                "Sold", lambda row: row.sell_amount, lambda row: row.sell_currency, beside=PAIR
            ),
            Column(title="Pair", cell=_pair, width=9, whole=True, key=lambda row: _pair(row).text),
            columns.amount_column(
                "Bought", lambda row: row.buy_amount, lambda row: row.buy_currency, beside=PAIR
            ),
            figure_column(
                "Rate",
                lambda row: text_cell(None if row.rate is None else plain(row.rate)),
                width=8,
                gives_way=3,
                key=lambda row: row.rate,
            ),
            columns.progress_column(lambda row: row.status),
            columns.account_column(ui, partial(account_of, ui.store), gives_way=4),
            columns.text_column(
                "Reference", lambda row: row.reference, most=60, gives_way=5, spare=True
            ),
            columns.wallet_column(
                ui, "From", lambda row: row.sell_wallet_id, gives_way=6, spare=True
            ),
            columns.destination_column(
                ui,
                lambda row: row.recipient_id,
                lambda row: row.buy_wallet_id,
                gives_way=6,
                spare=True,
            ),
            columns.time_column(
                ui, "Exchanged", lambda row: row.exchanged_at, gives_way=7, spare=True
            ),
        ),
        others=(
            columns.word_column("Dealt", lambda row: row.dealt_side, width=5, gives_way=6),
            columns.id_column("Trade id", lambda row: row.trade_transaction_id),
            columns.id_column("Account id", lambda row: row.account_id),
            columns.id_column("Rate sheet id", lambda row: row.rate_sheet_id),
            columns.id_column("Sell wallet id", lambda row: row.sell_wallet_id),
            columns.id_column("Buy wallet id", lambda row: row.buy_wallet_id),
            columns.id_column("Recipient id", lambda row: row.recipient_id),
            columns.id_column("Address id", lambda row: row.payment_address_id),
        ),
        sort="Created",
        descending=True,
        owner=partial(account_of, ui.store),
    )


def _pair(trade: models.Trade) -> Cell:
    return Cell(f"{trade.sell_currency or MISSING} > {trade.buy_currency or MISSING}", Tone.MUTED)


# The lists of pay-ins and of pay-in addresses.


def payins(ui: UiContext) -> ListSpec[models.PayInId, models.PayIn]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.PAYINS),
        table=ui.store.payins,
        columns=(
            columns.time_column(ui, "Created", lambda row: row.created_at),
            columns.amount_column("Amount", lambda row: row.amount, lambda row: row.currency),
            columns.currency_column(lambda row: row.currency),
            columns.text_column("Sender", lambda row: row.sender_name, most=40),
            columns.text_column("Reference", lambda row: row.reference, most=60, gives_way=3),
            columns.progress_column(lambda row: row.status),
            columns.wallet_column(ui, "Into", lambda row: row.wallet_id, gives_way=2),
            columns.account_column(ui, partial(account_of, ui.store), gives_way=5, spare=True),
            columns.time_column(
                ui, "Credited", lambda row: row.credited_at, gives_way=4, spare=True
            ),
        ),
        others=(
            columns.id_column("Pay-in id", lambda row: row.pay_in_transaction_id),
            columns.id_column("Wallet id", lambda row: row.wallet_id),
            columns.id_column("Address id", lambda row: row.pay_in_address_id),
        ),
        sort="Created",
        descending=True,
        owner=partial(account_of, ui.store),
    )


def payin_addresses(ui: UiContext) -> ListSpec[models.PayInAddressId, models.PayInAddress]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.PAYIN_ADDRESSES),
        table=ui.store.payin_addresses,
        columns=(
            columns.wallet_column(ui, "Wallet", lambda row: row.wallet_id, Tone.INK, most=40),
            _number("BSB", lambda row: row.bsb, width=7),
            _number("BIC", lambda row: row.bic, width=8),
            _number("Account number", lambda row: row.account_number, width=14),
            columns.word_column("Type", lambda row: row.pay_in_address_type, gives_way=2),
            columns.text_column(
                "Bank", lambda row: row.bank_name, Tone.MUTED, most=32, gives_way=3
            ),
            columns.word_column("Country", lambda row: row.country, width=7, gives_way=4),
            columns.account_column(ui, partial(account_of, ui.store), gives_way=5, spare=True),
        ),
        others=(
            columns.word_column("NPP", _npp, width=3, gives_way=5),
            columns.id_column("Address id", lambda row: row.pay_in_address_id),
            columns.id_column("Wallet id", lambda row: row.wallet_id),
        ),
        sort="Wallet",
        owner=partial(account_of, ui.store),
    )


def _npp(row: models.PayInAddress) -> str | None:
    if row.npp_enabled is None:
        return None
    return "yes" if row.npp_enabled else "no"


class PayInAddressesPage(ListPage[models.PayInAddressId, models.PayInAddress]):
    """The list of pay-in addresses, of all or of one wallet."""

    BINDINGS = textual_bindings.groups("Pay-in addresses", "Deposit details")

    def action_new_payin_address(self) -> None:
        of, selected = self._listing.of, self.selected
        key = models.WalletId(of[1]) if of else selected and selected.wallet_id
        wallet = self.ui.store.wallets.get(key) if key else None
        if wallet is None:
            lead = first_key(self.ui.settings.keys, "wallets.payin_addresses")
            self.notify(f"There is no wallet here: choose one on Wallets (3), then {lead}.")
        else:
            create(self, "create_payin_address", wallet)

    def action_copy_deposit(self) -> None:
        copy_deposit(self)


def _number(
    title: str, number: Callable[[models.PayInAddress], str | None], *, width: int
) -> Column[models.PayInAddress]:
    """Return a column that is never cut: money is sent to its value."""
    return Column(
        title=title, cell=lambda row: text_cell(number(row)), width=width, whole=True, key=number
    )


# Lists that may exceed memory

LONG_LISTS: Mapping[Kind, Callable[[UiContext], ListSpec[Any, Any]]] = MappingProxyType(
    {Kind.PAYMENTS: payments, Kind.TRADES: trades, Kind.PAYINS: payins}
)

SUMS_EVERY = 1.0  # Seconds between the sums of a query while rows are written


class LongListPage(ListPage[Any, Any]):
    """A list of payments, trades or pay-ins: of all, or of those of one object."""

    list_class = QueryList
    _list: QueryList

    def __init__(self, ui: UiContext, listing: ListSpec[Any, Any]) -> None:
        super().__init__(ui, listing)
        assert isinstance(listing.row_spec.listed, Kind), "long lists are of objects"
        self._kind = listing.row_spec.listed
        self._read_from: CacheState | None = None
        self._is_export_awaited = False
        self._is_summing = self._are_marks_old = False
        self._summed_at = 0.0
        columns = (*listing.columns, *listing.others)
        found = {column.id: self._order_fields(column.id) for column in columns}
        self._list.order_fields = {name: fields for name, fields in found.items() if fields}
        self._list.newest = listing.table.get

    def _order_fields(self, column: str) -> tuple[str, ...]:
        """Return what a query sorts by for a column; nothing if that is not cached."""
        table = list_tables()[self._kind]
        names = tuple(field.name for field in find_fields(column, self._fields))
        if column == "to":
            return (PAYEE,)
        if column == "account":
            return (OWNER,)
        names = (*(CURRENCY_OF[name] for name in names if name in CURRENCY_OF), *names)
        return names if all(table.column(n) or table.column(f"{n}_id") for n in names) else ()

    async def pull_rows(self) -> None:
        """Take in changes: of a query by reading it again, else of the table."""
        cache, before = self.ui.cache_of(self._kind), self._read_from
        self._read_from = cache
        if cache is None:
            if self._list.is_query:
                self._list.leave_query()
                self._reader = TableReader(self._listing.table, self._list.apply)
                self._refilter()
            await super().pull_rows()
        elif before is None or cache.file != before.file:
            self._refilter()
        else:
            self._are_marks_old |= cache != before and bool(self._list.marks)
            self._list.refresh_rows(has_changed=cache != before)

    def _refilter(self) -> None:
        cache, lists = self.ui.cache_of(self._kind), self.ui.lists
        if cache is None or lists is None:
            if not self._list.is_query:  # else the next pull leaves it
                super()._refilter()
            return
        self._filtered_at = self.ui.time.clock.boot()
        scope = None if self.ui.scope is None else (Kind.ACCOUNTS, self.ui.scope)
        owner, text = self._listing.of or scope, self._row_filter.text
        query = ListQuery(self._kind, filter=text, owner=owner)
        self._list.look_up(Lookup(lists, cache.file, query, self._when))

    def on_query_list_failed(self, event: QueryList.Failed) -> None:
        """Name an invalid filter; show the rows in memory if the cache cannot be read."""
        if event.problem:
            self._filter_error = event.problem
            self._list.dim(yes=True)
            self._update_lines()
        else:
            self.run_worker(self.pull())

    def _update_marks(self) -> None:
        if self._list.is_query:  # only some rows of it are in the table
            marks, newest = self._list.marks, self._listing.table.get
            marks.update({key: newest(key) or row for key, row in marks.items()})
        else:
            super()._update_marks()

    def _update_sums(self) -> None:
        super()._update_sums()
        if self._are_marks_old and self._list.is_query and not self._is_summing:
            self.run_worker(self._beside_windows(self._read_marks), group="sums")

    def _sum_all(self, kind: Kind) -> None:
        """Sum up a query after its window: again at most once a second while rows are written."""
        if not self._list.is_query:
            super()._sum_all(kind)
            return
        state, before = self._list.state, self._summed
        is_same = isinstance(before, QueryState) and before.query == self._list.asked
        is_due = not is_same or self.ui.time.clock.boot() - self._summed_at >= SUMS_EVERY
        is_due = is_due and not (self._is_summing or self._filter_error)
        if state not in (None, before) and is_due:
            self.run_worker(self._beside_windows(self._sum_query), group="sums")
        if is_same:
            self._show_sums()
        else:
            self._sum_line.say("", NOTHING)

    async def _read_marks(self) -> None:
        self._are_marks_old = False
        try:
            await self._list.read_marked()
        except BaseException:
            self._are_marks_old = True
            raise

    async def _sum_query(self) -> None:
        if (state := self._list.state) is not None:  # else it is summed up after the next window
            self._sums, self._summed = await self._list.read_sums(), state
            self._summed_at = self.ui.time.clock.boot()

    async def _groups(self, kind: Kind, by: GroupBy) -> list[Group] | None:
        if not self._list.is_query or self._list.marks:
            return await super()._groups(kind, by)
        while True:
            try:
                return await self._list.read_groups(by)
            except Interrupted:
                continue
            except (CacheUnusable, FilterError):
                return None

    async def _beside_windows(self, read: Callable[[], Awaitable[None]]) -> None:
        """Read something that gives way to windows, and is read again after them."""
        self._is_summing = True
        try:
            await self._list.painted()
            await read()
        except Interrupted:
            self.call_later(self._update_sums)
            return
        except (CacheUnusable, FilterError):
            return
        finally:
            self._is_summing = False
        self._show_marks()

    def action_export(self) -> None:
        """Export the rows once their number is known."""
        self._is_export_awaited = self._list.is_query and self._list.is_filtering
        if not self._is_export_awaited:
            super().action_export()

    def on_data_list_filtered(self) -> None:
        if self._is_export_awaited:
            self.action_export()

    def _counted_rows(self) -> str:
        """Return `34,000 of 34,120 payments` while rows are being written.

        Name what was left out if the cache cannot be used.
        """
        shown, total = len(self._list), self.ui.store.feed(self._kind).total or 0
        is_all = not self._row_filter.tests and self.ui.scope is None and self._listing.of is None
        if self._list.is_query and is_all and shown < total:
            return f"{shown:,} of {counted(total, self._row_spec.noun)}"
        if not self._list.is_query and self.ui.store.left_out(self._kind):
            return f"{super()._counted_rows()} in memory: the cache file failed"
        return super()._counted_rows()
