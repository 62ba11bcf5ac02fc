"""The detail views of payments, trades and pay-ins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from paytui.domain.intent import IntentTerms
from paytui.domain.models import Kind, PayIn, Payment, Trade
from paytui.domain.money import MISSING, inverse, plain
from paytui.store.payees import BY_OUR_RECORD
from paytui.store.relations import account_of
from paytui.tui.context import UiContext
from paytui.tui.details.fields import (
    Fact,
    Group,
    Ref,
    amount_fact,
    amount_words,
    fact,
    group,
    link_fact,
    links_group,
    text_fact,
)
from paytui.tui.details.state_path import PAYIN, PAYMENT, TRADE, states_group
from paytui.tui.format.cells import state_cell
from paytui.tui.format.times import short_time


def payment_groups(desk: UiContext, payment: Payment) -> list[Group]:
    return [
        group(
            "Payment",
            amount_fact("Amount", payment.amount, payment.currency),
            fact("Type", payment.payment_type),
            fact("State", payment.status),
            fact("Reason of failure", payment.failure_reason),
            fact("Reference", payment.reference),
            fact("End-to-end id", payment.end_to_end_id),
        ),
        states_group(
            desk,
            PAYMENT,
            Kind.PAYMENTS,
            payment,
            {"created": payment.created_at},
            updated=payment.updated_at,
        ),
        group("From and to", *_parties(desk, payment)),
        group(
            "Identifiers",
            fact("Payment", payment.payment_transaction_id),
            fact("Account", payment.account_id),
            fact("Source wallet", payment.source_wallet_id),
            fact("Destination wallet", payment.destination_wallet_id),
            fact("Recipient", payment.recipient_id),
            fact("Payment address", payment.payment_address_id),
        ),
    ]


def _parties(desk: UiContext, payment: Payment) -> list[Fact]:
    terms = desk.own_record.of(Kind.PAYMENTS, payment.payment_transaction_id) or IntentTerms()
    key = payment.payment_address_id or terms.payment_address_id
    address = key and desk.store.payment_addresses.get(key)

    def party(label: str, kind: Kind, told: str | None, confirmed: str | None) -> Fact:
        """Return a link to a party: as the service tells it, else as confirmed here."""
        found = link_fact(desk, label, kind, told or confirmed)
        return replace(found, note=BY_OUR_RECORD) if confirmed and not told else found

    return [
        link_fact(desk, "Account", Kind.ACCOUNTS, account_of(desk.store, payment)),
        party("From wallet", Kind.WALLETS, payment.source_wallet_id, terms.source_wallet_id),
        party(
            "To wallet", Kind.WALLETS, payment.destination_wallet_id, terms.destination_wallet_id
        ),
        party("To recipient", Kind.RECIPIENTS, payment.recipient_id, terms.recipient_id),
        party("At", Kind.PAYMENT_ADDRESSES, payment.payment_address_id, terms.payment_address_id),
        fact("Bank", address.bic or address.routing_code if address else None),
    ]


def trade_groups(desk: UiContext, trade: Trade) -> list[Group]:
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
    """Return the booked rate in full digits, and its inverse; None if there is none."""
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


_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


def payin_groups(desk: UiContext, payin: PayIn) -> list[Group]:
    return [
        group(
            "Pay-in",
            amount_fact("Amount", payin.amount, payin.currency),
            fact("State", payin.status),
            fact("Sender", payin.sender_name),
            fact("Reference", payin.reference),
            link_fact(desk, "Into wallet", Kind.WALLETS, payin.wallet_id),
            link_fact(desk, "At", Kind.PAYIN_ADDRESSES, payin.pay_in_address_id),
        ),
        states_group(
            desk,
            PAYIN,
            Kind.PAYINS,
            payin,
            {"received": payin.created_at, "credited": payin.credited_at},
        ),
        group(
            "Identifiers",
            fact("Pay-in", payin.pay_in_transaction_id),
            fact("Wallet", payin.wallet_id),
            fact("Pay-in address", payin.pay_in_address_id),
        ),
    ]


def newest_payins(desk: UiContext, keep: Callable[[PayIn], bool]) -> Group:
    """Return the pay-ins for which `keep` holds, the newest first, as links."""
    mine = [payin for payin in desk.store.payins.rows() if keep(payin)]
    mine.sort(key=lambda payin: payin.created_at or _LONG_AGO, reverse=True)
    return links_group("Pay-ins", mine, lambda payin: _line(desk, payin))


def _line(desk: UiContext, payin: PayIn) -> Fact:
    """Return the amount, state, sender and reference of a pay-in."""
    amount = MISSING if payin.amount is None else amount_words(payin.amount, payin.currency)
    told = (amount, state_cell(payin.status).text, payin.sender_name, payin.reference)
    words = "  ".join(part for part in told if part)
    link = Ref(Kind.PAYINS, payin.pay_in_transaction_id)
    return text_fact(short_time(payin.created_at, desk.zone), words, link=link)
