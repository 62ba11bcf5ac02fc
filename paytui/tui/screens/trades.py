"""5 Trades: the list of trades, newest first."""

from __future__ import annotations

from paytui.domain.models import Kind, Trade, TradeId
from paytui.domain.money import MISSING, plain
from paytui.store.relations import account_of
from paytui.tui.context import UiContext
from paytui.tui.format.cells import text_cell
from paytui.tui.screens.list_dialogs import object_rows
from paytui.tui.screens.listing import ListSpec
from paytui.tui.table.columns import Column
from paytui.tui.table.common_columns import (
    account_column,
    amount_column,
    destination_column,
    id_column,
    state_column,
    text_column,
    time_column,
    wallet_column,
    word_column,
)
from paytui.tui.theme.themes import Cell, Tone

PAIR = "pair"
"""The id of the column with the currencies of both amounts."""


def trades(desk: UiContext) -> ListSpec[TradeId, Trade]:
    return ListSpec(
        mode="trades",
        row_spec=object_rows(Kind.TRADES),
        table=desk.store.trades,
        columns=_columns(desk),
        others=_others(),
        sort="Created",
        descending=True,
        owner=lambda trade: account_of(desk.store, trade),
    )


def _columns(desk: UiContext) -> tuple[Column[Trade], ...]:
    return (
        time_column(desk, "Created", lambda trade: trade.created_at),
        amount_column(
            "Sold",
            lambda trade: trade.sell_amount,
            lambda trade: trade.sell_currency,
            beside=PAIR,
        ),
        Column(title="Pair", cell=_pair, width=9, whole=True, key=lambda trade: _pair(trade).text),
        amount_column(
            "Bought",
            lambda trade: trade.buy_amount,
            lambda trade: trade.buy_currency,
            beside=PAIR,
        ),
        Column(
            title="Rate",
            cell=lambda trade: text_cell(None if trade.rate is None else plain(trade.rate)),
            width=8,
            whole=True,
            right=True,
            gives_way=3,
            key=lambda trade: trade.rate,
        ),
        state_column(lambda trade: trade.status, width=11),
        account_column(desk, lambda trade: account_of(desk.store, trade), gives_way=4),
        text_column("Reference", lambda trade: trade.reference, gives_way=5),
        # Wide, so that they appear only after the names of accounts have room.
        wallet_column(desk, "From", lambda trade: trade.sell_wallet_id, width=24, gives_way=6),
        destination_column(
            desk,
            lambda trade: trade.recipient_id,
            lambda trade: trade.buy_wallet_id,
            width=24,
            gives_way=6,
        ),
        time_column(desk, "Exchanged", lambda trade: trade.exchanged_at, gives_way=7),
    )


def _others() -> tuple[Column[Trade], ...]:
    return (
        word_column("Dealt", lambda trade: trade.dealt_side, width=5, gives_way=6),
        id_column("Trade id", lambda trade: trade.trade_transaction_id),
        id_column("Account id", lambda trade: trade.account_id),
        id_column("Rate sheet id", lambda trade: trade.rate_sheet_id),
        id_column("Sell wallet id", lambda trade: trade.sell_wallet_id),
        id_column("Buy wallet id", lambda trade: trade.buy_wallet_id),
        id_column("Recipient id", lambda trade: trade.recipient_id),
        id_column("Address id", lambda trade: trade.payment_address_id),
    )


def _pair(trade: Trade) -> Cell:
    return Cell(f"{trade.sell_currency or MISSING} > {trade.buy_currency or MISSING}", Tone.MUTED)
