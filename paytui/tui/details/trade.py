"""A trade in full."""

from __future__ import annotations

from paytui.domain.models import Kind, Trade
from paytui.domain.money import inverse, plain
from paytui.store.relations import account_of
from paytui.tui.context import Desk
from paytui.tui.details.facts import Fact, Group, amount_fact, fact, group
from paytui.tui.details.journeys import TRADE
from paytui.tui.details.links import link_fact
from paytui.tui.details.timeline import states_group


def trade_groups(desk: Desk, trade: Trade) -> list[Group]:
    """Everything known of a trade."""
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
        states_group(
            desk,
            TRADE,
            Kind.TRADES,
            trade,
            {"created": trade.created_at, "exchanged": trade.exchanged_at},
        ),
        group(
            "From and to",
            link_fact(desk, "Account", Kind.ACCOUNTS, account_of(desk.store, trade)),
            link_fact(desk, "From wallet", Kind.WALLETS, trade.sell_wallet_id),
            link_fact(desk, "To wallet", Kind.WALLETS, trade.buy_wallet_id),
            link_fact(desk, "To recipient", Kind.RECIPIENTS, trade.recipient_id),
            link_fact(desk, "At", Kind.PAYMENT_ADDRESSES, trade.payment_address_id),
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
    rate, back = rate_words(trade)
    return [fact("Rate", rate), fact("Inverse", back)]


def rate_words(trade: Trade) -> tuple[str | None, str | None]:
    """The rate as it was booked, every digit of it, and its inverse; None where there is none."""
    if trade.rate is None:
        return None, None
    if not (trade.sell_currency and trade.buy_currency):
        return plain(trade.rate), None
    turned = inverse(trade.rate)
    back = None if turned is None else f"1 {trade.buy_currency} = {plain(turned)}"
    return (
        f"1 {trade.sell_currency} = {plain(trade.rate)} {trade.buy_currency}",
        back and f"{back} {trade.sell_currency}",
    )
