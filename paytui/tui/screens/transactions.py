"""5 Trades, 6 Payments, and the lists of pay-ins and of pay-in addresses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from paytui.config.key_bindings import first_key
from paytui.domain import models
from paytui.domain.models import Kind
from paytui.domain.money import MISSING, plain
from paytui.store.names import account_of
from paytui.tui import screen_keys
from paytui.tui.format.cells import Cell, Tone, text_cell
from paytui.tui.forms.create_actions import create
from paytui.tui.list_dialogs import object_rows
from paytui.tui.screens.detail import copy_deposit
from paytui.tui.screens.listing import ListPage, ListSpec
from paytui.tui.table import common_columns as columns
from paytui.tui.table.columns import Column
from paytui.tui.ui_context import UiContext

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
            columns.spare(
                columns.account_column(ui, lambda row: account_of(ui.store, row), gives_way=7)
            ),
            columns.spare(
                columns.text_column("Failure", lambda row: row.failure_reason, most=60, gives_way=8)
            ),
            columns.spare(
                columns.text_column(
                    "End-to-end id",
                    lambda row: row.end_to_end_id,
                    most=40,
                    gives_way=9,
                    tone=Tone.MUTED,
                )
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
        owner=lambda row: account_of(ui.store, row),
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
                "Sold",
                lambda row: row.sell_amount,
                lambda row: row.sell_currency,
                beside=PAIR,
            ),
            Column(title="Pair", cell=_pair, width=9, whole=True, key=lambda row: _pair(row).text),
            columns.amount_column(
                "Bought",
                lambda row: row.buy_amount,
                lambda row: row.buy_currency,
                beside=PAIR,
            ),
            Column(
                title="Rate",
                cell=lambda row: text_cell(None if row.rate is None else plain(row.rate)),
                width=8,
                whole=True,
                right=True,
                gives_way=3,
                key=lambda row: row.rate,
            ),
            columns.progress_column(lambda row: row.status),
            columns.account_column(ui, lambda row: account_of(ui.store, row), gives_way=4),
            columns.spare(
                columns.text_column("Reference", lambda row: row.reference, most=60, gives_way=5)
            ),
            columns.spare(
                columns.wallet_column(ui, "From", lambda row: row.sell_wallet_id, gives_way=6)
            ),
            columns.spare(
                columns.destination_column(
                    ui, lambda row: row.recipient_id, lambda row: row.buy_wallet_id, gives_way=6
                )
            ),
            columns.spare(
                columns.time_column(ui, "Exchanged", lambda row: row.exchanged_at, gives_way=7)
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
        owner=lambda row: account_of(ui.store, row),
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
            columns.spare(
                columns.account_column(ui, lambda row: account_of(ui.store, row), gives_way=5)
            ),
            columns.spare(
                columns.time_column(ui, "Credited", lambda row: row.credited_at, gives_way=4)
            ),
        ),
        others=(
            columns.id_column("Pay-in id", lambda row: row.pay_in_transaction_id),
            columns.id_column("Wallet id", lambda row: row.wallet_id),
            columns.id_column("Address id", lambda row: row.pay_in_address_id),
        ),
        sort="Created",
        descending=True,
        owner=lambda row: account_of(ui.store, row),
    )


_NPP: Mapping[bool | None, str] = MappingProxyType({True: "yes", False: "no"})


def payin_addresses(ui: UiContext) -> ListSpec[models.PayInAddressId, models.PayInAddress]:
    return ListSpec(
        mode="wallets",
        row_spec=object_rows(Kind.PAYIN_ADDRESSES),
        table=ui.store.payin_addresses,
        columns=(
            columns.wallet_column(ui, "Wallet", lambda row: row.wallet_id, most=40, tone=Tone.INK),
            _number("BSB", lambda row: row.bsb, width=7),
            _number("BIC", lambda row: row.bic, width=8),
            _number("Account number", lambda row: row.account_number, width=14),
            columns.word_column("Type", lambda row: row.pay_in_address_type, gives_way=2),
            columns.text_column(
                "Bank", lambda row: row.bank_name, most=32, gives_way=3, tone=Tone.MUTED
            ),
            columns.word_column("Country", lambda row: row.country, width=7, gives_way=4),
            columns.spare(
                columns.account_column(ui, lambda row: account_of(ui.store, row), gives_way=5)
            ),
        ),
        others=(
            columns.word_column("NPP", lambda row: _NPP.get(row.npp_enabled), width=3, gives_way=5),
            columns.id_column("Address id", lambda row: row.pay_in_address_id),
            columns.id_column("Wallet id", lambda row: row.wallet_id),
        ),
        sort="Wallet",
        owner=lambda row: account_of(ui.store, row),
    )


class PayInAddressesPage(ListPage[models.PayInAddressId, models.PayInAddress]):
    """The list of pay-in addresses, of all or of one wallet."""

    BINDINGS = [*screen_keys.PAYIN_ADDRESSES, *screen_keys.DEPOSIT]  # noqa: RUF012  (Textual's way)

    def __init__(
        self,
        ui: UiContext,
        listing: ListSpec[models.PayInAddressId, models.PayInAddress],
        wallet_id: models.WalletId | None = None,
    ) -> None:
        super().__init__(ui, listing)
        self._wallet_id = wallet_id

    def action_new_payin_address(self) -> None:
        key = self._wallet_id or (self.selected and self.selected.wallet_id)
        wallet = self.ui.store.wallets.get(key) if key else None
        if wallet is None:
            lead = first_key(self.ui.settings.keys, "wallets.payin_addresses")
            words = f"There is no wallet here: choose one on Wallets (3), then {lead}."
            self.notify(words, markup=False)
        else:
            create(self, "create_payin_address", wallet)

    def action_copy_deposit(self) -> None:
        copy_deposit(self)


def _number(
    title: str, number: Callable[[models.PayInAddress], str | None], *, width: int
) -> Column[models.PayInAddress]:
    """Return a column that is never cut: money is sent to its value."""
    return Column(
        title=title,
        cell=lambda row: text_cell(number(row)),
        width=width,
        whole=True,
        key=number,
    )
