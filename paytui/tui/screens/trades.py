"""5 Trades: what was sold and bought, newest first."""

from __future__ import annotations

from paytui.api.models import Kind, Trade, TradeId
from paytui.money import MISSING, plain
from paytui.store.views import account_name
from paytui.tui.cells import amount_cell, text_cell, time_cell
from paytui.tui.desk import Desk
from paytui.tui.screens.contents import objects_of
from paytui.tui.screens.listing import Listing
from paytui.tui.state_cell import state_cell
from paytui.tui.tone import Cell, Tone
from paytui.tui.widgets.columns import Column


def trades(desk: Desk) -> Listing[TradeId, Trade]:
    """The list of trades."""
    return Listing(
        mode="trades",
        contents=objects_of(Kind.TRADES),
        table=desk.store.trades,
        key=lambda trade: trade.trade_transaction_id,
        columns=_columns(desk),
        sort="Created",
        descending=True,
        named_by=(desk.store.accounts,),
        owner=lambda trade: trade.account_id,
    )


def _columns(desk: Desk) -> tuple[Column[Trade], ...]:
    return (*_deal(desk), *_standing(desk))


def _deal(desk: Desk) -> tuple[Column[Trade], ...]:
    return (
        Column(
            title="Created",
            cell=lambda trade: time_cell(trade.created_at, desk.zone),
            width=12,
            gives_way=1,
            key=lambda trade: trade.created_at,
        ),
        Column(
            title="Sold",
            cell=lambda trade: amount_cell(trade.sell_amount, trade.sell_currency),
            width=9,
            whole=True,
            right=True,
            key=lambda trade: trade.sell_amount,
        ),
        Column(title="Pair", cell=_pair, width=9, key=lambda trade: _pair(trade).text),
        Column(
            title="Bought",
            cell=lambda trade: amount_cell(trade.buy_amount, trade.buy_currency),
            width=9,
            whole=True,
            right=True,
            key=lambda trade: trade.buy_amount,
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
    )


def _standing(desk: Desk) -> tuple[Column[Trade], ...]:
    return (
        Column(
            title="State",
            cell=lambda trade: state_cell(trade.status),
            width=11,
            whole=True,
            key=lambda trade: trade.status.name if trade.status else None,
        ),
        Column(
            title="Account",
            cell=lambda trade: text_cell(account_name(desk.store, trade.account_id), Tone.MUTED),
            width=12,
            grows=True,
            most=36,
            gives_way=4,
            key=lambda trade: account_name(desk.store, trade.account_id).casefold(),
            borrowed=True,
        ),
        Column(
            title="Reference",
            cell=lambda trade: text_cell(trade.reference),
            width=12,
            grows=True,
            most=30,
            gives_way=5,
            key=lambda trade: trade.reference,
        ),
    )


def _pair(trade: Trade) -> Cell:
    return Cell(f"{trade.sell_currency or MISSING} > {trade.buy_currency or MISSING}", Tone.MUTED)
