"""A trade in full."""

from __future__ import annotations

from paytui.api.models import Trade
from paytui.money import inverse, plain
from paytui.store.views import account_name, recipient_name, wallet_label
from paytui.tui.desk import Desk
from paytui.tui.details.facts import Fact, Group, amount_fact, fact, group, time_fact


def trade_groups(desk: Desk, trade: Trade) -> list[Group]:
    """Everything known of a trade."""
    store = desk.store
    return [
        group(
            "Trade",
            amount_fact("Sold", trade.sell_amount, trade.sell_currency),
            amount_fact("Bought", trade.buy_amount, trade.buy_currency),
            fact("Fixed side", trade.dealt_side),
            *_rates(trade),
            fact("State", trade.status),
            fact("Reference", trade.reference),
        ),
        group(
            "From and to",
            fact("Account", account_name(store, trade.account_id)),
            fact("From wallet", wallet_label(store, trade.sell_wallet_id)),
            fact("To wallet", wallet_label(store, trade.buy_wallet_id)),
            fact("To recipient", recipient_name(store, trade.recipient_id)),
        ),
        group(
            "Times",
            time_fact(desk, "Created", trade.created_at),
            time_fact(desk, "Exchanged", trade.exchanged_at),
        ),
        group(
            "Identifiers",
            fact("Trade", trade.trade_transaction_id),
            fact("Account", trade.account_id),
            fact("Rate sheet", trade.rate_sheet_id),
            fact("Source wallet", trade.sell_wallet_id),
            fact("Destination wallet", trade.buy_wallet_id),
            fact("Recipient", trade.recipient_id),
            fact("Payment address", trade.payment_address_id),
        ),
    ]


def _rates(trade: Trade) -> list[Fact]:
    if trade.rate is None or not (trade.sell_currency and trade.buy_currency):
        return [fact("Rate", trade.rate), fact("Inverse", None)]
    turned = inverse(trade.rate)
    back = None if turned is None else f"1 {trade.buy_currency} = {plain(turned)}"
    return [
        fact("Rate", f"1 {trade.sell_currency} = {plain(trade.rate)} {trade.buy_currency}"),
        fact("Inverse", back and f"{back} {trade.sell_currency}"),
    ]
